import assert from "node:assert/strict";
import { test } from "node:test";
import { formatOdds } from "../../../plugin_manifest/scripts/core/dice/notation.js";
import { layerMarks } from "../../../plugin_manifest/scripts/core/draw/overlay-marks.js";
import { hoverVerdict, nextHoverTarget } from "../../../plugin_manifest/scripts/core/game/hover-verdict.js";
import { tableStore } from "../../../plugin_manifest/scripts/core/game/store.js";
import { sightMarks, verdictLines } from "../../../plugin_manifest/scripts/core/draw/verdict-marks.js";
import { overlay, scene, snapshot, target, token, verdict, wall } from "./scenes.mjs";

test("a verdict has its sentence, the likeliest acts first, and every counting modifier", () => {
  const modifiers = [
    { reason: "backstab", value: 1, rule: "", counts: true },
    { reason: "smoke", value: -1, rule: "", counts: false },
  ];
  const acts = [
    target("b", { label: "fist", legal: false, why: "A wall is in the way." }),
    target("b", { chance: [2, 3], modifiers }),
  ];
  assert.deepEqual(verdictLines(verdict({ acts }), "Bert"), [
    "a sees b, 5 squares away.",
    "axe: 67 %, needs 4 or more",
    "  Attack: +1 backstab",
    "fist: A wall is in the way.",
  ]);
  assert.deepEqual(verdictLines(verdict({ sentence: "" }), "Bert"), ["Bert"]);
});

const lines = (marks) => marks.filter(({ kind }) => kind === "lines");

test("a clear line is solid, from point to point", () => {
  const [cased, line] = sightMarks(scene(), verdict());
  assert.deepEqual([cased.points, line.points], [[...verdict().sight.line], [...verdict().sight.line]]);
});

test("a blocked line is dashed, with a cross at the point and the wall marked", () => {
  const board = scene({ walls: [wall("w", [64, 64, 64, 128])] });
  const blocker = { kind: "wall", id: "w", name: "the wall" };
  const blocked = { is_seen: false, at: [64, 75], blocker };
  const marks = lines(sightMarks(board, verdict({}, blocked)));
  assert.deepEqual(marks[0].points, [64, 64, 64, 128]);
  assert.ok(marks[1].points.length > 4);
  assert.deepEqual(marks.at(-1).points.slice(0, 4), [53, 64, 75, 86]);
});

test("a blocking token gets a ring, terrain a border, an unknown blocker nothing", () => {
  const kinds = (blocker, board = scene()) =>
    sightMarks(board, verdict({}, { is_seen: false, blocker })).map(({ kind }) => kind);
  assert.equal(kinds({ kind: "token", id: "b", name: "b" })[0], "circle");
  const hedge = { id: "h", name: "Hedge", cells: [[1, 1]], cost: 1, blocks_sight: true, kind: "" };
  const grown = scene({ terrain: [hedge] });
  assert.equal(kinds({ kind: "terrain", id: "h", name: "Hedge" }, grown).length, 3);
  assert.equal(kinds({ kind: "wall", id: "gone", name: "the wall" }).length, 2);
  assert.deepEqual(sightMarks(scene(), verdict({}, { is_seen: null, line: null })), []);
});

test("on hexes the line is drawn where the hexes are", () => {
  const grid = { kind: "hex_odd_r", columns: 9, rows: 9, distance: 1, units: "hexes" };
  const [line] = sightMarks(scene({ grid }), verdict({}, { line: [0, 32, 64, 32] }));
  assert.ok(Math.abs(line.points[1] - (32 * 2) / Math.sqrt(3)) < 1e-9);
});

