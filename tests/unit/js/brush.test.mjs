// The brush of terrain and fog: which cells a stroke marks, and how the map changes by it.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  brushCells,
  erasedTerrain,
  paintedTerrain,
} from "../../../plugin_manifest/scripts/core/draw/wall-edits.js";
import { CELL, boardSize, center } from "../../../plugin_manifest/scripts/core/map/geometry.js";

const KINDS = ["square", "hex_odd_r", "hex_even_r", "hex_odd_q", "hex_even_q", "gridless"];
const gridOf = (kind) => ({ kind, columns: 9, rows: 7, distance: 1, units: "" });
/** The middle of the cell that is painted, on the plane. */
const middle = (grid, [column, row]) =>
  grid.kind === "gridless" ? [(column + 0.5) * CELL, (row + 0.5) * CELL] : center(grid, [column, row]);
const MUD = { name: "Mud", cost: 3, blocks_sight: false, hidden: false, kind: "" };
const sceneWith = (...cells) => ({
  grid: gridOf("square"),
  terrain: cells.length ? [{ ...MUD, id: "t-1", height: 0, cells }] : [],
});

test("on each grid two places of the brush far apart mark each cell between them", () => {
  for (const kind of KINDS) {
    const grid = gridOf(kind);
    const cells = brushCells(grid, middle(grid, [1, 3]), middle(grid, [6, 3]));
    const columns = new Set(cells.map(([column]) => column));
    assert.deepEqual([...columns].sort(), [1, 2, 3, 4, 5, 6], kind);
    assert.equal(new Set(cells.map(String)).size, cells.length, `${kind}: each once`);
  }
});

test("a stroke that leaves the board marks none beyond its edge", () => {
  for (const kind of KINDS) {
    const grid = gridOf(kind);
    const [width, height] = boardSize(grid);
    const cells = brushCells(grid, [width / 2, height / 2], [2 * width, 3 * height]);
    assert.ok(cells.length > 0, kind);
    assert.ok(
      cells.every(([column, row]) => column < 9 && row < 7),
      kind,
    );
  }
});

test("like terrain grows, and cells that it has already change nothing", () => {
  const [made] = paintedTerrain(sceneWith(), MUD, [[1, 1]]).terrain;
  assert.deepEqual([made.name, made.cells], ["Mud", [[1, 1]]]);
  const grown = paintedTerrain(sceneWith([1, 1]), MUD, [
    [1, 1],
    [2, 1],
  ]);
  assert.deepEqual(
    grown.terrain.map(({ id, cells }) => [id, String(cells)]),
    [["t-1", "1,1,2,1"]],
  );
  assert.equal(paintedTerrain(sceneWith([1, 1]), MUD, [[1, 1]]), null);
});

test("terrain loses a cell, goes with its last, and a cell that is gone changes nothing", () => {
  const two = sceneWith([1, 1], [2, 1]);
  assert.deepEqual(erasedTerrain(two, "t-1", [1, 1]).terrain[0].cells, [[2, 1]]);
  assert.deepEqual(erasedTerrain(sceneWith([1, 1]), "t-1", [1, 1]), { remove: ["t-1"] });
  assert.equal(erasedTerrain(two, "t-1", [5, 5]), null);
  assert.equal(erasedTerrain(two, "t-2", [1, 1]), null);
});
