// What the benches of the board page share: when a page can be used, and a large map with many units.

import { miniature } from "../../tests/browser/harness.mjs";

const [COLUMNS, WALLS, UNITS] = [60, 200, 20];

/** Waits until a page has its table and its map's first picture. */
export async function isReady(page) {
  await page.locator('#connection[data-state="connected"]').waitFor({ state: "attached" });
  await page.locator("#units .unit").first().waitFor();
  await page.locator("#board canvas").waitFor({ state: "attached" });
}

/** Puts a map of 60 x 60 cells with 200 walls and 20 units on a table. */
export async function setLargeMap(table) {
  const scene = await table.scene();
  const walls = Array.from({ length: WALLS }, (_, i) => {
    const [x, y] = [(i * 7) % COLUMNS, (i * 13) % COLUMNS];
    const line = i % 2 ? [x * 64, y * 64, x * 64 + 128, y * 64] : [x * 64, y * 64, x * 64, y * 64 + 128];
    return { id: `w${i}`, line };
  });
  const sides = ["blue", "red"].map((id) => ({ id, name: id }));
  const grid = { kind: "square", columns: COLUMNS, rows: COLUMNS };
  const empty = {
    ...scene,
    grid,
    walls,
    sides,
    terrain: [],
    tokens: [],
    tracks: {},
    conditions: {},
    background: "",
  };
  await table.command("scene.set", { scene: empty });
  for (let i = 0; i < UNITS; i += 1) {
    const name = i ? `Unit ${i}` : "Anna";
    const at = [20 + ((i * 3) % 20), 20 + ((i * 5) % 20)];
    const { token } = miniature(name.replace(" ", "-"), i % 2 ? "red" : "blue", at, ["bow"]);
    await table.command("token.place", { token });
  }
}

/** Pans a page's map by as many frames as asked, from a place without a unit or a panel; returns frames a second. */
export async function pan(page, frames) {
  const board = await page.locator("#board").boundingBox();
  const [x, y] = [board.x + 200, board.y + board.height * 0.45];
  await page.mouse.move(x, y);
  await page.mouse.down();
  const began = performance.now();
  for (let i = 0; i < frames; i += 1) {
    await page.mouse.move(x + 3 * (i % 60), y + 2 * (i % 40));
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  const rate = (frames * 1000) / (performance.now() - began);
  await page.mouse.up();
  return rate;
}

/** Switches all layers of a page's map on. */
export async function showAllLayers(page) {
  const boxes = page.locator("#layers li input");
  if (!(await boxes.first().isVisible())) await page.click("#layers-open");
  for (const box of await boxes.all()) await box.check();
  await page.waitForTimeout(1_500);
}
