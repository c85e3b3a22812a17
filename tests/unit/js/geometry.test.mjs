import assert from "node:assert/strict";
import { test } from "node:test";
import {
  boardSize,
  cellAt,
  cellName,
  center,
  corners,
  facings,
  isOnBoard,
  tokenCenter,
  toPlane,
  pointToward,
  turnStep,
} from "../../../plugin_manifest/scripts/core/map/geometry.js";
import { CellSet } from "../../../plugin_manifest/scripts/core/draw/cell-set.js";
import { outline } from "../../../plugin_manifest/scripts/core/draw/outline.js";

const grid = (kind, columns = 6, rows = 5) => ({ kind, columns, rows, distance: 1, units: "" });
const HEXES = ["hex_odd_r", "hex_even_r", "hex_odd_q", "hex_even_q"];
const cells = ({ columns, rows }) =>
  Array.from({ length: columns * rows }, (_, i) => [i % columns, Math.floor(i / columns)]);
const near = (a, b) => a.every((value, i) => Math.abs(value - b[i]) < 1e-6);

test("a square cell is 64 wide, with its center in the middle", () => {
  assert.deepEqual(center(grid("square"), [2, 1]), [160, 96]);
  assert.deepEqual(boardSize(grid("square")), [384, 320]);
  assert.deepEqual(corners(grid("square"), [1, 0]), [64, 0, 128, 0, 128, 64, 64, 64]);
});

for (const kind of ["square", ...HEXES]) {
  test(`on ${kind} each cell contains its center and points near its corners`, () => {
    for (const cell of cells(grid(kind))) {
      const [x, y] = center(grid(kind), cell);
      assert.deepEqual(cellAt(grid(kind), [x, y]), cell);
      const edge = corners(grid(kind), cell);
      for (let i = 0; i < edge.length; i += 2)
        assert.deepEqual(cellAt(grid(kind), [x + (edge[i] - x) * 0.97, y + (edge[i + 1] - y) * 0.97]), cell);
    }
  });
}

for (const kind of HEXES) {
  test(`on ${kind} the board is as large as its hexes`, () => {
    const points = cells(grid(kind)).flatMap((cell) => corners(grid(kind), cell));
    const [xs, ys] = [points.filter((_, i) => i % 2 === 0), points.filter((_, i) => i % 2)];
    assert.ok(near([Math.min(...xs), Math.min(...ys)], [0, 0]));
    assert.ok(near([Math.max(...xs), Math.max(...ys)], boardSize(grid(kind))));
  });

  test(`on ${kind} the outline of two adjacent hexes lacks their shared edge`, () => {
    assert.equal(outline(grid(kind), CellSet.of([[2, 2]])).length, 6 * 4);
    assert.equal(
      outline(
        grid(kind),
        CellSet.of([
          [2, 2],
          [3, 2],
        ]),
      ).length,
      10 * 4,
    );
  });
}

test("odd rows of hex_odd_r are shifted by half a hex, even rows of hex_even_r", () => {
  assert.equal(center(grid("hex_odd_r"), [0, 0])[0], 32);
  assert.equal(center(grid("hex_odd_r"), [0, 1])[0], 64);
  assert.equal(center(grid("hex_even_r"), [0, 0])[0], 64);
  assert.equal(center(grid("hex_even_r"), [0, 1])[0], 32);
});

test("the outline of a block of squares is its border", () => {
  assert.equal(
    outline(
      grid("square"),
      CellSet.of([
        [0, 0],
        [1, 0],
        [0, 1],
        [1, 1],
      ]),
    ).length,
    8 * 4,
  );
});

test("a large token is centered on its cells", () => {
  assert.deepEqual(tokenCenter(grid("square"), { size: [2, 2] }, [1, 1]), [128, 128]);
  assert.deepEqual(tokenCenter(grid("square"), { size: [1, 1] }, [1, 1]), [96, 96]);
});

test("on a gridless board a point is its own cell, and the board is in inches", () => {
  assert.deepEqual(center(grid("gridless"), [70, 90]), [70, 90]);
  assert.deepEqual(cellAt(grid("gridless"), [70.4, 89.6]), [70, 90]);
  assert.ok(isOnBoard(grid("gridless"), [383, 319]));
  assert.ok(!isOnBoard(grid("gridless"), [384, 0]));
});

test("0 degrees is up, and degrees grow clockwise", () => {
  assert.ok(near(pointToward([0, 0], 0, 10), [0, -10]));
  assert.ok(near(pointToward([0, 0], 90, 10), [10, 0]));
});

test("cells have letters and numbers, past Z too, and turns go from edge to edge", () => {
  assert.equal(cellName(grid("square"), [0, 0]), "A1");
  assert.equal(cellName(grid("square"), [27, 9]), "AB10");
  assert.deepEqual(
    ["square", "hex_odd_q", "hex_odd_r"].map((kind) => facings(grid(kind))[1]),
    [90, 60, 90],
  );
  assert.deepEqual(
    ["square", "hex_odd_q", "gridless"].map((kind) => turnStep(grid(kind))),
    [90, 60, 15],
  );
});

test("a wall along the tips of a hex is drawn there, on pointy and flat hexes", () => {
  const lowest = (kind, axis) => Math.max(...corners(grid(kind), [0, 0]).filter((_, i) => i % 2 === axis));
  const [, , , bottom] = toPlane(grid("hex_odd_r"), [0, 0, 0, 64]);
  const [, , right] = toPlane(grid("hex_odd_q"), [0, 0, 64, 0]);
  assert.ok(Math.abs(bottom - lowest("hex_odd_r", 1)) < 1e-9);
  assert.ok(Math.abs(right - lowest("hex_odd_q", 0)) < 1e-9);
  assert.deepEqual(toPlane(grid("square"), [1, 2, 3, 4]), [1, 2, 3, 4]);
});
