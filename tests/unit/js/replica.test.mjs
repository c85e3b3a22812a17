import assert from "node:assert/strict";
import { test } from "node:test";
import {
  LOG_KEPT,
  fromSnapshot,
  undoneEntries,
  withEntries,
} from "../../../plugin_manifest/scripts/core/table/replica.js";
import { entry, scene, snapshot, token } from "./scenes.mjs";

const moved = (column) => ({ type: "token_moved", token: "a", at: [column, 0], facing: 0 });
const start = fromSnapshot(4, snapshot());

test("entries are folded in order, and the log grows", () => {
  const after = withEntries(start, {
    entries: [entry(5, [moved(1)]), entry(6, [moved(2)])],
    choice: null,
    bodies: {},
  });
  assert.equal(after.seq, 6);
  assert.deepEqual(after.scene.tokens[0].at, [2, 0]);
  assert.deepEqual(
    after.log.map((one) => one.seq),
    [5, 6],
  );
});

test("a replica keeps the latest entries, and all of one update", () => {
  const take = (replica, from, to) => {
    const entries = Array.from({ length: to - from + 1 }, (_, i) => entry(from + i));
    return withEntries(replica, { entries, choice: null, bodies: {} });
  };
  let replica = start;
  for (let seq = 5; seq < 5 + 10 * LOG_KEPT; seq += 1) {
    replica = take(replica, seq, seq);
    assert.ok(replica.log.length <= 2 * LOG_KEPT);
    assert.equal(replica.log.at(-1).seq, seq);
  }
  assert.ok(replica.log.length >= LOG_KEPT);
  const [from, to] = [replica.seq + 1, replica.seq + 3 * LOG_KEPT];
  assert.deepEqual([take(replica, from, to).log[0].seq, take(replica, from, to).log.at(-1).seq], [from, to]);
});

test("known entries are skipped", () => {
  const after = withEntries(start, {
    entries: [entry(4, [moved(7)]), entry(5, [moved(1)])],
    choice: null,
    bodies: {},
  });
  assert.equal(after.seq, 5);
  assert.deepEqual(after.scene.tokens[0].at, [1, 0]);
});

test("entries after a gap are rejected", () => {
  assert.equal(withEntries(start, { entries: [entry(6, [moved(1)])], choice: null, bodies: {} }), null);
  assert.equal(withEntries(start, { entries: [entry(5), entry(7)], choice: null, bodies: {} }), null);
});

test("an event with an unknown id, or another ruleset, is rejected", () => {
  assert.equal(
    withEntries(start, {
      entries: [entry(5, [{ type: "token_moved", token: "ghost", at: [0, 0], facing: 0 }])],
      choice: null,
      bodies: {},
    }),
    null,
  );
  const other = { type: "scene_set", scene: scene({ ruleset: "torn" }) };
  assert.equal(withEntries(start, { entries: [entry(5, [other])], choice: null, bodies: {} }), null);
});

test("an update with only a choice leaves scene and log unchanged", () => {
  const choice = { id: "c", side: "blue", question: "?", options: [], default: "" };
  const after = withEntries(start, { entries: [], choice, bodies: {} });
  assert.equal(after.scene, start.scene);
  assert.equal(after.log, start.log);
  assert.equal(after.choice, choice);
});

test("undone entries are found by number", () => {
  assert.deepEqual([...undoneEntries([entry(1), entry(2), entry(3, [], { undoes: 2 })])], [2]);
});

const HEX = { kind: "hex_odd_r", columns: 8, rows: 8, distance: 1, units: "" };
const region = (row, column) => ({
  layer: "regions",
  label: "",
  runs: [
    [row - 1, column, column + 1],
    [row, column - 1, column + 1],
    [row + 1, column, column + 1],
  ],
});

test("tokens get the table's footprints with every update, and lose them again", () => {
  const grid = HEX;
  const tokens = [token("a", { at: [3, 2] }), token("b")];
  const regions = [region(3, 3)];
  const withFootprint = {
    ...snapshot(),
    scene: scene({ grid, tokens }),
    regions,
    bodies: { a: regions[0].runs },
  };
  const first = fromSnapshot(4, withFootprint);
  assert.equal(first.scene.tokens[0].body.cells.length, 7);
  assert.deepEqual(first.scene.tokens[0].body.anchor, [3, 3]);
  assert.equal(first.scene.tokens[1].body, undefined);
  const entries = [entry(5, [moved(1)])];
  const next = withEntries(first, { entries, choice: null, regions: null, bodies: { a: [[0, 1, 2]] } });
  assert.equal(next.regions, regions);
  assert.deepEqual(next.scene.tokens[0].body.cells, [
    [1, 0],
    [2, 0],
  ]);
  const last = withEntries(next, { entries: [], choice: null, regions: [], bodies: {} });
  assert.deepEqual([last.regions, "body" in last.scene.tokens[0]], [[], false]);
});
