import assert from "node:assert/strict";
import { test } from "node:test";
import { KnownVerdicts } from "../../../plugin_manifest/scripts/core/game/known-verdicts.js";
import { tableStore } from "../../../plugin_manifest/scripts/core/game/store.js";
import { scene, snapshot, token, verdict } from "./scenes.mjs";

const LONG_MS = 60_000;
const tokens = [token("a"), token("b", { at: [1, 1] })];
const replica = (seq) => ({ ...snapshot({ scene: scene({ tokens }) }), seq, epoch: "0" });

/** Sets up verdicts of a table whose answers the test gives, in the order of the questions. */
function asked(seq) {
  const store = tableStore();
  store.set({ replica: replica(seq) });
  const answers = [];
  const requestVerdict = () => new Promise((resolve) => answers.push(resolve));
  return { store, answers, verdicts: new KnownVerdicts(store, { requestVerdict }) };
}

/** Waits until so many questions are asked. */
async function questions(answers, count) {
  for (let turn = 0; turn < 20 && answers.length < count; turn += 1)
    await new Promise((resolve) => setImmediate(resolve));
  assert.equal(answers.length, count);
}

test("a roll that can wait gets the verdict of the table as it is now", async () => {
  const { store, answers, verdicts } = asked(1);
  const first = verdicts.current("a", "b", LONG_MS);
  answers[0](verdict());
  assert.equal((await first).verdict.seq, 1);
  store.set({ replica: replica(2) });
  assert.equal(verdicts.of("a", "b").isCurrent, false);
  const second = verdicts.current("a", "b", LONG_MS);
  await questions(answers, 2);
  // The table changes again before the answer comes.
  store.set({ replica: replica(3) });
  answers[1](verdict({ seq: 2 }));
  await questions(answers, 3);
  answers[2](verdict({ seq: 3 }));
  const { verdict: found, isCurrent } = await second;
  assert.deepEqual([found.seq, isCurrent], [3, true]);
});

test("a roll goes on without a verdict that the table refuses, cannot have, or gives too late", async () => {
  const { answers, verdicts } = asked(1);
  const refused = verdicts.current("a", "b", LONG_MS);
  answers[0](null);
  assert.equal(await refused, null);
  assert.equal(await verdicts.current("a", "nobody", LONG_MS), null);
  assert.equal(answers.length, 1);
  assert.equal(await verdicts.current("a", "b", 1), null);
});
