import assert from "node:assert/strict";
import { test } from "node:test";
import { corners } from "../../plugin_manifest/scripts/core/geometry.js";
import { outline } from "../../plugin_manifest/scripts/core/outline.js";
import { fans, linesAsQuads } from "../../plugin_manifest/scripts/core/quads.js";

const KINDS = ["square", "hex_odd_r", "hex_even_r", "hex_odd_q", "hex_even_q", "gridless"];

/** The edges of cells that no other of them has, the slow way: each by its two ends. */
function borders(grid, cells) {
  const found = new Map();
  for (const cell of cells) {
    const points = corners(grid, cell);
    for (let i = 0; i < points.length; i += 2) {
      const ends = [0, 2].map((step) => [0, 1].map((axis) => points[(i + step + axis) % points.length]));
      const key = ends
        .map((end) => end.map((value) => Math.round(value)).join())
        .sort()
        .join(" ");
      found.set(key, (found.get(key) ?? 0) + 1);
    }
  }
  return new Set([...found].filter(([, count]) => count === 1).map(([key]) => key));
}

const named = (edges) =>
  new Set(
    Array.from({ length: edges.length / 4 }, (_, i) => {
      const line = edges.slice(4 * i, 4 * i + 4).map((value) => Math.round(value));
      return [line.slice(0, 2).join(), line.slice(2).join()].sort().join(" ");
    }),
  );

test("an outline is the edges that only one cell has, on every grid and for any cells", () => {
  let seed = 7;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  for (const kind of KINDS)
    for (let round = 0; round < 20; round += 1) {
      const grid = { kind, columns: 9, rows: 9, distance: 1, units: "" };
      const cells = Array.from({ length: 81 }, (_, i) => [i % 9, Math.floor(i / 9)]).filter(
        () => random() < 0.5,
      );
      const edges = outline(grid, cells);
      assert.deepEqual(named(edges), borders(grid, cells), `${kind}, ${JSON.stringify(cells)}`);
      assert.equal(edges.length / 4, named(edges).size);
    }
});

test("a cell that is named twice has its edges once", () => {
  const grid = { kind: "square", columns: 3, rows: 3, distance: 1, units: "" };
  assert.deepEqual(
    outline(grid, [
      [1, 1],
      [1, 1],
    ]),
    outline(grid, [[1, 1]]),
  );
});

test("a line becomes a rectangle round it, a point an empty one", () => {
  assert.deepEqual([...linesAsQuads([0, 0, 10, 0], 4)], [0, 2, 10, 2, 10, -2, 0, -2]);
  assert.deepEqual([...linesAsQuads([5, 5, 5, 5], 4)], [5, 5, 5, 5, 5, 5, 5, 5]);
});

test("polygons become fans of triangles, with wide numbers where there are too many corners", () => {
  assert.deepEqual([...fans(2, 4)], [0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7]);
  assert.equal(fans(1, 6).length, 12);
  assert.ok(fans(20_000, 6) instanceof Uint32Array);
  assert.ok(fans(10, 6) instanceof Uint16Array);
});
