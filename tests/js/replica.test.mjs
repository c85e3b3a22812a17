import assert from "node:assert/strict";
import { test } from "node:test";
import { fromSnapshot, undoneEntries, withEntries } from "../../plugin_manifest/scripts/core/replica.js";
import { entry, scene, snapshot } from "./scenes.mjs";

const moved = (column) => ({ type: "token_moved", token: "a", at: [column, 0], facing: 0 });
const start = fromSnapshot(4, snapshot());

test("entries are folded in their order, and the log grows with them", () => {
  const after = withEntries(start, { entries: [entry(5, [moved(1)]), entry(6, [moved(2)])], choice: null });
  assert.equal(after.seq, 6);
  assert.deepEqual(after.scene.tokens[0].at, [2, 0]);
  assert.deepEqual(
    after.log.map((one) => one.seq),
    [5, 6],
  );
});

test("entries it has already are passed over", () => {
  const after = withEntries(start, { entries: [entry(4, [moved(7)]), entry(5, [moved(1)])], choice: null });
  assert.equal(after.seq, 5);
  assert.deepEqual(after.scene.tokens[0].at, [1, 0]);
});

test("a gap cannot be followed", () => {
  assert.equal(withEntries(start, { entries: [entry(6, [moved(1)])], choice: null }), null);
  assert.equal(withEntries(start, { entries: [entry(5), entry(7)], choice: null }), null);
});

test("an event about something it does not know, or another ruleset, cannot be followed", () => {
  assert.equal(
    withEntries(start, {
      entries: [entry(5, [{ type: "token_moved", token: "ghost", at: [0, 0], facing: 0 }])],
      choice: null,
    }),
    null,
  );
  const other = { type: "scene_set", scene: scene({ ruleset: "torn" }) };
  assert.equal(withEntries(start, { entries: [entry(5, [other])], choice: null }), null);
});

test("no entry but a choice keeps scene and log as they are and takes the choice", () => {
  const choice = { id: "c", side: "blue", question: "?", options: [], default: "" };
  const after = withEntries(start, { entries: [], choice });
  assert.equal(after.scene, start.scene);
  assert.equal(after.log, start.log);
  assert.equal(after.choice, choice);
});

test("what was taken back is known by its number", () => {
  assert.deepEqual([...undoneEntries([entry(1), entry(2), entry(3, [], { undoes: 2 })])], [2]);
});
