import assert from "node:assert/strict";
import { test } from "node:test";
import { fold } from "../../../plugin_manifest/scripts/core/table/fold.js";
import { scene, token, wall } from "./scenes.mjs";

const find = (things, id) => things.find((thing) => thing.id === id);

test("a moved token has a new cell, and the other tokens keep their identity", () => {
  const before = scene();
  const after = fold(before, { type: "token_moved", token: "a", at: [5, 5], facing: 90 });
  assert.deepEqual([find(after.tokens, "a").at, find(after.tokens, "a").facing], [[5, 5], 90]);
  assert.equal(find(after.tokens, "b"), find(before.tokens, "b"));
  assert.equal(after.walls, before.walls);
  assert.deepEqual(before, scene());
});

test("a token that is placed again keeps its index", () => {
  const after = fold(scene(), { type: "token_placed", token: token("a", { name: "Anna" }) });
  assert.deepEqual(
    after.tokens.map((one) => one.name),
    ["Anna", "b"],
  );
});

test("tokens stay sorted by id after an addition and a removal", () => {
  const three = fold(scene(), { type: "token_placed", token: token("aa") });
  assert.deepEqual(
    three.tokens.map((one) => one.id),
    ["a", "aa", "b"],
  );
  const two = fold(three, { type: "token_removed", was: token("a") });
  assert.deepEqual(
    two.tokens.map((one) => one.id),
    ["aa", "b"],
  );
});

test("tracks belong to the table, a side or a token, and null removes one", () => {
  const round = fold(scene(), { type: "track_set", holder: "table", track: "round", value: 2 });
  const side = fold(round, { type: "track_set", holder: "side:red", track: "story", value: 1 });
  const hurt = fold(side, { type: "track_set", holder: "a", track: "hp", value: 2 });
  assert.deepEqual(
    [hurt.tracks, find(hurt.sides, "red").tracks, find(hurt.tokens, "a").tracks],
    [{ round: 2 }, { story: 1 }, { hp: 2 }],
  );
  assert.deepEqual(
    find(fold(hurt, { type: "track_set", holder: "a", track: "hp", value: null }).tokens, "a").tracks,
    {},
  );
});

test("a condition is set with a note, which may be empty, and cleared by null", () => {
  const down = fold(scene(), { type: "condition_set", holder: "b", condition: "downed", note: "" });
  assert.deepEqual(find(down.tokens, "b").conditions, { downed: "" });
  assert.deepEqual(
    find(fold(down, { type: "condition_set", holder: "b", condition: "downed", note: null }).tokens, "b")
      .conditions,
    {},
  );
});

test("doors, map, rules, sides and the whole scene can be replaced", () => {
  const closed = scene({ walls: [wall("d", [0, 0, 64, 0], { door: "door" })] });
  assert.equal(fold(closed, { type: "door_set", wall: "d", state: "open" }).walls[0].state, "open");
  assert.deepEqual(fold(closed, { type: "map_set", walls: [], terrain: [] }).walls, []);
  assert.equal(
    fold(closed, { type: "rules_set", house_rules: {}, enforcement: "enforce" }).enforcement,
    "enforce",
  );
  assert.deepEqual(fold(closed, { type: "sides_set", sides: [] }).sides, []);
  const units = [{ key: "a", name: "A", profile: {}, image: "" }];
  assert.deepEqual(fold(closed, { type: "units_set", units }).units, units);
  assert.equal(fold(closed, { type: "scene_set", scene: scene({ name: "new" }) }).name, "new");
});

test("an explaining event returns the same scene", () => {
  const before = scene();
  for (const type of ["dice_rolled", "choice_made", "explained"])
    assert.equal(fold(before, { type }), before);
});

test("an event with an unknown id is an error", () => {
  assert.throws(
    () => fold(scene(), { type: "token_moved", token: "ghost", at: [0, 0], facing: 0 }),
    RangeError,
  );
  assert.throws(
    () => fold(scene(), { type: "track_set", holder: "side:ghost", track: "x", value: 1 }),
    RangeError,
  );
  assert.throws(() => fold(scene(), { type: "door_set", wall: "ghost", state: "open" }), RangeError);
});
