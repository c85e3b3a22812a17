import assert from "node:assert/strict";
import { test } from "node:test";
import {
  chatCard,
  rollData,
  stripMarkup,
} from "../../../plugin_manifest/scripts/foundry/documents/conversion.js";
import { planSceneWrites, planWrites } from "../../../plugin_manifest/scripts/tabletop/writes.js";
import { entry, scene, token } from "./scenes.mjs";

const never = () => false;
const wound = (seq, value) => entry(seq, [{ type: "track_set", holder: "b", track: "hp", value }]);
const condition = (seq, name, note, holder = "b") =>
  entry(seq, [{ type: "condition_set", holder, condition: name, note }]);
const bars = { b: { track: "hp", most: 4 } };
const changes = (entries, isFromTabletop = never, tracks = bars) =>
  planWrites(entries, tracks, isFromTabletop).filter(({ kind }) => kind !== "chat");

test("only the last of several wounds is written, with its entry's number", () => {
  assert.deepEqual(changes([wound(4, 3), wound(5, 1)]), [
    { seq: 5, kind: "hitPoints", token: "b", value: 1, most: 4 },
  ]);
});

test("only the track that the table names as hit points is written, and only for tokens", () => {
  const set = (holder, track) => entry(1, [{ type: "track_set", holder, track, value: 2 }]);
  const wounds = { b: { track: "wounds", most: 9 } };
  assert.equal(changes([set("b", "wounds")], never, wounds)[0].value, 2);
  assert.deepEqual(changes([set("b", "mp"), set("table", "hp"), set("side:red", "hp")]), []);
});

test("conditions are set and cleared, but not those internal to the rules", () => {
  assert.deepEqual(changes([condition(1, "stunned", ""), condition(2, "downed", null)]), [
    { seq: 1, kind: "conditions", token: "b", condition: "stunned", isOn: true },
    { seq: 2, kind: "conditions", token: "b", condition: "downed", isOn: false },
  ]);
  assert.deepEqual(changes([condition(1, "activated", ""), condition(2, "used", "axe")]), []);
});

test("a token that is out is defeated until that is undone", () => {
  const [write] = changes([condition(1, "out", "")]);
  assert.deepEqual(write, { seq: 1, kind: "defeated", token: "b", isOn: true });
  assert.equal(changes([condition(1, "out", ""), condition(2, "out", null)])[0].isOn, false);
});

test("the active unit becomes the combat tracker's turn; no active unit changes nothing", () => {
  assert.deepEqual(changes([condition(3, "active", "b", "table")]), [{ seq: 3, kind: "order", token: "b" }]);
  assert.deepEqual(changes([condition(3, "active", null, "table")]), []);
});

test("the table's round becomes the tracker's, from the first on", () => {
  const round = (seq, value) => entry(seq, [{ type: "track_set", holder: "table", track: "round", value }]);
  assert.deepEqual(changes([round(3, 1), round(9, 2)]), [{ seq: 9, kind: "round", round: 2 }]);
  assert.deepEqual(changes([round(3, null)]), []);
});

test("a token restored without a condition loses it", () => {
  const [was, back] = [
    token("b", { conditions: { stunned: "", warded: "" } }),
    token("b", { conditions: { warded: "" } }),
  ];
  const written = changes([entry(7, [{ type: "token_placed", token: back, was }])]);
  assert.deepEqual(
    written.map(({ condition, isOn }) => [condition, isOn]),
    [
      ["stunned", false],
      ["warded", true],
    ],
  );
});

test("a whole scene includes the round and the active unit", () => {
  const stands = scene({ tracks: { round: 3 }, conditions: { active: "b" } });
  assert.deepEqual(planSceneWrites(stands, {}, 12), [
    { seq: 12, kind: "round", round: 3 },
    { seq: 12, kind: "order", token: "b" },
  ]);
});

test("a move at the table is written, except from Foundry itself or off the board", () => {
  const move = (seq, at) => entry(seq, [{ type: "token_moved", token: "b", at, facing: 90 }]);
  assert.deepEqual(changes([move(2, [4, 5])]), [
    { seq: 2, kind: "moves", token: "b", at: [4, 5], facing: 90, path: [] },
  ]);
  assert.deepEqual(
    changes([move(2, [4, 5])], () => true),
    [],
  );
  assert.deepEqual(changes([move(2, null)]), []);
});

test("a move of several steps is written once, with the cells on its way", () => {
  const steps = [
    [1, 1],
    [2, 1],
    [2, 2],
  ].map((at) => ({ type: "token_moved", token: "b", at, facing: 90 }));
  const expected = { kind: "moves", token: "b", at: [2, 2], facing: 90, path: [steps[0].at, steps[1].at] };
  assert.deepEqual(changes([entry(2, steps)]), [{ seq: 2, ...expected }]);
  const long = Array.from({ length: 200 }, (_, i) => ({ ...steps[0], at: [i, 0] }));
  assert.equal(changes([entry(2, long)])[0].path.length, 64);
});

test("a restored token gets its position and its hit points", () => {
  const back = entry(7, [{ type: "token_placed", token: token("b", { at: [1, 2], tracks: { hp: 3 } }) }]);
  assert.deepEqual(
    changes([back]).map(({ kind }) => kind),
    ["hitPoints", "moves"],
  );
});

test("a token that only changes its owner keeps its position in Foundry", () => {
  const [was, given] = [token("b", { at: [1, 2] }), token("b", { at: [1, 2], owners: ["pat"] })];
  const moves = changes([entry(8, [{ type: "token_placed", token: given, was }])]).filter(
    ({ kind }) => kind === "moves",
  );
  assert.deepEqual(moves, []);
});

test("an attack gets a chat card and text over its target, a move neither", () => {
  const hit = entry(9, [], { facts: { target: "b", result: "hit", hit_points: [3, 1] } });
  assert.deepEqual(
    planWrites([hit], bars, never).map(({ kind, text }) => [kind, text]),
    [
      ["chat", undefined],
      ["floating", "hit, −2"],
    ],
  );
  assert.deepEqual(planWrites([entry(9, [], { kind: "token.move" })], bars, never), []);
});

test("every part of a chat card is escaped", () => {
  const evil = '<img src=x onerror="alert(1)">';
  const html = chatCard(
    entry(1, [], { text: evil, facts: { modifiers: [{ reason: evil, value: 1, rule: "", counts: true }] } }),
  );
  assert.ok(!/<img/.test(html) && !html.includes('"alert'));
  assert.equal(html.match(/&lt;img/g).length, 2);
  assert.ok(!/[<>&]/.test(stripMarkup(evil)));
});

test("a roll has the rolled faces; faces that are not numbers give none", () => {
  const data = rollData({ label: "attack", die: "2d6", faces: [4, 2], typed: false });
  assert.equal(data.total, 6);
  const named = rollData({ label: "attack", die: "d6", faces: [4, 2], typed: false });
  assert.deepEqual(
    [named.formula, named.terms[0].faces, named.terms[0].results],
    [
      "2d6",
      6,
      [
        { result: 4, active: true },
        { result: 2, active: true },
      ],
    ],
  );
  assert.equal(rollData({ label: "", die: "attack die", faces: ["skull"], typed: false }), null);
});
