// Acts of a group: picked tokens are its members, and lists are not asked for as text.

import assert from "node:assert/strict";
import { test } from "node:test";
import { GmCommands } from "../../../plugin_manifest/scripts/core/game/gm-commands.js";

const GROUP = { properties: { members: { type: "array", items: { type: "string" } } } };
const token = (id, side) => ({ id, side, owners: [] });

/** Returns the acts that a page sends for an offered one, with some tokens picked. */
async function sent(picked, body) {
  const replica = {
    role: "gm",
    seq: 1,
    ruleset: { acts: [{ kind: "activate", label: "Activate", body: GROUP }], faces: [] },
    scene: { sides: [], tokens: [token("a", "red"), token("b", "red"), token("c", "blue")] },
  };
  const store = { state: { replica, picked }, set() {} };
  const acts = [];
  const session = { send: async (_, { act }) => void acts.push(act) };
  const act = { kind: "activate", token: "a", target: "", weapon: "", at: null, facing: null, body };
  await new GmCommands(store, session, {}).act(act);
  return acts[0].body;
}

test("an offered group is sent as it is, without a form", async () => {
  assert.deepEqual(await sent([], { members: ["a", "b"] }), { members: ["a", "b"] });
});

test("picked tokens of the same side are the members", async () => {
  assert.deepEqual(await sent(["a", "b", "c"], { members: [] }), { members: ["a", "b"] });
});

test("tokens picked elsewhere, or one alone, change nothing", async () => {
  assert.deepEqual(await sent(["b", "c"], { members: [] }), { members: [] });
  assert.deepEqual(await sent(["a"], { members: [] }), { members: [] });
});
