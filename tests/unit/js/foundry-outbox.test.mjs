import assert from "node:assert/strict";
import { test } from "node:test";
import { Outbox } from "../../../plugin_manifest/scripts/foundry/bridge/outbox.js";

/** An outbox whose clock a test moves; `said` are its batches, `fails` how many of the next are lost. */
function anOutbox() {
  const waiting = [];
  const state = { said: [], fails: 0, pauses: [], answer: null };
  const send = async ({ whole, ...sets }) => {
    await state.answer;
    if (state.fails-- > 0) throw new Error("lost");
    state.said.push({
      whole,
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

const nothing = { whole: false, tokens: [], gone: [], renewed: [], doors: [] };

test("many changes of one token within a moment are said once", async () => {
  const { outbox, state, pass } = anOutbox();
  for (let step = 0; step < 20; step++) outbox.token("a");
  outbox.token("b", { isRenewed: true });
  outbox.door("d");
  await pass();
  assert.deepEqual(state.said, [{ ...nothing, tokens: ["a", "b"], renewed: ["b"], doors: ["d"] }]);
  assert.ok(state.pauses[0] >= 50 && state.pauses[0] <= 100);
});

test("a token that left is not said to be there, and one that came back is not said to be gone", async () => {
  const { outbox, state, pass } = anOutbox();
  outbox.token("a");
  outbox.gone("a");
  outbox.gone("b");
  outbox.token("b");
  await pass();
  assert.deepEqual(state.said, [{ ...nothing, tokens: ["b"], gone: ["a"] }]);
});

test("no message overtakes another: what comes meanwhile is said after it", async () => {
  const { outbox, state, pass } = anOutbox();
  let arrive;
  state.answer = new Promise((resolve) => (arrive = resolve));
  outbox.token("a");
  await pass();
  outbox.token("b");
  await pass();
  assert.deepEqual(state.said, []);
  arrive();
  await pass();
  await pass();
  assert.deepEqual(
    state.said.map(({ tokens }) => tokens),
    [["a"], ["b"]],
  );
});

test("what was lost is said again later, with what has changed since, and the pauses grow", async () => {
  const { outbox, state, pass } = anOutbox();
  state.fails = 2;
  outbox.token("a");
  outbox.gone("b");
  await pass();
  outbox.gone("a");
  await pass();
  await pass();
  assert.deepEqual(state.said, [{ ...nothing, gone: ["b", "a"] }]);
  assert.deepEqual(state.pauses, [75, 1000, 2000]);
});

test("after it was cleared nothing is said", async () => {
  const { outbox, state, pass } = anOutbox();
  outbox.whole();
  outbox.clear();
  await pass();
  assert.deepEqual(state.said, []);
});
