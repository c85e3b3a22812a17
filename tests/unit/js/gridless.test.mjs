import assert from "node:assert/strict";
import { test } from "node:test";
import { placeOfBase } from "../../../plugin_manifest/scripts/core/draw/bases.js";
import { terrainMarks } from "../../../plugin_manifest/scripts/core/draw/board-marks.js";
import { Labels } from "../../../plugin_manifest/scripts/core/draw/labels.js";
import { layerMarks } from "../../../plugin_manifest/scripts/core/draw/overlay-marks.js";
import { groupMove } from "../../../plugin_manifest/scripts/core/game/group-move.js";
import { isInRings, regionMarks } from "../../../plugin_manifest/scripts/core/draw/region-marks.js";
import { moveText } from "../../../plugin_manifest/scripts/core/ui/move-text.js";

const GRID = { kind: "gridless", columns: 20, rows: 20, distance: 1, units: "in" };
const SQUARE = [0, 0, 640, 0, 640, 640, 0, 640];
const INNER = [100, 100, 200, 100, 200, 200, 100, 200];
const token = (id, at) => ({ id, name: id, side: "red", at, facing: null, size: [1, 1], conditions: {} });
const scene = (...tokens) => ({ grid: GRID, tokens });
const band = (label, ring) => ({
  layer: "reach",
  label,
  runs: [],
  rings: [ring],
  lines: [[...ring, ring[0], ring[1]]],
});

test("a region has its fill, its border and its label at the top", () => {
  const style = { color: 1, fill: 0.3, line: 1, width: 2 };
  const [fill, border, label] = regionMarks(band("Reach", SQUARE), style, new Labels(scene()));
  assert.deepEqual(fill.rings, [SQUARE]);
  assert.equal(border.points.length, 4 * 4);
  assert.equal(label.text, "Reach");
  assert.ok(label.at[1] < 40, `${label.at}`);
});

test("labels of nested outlines and of equal ones are on the board, and none covers another or a token", () => {
  const around = (r) =>
    Array.from({ length: 72 }, (_, i) => i * 5 * (Math.PI / 180)).flatMap((a) => [
      640 + r * Math.sin(a),
      640 - r * Math.cos(a),
    ]);
  const labels = new Labels(scene(token("a", [640, 640]), token("b", [640, 150])));
  const boxes = [600, 500, 400, 400, 400, 300].map((r, i) => {
    const text = `Outline ${i} of so many`;
    const [x, y] = labels.place(text, [around(r)]);
    const [wide, high] = [text.length * 7.8, 15.6];
    assert.ok(x - wide >= 0 && x + wide <= 1280 && y - high >= 0 && y + high <= 1280, `${[x, y]}`);
    return [x - wide, x + wide, y - high, y + high];
  });
  boxes.push([608, 672, 118, 182]);
  for (const [i, a] of boxes.entries())
    for (const b of boxes.slice(i + 1))
      assert.ok(a[1] <= b[0] || b[1] <= a[0] || a[3] <= b[2] || b[3] <= a[2], `${a} covers ${b}`);
});

test("a line without a ring is drawn, too", () => {
  const marks = regionMarks(
    { layer: "ranges", label: "", runs: [], lines: [[0, 0, 9, 9]] },
    { color: 1 },
    new Labels(scene()),
  );
  assert.deepEqual(
    marks.map(({ kind, points }) => [kind, points]),
    [["lines", [0, 0, 9, 9]]],
  );
});

test("a point is inside if any ring goes around it, even two", () => {
  const area = { ...band("", SQUARE), rings: [SQUARE, INNER] };
  assert.equal(isInRings(area, [150, 150]), true);
  assert.equal(isInRings(area, [300, 300]), true);
  assert.equal(isInRings(area, [700, 300]), false);
});

