// Drawing and writing on the map, fog of war, the ruler that tells sight, and one unit's way back: GM, player, spectator.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Player, becomes, launch, miniature, newTable, until } from "./harness.mjs";
import { text } from "./text.mjs";

/** Between columns 7 and 8, over the upper half of the board. */
const WALL = { id: "wall", line: [512, 0, 512, 320] };

/** Returns what is wrong with the panel on a phone: its size, its place over the tools, and what is too small for a finger. */
function faultsOfPanel() {
  const boxOf = (id) => document.getElementById(id).getBoundingClientRect();
  const [box, rail] = [boxOf("sketch"), boxOf("map-tools")];
  const isClear = box.right <= rail.left || box.bottom <= rail.top || box.left >= rail.right;
  const isWithin = box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
  const target = (one) => (one.type === "checkbox" ? one.closest(".check") : one);
  const small = [...document.querySelectorAll("#sketch :is(button, select, input)")].filter(
    (one) => one.checkVisibility() && target(one).getBoundingClientRect().height < 43.5,
  );
  return [
    ...((box.width * box.height) / (innerWidth * innerHeight) < 0.5 ? [] : ["it takes half of the map"]),
    ...(isWithin ? [] : ["it hangs out"]),
    ...(isClear ? [] : ["it covers the tools"]),
    ...small.map(({ id }) => `${id} is small`),
  ];
}

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

  test("with the keyboard alone: the panel by B, a line, a text and fog by arrow keys and Enter", async () => {
    const focused = () => mia.page.evaluate(() => document.activeElement?.id);
    await mia.page.focus("#board");
    await mia.page.keyboard.press("b");
    assert.equal(await focused(), "sketch-pen", "the focus goes into the panel");
    await mia.page.keyboard.press("Enter");
    assert.equal(await focused(), "board", "the pen is used on the board");
    const keys = ["ArrowRight", "Enter", "ArrowRight", "ArrowRight", "ArrowDown", "ArrowDown"];
    for (const key of keys) await mia.page.keyboard.press(key);
    await until(async () => /^[A-Z]\d+$/.test(await mia.page.textContent("#announcer")), "the place is told");
    await mia.page.keyboard.press("Enter");
    await until(async () => (await drawings()).length === 1, "the line is on the table");
    const [{ points }] = await drawings();
    assert.deepEqual([points.at(-2) - points[0], points.at(-1) - points[1]], [64, 64]);
    await mia.press("Escape");
    await mia.page.keyboard.press("b");
    await mia.page.keyboard.press("b");
    await mia.page.fill("#sketch-words", "Hold");
    await mia.page.focus("#sketch-text");
    for (const key of ["Enter", "ArrowUp", "Enter"]) await mia.page.keyboard.press(key);
    await until(async () => (await drawings()).some((one) => one.text === "Hold"), "the text");
    await mia.press("Escape", "Escape");

    await gm.page.focus("#board");
    await gm.page.keyboard.press("b");
    await gm.page.focus("#sketch-cover");
    for (const key of ["Enter", "Enter", "ArrowRight", "ArrowRight"]) await gm.page.keyboard.press(key);
    await gm.page.evaluate(() => {
      for (const key of ["Enter", "Escape"])
        document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    });
    // Escape puts the brush down although the stroke is still being sent.
    await gm.page.locator("#sketch-cover[aria-pressed=false]").waitFor();
    await until(async () => (await table.scene()).fog.cells.length > 0, "cells are covered");
    const [[, first, last]] = (await table.scene()).fog.cells;
    assert.equal(last - first, 1, "the brush covered the way");
    await gm.page.focus("#sketch-cover");
    await gm.page.keyboard.press("Escape");
    assert.equal(await gm.page.evaluate(() => document.activeElement?.id), "board");
    await table.command("fog.set", { clear: true });
    await table.command("erase", {});
  });

  test("two GMs lay fog at once and undo it, and a spectator never learns of a hidden unit in lifted fog", async () => {
    const lurker = miniature("Lurker", "red", [12, 7], ["axe", "shield"]);
    lurker.token.hidden = true;
    await table.command("token.place", lurker);
    await table.command("token.move", { token: "Grim", at: [12, 2] });
    const second = await Player.join(browser, table.gm, { viewport: { width: 1440, height: 900 } });
    second.grid = gm.grid;
    for (const { page } of [gm, second]) {
      await page.click("#fit");
      await page.click("#sketch-open");
      await page.click("#sketch-cover");
      await page.locator("#board canvas").waitFor();
    }
    await Promise.all([
      stroke(gm, [
        [11, 2],
        [13, 2],
      ]),
      stroke(second, [
        [11, 7],
        [13, 7],
      ]),
    ]);
    const rows = async () => new Set((await table.scene()).fog.cells.map(([row]) => row));
    await until(async () => (await rows()).size === 2, "both have covered");
    await watcher.seesNo("#tracker", "Grim");
    for (const page of [gm, second]) await page.press("Escape");
    await gm.page.click("#undo");
    await until(async () => (await rows()).size === 1, "the last is taken back");
    await second.page.click("#undo");
    await until(async () => (await rows()).size === 0, "and the one before");
    await table.command("fog.set", {
      cover: Array.from({ length: 9 }, (_, row) => [row, 0, 15]),
      by_sight: true,
    });
    await table.command("token.move", {
      token: "Anna",
      at: [9, 8],
      path: [
        [3, 8],
        [9, 8],
      ],
    });
    await watcher.sees("#tracker", "Grim");
    const seen = await watcher.page.content();
    assert.ok(!seen.includes("Lurker"), "the hidden unit is in the page of a spectator");
    await table.command("fog.set", { clear: true });
    assert.deepEqual(second.errors, []);
    await second.context.close();
  });

  test("on a phone the panel leaves the map its room, and all that can be touched is as large as a finger", async () => {
    const sizes = [
      [390, 844],
      [844, 390],
    ];
    for (const [width, height] of sizes) {
      const phone = await Player.join(browser, table.gm, {
        viewport: { width, height },
        hasTouch: true,
        isMobile: true,
      });
      await phone.page.tap("#sketch-open");
      await phone.page.locator("#sketch").waitFor();
      await becomes(() => phone.page.evaluate(faultsOfPanel), [], String(width));
      await phone.page.tap("#sketch-pen");
      await phone.page.locator("#sketch").waitFor({ state: "hidden" });
      assert.equal(await phone.page.locator("#sketch-open[data-on]").count(), 1, "the pen in hand is shown");
      await phone.context.close();
    }
  });
});
