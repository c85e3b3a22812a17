import assert from "node:assert/strict";
import { test } from "node:test";
import {
  fitCamera,
  freePart,
  panCamera,
  toBoard,
  toView,
  zoomCamera,
} from "../../../plugin_manifest/scripts/board/page/camera.js";
import { coveredEdges, layoutOf } from "../../../plugin_manifest/scripts/board/page/free-area.js";
import { shownName, unusedName } from "../../../plugin_manifest/scripts/core/game/gm-commands.js";
import { doorAt, tokenAt } from "../../../plugin_manifest/scripts/board/page/camera.js";
import { readLink } from "../../../plugin_manifest/scripts/core/table/credentials.js";
import { moveText, provocationText } from "../../../plugin_manifest/scripts/core/ui/move-text.js";
import { tableStore } from "../../../plugin_manifest/scripts/core/game/store.js";
import {
  parseFaces,
  formatChance,
  formatModifier,
} from "../../../plugin_manifest/scripts/core/dice/notation.js";
import { dropCell, withFootprints } from "../../../plugin_manifest/scripts/core/map/footprints.js";
import { center } from "../../../plugin_manifest/scripts/core/map/geometry.js";
import { overlay, reach, scene, token, wall } from "./scenes.mjs";

test("a link has a table and a key, and without either it is invalid", () => {
  assert.deepEqual(readLink("#table=t1&key=k%2B2"), { table: "t1", key: "k+2" });
  assert.equal(readLink("#table=t1"), null);
  assert.equal(readLink(""), null);
});

test("a fitted board lies in the middle of the part of the view that panels leave free", () => {
  const camera = fitCamera([640, 320], [800, 600], { left: 80, top: 100, right: 200, bottom: 110 });
  const [left, top] = toView(camera, [0, 0]);
  const [right, bottom] = toView(camera, [640, 320]);
  assert.ok(left >= 80 && top >= 100 && right <= 600 && bottom <= 490);
  assert.ok(Math.abs(left - 80 - (600 - right)) < 1e-9 && Math.abs(top - 100 - (490 - bottom)) < 1e-9);
});

test("each size of a page has its layout, and the column at the right takes room from the board", () => {
  const sizes = [
    [1440, 900],
    [1024, 700],
    [844, 390],
    [390, 844],
  ];
  assert.deepEqual(sizes.map(layoutOf), ["wide", "middle", "sideways", "upright"]);
  for (const size of sizes) {
    const [closed, open] = [coveredEdges(size, false), coveredEdges(size, true)];
    assert.ok(size[0] - open.left - open.right > 200 && size[1] - open.top - open.bottom > 200);
    assert.equal(open.right > closed.right, layoutOf(size) !== "upright"); // there it is a sheet over the map
  }
});

test("the point under the pointer stays there while zooming, at the limits too", () => {
  const camera = { left: 30, top: -20, scale: 1 };
  for (const factor of [1.3, 0.5, 100, 0.0001]) {
    const there = toBoard(camera, [200, 100]);
    const [x, y] = toView(zoomCamera(camera, [200, 100], factor), there);
    assert.ok(Math.abs(x - 200) < 1e-6 && Math.abs(y - 100) < 1e-6);
  }
  assert.deepEqual(panCamera(camera, 5, 6), { left: 35, top: -14, scale: 1 });
});

test("a panel along the lower or the right edge leaves the rest of the view free, and one in its middle all", () => {
  const panel = (offsetLeft, offsetTop, offsetWidth, offsetHeight) => ({
    offsetLeft,
    offsetTop,
    offsetWidth,
    offsetHeight,
  });
  assert.deepEqual(freePart([390, 600], panel(0, 400, 390, 200)), [390, 400]);
  assert.deepEqual(freePart([844, 250], panel(460, 0, 384, 250)), [460, 250]);
  assert.deepEqual(freePart([1000, 700], panel(660, 300, 328, 388)), [1000, 700]);
  assert.deepEqual(freePart([1000, 700], panel(600, 20, 392, 672)), [1000, 700]);
  assert.deepEqual(freePart([1000, 700], null), [1000, 700]);
});

