import assert from "node:assert/strict";
import { test } from "node:test";
import { opponentsWithBlows } from "../../../plugin_manifest/scripts/core/ui/plan-odds.js";
import { choicesByToken, withoutName } from "../../../plugin_manifest/scripts/core/ui/planner.js";
import {
  actPicks,
  answerPicks,
  facingInCell,
  pickAt,
} from "../../../plugin_manifest/scripts/core/game/map-picks.js";
import { Receipts } from "../../../plugin_manifest/scripts/core/game/receipts.js";
import { PathCosts } from "../../../plugin_manifest/scripts/core/game/path-costs.js";

const choice = (id, token) => ({ id, token, options: [], question: "", default: "" });

test("choices at the same time are grouped by their token, in the order of their numbers", () => {
  const groups = choicesByToken([
    choice("c.10", "b"),
    choice("c.2", "a"),
    choice("c.1", "b"),
    choice("c.9", "a"),
  ]);
  assert.deepEqual(
    [...groups].map(([token, all]) => [token, all.map(({ id }) => id)]),
    [
      ["b", ["c.1", "c.10"]],
      ["a", ["c.2", "c.9"]],
    ],
  );
});

test("a question in a unit's own form leaves out the unit's name at its head, and only there", () => {
  assert.equal(withoutName("Aldis: attack or defend?", "Aldis"), "Attack or defend?");
  assert.equal(withoutName("Aldis II: attack or defend?", "Aldis"), "Aldis II: attack or defend?");
  assert.equal(withoutName("Does Aldis: the brave flee?", "Aldis"), "Does Aldis: the brave flee?");
  assert.equal(withoutName("Attack or defend?", ""), "Attack or defend?");
});

test("an opponent is left out of the odds if no blow reaches it or comes from it", () => {
  const opponent = (name, ...rows) => ({ name, rows: rows.map((values) => ({ label: "defends", values })) });
  const far = opponent("far", [
    [0, 1],
    [0, 6],
  ]);
  const near = opponent(
    "near",
    [
      [0, 1],
      [0, 1],
    ],
    [
      [1, 6],
      [0, 1],
    ],
  );
  assert.deepEqual(opponentsWithBlows({ columns: [], opponents: [far, near] }), [near]);
});

const GRID = { kind: "square", columns: 10, rows: 10, distance: 5, unit: "ft" };
const token = (id, at) => ({ id, name: id, at, size: [1, 1] });
const BOARD = { grid: GRID, tokens: [token("ann", [4, 4]), token("orc", [6, 4]), token("off", null)] };
const middle = ([x, y]) => [64 * x + 32, 64 * y + 32];

test("an answer about tokens is picked at one of them, one about a cell at the cell", () => {
  const picks = answerPicks([
    { key: "stay", label: "stay" },
    { key: "attack", label: "attack", tokens: ["orc"] },
    { key: "move", label: "move", at: [5, 7] },
    { key: "gone", label: "gone", tokens: ["off"] },
  ]);
  assert.equal(picks.length, 3, "an answer about nothing has no place");
  assert.equal(pickAt(picks, BOARD, middle([6, 4]))?.value, "attack");
  assert.equal(pickAt(picks, BOARD, middle([5, 7]))?.value, "move");
  assert.equal(pickAt(picks, BOARD, middle([0, 0])), null, "nothing is near");
});

const offer = (act, more = {}) => ({
  ...{ act: { kind: "spell", token: "ann", target: "", at: null, facing: null, ...act } },
  ...{ label: "", legal: true, ...more },
});

test("a direction is picked by the side of the token where the point is", () => {
  const picks = actPicks([0, 90, 180, 270].map((facing) => offer({ facing })));
  for (const [at, facing] of [
    [[4, 0], 0],
    [[9, 4], 90],
    [[4, 9], 180],
    [[0, 5], 270],
  ])
    assert.equal(pickAt(picks, BOARD, middle(at))?.value.act.facing, facing, String(at));
});

