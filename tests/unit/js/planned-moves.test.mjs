import assert from "node:assert/strict";
import { test } from "node:test";
import { planMarks } from "../../../plugin_manifest/scripts/core/draw/plan-marks.js";
import { PLAIN_LOOK } from "../../../plugin_manifest/scripts/core/draw/token-shape.js";
import { plannedMoves } from "../../../plugin_manifest/scripts/core/game/planned-moves.js";
import { scene as sceneOf, token } from "./scenes.mjs";

const option = (key, more = {}) => ({ key, label: key, tokens: [], at: null, ...more });
const ask = (id, token, options, given = "") => ({
  ...{ id, token, options, given, default: options[0].key, is_sealed: true, others: [] },
});
/** The three questions of a character, as Double Life asks them. */
const questions = (name, given = ["", "", ""]) => [
  ask(`${name}.1`, name, [option("attack 1 grash", { tokens: ["grash"] }), option("defend front")], given[0]),
  ask(
    `${name}.2`,
    name,
    [option("stay"), option("move 4,2", { at: [4, 2] }), option("flee 0,2", { at: [0, 2] })],
    given[1],
  ),
  ask(`${name}.3`, name, [option("keep"), option("south-east"), option("north")], given[2]),
];
const joined = (...all) => ({ ...all[0], others: all.slice(1) });

test("a plan is where the answers lead: those of the open form, else those that are ready", () => {
  const choice = joined(
    ...questions("aldis", ["attack 1 grash", "move 4,2", "south-east"]),
    ...questions("durin"),
  );
  const aldis = { token: "aldis", at: [4, 2], facing: 135, about: ["grash"] };
  assert.deepEqual(plannedMoves(choice, null), [aldis], "a character without answers has no plan");
  const draft = { "durin.1": "defend front", "durin.2": "stay", "durin.3": "north" };
  assert.deepEqual(plannedMoves(choice, draft), [aldis, { token: "durin", at: null, facing: 0, about: [] }]);
  const changed = { "aldis.1": "defend front", "aldis.2": "stay", "aldis.3": "keep" };
  assert.deepEqual(plannedMoves(choice, changed), [{ token: "aldis", at: null, facing: null, about: [] }]);
});

test("who flees is about no one, and a question in the open is no plan", () => {
  const flight = joined(...questions("aldis", ["attack 1 grash", "flee 0,2", "keep"]));
  assert.deepEqual(plannedMoves(flight, null), [{ token: "aldis", at: [0, 2], facing: null, about: [] }]);
  const open = {
    ...flight,
    is_sealed: false,
    others: flight.others.map((one) => ({ ...one, is_sealed: false })),
  };
  assert.deepEqual(plannedMoves(open, null), []);
  assert.deepEqual(plannedMoves(null, { "aldis.2": "stay" }), []);
});

test("a plan is drawn as a way and a ghost; one that changes nothing is not drawn", () => {
  const scene = sceneOf({
    tokens: [token("aldis", { at: [2, 2], facing: 90 }), token("grash", { at: [5, 2] })],
  });
  const drawn = (plan) =>
    planMarks(scene, [{ token: "aldis", at: null, facing: null, about: [], ...plan }], PLAIN_LOOK);
  assert.deepEqual(drawn({}), []);
  assert.deepEqual(drawn({ at: [2, 2], facing: 90 }), []);
  const isAt = (mark, column) => mark.kind === "text" && Math.abs(mark.at[0] - (column + 0.5) * 64) < 1;
  assert.ok(
    drawn({ at: [4, 2] }).some((mark) => isAt(mark, 4)),
    "the letters of the ghost stand at its end",
  );
  assert.ok(
    drawn({ facing: 180 }).some((mark) => isAt(mark, 2)),
    "one that only turns is drawn where it stands",
  );
  assert.equal(drawn({ about: ["grash"] }).length, 2, "a ring round whom it is about");
  assert.deepEqual(drawn({ about: ["gone"] }), []);
});
