/**
 * Checks dice: every die of an exported log (`node verify-dice.js LOG`), or of the log on this page.
 * This file and hashing.js beside it are all that is needed: it works out from docs/fair-dice.md what every die
 * had to be, as enfilade.verify does in Python.
 */

import { canonical, hexOf, sha256 } from "./hashing.js";

/** @import {ChainHead, ChainNote, LogEntry, Roll} from "../../types/contract.js" */

const FORMAT = "enfilade-log/1";
const WORDS = 2 ** 32;
const MOST_LINKS = 2 ** 24;
const utf8 = new TextEncoder();

/** What does not hold, in a sentence. */
class Wrong extends Error {}

/** @param {boolean} holds @param {string} why */
function must(holds, why) {
  if (!holds) throw new Wrong(why);
}

/** A report with nothing found yet: `entry` and `why` are the first thing that does not hold (entry 0: the file). */
const report = () => ({
  holds: true,
  entries: 0,
  chains: 0,
  rolled: 0,
  typed: 0,
  void: 0,
  dice: 0,
  without_client: 0,
  entry: 0,
  why: "",
});

/**
 * Checks an exported log.
 * @param {Uint8Array} data
 */
export function verifyFile(data) {
  const found = report();
  try {
    checkAll(linesOf(data), found);
  } catch (problem) {
    Object.assign(found, { holds: false, why: whyOf(problem) });
  }
  return found;
}

/** @param {Generator<any>} values @param {ReturnType<typeof report>} found */
function checkAll(values, found) {
  const first = values.next().value ?? {};
  must(first.format === FORMAT, `it is not of the format ${FORMAT}.`);
  const chain = new Chain(first.table, found);
  let hasEnded = false;
  for (const value of values) {
    must(!hasEnded, "something comes after its end.");
    if ("end" in value) {
      must(canonical(value) === `{"end":${found.entries}}`, "its end is not its end.");
      hasEnded = true;
    } else checkNext(value, chain, found);
  }
  must(hasEnded, "its end is missing.");
}

/** @param {any} entry @param {Chain} chain @param {ReturnType<typeof report>} found */
function checkNext(entry, chain, found) {
  found.entry = found.entries + 1;
  must(entry.seq === found.entry, "its number is not the next one.");
  must(areSameRolls(entry), "its dice are not those of its events.");
  chain.check(entry);
  found.entries = found.entry;
  found.entry = 0;
}

/**
 * Checks the entries that a page has, which may begin in the middle and leave out what is secret.
 * @param {string} table
 * @param {ChainHead | null} head what the table's dice were committed to when the page came
 * @param {LogEntry[]} entries
 * @returns {Map<number, string>} for each entry with dice what does not hold, empty where it holds, by its number
 */
export function verifyEntries(table, head, entries) {
  const chain = new Chain(table, report(), head);
  const found = new Map();
  const opening = entries[0]?.seq === 1 ? 0 : entries.findIndex((entry) => entry.dice?.type === "opened");
  for (const [i, entry] of entries.entries()) {
    const isOlder = i < opening && entry.dice?.type === "used" && entry.dice.epoch !== head?.epoch;
    if (isOlder) continue; // its chain was opened before the entries that this page has
    try {
      chain.check(entry);
      if (entry.dice?.type === "used") found.set(entry.seq, "");
    } catch (problem) {
      found.set(entry.seq, whyOf(problem));
    }
  }
  return found;
}

/** @param {unknown} problem */
const whyOf = (problem) =>
  problem instanceof Wrong ? problem.message : "something is missing or of the wrong kind.";

/** The links that have been shown, as a check goes through the entries. */
class Chain {
  /** @param {string} table @param {ReturnType<typeof report>} found @param {ChainHead | null} [head] only a page has one */
  constructor(table, found, head) {
    this.table = table;
    this.found = found;
    this.isWhole = head === undefined;
    this.epochs = new Set();
    this.at = { epoch: head?.epoch ?? "", links: head?.links ?? 0, index: 0, link: head?.head ?? "" };
  }

  /** @param {LogEntry} entry */
  check({ dice: note, facts }) {
    const rolls = (facts.rolls ?? []).filter((roll) => roll.faces.length);
    if (note === null) {
      must(
        rolls.every((roll) => roll.typed === true),
        "dice were rolled without a proof.",
      );
      this.found.typed += rolls.length ? 1 : 0;
    } else if (note.type === "opened") {
      this.#open(note);
      must(!rolls.length, "a new chain comes with dice.");
    } else if (note.type === "used") this.#use(note, rolls);
    else must(!this.isWhole, "a proof is hidden.");
  }

