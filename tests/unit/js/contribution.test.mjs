import assert from "node:assert/strict";
import { test } from "node:test";
import {
  commitmentFor,
  DiceContribution,
  rollsWithContribution,
} from "../../../plugin_manifest/scripts/core/dice/contribution.js";

/** A client that records the commands sent, and a browser's storage. */
function page({ role = "player", kept = new Map() } = {}) {
  const listeners = {};
  const asked = [];
  const line = {
    link: { table: "t1" },
    on: (what, listener) => (listeners[what] = listener),
    send: async (kind, body) => asked.push({ kind, ...body }),
  };
  const storage = {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, text) => kept.set(name, text),
  };
  const parts = new DiceContribution(/** @type {any} */ (line), storage);
  const replica = { role, seat: "ann", log: [] };
  const tell = (...notes) =>
    listeners.entries(
      notes.map((dice, i) => ({ seq: i, dice })),
      replica,
    );
  const begin = (...notes) => {
    replica.log = notes.map((dice, i) => ({ seq: i, dice }));
    listeners.snapshot(replica);
  };
  return { parts, asked, tell, begin, kept, replica };
}

const committed = (commitment, seat = "ann") => ({
  type: "committed",
  epoch: "e",
  parts: [{ seat, commitment, value: "" }],
});

test("a player's page commits to a secret when it connects, and sends it on request", () => {
  const { asked, begin, tell } = page();
  begin();
  assert.equal(asked.length, 1);
  assert.deepEqual([asked[0].kind, asked[0].reveal], ["dice.contribute", null]);
  tell(committed(asked[0].commit));
  assert.equal(commitmentFor("t1", "ann", asked[1].reveal), asked[0].commit);
  assert.notEqual(asked[1].next, asked[0].commit);
});

test("the pages of the GM and of spectators contribute nothing", () => {
  for (const role of ["gm", "spectator"]) {
    const { asked, begin, tell } = page({ role });
    begin();
    tell(committed("0".repeat(64)));
    assert.deepEqual(asked, []);
  }
});

test("a reloaded page sends the secret that it committed to before", () => {
  const first = page();
  first.begin();
  const again = page({ kept: first.kept });
  again.begin(committed(first.asked[0].commit));
  assert.equal(commitmentFor("t1", "ann", again.asked[0].reveal), first.asked[0].commit);
});

test("a page sends no other page's secret, and none twice", () => {
  const { asked, begin, tell } = page();
  begin();
  tell(committed("f".repeat(64)));
  assert.equal(asked[1].reveal, null);
  tell({ type: "given", epoch: "e", players: "p", parts: [] });
  assert.equal(asked.length, 2);
});

test("a page contributes without browser storage too", () => {
  const full = new Map();
  full.get = full.set = () => {
    throw new Error("full");
  };
  const { asked, begin, tell } = page({ kept: full });
  begin();
  tell(committed(asked[0].commit));
  assert.ok(asked[1].reveal);
});

test("a page finds the rolls that contain its contribution", () => {
  const given = (players, value) => ({
    type: "given",
    players,
    parts: [{ seat: "ann", commitment: "", value }],
  });
  const log = [
    { seq: 1, dice: given("p1", "mine") },
    { seq: 2, dice: { type: "used", players: "p1" } },
    { seq: 3, dice: given("p2", "") },
    { seq: 4, dice: { type: "used", players: "p2" } },
    { seq: 5, dice: null },
  ];
  assert.deepEqual([...rollsWithContribution("ann", ["mine"], log)], [2]);
  assert.deepEqual([...rollsWithContribution("ann", ["other"], log)], []);
});
