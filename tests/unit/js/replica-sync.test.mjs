import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { ReplicaSync } from "../../../plugin_manifest/scripts/core/table/replica-sync.js";
import { LOG_KEPT, stateHash } from "../../../plugin_manifest/scripts/core/table/replica.js";
import { entry, scene, snapshot, token } from "./scenes.mjs";

const EPOCH = "0123456789abcdef";
const moved = (column) => ({ type: "token_moved", token: "a", at: [column, 0], facing: 0 });
const at = (column) => scene({ tokens: [token("a", { at: [column, 0] }), scene().tokens[1]] });
const whole = (seq) => ({ kind: "snapshot", epoch: EPOCH, seq, body: snapshot() });
const news = (seq, more = {}) => ({
  kind: "entries",
  epoch: EPOCH,
  seq,
  body: { entries: [entry(seq, [moved(seq)])], choice: null, regions: null, bodies: {}, hash: null, ...more },
});

describe("a replica in sync with its table", () => {
  let copy, asked, answer;

  beforeEach(() => {
    asked = [];
    const answered = new Promise((resolve) => (answer = resolve));
    copy = new ReplicaSync((why) => (asked.push(why), answered));
    copy.applySnapshot(whole(4));
  });

  test("applies entries one after another, and knows the last one", () => {
    assert.deepEqual(
      copy.applyEntries(news(5)).map((one) => one.seq),
      [5],
    );
    assert.deepEqual(copy.resumePoint(), { epoch: EPOCH, seq: 5, hash: stateHash(at(5)) });
    assert.deepEqual(asked, []);
  });

  test("tells each new entry, also when it forgets old ones", () => {
    for (let seq = 5; seq < 5 + 3 * LOG_KEPT; seq += 1)
      assert.deepEqual(
        copy.applyEntries(news(seq)).map((one) => one.seq),
        [seq],
      );
  });

  test("knows no entry before its first snapshot", () => {
    assert.equal(new ReplicaSync(() => {}).resumePoint(), null);
  });

  test("accepts a hash that matches its scene", () => {
    assert.equal(copy.applyEntries(news(5, { hash: stateHash(at(5)) })).length, 1);
    assert.deepEqual(asked, []);
  });

  for (const [what, update, why] of [
    ["a gap", news(6), "gap"],
    ["another epoch", { ...news(5), epoch: "f".repeat(16) }, "gap"],
    ["an envelope that is further than its entries", { ...news(5), seq: 6 }, "gap"],
    ["another hash", news(5, { hash: "0".repeat(64) }), "hash"],
  ])
    test(`${what} makes it request one snapshot, and apply nothing before that`, () => {
      assert.equal(copy.applyEntries(update), null);
      assert.equal(copy.applyEntries(news(5)), null);
      assert.equal(copy.resumePoint(), null);
      assert.deepEqual([asked, copy.desyncs[why]], [[why], 1]);
      copy.applySnapshot(whole(8));
      assert.equal(copy.applyEntries(news(9)).length, 1);
    });

  test("entries instead of the snapshot make it request again", async () => {
    copy.applyEntries(news(6));
    answer();
    await new Promise(setImmediate);
    assert.equal(copy.applyEntries(news(7)), null);
    assert.deepEqual(asked, ["gap", "gap"]);
  });

  test("a stale refusal brings the missed entries", () => {
    const missed = { code: "stale-base", sentence: "", current: 5, missing: news(5).body };
    assert.equal(copy.applyMissed(missed).length, 1);
    assert.deepEqual(copy.applyEntries(news(5)), []);
    assert.deepEqual(asked, []);
  });

  test("requests a snapshot if it missed too much, and ignores other refusals", () => {
    assert.equal(copy.applyMissed({ code: "forbidden", sentence: "" }), null);
    assert.deepEqual(asked, []);
    assert.equal(copy.applyMissed({ code: "stale-base", sentence: "", current: 900, missing: null }), null);
    assert.deepEqual(asked, ["stale"]);
  });
});