  /** @param {ChainNote & {type: "opened"}} note */
  #open({ epoch, links, head }) {
    must(!this.epochs.has(epoch), "a chain is opened twice.");
    must(0 < links && links <= MOST_LINKS && isHex(head, 32), "a chain's head is broken.");
    this.epochs.add(epoch);
    this.at = { epoch, links, index: 0, link: head };
    this.found.chains += 1;
  }

  /** @param {ChainNote & {type: "used"}} note @param {Roll[]} rolls */
  #use(note, rolls) {
    must(note.epoch === this.at.epoch, "its chain was not committed to before.");
    const isNext = this.isWhole ? note.index === this.at.index + 1 : note.index > this.at.index;
    must(isNext && note.index <= this.at.links, "a link is left out, comes twice or is too far.");
    must(isHex(note.link, 32), "its link is broken.");
    const link = bytesOf(note.link);
    must(
      hexOf(hashed(link, note.index - this.at.index)) === this.at.link,
      "its link is not the one committed to.",
    );
    must(note.random === "" || isHex(note.random, 16), "the client's bytes are broken.");
    Object.assign(this.at, { index: note.index, link: note.link });
    this.found.without_client += note.random === "" ? 1 : 0;
    if (note.void) {
      must(!rolls.length, "void dice are shown as if they counted.");
      this.found.void += 1;
    } else this.#roll(keyOf(link, this.table, note), rolls);
  }

  /** @param {Uint8Array} key @param {Roll[]} rolls */
  #roll(key, rolls) {
    let number = 0;
    for (const roll of rolls) {
      must(roll.typed === false, "typed and rolled dice are mixed.");
      const faces = facesOf(roll);
      for (const shown of roll.faces) {
        const fell = faces[place(key, number, faces.length)];
        must(fell === shown, `${roll.label}: die ${number + 1} fell ${fell}, not ${shown}.`);
        number += 1;
      }
    }
    must(number > 0, "a link was used and no die is shown.");
    this.found.rolled += 1;
    this.found.dice += number;
  }
}

/** @param {any} entry whether the dice in an entry's facts are those of its events */
function areSameRolls({ facts, events }) {
  const fell = events.filter((/** @type {any} */ event) => event.type === "dice_rolled");
  const told = (facts.rolls ?? []).map((/** @type {object} */ roll) => ({
    type: "dice_rolled",
    die_faces: [],
    ...roll,
  }));
  return canonical(fell) === canonical(told);
}

/** @param {Uint8Array} link @param {string} table @param {ChainNote & {type: "used"}} note what all dice of an act follow from */
function keyOf(link, table, note) {
  const played = hexOf(sha256(utf8.encode(canonical([note.rules.ruleset, note.rules.house_rules]))));
  const usedFor = ["dice/v1", table, note.epoch, note.index, note.command, note.random, played];
  return hmac(link, utf8.encode(canonical(usedFor)));
}

/**
 * Which face of its die an act's die shows, counted from 0.
 * @param {Uint8Array} key
 * @param {number} number
 * @param {number} sides
 */
export function place(key, number, sides) {
  for (let attempt = 0; ; attempt += 1) {
    const message = new Uint8Array(15);
    message.set(utf8.encode("dice/v1"));
    new DataView(message.buffer).setUint32(7, number);
    new DataView(message.buffer).setUint32(11, attempt);
    const word = new DataView(hmac(key, message).buffer).getUint32(0);
    if (word < WORDS - (WORDS % sides)) return word % sides;
  }
}

/** @param {Roll} roll every face of its die: by its name, or as listed; numbers first, then words */
function facesOf({ die, die_faces: listed = [] }) {
  if (listed.length) {
    const numbers = listed.filter((face) => typeof face === "number").sort((a, b) => Number(a) - Number(b));
    return [...numbers, ...listed.filter((face) => typeof face === "string").sort()];
  }
  const named = /^d([1-9][0-9]{0,4})$/.exec(die);
  must(named !== null, `nobody says what faces a ${die} has.`);
  return Array.from({ length: Number(named?.[1]) }, (_, i) => i + 1);
}

/** @param {Uint8Array} data @returns {Generator<any>} the values of a log's lines */
function* linesOf(data) {
  const lines = new TextDecoder("utf-8", { ignoreBOM: true }).decode(data).split("\n");
  let sealed = "";
  for (const [i, line] of lines.entries()) {
    if (i === lines.length - 1 && line === "") return;
    must(i < lines.length - 1, "it does not end with a line end.");
    const space = line.indexOf(" ") < 0 ? line.length : line.indexOf(" ");
    const json = line.slice(space + 1);
    sealed = hexOf(sha256(utf8.encode(`${sealed} ${json}`)));
    must(line.slice(0, space) === sealed, `line ${i + 1} is not as it was written.`);
    yield parsed(json, i + 1);
  }
}

/** @param {string} json @param {number} number */
function parsed(json, number) {
  try {
    return JSON.parse(json);
  } catch {
    throw new Wrong(`line ${number} is not JSON.`);
  }
}

/** @param {unknown} text @param {number} size */
const isHex = (text, size) =>
  typeof text === "string" && text.length === 2 * size && /^[0-9a-f]*$/.test(text);

/** @param {string} text */
const bytesOf = (text) => Uint8Array.from(text.match(/../g) ?? [], (two) => parseInt(two, 16));

/** @param {Uint8Array} bytes @param {number} times */
function hashed(bytes, times) {
  for (let i = 0; i < times; i += 1) bytes = sha256(bytes);
  return bytes;
}

/** @param {Uint8Array} key @param {Uint8Array} message HMAC-SHA256, of a key no longer than a block (RFC 2104) */
function hmac(key, message) {
  const padded = (/** @type {number} */ mask) =>
    Uint8Array.from({ length: 64 }, (_, i) => (key[i] ?? 0) ^ mask);
  return sha256(joined(padded(0x5c), sha256(joined(padded(0x36), message))));
}

/** @param {Uint8Array} a @param {Uint8Array} b */
function joined(a, b) {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

/** On node: `node verify-dice.js LOG` prints the report as JSON, and fails where the log does not hold. */
const node = /** @type {any} */ (globalThis).process;
if (
  node?.argv?.[1] &&
  import.meta.url === node.getBuiltinModule("node:url").pathToFileURL(node.argv[1]).href
) {
  const found = verifyFile(node.getBuiltinModule("node:fs").readFileSync(node.argv[2]));
  console.log(JSON.stringify(found));
  node.exitCode = found.holds ? 0 : 1;
}
