// The pixels that the shared painter draws for every cell, in a real browser with real PIXI.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { ROOT, SHARP, launch } from "./harness.mjs";

const KINDS = { ".html": "text/html", ".js": "text/javascript" };
const GRIDS = ["square", "hex_odd_r", "hex_even_r", "hex_odd_q", "hex_even_q", "gridless"];
const gridOf = (kind, columns = 9, rows = 7) => ({ kind, columns, rows, distance: 1, units: "" });

describe("the painter", () => {
  let browser, page, server;

  before(async () => {
    server = createServer((request, response) => {
      const folder = request.url.startsWith("/painting/") ? "tests/browser" : "plugin_manifest";
      const kind = KINDS[extname(request.url)] ?? "text/plain";
      try {
        const text = readFileSync(join(ROOT, folder, request.url));
        response.writeHead(200, { "Content-Type": kind }).end(text);
      } catch {
        response.writeHead(404).end();
      }
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    browser = await launch(SHARP);
    page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/painting/page.html`);
    await page.waitForFunction(() => window.isReady);
  });
  after(async () => {
    await browser?.close();
    server?.close();
  });

  const paint = (key, grid, sets) => page.evaluate((values) => window.paint(...values), [key, grid, sets]);
  const looks = (grid) => page.evaluate((values) => window.looksOf(values), grid);
  const cellsOf = ({ columns, rows }) =>
    Array.from({ length: columns * rows }, (_, i) => [i % columns, Math.floor(i / columns)]);
  const expected = (grid, isIn) => cellsOf(grid).map((cell) => (isIn(cell) ? "whole" : "none"));

  for (const kind of GRIDS)
    test(`fills exactly the given cells on ${kind}, wholly; then others, more and fewer`, async () => {
      const grid = gridOf(kind);
      for (const isIn of [
        ([column, row]) => (column * 5 + row * 3) % 4 === 0,
        () => true,
        ([column, row]) => column === 2 && row === 3,
        ([column]) => column > 4,
      ]) {
        await paint("one", grid, [{ cells: cellsOf(grid).filter(isIn) }]);
        assert.deepEqual(await looks(grid), expected(grid, isIn));
      }
      await paint("one", grid, []);
    });

  test("two layers, and two sets in one layer, keep their own cells", async () => {
    const grid = gridOf("hex_odd_r");
    await paint("one", grid, [{ cells: [[0, 0]] }, { cells: [[3, 3]] }]);
    await paint("two", grid, [{ cells: [[5, 1]] }]);
    const isIn = ([column, row]) => ["0,0", "3,3", "5,1"].includes(`${column},${row}`);
    assert.deepEqual(await looks(grid), expected(grid, isIn));
    await paint("one", grid, [{ cells: [[1, 1]] }]);
    assert.deepEqual(
      await looks(grid),
      expected(grid, (cell) => ["1,1", "5,1"].includes(`${cell}`)),
    );
    await paint("one", grid, []);
    await paint("two", grid, []);
  });

  test("another board has its own cells", async () => {
    await paint("one", gridOf("square"), [{ cells: [[1, 1]] }]);
    const small = gridOf("square", 4, 3);
    await paint("one", small, [{ cells: [[3, 2]] }]);
    assert.deepEqual(
      await looks(small),
      expected(small, ([column, row]) => column === 3 && row === 2),
    );
  });

  test("shifted cells are drawn shifted", async () => {
    const grid = gridOf("square");
    await paint("one", grid, [{ cells: [[1, 1]], shift: [128, 64] }]);
    assert.deepEqual(
      await looks(grid),
      expected(grid, ([column, row]) => column === 3 && row === 2),
    );
    await paint("one", grid, [{ cells: [[1, 1]] }]);
    assert.deepEqual(
      await looks(grid),
      expected(grid, ([column, row]) => column === 1 && row === 1),
    );
  });

  test("a number appears at the center of its cell, and in no other", async () => {
    const grid = gridOf("hex_odd_q");
    await paint("one", grid, [{ cells: [[4, 2, 8]], text: "8" }]);
    const seen = await looks(grid);
    assert.deepEqual(seen.filter((look) => look !== "none").length, 1);
    assert.equal(seen[2 * 9 + 4], "part");
  });

  test("a text stays readable from afar, and goes before it would hide the board", async () => {
    const heights = await page.evaluate(() =>
      [1, 0.5, 0.3, 0.1].map((zoom) => window.heightOfText(zoom, 16)),
    );
    assert.ok(heights[0] > heights[1], `${heights}`);
    assert.ok(Math.min(heights[1], heights[2]) >= 6, `capitals of a font of 10 pixels: ${heights}`);
    assert.equal(heights[3], 0);
  });

  test("a destroyed painter leaves nothing behind", async () => {
    const grid = gridOf("square");
    await page.evaluate(() => window.gone());
    assert.deepEqual(
      await looks(grid),
      expected(grid, () => false),
    );
  });
});
