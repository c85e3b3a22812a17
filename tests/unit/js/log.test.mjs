import assert from "node:assert/strict";
import { test } from "node:test";
import { LogRows, isQuiet } from "../../../plugin_manifest/scripts/core/ui/log-rows.js";
import { sentenceOf } from "../../../plugin_manifest/scripts/core/ui/log-sentence.js";
import { RowHeights } from "../../../plugin_manifest/scripts/core/ui/row-heights.js";

const entry = (seq, more = {}) => ({
  seq,
  kind: "act",
  text: `Entry ${seq}.`,
  facts: {},
  events: [],
  undoes: null,
  secret: false,
  dice: null,
  ...more,
});
const quiet = (seq) =>
  entry(seq, { text: `Bran moves to C${seq}.`, kind: "token.move", facts: { token: "bran" } });
const texts = ({ rows }) =>
  rows.map(({ round, entries }) => round || entries.map(({ seq }) => seq).join("+"));

test("moves and activations that follow each other are one row, and a round has a heading", () => {
  const rows = new LogRows();
  rows.take([
    entry(1, { text: "Round 1 begins." }),
    quiet(2),
    entry(3, { facts: { token: "bran" } }),
    entry(4, { facts: { token: "bran", target: "orc" } }),
    quiet(5),
  ]);
  assert.deepEqual(texts(rows), ["Round 1", "1", "2+3", "4", "5"]);
});

test("a quiet round of eight units is at most three rows", () => {
  const rows = new LogRows();
  const units = Array.from({ length: 16 }, (_, i) => quiet(i + 2));
  rows.take([entry(1, { text: "Round 1 begins." }), ...units]);
  assert.equal(rows.rows.length, 3);
});

test("a new entry is looked at alone: the rows before it stay the same objects", () => {
  const rows = new LogRows();
  const log = Array.from({ length: 10_000 }, (_, i) => entry(i + 1, { facts: { token: "a", target: "b" } }));
  rows.take(log);
  const before = rows.rows.slice();
  let looked = 0;
  const watched = new Proxy(entry(10_001), { get: (target, key) => ((looked += 1), target[key]) });
  rows.setFilter({ query: "", hasProofs: false, isWanted: () => true });
  const same = rows.take([...log, watched]);
  assert.ok(looked > 0 && same >= before.length - 1);
  assert.equal(rows.rows.length, 10_001);
});

test("an undone entry is marked, and an undo of the undo makes it stand", () => {
  const rows = new LogRows();
  const log = [entry(1), entry(2), entry(3, { undoes: 2 })];
  rows.take(log);
  assert.ok(rows.undone.has(2));
  rows.take([...log, entry(4, { undoes: 3 })]);
  assert.ok(!rows.undone.has(2));
});

test("older entries come before the others, and a search passes over all", () => {
  const rows = new LogRows();
  rows.take([entry(11), entry(12)]);
  assert.equal(rows.takeOlder([entry(9), entry(10)]), 2);
  assert.deepEqual(texts(rows), ["9", "10", "11", "12"]);
  rows.setFilter({ query: "entry 10", hasProofs: false, isWanted: () => true });
  assert.deepEqual(texts(rows), ["10"]);
});

test("rows go on where a log has forgotten its oldest entries", () => {
  const rows = new LogRows();
  const log = Array.from({ length: 10 }, (_, i) => entry(i + 1));
  rows.take(log.slice(0, 9));
  assert.equal(rows.take(log.slice(5)), 8);
  assert.equal(rows.entries.length, 10);
});

test("far more rows than a view shows are forgotten, at the start of a row; folded ones are not", () => {
  const rows = new LogRows();
  const quietOnes = Array.from({ length: 3000 }, (_, i) => quiet(i + 1));
  rows.take(quietOnes);
  assert.ok(!rows.forgetOld());
  assert.equal(rows.entries.length, 3000);
  const log = Array.from({ length: 3000 }, (_, i) => (i % 5 ? quiet(i + 1) : entry(i + 1)));
  rows.take(log);
  const [before, all] = [texts(rows), rows.entries.length];
  assert.ok(rows.forgetOld() && !rows.forgetOld());
  assert.ok(rows.entries.length < all / 5 && rows.rows.length >= 60);
  assert.deepEqual(texts(rows), before.slice(-rows.rows.length));
  assert.equal(rows.take([...log, entry(3001)]), rows.rows.length - 2);
});

test("a log that was read anew replaces the one before", () => {
  const rows = new LogRows();
  rows.take([entry(1), entry(2)]);
  assert.equal(rows.take([entry(1), entry(2), entry(3)]), 0);
  assert.deepEqual(texts(rows), ["1", "2", "3"]);
});

test("the line is the first sentence, and the detail has the rest", () => {
  const text = "Hunter attacks Returned 1 with longbow: hit. Dice: 4, 2; shift to 3,5.";
  assert.deepEqual(sentenceOf(entry(1, { text })), [
    "Hunter attacks Returned 1 with longbow: hit.",
    "Dice: 4, 2; shift to 3,5.",
  ]);
  assert.deepEqual(sentenceOf(entry(1, { text: "Mr. X and Y. meet" })), ["Mr. X and Y. meet", ""]);
});

test("an act with dice, a target or a secret is not quiet", () => {
  assert.ok(isQuiet(quiet(1)));
  for (const more of [
    { facts: { token: "a", target: "b" } },
    { facts: { token: "a", rolls: [{}] } },
    { facts: { token: "a" }, secret: true },
    { facts: { token: "a" }, undoes: 3 },
    { facts: {} },
  ])
    assert.ok(!isQuiet(entry(1, more)));
});

test("the heights of rows give each row's place, and the row at each place", () => {
  const heights = new RowHeights();
  const plain = Array.from({ length: 137 }, (_, i) => 10 + ((i * 7) % 23));
  for (const height of plain) heights.push(height);
  heights.set(50, 400);
  plain[50] = 400;
  let sum = 0;
  for (const [i, height] of plain.entries()) {
    assert.equal(heights.before(i), sum);
    assert.equal(heights.at(sum), i);
    assert.equal(heights.at(sum + height - 1), i);
    sum += height;
  }
  assert.equal(heights.before(137), sum);
  assert.equal(heights.at(sum + 1000), 136);
  heights.cut(20);
  heights.push(5);
  assert.equal(heights.before(21), plain.slice(0, 20).reduce((a, b) => a + b) + 5);
});
