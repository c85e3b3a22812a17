import assert from "node:assert/strict";
import { test } from "node:test";
import { PendingWrites } from "../../../plugin_manifest/scripts/tabletop/pending-writes.js";
import { placeGrid, placeOf } from "../../../plugin_manifest/scripts/tabletop/placed-grid.js";
import { WriteDecisions } from "../../../plugin_manifest/scripts/tabletop/write-decisions.js";

const area = { left: 0, top: 0, right: 1000, bottom: 800 };
const grid = placeGrid({
  kind: "square",
  size: 100,
  middle: { x: 50, y: 50 },
  area,
  distance: 5,
  units: "ft",
});

/** A GM's decisions, with the unit Anna moved by the table from [4, 2]. */
function decided(mode) {
  const pending = new PendingWrites({ onAccept: () => {}, onDecline: () => {} });
  const decisions = new WriteDecisions(`table ${mode} ${Math.random()}`, pending);
  decisions.setMode("moves", mode);
  return { pending, decisions };
}
const write = { seq: 3, kind: "moves", token: "a", at: [5, 2], facing: null, path: [] };
const now = { id: "a", center: { x: 350, y: 350 }, facing: 0, hitPoints: { value: 3, most: 3 } };

test("a write is done, asked or left as the GM chose", () => {
  for (const [mode, isDone, asked] of [
    ["do", true, 0],
    ["ask", false, 1],
    ["never", false, 0],
  ]) {
    const { pending, decisions } = decided(mode);
    assert.equal(decisions.isToDo(write, now, "s"), isDone, mode);
    assert.equal(pending.list.length, asked, mode);
    assert.deepEqual([...decisions.heldTokens()], isDone ? [] : ["a"], mode);
  }
});

test("what the GM has decided is written and held no longer, and what was declined is not asked again", () => {
  const { pending, decisions } = decided("ask");
  decisions.isToDo(write, now, "s");
  assert.equal(decisions.isToDo({ ...write, isDecided: true }, now, "s"), true);
  assert.deepEqual([...decisions.heldTokens()], []);
  assert.deepEqual(decisions.decline(pending.list), ["a"]);
  pending.replace([]);
  decisions.isToDo(write, now, "s");
  assert.deepEqual(pending.list, []);
});

test("a question goes when an undo has overtaken it", () => {
  const { pending, decisions } = decided("ask");
  decisions.isToDo(write, now, "s");
  decisions.forgetMoot("b", []);
  assert.equal(pending.list.length, 1);
  decisions.forgetMoot("a", [write]);
  assert.equal(pending.list.length, 1);
  decisions.forgetMoot("a", []);
  assert.equal(pending.list.length, 0);
});

test("a held token has its place at the table until a hand moves it in the tabletop", () => {
  const { decisions } = decided("never");
  const scene = { id: "s", grid: grid, tokens: [now] };
  const table = {
    scene: { grid, tokens: [{ id: "a", at: [5, 2], facing: 0, size: [1, 1], tracks: {} }] },
    bars: {},
  };
  decisions.isToDo(write, now, "s");
  const [there] = decisions.applyTo(scene, table).tokens;
  assert.deepEqual(placeOf(scene.grid, there.center, [1, 1]), [5, 2]);
  const moved = { ...now, center: { x: 150, y: 350 } };
  assert.deepEqual(decisions.applyTo({ ...scene, tokens: [moved] }, table).tokens, [moved]);
  assert.deepEqual([...decisions.heldTokens()], [], "the hand has ended it");
});