test("the name of terrain stands on the terrain, not in the corner of the board", () => {
  const wood = {
    id: "w",
    name: "Wood",
    cells: [
      [8, 3],
      [9, 3],
    ],
    cost: 0,
    blocks_sight: true,
    kind: "",
    hidden: false,
  };
  const text = terrainMarks({ grid: GRID, background: "", terrain: [wood] }).find(
    ({ kind }) => kind === "text",
  );
  assert.equal(text.at[0], 9 * 64);
  assert.ok(text.at[1] > 3 * 64 && text.at[1] < 4 * 64);
});

test("a gridless reach is drawn as outlines, the largest first, and its places are not", () => {
  const reach = { budget: 64, cells: [[1, 1, 5]], provocations: [], provokes: [], safe: [] };
  const bands = [band("least", INNER), band("most", SQUARE)];
  const marks = layerMarks(scene(), { token: "a", areas: [], reach: { ...reach, bands } }, "reach");
  assert.deepEqual(
    marks.filter(({ kind }) => kind === "region").map(({ rings }) => rings[0]),
    [SQUARE, INNER],
  );
  assert.equal(
    marks.some(({ kind }) => kind === "texts" || kind === "cells"),
    false,
  );
});

test("a dragged base shows its straight distance and the outline that it stays in", () => {
  const reach = { budget: 0, cells: [], provocations: [], provokes: [], safe: [] };
  const overlay = { token: "a", reach: { ...reach, bands: [band("least", INNER), band("most", SQUARE)] } };
  const one = token("a", [150, 150]);
  assert.equal(moveText(overlay, one, [150, 182], scene(one)), '0.5" straight; least');
  assert.equal(moveText(overlay, one, [150, 342], scene(one)), '3" straight; most');
  assert.equal(moveText(overlay, one, [150, 790], scene(one)), '10" straight; out of reach');
});

test("the distance is in the units of the map", () => {
  const reach = {
    budget: 0,
    cells: [],
    provocations: [],
    provokes: [],
    safe: [],
    bands: [band("most", SQUARE)],
  };
  const text = (distance, units) =>
    moveText({ token: "a", reach }, token("a", [150, 150]), [150, 182], {
      grid: { ...GRID, distance, units },
      tokens: [],
    });
  assert.equal(text(5, "ft"), "2.5 ft straight; most");
  assert.equal(text(2, "inches"), '1" straight; most');
  assert.equal(text(1, "squares"), '0.5" straight; most');
});

test("a group moves in formation by one act, those in front first, each by the same way", () => {
  const [lead, ahead, off] = [token("a", [0, 0]), token("b", [64, 10]), token("c", null)];
  const act = groupMove(
    GRID,
    lead,
    [ahead, off],
    [
      [0, 100],
      [100, 100],
    ],
  );
  assert.deepEqual([act.kind, act.token, act.body.members], ["move_group", "a", ["b", "a"]]);
  assert.deepEqual(act.body.paths, [
    [
      [64, 110],
      [164, 110],
    ],
    [
      [0, 100],
      [100, 100],
    ],
  ]);
});

test("a base dragged near another goes into contact, without overlap", () => {
  const one = token("a", [0, 0]);
  const board = scene(one, token("b", [320, 320]));
  for (const [at, isMoved] of [
    [[320 + 60, 320], true],
    [[320 + 70, 320], true],
    [[320 + 41, 320 + 41], true],
    [[320 + 80, 320], false],
    [[320 + 20, 320], false],
  ]) {
    const place = placeOfBase(board, one, at);
    assert.equal(String(place) !== String(at), isMoved, String(at));
    if (!isMoved) continue;
    const apart = Math.hypot(place[0] - 320, place[1] - 320);
    assert.ok(apart >= 64 && apart < 65.5, `${apart}`);
  }
});

test("bases do not snap on a board with cells", () => {
  const board = { grid: { ...GRID, kind: "square" }, tokens: [token("b", [4, 4])] };
  assert.deepEqual(placeOfBase(board, token("a", [0, 0]), [4, 5]), [4, 5]);
});
