import assert from "node:assert/strict";
import { test } from "node:test";
import {
  boardCells,
  boardPosition,
  toCanvas,
} from "../../../plugin_manifest/scripts/foundry/canvas/board-position.js";
import { addTools } from "../../../plugin_manifest/scripts/foundry/scene-controls.js";
import { labelMarks, stripMarks, wrapLine } from "../../../plugin_manifest/scripts/foundry/canvas/label.js";
import { center } from "../../../plugin_manifest/scripts/core/map/geometry.js";

const near = (a, b) => a.every((value, i) => Math.abs(value - b[i]) < 0.51);

test("a cell of the board lies on its square of the padded canvas", () => {
  const place = boardPosition({ type: 1, size: 100 }, { sceneX: 400, sceneY: 300 });
  const grid = { kind: "square", columns: 14, rows: 10 };
  assert.deepEqual(toCanvas(place, center(grid, [3, 4])), [750, 750]);
});

test("a map has as many cells as the server's importer counts", () => {
  // As find_canvas in enfilade.importers.canvas gives them, by the kind of grid.
  const counts = {
    0: [14, 11],
    1: [14, 11],
    2: [14, 12],
    3: [14, 12],
    4: [16, 11],
    5: [16, 11],
  };
  const dimensions = { sceneX: 350, sceneY: 260, sceneWidth: 1333, sceneHeight: 987 };
  for (const [type, cells] of Object.entries(counts))
    assert.deepEqual(boardCells({ type: Number(type), size: 100 }, dimensions), cells, type);
  const other = { sceneX: 606, sceneY: 1021, sceneWidth: 2110, sceneHeight: 905 };
  assert.deepEqual(boardCells({ type: 2, size: 100 }, other), [23, 11]);
  assert.deepEqual(boardCells({ type: 5, size: 100 }, other), [25, 11]);
});

test("without a grid the board begins at a cell of the padding", () => {
  const place = boardPosition({ type: 0, size: 100 }, { sceneX: 400, sceneY: 300 });
  assert.deepEqual(toCanvas(place, [64, 32]), [500, 350]);
});

// Returns Foundry's center of a hex on the canvas: every other row (even in 2, odd in 3) or column (4, 5) begins
// half a hex outside; a hex is `size` from flat side to flat side.
function foundryCenter(type, size, [i, j]) {
  const step = (size * Math.sqrt(3)) / 2;
  const tip = size / Math.sqrt(3);
  const inside = (line) => (Math.abs(line % 2) === (type % 2 ? 0 : 1) ? 0.5 : 0);
  if (type < 4) return [(j + inside(i)) * size, i * step + tip];
  return [j * step + tip, (i + inside(j)) * size];
}

test("the centers of the board's hexes match Foundry's on every hex grid", () => {
  const kinds = { 2: "hex_odd_r", 3: "hex_even_r", 4: "hex_odd_q", 5: "hex_even_q" };
  for (const [type, kind] of Object.entries(kinds)) {
    const place = boardPosition({ type: Number(type), size: 100 }, { sceneX: 350, sceneY: 260 });
    const theirs = Array.from({ length: 400 }, (_, n) =>
      foundryCenter(Number(type), 100, [Math.floor(n / 20) - 2, (n % 20) - 2]),
    );
    for (const cell of [
      [0, 0],
      [1, 0],
      [0, 1],
      [3, 2],
      [2, 3],
    ]) {
      const ours = toCanvas(place, center({ kind, columns: 9, rows: 9 }, cell));
      assert.ok(
        theirs.some((middle) => near(middle, ours)),
        `${kind} ${cell}: ${ours}`,
      );
    }
  }
});

test("tools go into an array in 12 and into a record from 13 on", () => {
  const pressed = [];
  const tool = {
    name: "t",
    title: "k",
    icon: "i",
    toggle: true,
    active: true,
    onUse: (on) => pressed.push(on),
  };
  const [twelve, thirteen] = [[{ name: "token", tools: [] }], { tokens: { name: "tokens", tools: {} } }];
  const ofTokens = { ...tool, name: "one" };
  addTools(twelve, [tool], ofTokens);
  addTools(thirteen, [tool], ofTokens);
  const [, own] = twelve;
  own.tools[1].onClick(false);
  thirteen.enfilade.tools.t.onChange({}, true);
  assert.deepEqual(pressed, [false, true]);
  assert.equal(own.tools[1].toggle && thirteen.enfilade.tools.t.active, true);
  assert.deepEqual([twelve[0].tools.length, Object.keys(thirteen.tokens.tools)], [1, ["one"]]);
  for (const { activeTool, tools } of [own, thirteen.enfilade])
    assert.ok(Object.values(tools).some(({ name, button }) => name === activeTool && !button));
});

