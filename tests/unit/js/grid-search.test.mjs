import assert from "node:assert/strict";
import { test } from "node:test";
import { findGrid } from "../../../plugin_manifest/scripts/core/draw/grid-search.js";

/** Draws a picture: ground with noise, and lines of a grid over it. */
function picture({ width = 700, height = 520, cell, left, top, noise = 40, depth = 60 }) {
  const data = new Uint8ClampedArray(width * height * 4);
  let seed = 7;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  const isLine = (at, offset) => cell && Math.abs(((((at - offset) % cell) + cell) % cell) - 0) < 0.6;
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const base = 130 + 30 * Math.sin(x / 90) + noise * (random() - 0.5);
      const value = isLine(x, left) || isLine(y, top) ? base - depth : base;
      data.fill(value, 4 * (y * width + x), 4 * (y * width + x) + 3);
      data[4 * (y * width + x) + 3] = 255;
    }
  return { data, width, height };
}

for (const wanted of [
  { cell: 50, left: 13, top: 7 },
  { cell: 64, left: 0, top: 32 },
  { cell: 36, left: 5, top: 20, depth: 25 },
])
  test(`finds cells of ${wanted.cell} pixels from ${wanted.left}, ${wanted.top}`, () => {
    const found = findGrid(picture(wanted));
    assert.ok(found);
    assert.ok(Math.abs(found.cell - wanted.cell) < 0.1, `${found.cell}`);
    for (const side of ["left", "top"]) {
      const away = Math.abs(found[side] - wanted[side]);
      assert.ok(Math.min(away, wanted.cell - away) <= 1, `${side}: ${found[side]}`);
    }
  });

test("finds no grid where there is none", () => assert.equal(findGrid(picture({ cell: 0 })), null));
