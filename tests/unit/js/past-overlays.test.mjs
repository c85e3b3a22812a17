import assert from "node:assert/strict";
import { test } from "node:test";
import {
  AHEAD,
  BATCH,
  MAX_KEPT,
  PastOverlays,
} from "../../../plugin_manifest/scripts/core/game/past-overlays.js";

/** Answers like the server: at most `most` overlays, and none after the entry `last`. */
function server({ last = 1_000, most = BATCH, refused = new Set() } = {}) {
  const asked = [];
  let open = 0;
  const read = async (start, limit) => {
    asked.push([start, limit]);
    open += 1;
    assert.equal(open, 1, "one answer at a time");
    await new Promise((resolve) => setTimeout(resolve, 1));
    open -= 1;
    if (refused.has(start)) throw new Error("refused");
    const count = Math.min(limit, most, last - start + 1);
    return Array.from({ length: count }, (_, i) => ({ token: "ann", seq: start + i }));
  };
  return { asked, overlays: new PastOverlays(read) };
}

const idle = () => new Promise((resolve) => setTimeout(resolve, 30));

test("one moment is asked for alone, and once", async () => {
  const { asked, overlays } = server();
  assert.equal(overlays.peek(7), null);
  assert.equal((await overlays.at(7)).seq, 7);
  assert.equal((await overlays.at(7)).seq, 7);
  assert.equal(overlays.peek(7).seq, 7);
  assert.deepEqual(asked, [[7, 1]]);
});

test("a battle that plays has each overlay, read in batches before it is due", async () => {
  const { asked, overlays } = server();
  for (let number = 0; number <= 200; number += 1) {
    assert.equal((await overlays.play(number, 1_000)).seq, number);
    if (number % 10 === 0) await idle();
    assert.ok(number === 0 || overlays.peek(number + 1), `${number + 1} is there before it is due`);
  }
  assert.ok(asked.length <= 200 / BATCH + 4, `${asked.length} questions`);
  const starts = asked.map(([start]) => start);
  assert.deepEqual(
    starts,
    [...new Set(starts)].sort((a, b) => a - b),
    "none is asked for twice",
  );
  assert.ok(Math.max(...starts) <= 200 + AHEAD, "not the whole battle");
});

test("a server that answers with fewer is asked to go on from there", async () => {
  const { asked, overlays } = server({ most: 3 });
  for (let number = 0; number <= 20; number += 1) assert.equal((await overlays.play(number, 20)).seq, number);
  assert.equal(asked[1][0], 3);
  assert.ok(
    asked.every(([start, limit]) => start + limit <= 21),
    "none after the last entry",
  );
});

test("a refused moment has no overlay while it plays, and fails alone", async () => {
  const { overlays } = server({ refused: new Set([4]) });
  assert.equal(await overlays.play(4, 9), null);
  const { overlays: fresh } = server({ refused: new Set([4]) });
  await assert.rejects(fresh.at(4), /refused/);
  assert.equal((await fresh.at(5)).seq, 5);
});

test("only some overlays of a long battle are kept", async () => {
  const { overlays } = server({ last: 5_000 });
  for (let number = 0; number <= MAX_KEPT + 100; number += 1) await overlays.play(number, 5_000);
  assert.equal(overlays.peek(0), null);
  assert.equal(overlays.peek(MAX_KEPT + 100).seq, MAX_KEPT + 100);
});