test("the topmost token under a point is found, and none on empty ground", () => {
  const board = scene({
    tokens: [token("a", { at: [2, 2] }), token("b", { at: [2, 2] }), token("c", { at: null })],
  });
  assert.equal(tokenAt(board, [160, 160]).id, "b");
  assert.equal(tokenAt(board, [400, 160]), null);
});

test("a door is found near its line, a wall is not", () => {
  const board = scene({ walls: [wall("w", [0, 0, 64, 0]), wall("d", [64, 0, 128, 0], { door: "door" })] });
  assert.equal(doorAt(board, [96, 10]).id, "d");
  assert.equal(doorAt(board, [20, 0]), null);
  assert.equal(doorAt(board, [96, 40]), null);
});

const HEX = { kind: "hex_odd_r", columns: 12, rows: 8, distance: 1, units: "" };
const hexon = (column, row) => ({
  layer: "regions",
  label: "",
  runs: [
    [row - 1, column, column + 1],
    [row, column - 1, column + 1],
    [row + 1, column, column + 1],
  ],
});

test("a token with a footprint is found on each of its cells, and not beside them", () => {
  const board = scene({ grid: HEX, tokens: [token("a", { at: [4, 2] })] });
  const big = withFootprints(board, { a: hexon(3, 3).runs }, [hexon(3, 3)]);
  for (const cell of [
    [3, 2],
    [4, 2],
    [2, 3],
    [4, 4],
  ])
    assert.equal(tokenAt(big, center(HEX, cell))?.id, "a");
  assert.equal(tokenAt(big, center(HEX, [5, 3])), null);
});

test("a token with a footprint is dragged by its center, onto the center of a region", () => {
  const regions = [hexon(3, 3), hexon(6, 5)];
  const board = scene({ grid: HEX, tokens: [token("a", { at: [4, 2] }), token("b")] });
  const [a, b] = withFootprints(board, { a: regions[0].runs }, regions).tokens;
  assert.deepEqual(dropCell(HEX, regions, a, center(HEX, [7, 5])), [6, 5]);
  assert.deepEqual(dropCell(HEX, regions, b, center(HEX, [7, 5])), [7, 5]);
  assert.equal(moveText(overlay({ reach: reach({ budget: 1 }) }), a, [3, 3], scene()), "");
});

test("the cost under the pointer comes from the dragged token's own reach", () => {
  const own = overlay({ reach: reach({ cells: [[1, 0, 2]] }) });
  assert.equal(moveText(own, token("a"), [1, 0], scene()), "costs 2 of 4");
  assert.equal(moveText(own, token("a"), [5, 5], scene()), "out of reach");
  assert.equal(moveText(own, token("a"), [0, 0], scene()), "");
  assert.equal(moveText(own, token("b"), [1, 0], scene()), "");
  assert.equal(moveText(overlay(), token("a"), [1, 0], scene()), "");
});

test("the text of a move names the enemies it provokes, the damage, and the price of safety", () => {
  const own = overlay({
    reach: reach({
      budget: 30,
      cells: [
        [1, 0, 10],
        [2, 0, 15],
      ],
      provocations: [
        { token: "orc", act: "Axe", chance: [9, 20], damage: [9, 4] },
        { token: "imp", act: "Claw", chance: [1, 4], damage: [1, 2] },
      ],
      provokes: [
        [1, 0, [0]],
        [2, 0, [0, 1]],
      ],
      safe: [[1, 0, 25]],
    }),
  });
  const names = [{ id: "orc", name: "Orc 3" }];
  assert.deepEqual(moveText(own, token("a"), [1, 0], { ...scene(), tokens: names }).split("\n"), [
    "costs 10 of 30",
    "provokes Orc 3: 45 % harm",
    "2.3 damage expected; a safe path costs 25",
  ]);
  assert.deepEqual(
    moveText(own, token("a"), [2, 0], { ...scene(), tokens: names })
      .split("\n")
      .slice(1),
    ["provokes Orc 3: 45 % harm", "provokes imp: 25 % harm", "2.8 damage expected; no safe path"],
  );
});

