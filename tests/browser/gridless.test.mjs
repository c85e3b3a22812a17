// A battle in inches, without cells: outlines of what a group reaches, base contact, a drag in formation, and dice
// split over opponents.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Player, becomes, launch, newTable, until } from "./harness.mjs";
import { takePicture } from "./pictures.mjs";

const INCH = 64;
const at = (x, y) => [Math.round(x * INCH), Math.round(y * INCH)];
const GRID = { kind: "gridless", columns: 30, rows: 20, distance: 1, units: "inches" };
const WALL = { id: "ruin", line: [...at(14, 3), ...at(14, 8.5)], move: "normal", sight: "normal" };

const model = (id, side, place, profile) => ({
  token: { id, name: id, side, at: place, facing: null, profile },
});
const orc = (id, place) => model(id, "red", place, { level: 1, minion: true, athletic: true });

describe("a gridless battle of Miniatures combat", () => {
  let server, browser, gm;

  before(async () => {
    server = await (await newTable("miniatures_combat")).clear();
    const scene = await server.scene();
    await server.command("scene.set", { scene: { ...scene, grid: GRID, walls: [WALL], terrain: [] } });
    browser = await launch();
    for (const [n, y] of [7, 8.5, 10, 11.5].entries())
      await server.command("token.place", orc(`Orc${n + 1}`, at(9, y)));
    await server.command(
      "token.place",
      model("Borin", "blue", at(19, 10), { level: 2, shield: "shield", weapon: "pole" }),
    );
    gm = await Player.join(browser, server.gm);
    gm.grid = GRID;
    await gm.page.click("#fit");
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  const act = (kind, token, more = {}) =>
    server.command("act", { act: { kind, token, target: "", weapon: "", at: null, facing: null, ...more } });
  const place = async (id) => (await server.token(id)).at;
  /** A mouse points at whole pixels, so that a place is exact to a few 64ths of an inch. */
  const isNear = ([x, y], [wantedX, wantedY]) => Math.hypot(x - wantedX, y - wantedY) < 3;
  const point = async (to) => gm.page.mouse.move(...(await gm.at(to)), { steps: 3 });

  test("before the roll the outlines show the least, the average and the most", async () => {
    await act("turn", "", { body: { side: "red" } });
    await gm.page.click("#pick-Orc1");
    for (const [x, text] of [
      [5.5, '3.5" straight; On average'],
      [4, '5" straight; At most 6"'],
      [6.5, '2.5" straight; At least 3"'],
      [2, "out of reach"],
    ]) {
      await point(at(x, 7));
      await gm.sees("#move-text", text);
    }
    const others = ["Orc2", "Orc3", "Orc4"];
    await act("activate", "Orc1", { body: { members: others, shifts: [] } });
    await point(at(9, 14));
    await gm.sees("#move-text", '7" straight; At least'); // within the least of the fourth orc
    await takePicture(gm.page, "gridless-group");
  });

  test("after the roll one outline is left; the dragged base says how far it goes", async () => {
    await server.command("act", {
      act: { kind: "roll_movement", token: "Orc1", target: "", body: { dice: 1 } },
      faces: [5, 5],
    });
    await point(at(9, 16));
    await gm.sees("#move-text", '9" straight; Reach 12"');
    await gm.drag(await place("Orc1"), at(12, 7), {
      during: async () => {
        await gm.sees("#move-text", /3" straight; Reach 12"/);
        await gm.page.keyboard.press("Escape");
      },
    });
    assert.deepEqual(await place("Orc1"), at(9, 7));
  });

  test("a drag with Shift moves the whole group in formation", async () => {
    await gm.page.keyboard.down("Shift");
    await gm.drag(at(9, 8.5), at(11, 8.5), {
      during: () => gm.sees("#move-text", /with 3 of the group/),
    });
    await gm.page.keyboard.up("Shift");
    for (const [n, y] of [7, 8.5, 10, 11.5].entries())
      await until(async () => isNear(await place(`Orc${n + 1}`), at(11, y)), `Orc${n + 1} moved`);
  });

  test("a base dragged close to another goes into contact with it", async () => {
    await gm.drag(at(11, 10), at(17.93, 10));
    await until(async () => isNear(await place("Orc3"), at(18, 10)), "base to base");
    const [orc, borin] = [await place("Orc3"), await place("Borin")];
    const gap = Math.hypot(orc[0] - borin[0], orc[1] - borin[1]) - 64;
    assert.ok(gap >= 0 && gap < 1, `${gap} 64ths of an inch between the bases`);
  });

  test("the defender splits the dice over two enemies; the dialog shows the chances and starts with the best", async () => {
    await gm.drag(at(11, 11.5), at(19, 11));
    await until(async () => isNear(await place("Orc4"), at(19, 11)), "the second is there");
    await act("end", "Orc1");
    await act("activate", "Borin", { body: { members: [], shifts: [] } });
    await gm.press("Escape");
    await gm.page.click("#pick-Borin");
    await gm.page.click("#layers-open");
    for (const layer of ["ranges", "threat", "defense"]) {
      const box = gm.page.locator(`#layer-${layer}`);
      if (!(await box.isChecked())) await box.check();
    }
    await gm.page.click("#layers-open");
    await act("defend", "Borin", { body: { dice: 0, bonus: 0 } });
    await gm.sees(".prompt", /How many dice/);
    const numbers = () =>
      gm.page.locator(".prompt .split input").evaluateAll((all) => all.map(({ value }) => +value));
    await gm.sees(".prompt .split", /All succeed: \d+/);
    const best = await numbers();
    assert.ok(best[0] + best[1] >= 2, `${best}`);
    await gm.page.click("#fit");
    await gm.page.mouse.move(...(await gm.at(at(28, 11))));
    for (let turn = 0; turn < 3; turn += 1) await gm.page.mouse.wheel(0, -240);
    await gm.page.mouse.move(...(await gm.at(at(2, 1))));
    await takePicture(gm.page, "gridless-split");
    await gm.page.click("#fit");
    await gm.page.locator(".prompt .split input").first().fill("9");
    await gm.sees(".prompt .split", /too many/);
    await gm.page.locator("#split-send:disabled").waitFor();
    for (const [n, value] of best.entries())
      await gm.page.locator(".prompt .split input").nth(n).fill(String(value));
    await gm.page.keyboard.press("Enter");
    await gm.answerUntil(
      async () => /defends against/.test(await gm.page.locator("#log-list").innerText()),
      "a defense",
    );
    await becomes(() => gm.page.locator(".prompt .split").count(), 0, "the question has gone");
  });

  test("the page logs no errors", () => assert.deepEqual(gm.errors, []));
});