test("only legal acts with a place are picked on the map, with whom they catch", () => {
  const picks = actPicks([
    offer({ target: "orc" }, { caught: ["ann"] }),
    offer({ target: "orc" }, { legal: false }),
    offer({}),
  ]);
  assert.deepEqual(
    picks.map(({ tokens, caught }) => [tokens, caught]),
    [[["orc"], ["ann"]]],
  );
});

function storage(more = {}) {
  const kept = new Map();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => kept.set(key, value),
    ...more,
  };
}

test("receipts of sealed answers survive a reload, apart by table", () => {
  const kept = storage();
  new Receipts({ table: "t1", key: "k" }, kept).set("c1", "aa").set("c2", "bb").set("c1", "cc");
  assert.deepEqual(
    [...new Receipts({ table: "t1", key: "k" }, kept)],
    [
      ["c2", "bb"],
      ["c1", "cc"],
    ],
  );
  assert.equal(new Receipts({ table: "t2", key: "k" }, kept).size, 0);
});

test("receipts do without a storage, with a full one, and with one that holds something else", () => {
  assert.equal(new Receipts(undefined, null).set("c", "x").get("c"), "x");
  const full = storage({
    setItem() {
      throw new Error("full");
    },
  });
  assert.equal(new Receipts({ table: "t", key: "" }, full).set("c", "x").get("c"), "x");
  for (const text of ["{", "7", '{"a":1}', '[[1,2],["a"],["c","d"]]'])
    assert.deepEqual(
      [...new Receipts({ table: "t", key: "" }, storage({ getItem: () => text })).keys()],
      text.startsWith("[[") ? ["c"] : [],
    );
});

test("the costs of a path are asked once, kept by legs, and forgotten with the next entry", async () => {
  const state = { replica: { epoch: "e", seq: 1 } };
  const asked = [];
  const session = {
    async requestPath(one, path) {
      asked.push(path.join(";"));
      return { costs: path.map(() => 5), ruling: { budget: 12, allowed: path.length < 3 } };
    },
  };
  const answered = () => new Promise((resolve) => (costs.onAnswer = resolve));
  const costs = new PathCosts({ state }, session, () => {});
  const path = [
    [1, 1],
    [2, 2],
  ];
  assert.deepEqual(costs.legs("ann", path), [null, null]);
  costs.legs("ann", [...path, [3, 3]]); // the pointer has moved on: only its last place is asked for
  await answered();
  assert.deepEqual(asked, ["1,1;2,2;3,3"]);
  const known = costs.legs("ann", path);
  assert.deepEqual(
    known.map(({ leg, total, isAllowed }) => [leg, total, isAllowed]),
    [
      [5, 5, true],
      [5, 10, true],
    ],
  );
  assert.equal(costs.legs("ann", [...path, [3, 3]])[2].isAllowed, false);
  state.replica = { epoch: "e", seq: 2 };
  assert.deepEqual(costs.legs("ann", path), [null, null]);
  await answered();
});

test("a path that the table refuses is not asked again and again", async () => {
  let count = 0;
  const session = {
    async requestPath() {
      count += 1;
      return null;
    },
  };
  const costs = new PathCosts({ state: { replica: { epoch: "e", seq: 1 } } }, session, () => {});
  const once = new Promise((resolve) => (costs.onAnswer = resolve));
  costs.legs("ann", [[1, 1]]);
  await once;
  for (let i = 0; i < 5; i += 1) costs.legs("ann", [[1, 1]]);
  await new Promise((resolve) => setTimeout(resolve, 80));
  assert.equal(count, 1);
});

test("an act that is only planned is picked nowhere", () => {
  assert.deepEqual(actPicks([offer({ target: "orc" }, { is_planned: true })]), []);
});

test("a point in a cell has one of eight directions from its middle, and none near the middle", () => {
  const points = [
    [416, 285],
    [445, 290],
    [440, 288],
    [416, 300],
    [416, 318],
    [390, 290],
    [440, 262],
    [416, 262],
  ];
  const found = points.map((point) =>
    facingInCell(BOARD.grid, [6, 4], /** @type {[number, number]} */ (point)),
  );
  assert.deepEqual(found, [null, 90, 90, null, 180, 270, 45, 0]);
});
