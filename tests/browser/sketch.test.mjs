// Drawing and writing on the map, fog of war, the ruler that tells sight, and one unit's way back: GM, player, spectator.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Player, launch, miniature, newTable, until } from "./harness.mjs";
import { text } from "./text.mjs";

/** Between columns 7 and 8, over the upper half of the board. */
const WALL = { id: "wall", line: [512, 0, 512, 320] };

describe("the map beside the rules", () => {
  let table, browser, gm, mia, watcher;

  const drawings = async () => (await table.scene()).drawings;

  before(async () => {
    table = await (await newTable()).clear();
    await table.command("token.place", miniature("Anna", "blue", [3, 2], ["sword", "shield"]));
    await table.command("token.place", miniature("Grim", "red", [12, 2], ["axe", "shield"]));
    await table.command("map.edit", { walls: [WALL], terrain: [], remove: [] });
    browser = await launch();
    gm = await Player.join(browser, table.gm, { viewport: { width: 1440, height: 900 } });
    mia = await Player.join(browser, await table.seatPlayer("Mia", ["Anna"]), {
      viewport: { width: 1440, height: 900 },
    });
    watcher = await Player.join(browser, table.spectator, { viewport: { width: 1024, height: 768 } });
    const { grid } = await table.scene();
    for (const player of [gm, mia, watcher]) Object.assign(player, { grid });
    for (const player of [gm, mia]) await player.page.click("#fit");
  });
  after(() => browser?.close());

  /** Presses, drags through cells, and lets go. */
  async function stroke(player, cells) {
    await player.page.mouse.move(...(await player.at(cells[0])));
    await player.page.mouse.down();
    for (const cell of cells.slice(1)) await player.page.mouse.move(...(await player.at(cell)), { steps: 6 });
    await player.page.mouse.up();
  }

  test("a player draws a line with the pen, all seats get it, and a spectator has no pen", async () => {
    await mia.page.click("#sketch-open");
    await mia.page.selectOption("#sketch-color", "red");
    await mia.page.click("#sketch-pen");
    await stroke(mia, [
      [8, 6],
      [10, 7],
      [12, 6],
    ]);
    await until(async () => (await drawings()).length === 1, "the line is on the table");
    const [line] = await drawings();
    assert.ok(line.points.length >= 8 && line.points.length % 2 === 0, String(line.points.length));
    assert.deepEqual([line.color, line.text, line.hidden, line.round], ["red", "", false, 0]);
    assert.equal(await watcher.page.locator("#sketch-open").isVisible(), false);
    await mia.press("Escape");
    assert.equal(await mia.page.getAttribute("#sketch-pen", "aria-pressed"), "false");
    assert.equal(await mia.page.locator("#fog-fields").isVisible(), false);
  });

  test("two clicks draw a straight line, and a text is written where one clicks", async () => {
    await mia.page.click("#sketch-pen");
    await mia.page.mouse.click(...(await mia.at([8, 8])));
    await mia.page.mouse.click(...(await mia.at([11, 8])));
    await until(async () => (await drawings()).length === 2, "the line of two clicks");
    await mia.page.fill("#sketch-words", "Rally here");
    await mia.page.click("#sketch-text");
    await mia.page.mouse.click(...(await mia.at([9, 5])));
    await until(async () => (await drawings()).some((one) => one.text === "Rally here"), "the text");
    await watcher.sees("#log", "On the map: Rally here");
    await mia.press("Escape");
  });

  test("the GM's own drawing reaches no other seat", async () => {
    await gm.page.click("#sketch-open");
    await gm.page.check("#sketch-hidden");
    await gm.page.click("#sketch-pen");
    await stroke(gm, [
      [13, 8],
      [15, 8],
    ]);
    await until(async () => (await drawings()).length === 4, "the GM's line");
    const seen = await (
      await fetch(`${table.origin}/api/tables/${table.table}/scene`, {
        headers: { Authorization: `Bearer ${new URLSearchParams(table.spectator.slice(1)).get("key")}` },
      })
    ).json();
    assert.equal(seen.drawings.length, 3);
    await gm.press("Escape");
  });

  test("a player erases their own drawings, and the GM all", async () => {
    await mia.page.click("#sketch-erase");
    await until(async () => (await drawings()).length === 1, "only the GM's is left");
    await gm.page.click("#sketch-erase");
    await until(async () => (await drawings()).length === 0, "none is left");
  });

  test("fog over all hides the enemy from players, and their units lift it by sight", async () => {
    await gm.page.click("#fog-all");
    await until(async () => (await table.scene()).fog.cells.length > 0, "the fog is there");
    await mia.seesNo("#tracker", "Grim");
    await watcher.seesNo("#tracker", "Grim");
    await mia.sees("#tracker", "Anna");
    await gm.sees("#tracker", "Grim");
    await gm.page.check("#fog-sight");
    await until(async () => (await table.scene()).fog.by_sight, "units lift the fog");
    await mia.seesNo("#tracker", "Grim");
    await table.command("token.move", {
      token: "Anna",
      at: [9, 8],
      path: [
        [3, 8],
        [9, 8],
      ],
    });
    await mia.sees("#tracker", "Grim");
  });

  test("the GM covers cells with the brush and lifts the fog everywhere", async () => {
    await gm.page.click("#fog-none");
    await until(async () => (await table.scene()).fog.cells.length === 0, "no fog");
    await gm.page.uncheck("#fog-sight");
    await until(async () => !(await table.scene()).fog.by_sight, "sight lifts nothing");
    await gm.page.click("#sketch-cover");
    await stroke(gm, [
      [11, 2],
      [13, 2],
    ]);
    await until(async () => (await table.scene()).fog.cells.length > 0, "the brush covers");
    await mia.seesNo("#tracker", "Grim");
    await gm.page.click("#sketch-lift");
    await stroke(gm, [
      [11, 2],
      [13, 2],
    ]);
    await mia.sees("#tracker", "Grim");
    await gm.press("Escape");
    await gm.page.click("#sketch-open");
  });

  test("the ruler tells what the chosen unit would see from one place at another", async () => {
    await table.command("token.move", { token: "Anna", at: [3, 2] });
    await mia.page.click("#sketch-open");
    await mia.page.click("#pick-Anna");
    await mia.page.click("#ruler");
    await mia.page.mouse.move(...(await mia.at([5, 1])));
    await mia.page.mouse.down();
    await mia.page.mouse.move(...(await mia.at([10, 1])), { steps: 4 });
    await mia.sees("#move-text", "does not see a unit there");
    await mia.page.mouse.move(...(await mia.at([5, 7])), { steps: 4 });
    await mia.sees("#move-text", "Anna sees a unit there");
    await mia.page.mouse.up();
    await mia.press("Escape", "Escape");
  });

  test("one unit goes back to where its turn began, and the others stay", async () => {
    await table.command("token.move", { token: "Anna", at: [4, 3] });
    await table.command("token.move", { token: "Grim", at: [12, 5] });
    await table.command("token.move", { token: "Anna", at: [5, 4] });
    await mia.page.locator("#turn-back").click();
    await until(async () => String((await table.token("Anna")).at) !== "5,4", "Anna is back");
    assert.deepEqual((await table.token("Grim")).at, [12, 5]);
    await mia.page.locator("#turn-back").waitFor({ state: "hidden" });
    assert.deepEqual([gm.errors, mia.errors, watcher.errors], [[], [], []]);
  });
});
