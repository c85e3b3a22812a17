// The module's own place on the screen: a group of controls, one tool among those of tokens, and all overlays off.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { SMALL, openGm } from "./foundry/user.mjs";
import { becomes, until } from "./harness.mjs";

const ANNA = "tokentokenAnna01";

for (const generation of (process.env.GENERATIONS ?? "12 13 14").split(" ").map(Number))
  describe(`the controls in Foundry ${generation}`, () => {
    let browser, world, server, gm;

    before(async () => {
      ({ browser, world, server, gm } = await openGm(generation, { viewport: SMALL }));
      await gm.page.locator("[data-tool=enfilade-attack]").waitFor();
    });
    after(async () => {
      await browser?.close();
      await server?.stop();
      await world?.stop();
    });

    const toolsOf = (group) =>
      gm.page.locator(`[data-group=${group}]`).evaluateAll((all) => all.map(({ dataset }) => dataset.tool));
    const isShown = () => gm.do(() => canvas.enfilade.visible);

    test("the module has a group of its own, and one tool in the group of tokens", async () => {
      const own = await toolsOf("enfilade");
      assert.ok(own.includes("enfilade-attack") && own.includes("enfilade-reach"), `${own}`);
      const ofTokens = await toolsOf(generation < 13 ? "token" : "tokens");
      assert.deepEqual(ofTokens, ["select", "enfilade-table"]);
      await gm.page.locator("[data-tool=enfilade-table]").click();
      await gm.page.locator("#enfilade-turn").waitFor();
      await gm.do(() => window.enfilade.seatUi.context.windows.close());
    });

    test("one button and one key hide all overlays, and the next scene stays without them", async () => {
      await until(async () => (await server.token(ANNA))?.at, "Anna is at the table");
      await gm.click(ANNA);
      await gm.page.locator("[data-tool=enfilade-overlays]").click();
      await becomes(isShown, false, "the button has hidden them");
      await gm.do(() => canvas.scene.view());
      assert.equal(await isShown(), false);
      await gm.page.keyboard.press("Shift+KeyO");
      await becomes(isShown, true, "the key shows them");
      await gm.page.locator("[data-tool=enfilade-overlays][aria-pressed=true]").waitFor();
    });

    test("the page logs no errors", () => assert.deepEqual(gm.errors, []));
  });
