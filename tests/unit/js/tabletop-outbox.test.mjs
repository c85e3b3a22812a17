import assert from "node:assert/strict";
import { test } from "node:test";
import { Outbox } from "../../../plugin_manifest/scripts/tabletop/outbox.js";

/** Returns an outbox with a manual clock; `sent` are its batches, `fails` counts the next ones to lose. */
function testOutbox() {
  const waiting = [];
  const state = { sent: [], fails: 0, pauses: [], answer: null };
  const send = async ({ scene, ...sets }) => {
    await state.answer;
    if (state.fails-- > 0) throw new Error("lost");
    state.sent.push({
      scene,
      ...Object.fromEntries(Object.entries(sets).map(([name, ids]) => [name, [...ids]])),
    });
  };
  const outbox = new Outbox(send, (act, ms) => (state.pauses.push(ms), waiting.push(act)));
  const pass = async () => {
    for (const act of waiting.splice(0)) act();
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  };
  return { outbox, state, pass };
}

const nothing = {
  scene: false,
  tokens: [],
  removed: [],
  displaced: [],
  doors: [],
  paths: [],
};

test("many quick changes of one token are sent once", async () => {
  const { outbox, state, pass } = testOutbox();
  for (let step = 0; step < 20; step++) outbox.addToken("a");
  outbox.addToken("b");
  outbox.addDoor("d");
  await pass();
  assert.deepEqual(state.sent, [{ ...nothing, tokens: ["a", "b"], doors: ["d"] }]);
  assert.ok(state.pauses[0] >= 50 && state.pauses[0] <= 100);
});

test("a removed token is sent as removed only, and a restored one as present only", async () => {
  const { outbox, state, pass } = testOutbox();
  outbox.addToken("a");
  outbox.addRemoval("a");
  outbox.addRemoval("b");
  outbox.addToken("b");
  await pass();
  assert.deepEqual(state.sent, [{ ...nothing, tokens: ["b"], removed: ["a"] }]);
});

test("no message overtakes another: later changes wait for it", async () => {
  const { outbox, state, pass } = testOutbox();
  let arrive;
  state.answer = new Promise((resolve) => (arrive = resolve));
  outbox.addToken("a");
  await pass();
  outbox.addToken("b");
  await pass();
  assert.deepEqual(state.sent, []);
  arrive();
  await pass();
  await pass();
  assert.deepEqual(
    state.sent.map(({ tokens }) => tokens),
    [["a"], ["b"]],
  );
});

test("a failed batch is sent again with later changes, after growing pauses", async () => {
  const { outbox, state, pass } = testOutbox();
  state.fails = 2;
  outbox.addToken("a");
  outbox.addRemoval("b");
  await pass();
  outbox.addRemoval("a");
  await pass();
  await pass();
  assert.deepEqual(state.sent, [{ ...nothing, removed: ["b", "a"] }]);
  assert.deepEqual(state.pauses, [75, 1000, 2000]);
});

test("after clear nothing is sent", async () => {
  const { outbox, state, pass } = testOutbox();
  outbox.addScene();
  outbox.clear();
  await pass();
  assert.deepEqual(state.sent, []);
});

test("the places that a token passed are sent with its position, and again after a loss, the last 63 of them", async () => {
  const { outbox, state, pass } = testOutbox();
  const place = (x) => ({ x, y: 0 });
  outbox.addWaypoints("a", []);
  outbox.addWaypoints("a", [place(1)]);
  state.fails = 1;
  outbox.addToken("a");
  await pass();
  assert.deepEqual(state.sent, []);
  outbox.addWaypoints("a", [place(2), place(3)]);
  await pass();
  assert.deepEqual(state.sent, [
    { ...nothing, tokens: ["a"], paths: [["a", [place(1), place(2), place(3)]]] },
  ]);
  outbox.addWaypoints(
    "a",
    Array.from({ length: 70 }, (_, i) => place(i)),
  );
  outbox.addToken("a");
  await pass();
  const [[, path]] = state.sent[1].paths;
  assert.deepEqual([path.length, path.at(-1)], [63, place(69)]);
});