test("a label covers no cost that it can keep clear of, and a line leads to its token", () => {
  const costs = [];
  for (let column = 0; column < 9; column++)
    for (let row = 0; row < 9; row++) costs.push([64 * column + 32, 64 * row + 32]);
  const place = { at: [288, 288], radius: 30 };
  const view = { left: 0, right: 1200, top: 0, bottom: 700 };
  const marks = labelMarks(place, ["In sight"], { costs, view });
  const [xs, ys] = [0, 1].map((odd) => boxOf(marks).filter((_, i) => i % 2 === odd));
  for (const [x, y] of costs) {
    const isCovered =
      x > Math.min(...xs) && x < Math.max(...xs) && y > Math.min(...ys) && y < Math.max(...ys);
    assert.ok(!isCovered, `the cost at ${x}, ${y}`);
  }
  assert.ok(
    Math.min(...xs) >= 0 && Math.max(...xs) <= 1200 && Math.min(...ys) >= 0 && Math.max(...ys) <= 700,
  );
  assert.equal(marks.filter(({ kind }) => kind === "lines").length, 2);
});

test("a label takes a narrower form where the wide one would cover a cost", () => {
  const costs = Array.from({ length: 81 }, (_, i) => [64 * (i % 9) + 32, 64 * Math.floor(i / 9) + 32]);
  const view = { left: 0, right: 950, top: 0, bottom: 576 };
  const text = "Anna sees Grim, 1 square away. Anna and Grim double each other's movement costs.";
  const marks = labelMarks({ at: [544, 288], radius: 30 }, [text], { costs, view });
  const xs = boxOf(marks).filter((_, i) => i % 2 === 0);
  assert.ok(Math.min(...xs) > 576 && Math.max(...xs) <= 950);
});

test("beside a moving token the lines are between the rows of costs, also where costs fill the view", () => {
  const view = { left: 0, right: 1920, top: 0, bottom: 1920 };
  const lines = ["costs 20 of 30", "provokes Orc: 35 % harm", "1.2 damage expected; a safe path costs 25"];
  const hexes = (step, shift) => (_, i) => {
    const row = Math.floor(i / 30);
    return [64 * (i % 30) + 32 + (row % 2 ? shift : 0), step * row + 32];
  };
  for (const costs of [
    Array.from({ length: 900 }, hexes(64, 0)),
    Array.from({ length: 900 }, hexes(55.4, 32)), // rows of hexes are nearer to each other
  ])
    for (const at of [
      [288, 288],
      [700, 733],
      [1800, 500],
      [1880, 1890],
    ]) {
      const marks = stripMarks({ at, radius: 32 }, lines, { costs, view });
      const boxes = marks.filter(({ kind }) => kind === "polygon").map(({ points }) => points);
      assert.deepEqual(
        marks.filter(({ kind }) => kind === "text").map(({ text }) => text),
        lines,
      );
      for (const [left, top, right, , , bottom] of boxes) {
        assert.ok(
          left >= 0 && right <= 1920 && top >= 0 && bottom <= 1920,
          `${at}: ${[left, top, right, bottom]}`,
        );
        for (const [x, y] of costs)
          assert.ok(
            !(x > left && x < right && y > top - 8 && y < bottom + 8),
            `${at} covers the cost at ${x}, ${y}`,
          );
      }
      const tops = boxes.map(([, top]) => top);
      assert.ok(
        tops.every((top, i) => !i || top >= tops[i - 1] + 18),
        "one under the other",
      );
    }
});

test("a label stays beside its token where no place is free", () => {
  const place = { at: [288, 288], radius: 30 };
  const costs = Array.from({ length: 900 }, (_, i) => [64 * (i % 30) + 32, 64 * Math.floor(i / 30) + 32]);
  const around = { costs, view: { left: 0, right: 640, top: 0, bottom: 640 } };
  const ys = boxOf(labelMarks(place, ["costs 5"], around)).filter((_, i) => i % 2);
  assert.ok(Math.min(...ys) > 0 && Math.max(...ys) < 640);
});

/** @param {any[]} marks @returns {number[]} the points of the label's box */
const boxOf = (marks) => marks.find(({ kind }) => kind === "polygon").points;

test("a label wraps between words and stays on the board", () => {
  const long = "Aldis does not see Orc 1, 6 squares away. Blocked by the door between you and Orc 1.";
  const lines = wrapLine(long);
  assert.ok(lines.length > 1 && lines.every((line) => line.length <= 48));
  assert.equal(lines.map((line) => line.trim()).join(" "), long);
  assert.deepEqual(wrapLine("x".repeat(60)), ["x".repeat(60)]);
  const [above, under] = [400, 20].map((y) => labelMarks({ at: [300, y], radius: 30 }, ["In sight"]));
  assert.ok(above[0].points[1] < 400 && above[1].at[1] < 400);
  assert.ok(under[0].points[1] > 20);
});