test("engaged tokens are joined by a bar with a crossbar while both are on the board", () => {
  const board = scene({ tokens: [token("a", { at: [0, 0] }), token("b", { at: [1, 0] })] });
  const locked = overlay({ engagements: [{ tokens: ["a", "b"], label: "locked" }] });
  const [bar] = layerMarks(board, locked, "engagement");
  assert.equal(bar.points.length, 8);
  assert.deepEqual([bar.points[1], bar.points[3]], [32, 32]);
  assert.ok(bar.points[0] > 32 && bar.points[2] < 96);
  assert.equal(bar.points[4], bar.points[6]);
  const gone = scene({ tokens: [token("a"), token("b", { at: null })] });
  assert.deepEqual(layerMarks(gone, locked, "engagement"), []);
});

const later = (ms) => new Promise((done) => setTimeout(done, ms));

function looking() {
  const asked = [];
  const store = tableStore();
  hoverVerdict(store, {
    requestVerdict: async (...pair) => {
      asked.push(pair.join(" "));
      return verdict({ token: pair[0], target: pair[1] });
    },
  });
  const replica = { ...snapshot(), seq: 1, epoch: "e" };
  store.set({ replica, selected: "a", overlay: overlay() });
  return { asked, store, replica };
}

test("a verdict is requested when the pointer rests on a token, and removed when it leaves", async () => {
  const { asked, store } = looking();
  store.set({ hovered: "b" });
  await later(200);
  assert.deepEqual(asked, ["a b"]);
  assert.equal(store.state.verdict.target, "b");
  store.set({ hovered: null });
  await later(0);
  assert.equal(store.state.verdict, null);
});

test("no verdict is requested in passing, on the selected token itself, or without an overlay", async () => {
  const { asked, store } = looking();
  store.set({ hovered: "b" });
  await later(20);
  store.set({ hovered: "a" });
  await later(200);
  store.set({ hovered: "b", overlay: null });
  await later(200);
  assert.deepEqual(asked, []);
});

test("a change at the table requests a new verdict, and the old one stays until then", async () => {
  const { asked, store, replica } = looking();
  store.set({ hovered: "b" });
  await later(200);
  store.set({ replica: { ...replica, seq: 2 } });
  await later(20);
  assert.notEqual(store.state.verdict, null);
  await later(200);
  assert.deepEqual(asked, ["a b", "a b"]);
});

test("keys inspect the other tokens in turn, around and back", () => {
  const tokens = ["a", "b", "c", "d"].map((id) => token(id, { at: id === "d" ? null : [0, 0] }));
  const state = { replica: { ...snapshot(), scene: scene({ tokens }) }, selected: "a", hovered: null };
  assert.equal(nextHoverTarget(state, 1), "b");
  assert.equal(nextHoverTarget(state, -1), "c");
  assert.equal(nextHoverTarget({ ...state, hovered: "c" }, 1), "b");
  assert.equal(nextHoverTarget({ ...state, selected: null }, 1), null);
});

test("the result of an area act is a line of its own, and an act without known odds says why", () => {
  const area = { tokens: [], fallen: [], text: "12 damage each, 2.3 of 5 fall, all 5 4 %" };
  const acts = [
    target("b", { label: "Fireball", area }),
    target("b", { label: "Ponder", exact: false, chance: [0, 1], no_odds: "Too long." }),
  ];
  const lines = verdictLines(verdict({ acts }), "Orc");
  assert.ok(lines.includes("  12 damage each, 2.3 of 5 fall, all 5 4 %"));
  assert.deepEqual(lines.slice(-2), ["Ponder: ?", "  Too long."]);
});

test("an act whose odds are known in part says the least and the most, and why", () => {
  const known = { exact: false, chance: [61, 100], up_to: [66, 100], no_odds: "5 % of the cases are open." };
  const acts = [target("b", { label: "Ponder", ...known })];
  const lines = verdictLines(verdict({ acts }), "Orc");
  assert.deepEqual(lines.slice(-2), ["Ponder: at least 61 %, at most 66 %", "  5 % of the cases are open."]);
  assert.equal(formatOdds(acts[0]), "61–66 %");
  assert.equal(formatOdds(target("b", { chance: [0, 1], no_odds: "Too long." })), "?");
});