test("where a game works no odds out, the enemies are named alone", () => {
  const provocations = [{ token: "orc", act: "Free Attack", chance: null, damage: null }];
  const own = reach({ cells: [[1, 0, 1]], provocations, provokes: [[1, 0, [0]]] });
  assert.equal(provocationText(own, [1, 0], []), "provokes orc");
  assert.equal(provocationText(own, [3, 3], []), "");
});

test("a placed unit gets the first free number and a valid id", () => {
  const tokens = [token("orc-1", { name: "Orc 1" }), token("x", { name: "Orc 2" })];
  assert.deepEqual(unusedName(tokens, "Orc"), { id: "orc-3", name: "Orc 3" });
  assert.match(unusedName([], "Œuf à la coque!").id, /^[A-Za-z0-9._-]{1,64}$/);
  assert.match(unusedName([], "龍").id, /^[A-Za-z0-9._-]{1,64}$/);
});

test("no number counts units that only the GM sees; one that is shown gets the next number", () => {
  const hidden = unusedName([token("orc-1", { name: "Orc 1" })], "Orc", true);
  assert.equal(hidden.name, "Orc A");
  assert.match(hidden.id, /^orc-[0-9a-f]{8}$/);
  const tokens = [token("orc-1", { name: "Orc 1" }), token(hidden.id, { name: hidden.name })];
  assert.equal(unusedName(tokens, "Orc", true).name, "Orc B");
  assert.deepEqual(unusedName(tokens, "Orc"), { id: "orc-2", name: "Orc 2" });
  assert.equal(shownName(tokens, "Orc A"), "Orc 2");
  assert.equal(shownName(tokens, "Zoe"), "Zoe");
});

test("subscribers are called once for changes made together, with the state before", async () => {
  const store = tableStore();
  const heard = [];
  store.subscribe((state, before) => heard.push([before.selected, state.selected, state.target]));
  store.set({ selected: "a" });
  store.set({ selected: "b", target: "c" });
  await Promise.resolve();
  assert.deepEqual(heard, [[null, "b", "c"]]);
});

test("chances are whole percents, and only impossible and certain ones are 0 and 100", () => {
  assert.deepEqual(
    [
      [0, 6],
      [1, 1000],
      [2, 3],
      [999, 1000],
      [6, 6],
    ].map(formatChance),
    ["0 %", "1 %", "67 %", "99 %", "100 %"],
  );
});

test("typed dice are parsed with spaces or commas, and an invalid word is named", () => {
  assert.deepEqual(parseFaces(" 4, 2;6 "), [4, 2, 6]);
  assert.deepEqual(parseFaces("s C, - 6", ["S", "C", "-"]), ["S", "C", "-", 6]);
  assert.deepEqual(parseFaces("SsC-", ["S", "C", "-"]), ["S", "S", "C", "-"]);
  assert.deepEqual(parseFaces("hit MISS", ["hit", "miss"]), ["hit", "miss"]);
  for (const text of ["X", "SX", "hi"])
    assert.throws(() => parseFaces(text, ["S", "hit"]), /such as 4 2 6, or S hit/);
  assert.deepEqual(parseFaces("  "), []);
  for (const text of ["4 x", "0", "1.5", "-2", "1001"]) assert.throws(() => parseFaces(text), SyntaxError);
});

test("a modifier has its sign", () => {
  assert.deepEqual([1, 0, -2].map(formatModifier), ["+1", "+0", "−2"]);
});
