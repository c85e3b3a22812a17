import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { describe, test } from "node:test";
import {
  faceIndex,
  hashJson,
  hexToBytes,
  hmacSha256,
  sha256,
  utf8,
} from "../../../plugin_manifest/scripts/core/dice/hashing.js";
import { verifyEntries, verifyFile } from "../../../plugin_manifest/scripts/core/dice/verify-dice.js";

/** Returns the key of an act's dice, as docs/fair-dice.md describes it. */
const keyOf = (table, { epoch, index, command, random, link }) =>
  hmacSha256(
    hexToBytes(link),
    utf8.encode(
      JSON.stringify(["dice/v1", table, epoch, index, command, random, hashJson(["coup_de_grace", {}])]),
    ),
  );

const hash = (data) => createHash("sha256").update(data).digest();
const rules = { ruleset: "coup_de_grace", house_rules: {} };

/** Returns a chain's links, the head first. */
function chainOf(links) {
  const chain = [randomBytes(32)];
  while (chain.length <= links) chain.unshift(hash(chain[0]));
  return chain.map((link) => link.toString("hex"));
}

/** Returns a void entry: it proves its link and has no dice, so that links can be tested alone. */
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
  test("SHA-256 matches node's, for every length around a block", () => {
    for (let length = 0; length < 200; length += 1) {
      const data = randomBytes(length);
      assert.deepEqual(Buffer.from(sha256(data)), hash(data));
    }
  });

  test("a log that starts in the middle matches the chain head of its snapshot", () => {
    const chain = chainOf(9);
    const log = [used(70, "a", 3, chain[3]), used(71, "a", 4, chain[4])];
    assert.deepEqual([...verifyEntries("t", headOf("a", chain[0]), log).values()], ["", ""]);
    const other = headOf("a", chainOf(9)[0]);
    assert.match(verifyEntries("t", other, log).get(70), /does not match the commitment/);
  });

  test("links bridge the gaps that secret entries leave", () => {
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

  test("an older chain opened before the page is skipped, a chain that was never opened fails", () => {
    const [old, now] = [chainOf(9), chainOf(9)];
    const log = [used(70, "old", 3, old[3]), opened(71, "now", now[0]), used(72, "now", 1, now[1])];
    assert.deepEqual([...verifyEntries("t", headOf("now", now[0]), log)], [[72, ""]]);
    const forged = [...log, used(73, "old", 4, old[4])];
    assert.match(verifyEntries("t", headOf("now", now[0]), forged).get(73), /not committed to first/);
  });

  test("a repeated link fails", () => {
    const chain = chainOf(9);
    const log = [used(70, "a", 3, chain[3]), used(71, "a", 3, chain[3])];
    assert.match(verifyEntries("t", headOf("a", chain[0]), log).get(71), /repeated/);
  });

  test("rolled dice without a proof fail, physical dice are skipped", () => {
    const roll = { label: "attack", die: "d6", faces: [6] };
    const log = [true, false].map((typed, i) => ({
      seq: i + 1,
      dice: null,
      facts: { rolls: [{ ...roll, typed }] },
    }));
    assert.deepEqual([...verifyEntries("t", null, log)], [[2, "the dice have no proof."]]);
  });

  test("a revealed roll matches the chain head of the snapshot, anywhere in its chain", () => {
    const [chain, hidden] = [chainOf(9), chainOf(9)];
    const head = { ...headOf("a", chain[0]), hidden: headOf("h", hidden[0]), players: "" };
    const shown = (seq, index, link) => {
      const { dice } = used(seq, "h", index, link);
      return { seq, facts: {}, dice: { ...dice, type: "shown", is_hidden: true, void: "", players: "" } };
    };
    const die = faceIndex(keyOf("t", shown(71, 4, hidden[4]).dice), 0, 20) + 1;
    const roll = (faces) => ({ rolls: [{ label: "hidden roll", die: "d20", faces, typed: false }] });
    const right = { ...shown(71, 4, hidden[4]), facts: roll([die]) };
    const wrong = { ...shown(72, 4, hidden[4]), facts: roll([(die % 20) + 1]) };
    const found = verifyEntries("t", head, [right, wrong, shown(73, 4, hidden[3])]);
    assert.equal(found.get(71), "");
    assert.match(found.get(72), /rolled/);
    assert.match(found.get(73), /does not match the commitment/);
  });

  test("contributions must match their commitments, and be in the dice that follow", () => {
    const chain = chainOf(9);
    const value = "ab".repeat(16);
    const part = { seat: "ann", commitment: hashJson(["part/v1", "t", "ann", value]), value: "" };
    const players = hashJson(["players/v1", "t", "a", [["ann", part.commitment, value]]]);
    const note = (seq, type, parts, more) => ({ seq, facts: {}, dice: { type, epoch: "a", parts, ...more } });
    const given = (seq, value, hash = players) =>
      note(seq, "given", [{ ...part, value: value }], { players: hash });
    const committed = note(1, "committed", [part]);
    const act = (seq, index, hash) => {
      const { dice } = used(seq, "a", index, chain[index]);
      return { seq, facts: {}, dice: { ...dice, players: hash } };
    };
    const check = (...log) => [...verifyEntries("t", headOf("a", chain[0]), log)];
    assert.deepEqual(check(opened(0, "a", chain[0]), committed, given(2, value), act(3, 1, players)), [
      [3, ""],
    ]);
    const without = check(opened(0, "a", chain[0]), committed, given(2, value), act(3, 1, ""));
    assert.match(without[0][1], /not those that were revealed/);
    assert.match(check(committed, given(2, "cd".repeat(16)))[0][1], /does not match its commitment/);
    assert.match(
      check(committed, given(2, value, "0".repeat(64)))[0][1],
      /hash of the contributions is wrong/,
    );
    assert.deepEqual(check(given(2, value), act(3, 1, players)), [[3, ""]]); // a page may begin in the middle
  });

  test("a file that is no log is reported as such", () => {
    for (const text of ["", "\n", "{}", "{}\n"]) assert.equal(verifyFile(Buffer.from(text)).holds, false);
  });
});
