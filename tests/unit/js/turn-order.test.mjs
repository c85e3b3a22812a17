import assert from "node:assert/strict";
import { test } from "node:test";
import { LAYERS_OF, activityOf } from "../../../plugin_manifest/scripts/core/game/activity.js";
import { tableStore } from "../../../plugin_manifest/scripts/core/game/store.js";
import { initiativeOf, turnOrder } from "../../../plugin_manifest/scripts/core/game/turn-order.js";
import {
  bestTarget,
  isHarmOfAlly,
  nextStep,
} from "../../../plugin_manifest/scripts/board/panels/next-step.js";
import { overlay, reach, scene, token } from "./scenes.mjs";

const SIDES = [
  { id: "watch", name: "The Watch", team: "", tracks: {}, conditions: {} },
  { id: "raiders", name: "Raiders", team: "", tracks: {}, conditions: {} },
];
const unit = (id, side, more = {}) => token(id, { name: id, side, ...more });
const replica = (tokens, more = {}) => ({
  role: "gm",
  scene: { ...scene({ tokens }), sides: SIDES },
  turn: { round: 1, sides: ["raiders"], token: "", order: [], is_over: false, winners: [] },
  choice: null,
  log: [],
  ruleset: { acts: [{ kind: "round" }] },
  ...more,
});
const ids = (tokens) => tokens.map(({ id }) => id);

test("side after side: who has acted, the slot of the next side, then its units before the others", () => {
  const found = turnOrder(
    replica([
      unit("aldis", "watch", { conditions: { activated: "" } }),
      unit("bran", "watch"),
      unit("orc", "raiders"),
      unit("gone", "raiders", { conditions: { out: "" } }),
    ]),
  );
  assert.deepEqual([found.kind, ids(found.acted), found.slot], ["sides", ["aldis"], "raiders"]);
  assert.deepEqual([ids(found.ready), ids(found.out)], [["orc", "bran"], ["gone"]]);
});

test("individual initiative: the order of the round, whatever the sides", () => {
  const found = turnOrder(
    replica(
      [
        unit("a", "watch", { tracks: { order: 3, initiative: 4 } }),
        unit("b", "raiders", { tracks: { order: 1, initiative: 9 } }),
        unit("c", "watch", { tracks: { order: 2, initiative: 7 } }),
      ],
      { turn: { round: 2, sides: ["raiders"], token: "b", order: [], is_over: false, winners: [] } },
    ),
  );
  assert.deepEqual([found.kind, found.now?.id, ids(found.ready)], ["individual", "b", ["c", "a"]]);
});

test("an order that the rules give: numbers of its own, and who stands before the one that acts has had its turn", () => {
  const order = [
    { token: "b", number: 18 },
    { token: "c", number: 12 },
    { token: "a", number: 12 },
  ];
  const units = [
    unit("a", "watch", { conditions: { acted: "" } }),
    unit("b", "raiders"),
    unit("c", "watch"),
    unit("thing", "watch"),
    unit("gone", "raiders", { conditions: { out: "" } }),
  ];
  const turn = { round: 2, sides: ["watch"], token: "c", order, is_over: false, winners: [] };
  const found = turnOrder(replica(units, { turn }));
  assert.deepEqual([found.kind, ids(found.acted), found.now?.id], ["individual", ["b"], "c"]);
  assert.deepEqual([ids(found.ready), ids(found.out)], [["a", "thing"], ["gone"]]);
  assert.deepEqual(
    units.map((one) => initiativeOf(one, turn)),
    [12, 18, 12, null, null],
  );
});

test("secret choosing: how many of the seat's units have answered all they are asked, and no names", () => {
  const others = [
    { given: "y", token: "a" },
    { given: "", token: "b" },
    { given: "y", token: "b" },
    { given: "y", token: "c" },
  ];
  const choice = { is_sealed: true, given: "x", token: "a", others };
  assert.deepEqual(turnOrder(replica([], { choice })).chosen, { done: 2, of: 3 });
});

