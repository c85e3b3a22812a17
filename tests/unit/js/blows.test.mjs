// The blows of an entry, from which the board shows an attack.

import assert from "node:assert/strict";
import { test } from "node:test";
import { plateCorner } from "../../../plugin_manifest/scripts/board/moment/moment-view.js";
import { blowsOf, chanceOf, winningFaces } from "../../../plugin_manifest/scripts/board/moment/blows.js";
import { SOUNDS, soundsOf } from "../../../plugin_manifest/scripts/board/moment/sounds.js";
import { entry, scene, token } from "./scenes.mjs";

const table = scene({
  tokens: [
    token("a", { at: [1, 1] }),
    token("b", { side: "red", at: [3, 4] }),
    token("c", { side: "red", at: [5, 5] }),
    token("gone", { at: null }),
  ],
});
const facts = (more) => ({
  token: "a",
  target: "b",
  act: "bow",
  result: "hit",
  rolls: [{ label: "attack", die: "d6", faces: [5], typed: false }],
  needed: 4,
  damage: 1,
  hit_points: [3, 2],
  ...more,
});
const attack = (more, events = []) => entry(9, events, { facts: facts(more) });

test("an attack is one blow with its dice, result and loss", () => {
  const [blow, ...others] = blowsOf(attack(), table);
  assert.equal(others.length, 0);
  assert.deepEqual(
    [blow.token.id, blow.target.id, blow.rolls[0].faces, blow.result, blow.lost, blow.isDown],
    ["a", "b", [5], "hit, −1", 1, false],
  );
  const down = { type: "condition_set", holder: "b", condition: "downed", note: "" };
  assert.equal(blowsOf(attack({}, [down]), table)[0].isDown, true);
});

test("who leaves the board by a blow is hit where it stood", () => {
  const left = { type: "token_moved", token: "gone", at: null, facing: null, was_at: [2, 2], was_facing: 0 };
  const out = { type: "condition_set", holder: "gone", condition: "out", note: "" };
  const [blow] = blowsOf(attack({ target: "gone" }, [left, out]), table);
  assert.deepEqual([blow.target.at, blow.isDown], [[2, 2], true]);
});

test("an attack on several is a blow on each, with its own chance", () => {
  const told = (target, more) => ({ token: "a", target, rolls: [], result: "hit", damage: 2, ...more });
  const blows = blowsOf(attack({ blows: [told("b", { chance: [1, 4] }), told("c")] }), table);
  assert.deepEqual(
    blows.map((blow) => [blow.token.id, blow.target.id, blow.lost, chanceOf(blow, null)]),
    [
      ["a", "b", 2, 0.25],
      ["a", "c", 2, null],
    ],
  );
});

test("of a volley each arrow that needs the same face has its odds, and what is negated is no loss", () => {
  const volley = [
    { token: "b", target: "a", rolls: [{ die: "d6", faces: [6, 6, 2] }], needed: 6, result: "hit", hits: 2 },
    { token: "c", target: "b", rolls: [], needed: 6, result: "negated", hits: 1, negated: ["shield"] },
  ];
  const [struck, spared] = blowsOf(attack({ blows: [{ ...volley[0], negated: [] }, volley[1]] }), table);
  assert.deepEqual([struck.lost, spared.lost], [2, 0]);
  assert.deepEqual(winningFaces(struck), [false, false, false, false, false, true]);
  assert.equal(winningFaces(spared), null);
});

test("a blow is told by whether it hit or harmed where the game has no word for it", () => {
  const blowOf = (more) => blowsOf(attack({ result: undefined, hit_points: undefined, ...more }), table)[0];
  const told = (more) => [blowOf(more).result, blowOf(more).lost];
  assert.deepEqual(told({ is_hit: true, damage: 6 }), ["hit, −6", 6]);
  assert.deepEqual(told({ is_hit: false, damage: 0 }), ["miss", 0]);
  assert.deepEqual(told({ dealt: 2, damage: 1 }), ["hit, −2", 2]);
  assert.deepEqual(told({ dealt: 0, damage: 1 }), ["miss", 0]);
});

