// Where tokens are, not where they are drawn: Foundry animates the values of a token's document while it moves.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { SMALL, openGm } from "./foundry/user.mjs";
import { until } from "./harness.mjs";

const ANNA = "tokentokenAnna01";
const SCENE = "scenescene000001";
/** A part of the time that Foundry's walk of several squares takes. */
const ON_ITS_WAY_MS = 250;

for (const generation of (process.env.GENERATIONS ?? "12 13 14").split(" ").map(Number))
  describe(`tokens on their way in Foundry ${generation}`, () => {
    let browser, world, server, gm;

    before(async () => {
      ({ browser, world, server, gm } = await openGm(generation, { system: "dnd5e", viewport: SMALL }));
      await until(async () => (await server.token(ANNA))?.at, "Anna is at the table");
    });
    after(async () => {
      await browser?.close();
      await server?.stop();
      await world?.stop();
    });

    const place = () => {
      const { x, y } = world.find("Token", ANNA, SCENE);
      return [(x - 400) / 100, (y - 300) / 100];
    };
    const isAt = (cell) => async () =>
      String(place()) === String(cell) && String((await server.token(ANNA)).at) === String(cell);
    const onItsWay = () => gm.do((ms) => new Promise((resolve) => setTimeout(resolve, ms)), ON_ITS_WAY_MS);
    const moveAtTable = (at) =>
      server.command("token.move", { token: ANNA, at, facing: null, override: "a test" });
    const drag = ([column, row]) =>
      gm.do(([id, to]) => window.host.drag(id, to), [ANNA, { x: 400 + 100 * column, y: 300 + 100 * row }]);
    const stands = async (cell) => {
      await drag(cell);
      await until(isAt(cell), `Anna stands at ${cell}`);
      await until(
        () => gm.do((id) => !window.host.documents.isAnimated(canvas.scene.tokens.get(id)), ANNA),
        "Anna has walked there",
      );
    };

    test("animation: the document shows the way, and the source the end", async () => {
      await stands([3, 4]);
      const [drawn, saved] = await gm.do(async (id) => {
        const token = canvas.scene.tokens.get(id);
        await token.update({ y: 1100 });
        return [token.y, token._source.y];
      }, ANNA);
      assert.equal(saved, 1100);
      assert.ok(drawn < 1000, `drawn at ${drawn}`);
      await until(isAt([3, 8]), "the table has the end");
    });

    test("animation: two moves of the table, the second on the way of the first, end on the grid", async () => {
      await stands([3, 4]);
      await moveAtTable([3, 8]);
      await onItsWay();
      await moveAtTable([1, 8]);
      await until(isAt([1, 8]), "Anna is where the table has her");
    });

    test("animation: a drag that is undone at once ends where it began", async () => {
      await stands([3, 4]);
      await drag([3, 8]);
      await until(async () => String((await server.token(ANNA)).at) === "3,8", "the table has the drag");
      await gm.page.keyboard.press("Shift+KeyY");
      await until(isAt([3, 4]), "Anna is back");
    });

    test("animation: a drag that the rules refuse ends where it began", async () => {
      await stands([3, 4]);
      await gm.do(() => window.enfilade.seatUi.context.windows.open("rules"));
      const enforce = async (mode) => {
        await gm.page.selectOption("#enfilade-rules #enforcement", mode);
        await gm.page.locator("#enfilade-rules #rules-save").dispatchEvent("click");
        await until(async () => (await server.scene()).enforcement === mode, `the table's mode is ${mode}`);
      };
      await enforce("enforce");
      await drag([12, 9]);
      await until(isAt([3, 4]), "Anna is back");
      await enforce("warn");
    });
  });
