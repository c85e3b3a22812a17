import assert from "node:assert/strict";
import { test } from "node:test";
import { CellSet } from "../../../plugin_manifest/scripts/core/draw/cell-set.js";
import { CELL, corners } from "../../../plugin_manifest/scripts/core/map/geometry.js";
import { outline } from "../../../plugin_manifest/scripts/core/draw/outline.js";
import {
  boardCorners,
  boardLabels,
  boxTriangles,
  cellTriangles,
  labelTriangles,
  lineRectangles,
} from "../../../plugin_manifest/scripts/core/draw/triangles.js";

const KINDS = ["square", "hex_odd_r", "hex_even_r", "hex_odd_q", "hex_even_q", "gridless"];

/** Returns the edges that no two cells share, the slow way: each as its two ends. */
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

test("an outline is the edges that no two cells share, on every grid and for any cells", () => {
  let seed = 7;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  for (const kind of KINDS)
    for (let round = 0; round < 20; round += 1) {
      const grid = { kind, columns: 9, rows: 9, distance: 1, units: "" };
      const cells = Array.from({ length: 81 }, (_, i) => [i % 9, Math.floor(i / 9)]).filter(
        () => random() < 0.5,
      );
      const edges = outline(grid, CellSet.of(cells));
      assert.deepEqual(named(edges), borders(grid, cells), `${kind}, ${JSON.stringify(cells)}`);
      assert.equal(edges.length / 4, named(edges).size);
    }
});

test("a duplicate cell has its edges once, and is filled once", () => {
  const grid = { kind: "square", columns: 3, rows: 3, distance: 1, units: "" };
  const cell = [1, 1];
  assert.deepEqual(outline(grid, CellSet.of([cell, cell])), outline(grid, CellSet.of([cell])));
  assert.equal(cellTriangles(grid, CellSet.of([cell, cell])).length, 6);
});

test("runs and their cells are the same set, even with several runs in a row", () => {
  const runs = [
    [4, 1, 3],
    [6, 0, 0],
    [4, 5, 6],
  ];
  const cells = runs.flatMap(([row, first, last]) =>
    Array.from({ length: last - first + 1 }, (_, i) => [first + i, row]),
  );
  assert.deepEqual(CellSet.ofRuns(runs), CellSet.of(cells));
  assert.equal(CellSet.ofRuns(runs).size, 6);
  assert.equal(CellSet.ofRuns([]).size, 0);
});

for (const kind of KINDS) {
  const grid = { kind, columns: 5, rows: 4, distance: 1, units: "" };
  const each = kind.startsWith("hex") ? 6 : 4;
  const board = boardCorners(grid);
  /** Returns the corners of each triangle, in 64ths of a cell. */
  const through = (triangles) =>
    [...triangles].flatMap((place) => [board[2 * place] * CELL, board[2 * place + 1] * CELL]);

  test(`on ${kind} a cell's triangles use its own corners, and fill it`, () => {
    const points = corners(grid, [3, 2]);
    const found = through(cellTriangles(grid, CellSet.of([[3, 2]])));
    assert.equal(found.length, (each - 2) * 3 * 2);
    for (let i = 0; i < found.length; i += 2)
      assert.ok(
        Array.from({ length: each }, (_, n) =>
          Math.hypot(found[i] - points[2 * n], found[i + 1] - points[2 * n + 1]),
        ).some((distance) => distance < 0.01),
      );
    assert.ok(Math.abs(area(found) - (each === 6 ? (CELL * CELL * Math.sqrt(3)) / 2 : CELL * CELL)) < 1);
  });

  test(`on ${kind} cells off the board are not drawn`, () => {
    const off = [
      [-1, 0],
      [5, 0],
      [0, 4],
      [0, -1],
    ];
    assert.equal(cellTriangles(grid, CellSet.of(off)).length, 0);
    assert.equal(labelTriangles(grid, off).length, 0);
  });

  test(`on ${kind} a label's box is centered on its cell`, () => {
    const [boxes, pictures] = boardLabels(grid);
    const [first] = labelTriangles(grid, [[3, 2, 7]]);
    const box = [...boxes.slice(2 * first, 2 * first + 8)].map((value) => value * CELL);
    const points = corners(grid, [3, 2]);
    const mean = (values, axis) =>
      values.reduce((sum, value, i) => sum + (i % 2 === axis ? value : 0), 0) / (values.length / 2);
    for (const axis of [0, 1]) assert.ok(Math.abs(mean(box, axis) - mean(points, axis)) < 0.01);
    assert.deepEqual([...pictures.slice(2 * first, 2 * first + 8)], [0, 0, 1, 0, 1, 1, 0, 1]);
  });
}

/** Returns the area of triangles that do not overlap. */
function area(points) {
  let sum = 0;
  for (let i = 0; i < points.length; i += 6) {
    const [ax, ay, bx, by, cx, cy] = points.slice(i, i + 6);
    sum += Math.abs((bx - ax) * (cy - ay) - (cx - ax) * (by - ay)) / 2;
  }
  return sum;
}

test("a line becomes a rectangle around it, a point an empty one", () => {
  assert.deepEqual([...lineRectangles([0, 0, 10, 0], 4)], [0, 2, 10, 2, 10, -2, 0, -2]);
  assert.deepEqual([...lineRectangles([5, 5, 5, 5], 4)], [5, 5, 5, 5, 5, 5, 5, 5]);
});

test("boxes become two triangles each, with 32-bit indexes if there are many corners", () => {
  assert.deepEqual([...boxTriangles(2)], [0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7]);
  assert.ok(boxTriangles(20_000) instanceof Uint32Array);
  assert.ok(boxTriangles(10) instanceof Uint16Array);
});