const offer = (kind, more = {}) => ({
  act: { kind, token: "bran", target: more.target ?? "", weapon: "", at: null, facing: null },
  label: kind,
  legal: true,
  why: "",
  target: "",
  chance: [1, 2],
  ...more,
});
const stateOf = (targets, more = {}) => {
  const tokens = [
    unit("bran", "watch", { at: [0, 0] }),
    unit("friend", "watch", { at: [5, 5] }),
    unit("orc", "raiders", { at: [1, 1] }),
    unit("goblin", "raiders", { at: [2, 2] }),
  ];
  const own = { ...overlay({ reach: reach({ budget: 3 }) }), token: "bran", targets };
  const turn = { round: 1, sides: ["watch"], token: "", order: [], is_over: false, winners: [] };
  const { replica: extra, ...rest } = more;
  return {
    ...tableStore().state,
    replica: replica(tokens, { turn, ...extra }),
    selected: "bran",
    overlay: own,
    ...rest,
  };
};

test("the next step activates, then attacks the likeliest enemy, then ends the turn", () => {
  assert.equal(nextStep(stateOf([offer("activate")]))?.act?.kind, "activate");
  const targets = [
    offer("end"),
    offer("melee", { target: "friend", chance: [9, 10] }),
    offer("melee", { target: "orc", chance: [1, 3] }),
    offer("melee", { target: "goblin", chance: [2, 3] }),
  ];
  const attack = nextStep(stateOf(targets));
  assert.deepEqual([attack?.act?.target, attack?.detail], ["goblin", "melee, 67 %"]);
  const log = [{ kind: "act", facts: { token: "bran", target: "orc" } }];
  const end = nextStep(stateOf(targets, { replica: { log } }));
  assert.deepEqual([end?.act?.kind, end?.detail], ["end", "3 movement unused"]);
});

test("an attack that is only planned is no next step", () => {
  const targets = [offer("end"), offer("attack", { target: "orc", is_planned: true })];
  assert.equal(nextStep(stateOf(targets))?.act?.kind, "end");
});

test("with a unit selected that cannot act, the real next step stays", () => {
  const step = nextStep(stateOf([offer("activate", { legal: false })]));
  assert.deepEqual([step?.select, step?.act], ["friend", null]);
  assert.equal(nextStep(stateOf([], { replica: { role: "player", seat: "nobody" } })), null);
});

test("until it is known what the selected unit can do there is no step, which would be another unit's", () => {
  assert.equal(nextStep(stateOf([], { overlay: null, isOverlayDue: true })), null);
  assert.equal(nextStep(stateOf([], { overlay: null }))?.select, "friend", "the table refused to say");
});

test("a round starts between rounds, and a question or the end of the battle leaves no step", () => {
  const between = { round: 0, sides: [], token: "", order: [], is_over: false, winners: [] };
  assert.equal(nextStep(stateOf([], { replica: { turn: between } }))?.act?.kind, "round");
  assert.equal(nextStep(stateOf([], { replica: { choice: { id: "1" } } })), null);
});

test("enemies come before allies, and an attack on an ally is told from help", () => {
  const targets = [
    offer("melee", { target: "friend", chance: [1, 1] }),
    offer("melee", { target: "orc", chance: [1, 6] }),
    offer("heal", { target: "friend", chance: [1, 1] }),
  ];
  const state = stateOf(targets);
  const [bran] = state.replica.scene.tokens;
  assert.equal(bestTarget(state, bran)?.id, "orc");
  assert.ok(isHarmOfAlly(state.replica, state.overlay, bran, targets[0]));
  assert.ok(!isHarmOfAlly(state.replica, state.overlay, bran, targets[1]));
  assert.ok(!isHarmOfAlly(state.replica, state.overlay, bran, targets[2]));
});

test("one layer at a time by what one does", () => {
  assert.equal(activityOf(stateOf([])), "ready");
  assert.equal(activityOf(stateOf([], { ghost: { token: "bran" } })), "moving");
  assert.equal(activityOf(stateOf([], { target: "orc" })), "aiming");
  assert.equal(activityOf(stateOf([], { selected: "orc" })), "watching");
  assert.equal(activityOf(stateOf([], { replica: { choice: { given: "" } } })), "answering");
  assert.deepEqual(LAYERS_OF.watching, []);
  assert.deepEqual(LAYERS_OF.ready, ["reach"]);
});
