import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { describe, test } from "node:test";
import { sha256 } from "../../plugin_manifest/scripts/core/hashing.js";
import { verifyEntries, verifyFile } from "../../plugin_manifest/scripts/core/verify-dice.js";

const hash = (data) => createHash("sha256").update(data).digest();
const rules = { ruleset: "coup_de_grace", house_rules: {} };

/** A chain's links, the head first. */
function chainOf(links) {
  const chain = [randomBytes(32)];
  while (chain.length <= links) chain.unshift(hash(chain[0]));
  return chain.map((link) => link.toString("hex"));
}

/** A void entry proves its link and has no dice, so that links can be tried alone. */
const used = (seq, epoch, index, link) => ({
  seq,
  facts: {},
  dice: { type: "used", epoch, index, link, command: "c", random: "", rules, void: "Called off." },
});
const opened = (seq, epoch, head) => ({
  seq,
  facts: {},
  dice: { type: "opened", epoch, head, links: 9, reason: "" },
});
const hidden = (seq, epoch, index) => ({ seq, facts: {}, dice: { type: "hidden", epoch, index } });
const headOf = (epoch, head) => ({ epoch, head, links: 9, next: 1 });

describe("dice verified on the page", () => {
  test("its SHA-256 is everybody's, for every length around a block", () => {
    for (let length = 0; length < 200; length += 1) {
      const data = randomBytes(length);
      assert.deepEqual(Buffer.from(sha256(data)), hash(data));
    }
  });

  test("a log that begins in the middle holds against the head the page was shown", () => {
    const chain = chainOf(9);
    const log = [used(70, "a", 3, chain[3]), used(71, "a", 4, chain[4])];
    assert.deepEqual([...verifyEntries("t", headOf("a", chain[0]), log).values()], ["", ""]);
    const other = headOf("a", chainOf(9)[0]);
    assert.match(verifyEntries("t", other, log).get(70), /not the one committed to/);
  });

  test("what is kept from this seat leaves a gap that the links bridge", () => {
    const chain = chainOf(9);
    const log = [
      opened(1, "a", chain[0]),
      used(2, "a", 1, chain[1]),
      hidden(3, "a", 2),
      used(4, "a", 3, chain[3]),
    ];
    assert.deepEqual(
      [...verifyEntries("t", headOf("a", chain[0]), log)],
      [
        [2, ""],
        [4, ""],
      ],
    );
  });

  test("an older chain whose opening is not on the page is passed over, one that was never opened is not", () => {
    const [old, now] = [chainOf(9), chainOf(9)];
    const log = [used(70, "old", 3, old[3]), opened(71, "now", now[0]), used(72, "now", 1, now[1])];
    assert.deepEqual([...verifyEntries("t", headOf("now", now[0]), log)], [[72, ""]]);
    const forged = [...log, used(73, "old", 4, old[4])];
    assert.match(verifyEntries("t", headOf("now", now[0]), forged).get(73), /not committed to before/);
  });

  test("a link that comes twice does not hold", () => {
    const chain = chainOf(9);
    const log = [used(70, "a", 3, chain[3]), used(71, "a", 3, chain[3])];
    assert.match(verifyEntries("t", headOf("a", chain[0]), log).get(71), /comes twice/);
  });

  test("dice that were rolled without a proof do not hold, typed ones are passed over", () => {
    const roll = { label: "attack", die: "d6", faces: [6] };
    const log = [true, false].map((typed, i) => ({
      seq: i + 1,
      dice: null,
      facts: { rolls: [{ ...roll, typed }] },
    }));
    assert.deepEqual([...verifyEntries("t", null, log)], [[2, "dice were rolled without a proof."]]);
  });

  test("what is no log is said to be none", () => {
    for (const text of ["", "\n", "{}", "{}\n"]) assert.equal(verifyFile(Buffer.from(text)).holds, false);
  });
});