test("there is no blow without a target or a result, off the board, on oneself, and in what is undone or out of sight", () => {
  const none = [
    attack({ target: "" }),
    attack({ result: undefined }),
    attack({ result: 4 }),
    attack({ target: "gone" }),
    attack({ target: "a" }),
    attack({ target: "nobody here" }),
    { ...attack(), undoes: 3 },
    entry(9, [], { facts: {}, secret: true }),
  ];
  for (const one of none) assert.deepEqual(blowsOf(one, table), []);
});

test("the faces that win are those of one die with six sides; other odds come from the overlay", () => {
  const [blow] = blowsOf(attack(), table);
  assert.deepEqual(winningFaces(blow), [false, false, false, true, true, true]);
  const [two] = blowsOf(attack({ rolls: [{ die: "d6", faces: [5, 2] }] }), table);
  assert.equal(winningFaces(two), null);
  const target = (weapon, chance) => ({ target: "b", legal: true, act: { weapon }, chance });
  const overlay = (token, targets) => ({ token, targets });
  assert.equal(chanceOf(blow, overlay("a", [target("knife", [1, 6]), target("bow", [1, 2])])), 0.5);
  assert.equal(chanceOf(blow, overlay("b", [target("bow", [1, 2])])), null);
  assert.equal(chanceOf(blow, null), null);
});

test("dice rattle before a hit, a fall comes after it, and a miss, a move or what is undone makes no sound of its own", () => {
  const down = { type: "condition_set", holder: "b", condition: "downed", note: "" };
  const heard = (one) => soundsOf([one], blowsOf(one, table)).map(({ name }) => name);
  assert.deepEqual(heard(attack({}, [down])), ["dice", "hit", "fall"]);
  assert.deepEqual(heard(attack()), ["dice", "hit"]);
  assert.deepEqual(heard(attack({ hit_points: [3, 3], damage: 0 })), ["dice"]);
  assert.deepEqual(heard({ ...attack(), undoes: 3 }), []);
  assert.deepEqual(heard(entry(9, [], { facts: {} })), []);
  const times = soundsOf([attack({}, [down])], blowsOf(attack({}, [down]), table)).map(({ at }) => at);
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  );
});

test("every sound is short and soft enough to speak over", () => {
  for (const [name, parts] of Object.entries(SOUNDS))
    for (const { at, seconds, volume, hz } of parts) {
      assert.ok(at + seconds <= 0.7, `${name} lasts too long`);
      assert.ok(volume > 0 && volume <= 1 && hz.every((one) => one > 20), name); // a pitch of 0 cannot be faded to
    }
});

test("the plate of an attack stands below its target, above it or at the edge, and never under a panel", () => {
  const covered = { left: 80, top: 100, right: 240, bottom: 60 };
  const at = (x, y, size = [200, 150]) => plateCorner([{ x, y, reach: 30 }], size, [844, 600], covered);
  assert.deepEqual(at(400, 200), [300, 230]);
  assert.deepEqual(at(400, 500), [300, 320]);
  assert.deepEqual(at(10, 200)[0], 88, "not under what is at the left");
  assert.deepEqual(at(840, 200)[0], 844 - 240 - 208);
  assert.deepEqual(
    at(400, 300, [200, 400]),
    [170, 100],
    "with room neither below nor above, it stands beside it",
  );
  assert.deepEqual(at(200, 300, [200, 400]), [230, 100], "at the right, if there is room");
  assert.deepEqual(
    at(250, 300, [360, 400]),
    [88, 140],
    "without room at any side it stands as low as it can",
  );
  const two = [
    { x: 300, y: 480, reach: 30 },
    { x: 320, y: 200, reach: 30 },
  ];
  assert.deepEqual(plateCorner(two, [100, 60], [844, 600], covered), [250, 110]);
});
