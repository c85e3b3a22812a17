/**
 * Checks dice: every die of an exported log (`node verify-dice.js LOG`), or of the log on this page.
 * This file and hashing.js beside it are all that is needed: it works out from docs/fair-dice.md what every die
 * had to be, as enfilade.verify does in Python.
 */

import {
  hexToBytes,
  canonicalJson,
  hashJson,
  hashTimes,
  bytesToHex,
  hmacSha256,
  sha256,
  utf8,
} from "./hashing.js";

/** @import {ChainHead, ChainNote, LogEntry, Part, Roll} from "../../../types/contract.js" */

/** @typedef {ChainNote & ({type: "used"} | {type: "shown"})} Proof */

const FORMAT = "enfilade-log/1";
const WORDS = 2 ** 32;
const MOST_LINKS = 2 ** 24;

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
  with_players: 0,
  withheld: 0,
  hidden: 0,
  shown: 0,
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
  const chain = new Proofs(first.table, found);
  let hasEnded = false;
  for (const value of values) {
    must(!hasEnded, "something comes after its end.");
    if ("end" in value) {
      must(canonicalJson(value) === `{"end":${found.entries}}`, "its end is not its end.");
      hasEnded = true;
    } else checkNext(value, chain, found);
  }
  must(hasEnded, "its end is missing.");
}

/** @param {any} entry @param {Proofs} chain @param {ReturnType<typeof report>} found */
function checkNext(entry, chain, found) {
  found.entry = found.entries + 1;
  must(entry.seq === found.entry, "its number is not the next one.");
  must(entry.dice?.type === "shown" || areSameRolls(entry), "its dice are not those of its events.");
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
  const proofs = new Proofs(table, report(), head);
  const found = new Map();
  const opening = entries[0]?.seq === 1 ? 0 : entries.findIndex((entry) => entry.dice?.type === "opened");
  const isOfBefore = (/** @type {ChainNote | null} */ note) =>
    note !== null && note.epoch !== head?.epoch && note.epoch !== head?.hidden?.epoch;
  for (const [i, entry] of entries.entries()) {
    if (i < opening && isOfBefore(entry.dice)) continue; // its chain was opened before the entries of this page
    const isRoll = entry.dice?.type === "used" || entry.dice?.type === "shown";
    try {
      proofs.check(entry);
      if (isRoll) found.set(entry.seq, "");
    } catch (problem) {
      found.set(entry.seq, whyOf(problem));
    }
  }
  return found;
}

/** @param {unknown} problem */
const whyOf = (problem) =>
  problem instanceof Wrong ? problem.message : "something is missing or of the wrong kind.";

/** One chain's links, as they are shown one after another. */
class Chain {
  /** @param {{epoch: string, head: string, links: number} | null | undefined} head @param {boolean} isWhole */
  constructor(head, isWhole) {
    this.epoch = head?.epoch ?? "";
    this.link = head?.head ?? "";
    this.links = head?.links ?? 0;
    this.isWhole = isWhole;
    this.index = 0;
  }

  /** @param {Proof} note @returns {Uint8Array} the link that it shows */
  follow(note) {
    this.#must(note, this.isWhole ? note.index === this.index + 1 : note.index > this.index);
    const link = hexToBytes(note.link);
    must(
      bytesToHex(hashTimes(link, note.index - this.index)) === this.link,
      "its link is not the one committed to.",
    );
    Object.assign(this, { index: note.index, link: note.link });
    return link;
  }

  /** @param {Proof} note @returns {Uint8Array} the link that it shows, wherever in the chain that is */
  find(note) {
    this.#must(note, note.index > 0);
    const link = hexToBytes(note.link);
    must(bytesToHex(hashTimes(link, note.index)) === this.link, "its link is not the one committed to.");
    return link;
  }

  /** @param {Proof} note @param {boolean} isInOrder */
  #must({ epoch, index, link }, isInOrder) {
    must(epoch === this.epoch, "its chain was not committed to before.");
    must(isInOrder && index <= this.links, "a link is left out, comes twice or is too far.");
    must(isHex(link, 32), "its link is broken.");
  }
}

/** What has been committed to and shown, as a check goes through the entries. */
class Proofs {
  /** What players committed to and have not given yet; null where a page does not know. @type {Part[] | null} */
  asked;
  /** The hash of what they gave last; null where a page does not know. @type {string | null} */
  players;
  /** The hidden rolls of a whole log, by chain and number. @type {Map<string, {note: Proof, rolls: Roll[]}>} */
  hidden = new Map();

  /** @param {string} table @param {ReturnType<typeof report>} found @param {ChainHead | null} [head] only a page has one */
  constructor(table, found, head) {
    this.table = table;
    this.found = found;
    this.isWhole = head === undefined;
    this.epochs = new Set();
    this.chain = new Chain(head, this.isWhole);
    this.hiddenChain = new Chain(head?.hidden, this.isWhole);
    this.asked = this.isWhole ? [] : null;
    this.players = this.isWhole ? "" : null;
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
    } else if (note.type === "used") this.#use(note, rolls);
    else if (note.type === "shown") this.#show(note, rolls);
    else if (note.type === "sealed") must(!this.isWhole, "a proof is hidden.");
    else {
      must(!rolls.length, "what is said of the chain comes with dice.");
      this.#hear(note);
    }
  }

  /** @param {Exclude<ChainNote, Proof>} note */
  #hear(note) {
    if (note.type === "opened") this.#open(note);
    else if (note.type === "committed") this.#commit(note);
    else if (note.type === "given") this.#give(note);
    else must(!this.isWhole, "a proof is hidden.");
  }

  /** @param {ChainNote & {type: "opened"}} note what the players gave before counts no more */
  #open(note) {
    Object.assign(this, { asked: [], players: "" });
    this.chain = this.#opened(note);
    this.hiddenChain = note.hidden ? this.#opened(note.hidden) : new Chain(null, this.isWhole);
    this.found.chains += 1;
  }

  /** @param {{epoch: string, head: string, links: number}} head */
  #opened(head) {
    must(!this.epochs.has(head.epoch), "a chain is opened twice.");
    must(0 < head.links && head.links <= MOST_LINKS && isHex(head.head, 32), "a chain's head is broken.");
    this.epochs.add(head.epoch);
    return new Chain(head, this.isWhole);
  }

  /** @param {ChainNote & {type: "committed"}} note */
  #commit({ epoch, parts }) {
    must(epoch === this.chain.epoch, "its chain was not committed to before.");
    must(!this.asked?.length, "parts are committed to twice.");
    const seats = parts.map(({ seat }) => seat);
    const once = [...new Set(seats)].sort();
    must(seats.length > 0 && canonicalJson(seats) === canonicalJson(once), "a player's part comes twice.");
    must(
      parts.every((part) => isHex(part.commitment, 32)),
      "a commitment is broken.",
    );
    must(
      parts.every((part) => part.value === ""),
      "a part is given before all have committed.",
    );
    this.asked = parts;
  }

  /** @param {ChainNote & {type: "given"}} note */
  #give({ epoch, parts, players }) {
    must(epoch === this.chain.epoch, "its chain was not committed to before.");
    const before = canonicalJson(parts.map((part) => ({ ...part, value: "" })));
    const isAsked = this.asked === null || (before === canonicalJson(this.asked) && before !== "[]");
    must(isAsked, "other parts were committed to.");
    must(
      parts.every((part) => isPart(this.table, part)),
      "a part is not what was committed to.",
    );
    const told = parts.map(({ seat, commitment, value }) => [seat, commitment, value]);
    must(players === hashJson(["players/v1", this.table, epoch, told]), "the parts' hash is wrong.");
    this.found.withheld += parts.filter((part) => part.value === "").length;
    Object.assign(this, { asked: [], players });
  }

  /** @param {ChainNote & {type: "used"}} note @param {Roll[]} rolls */
  #use(note, rolls) {
    const isHidden = note.is_hidden ?? false;
    const link = (isHidden ? this.hiddenChain : this.chain).follow(note);
    must(note.random === "" || isHex(note.random, 16), "the client's bytes are broken.");
    const isOfPlayers = this.players === null || (note.players ?? "") === this.players;
    must(isOfPlayers, "the players' parts are not those that were given.");
    this.#count(note, isHidden);
    if (isHidden) this.hidden.set(`${note.epoch} ${note.index}`, { note, rolls });
    if (note.void) must(!rolls.length, "void dice are shown as if they counted.");
    else this.#roll(keyOf(link, this.table, note), rolls);
  }

  /** @param {Proof} note @param {boolean} isHidden */
  #count(note, isHidden) {
    this.found.without_client += note.random === "" ? 1 : 0;
    this.found.with_players += note.players ? 1 : 0;
    this.found.hidden += isHidden ? 1 : 0;
    this.found.void += note.void ? 1 : 0;
  }

  /** @param {ChainNote & {type: "shown"}} note @param {Roll[]} rolls a page, which never saw the roll, works it out */
  #show(note, rolls) {
    if (this.isWhole) {
      const before = this.hidden.get(`${note.epoch} ${note.index}`);
      const isSame = before && canonicalJson({ ...note, type: "used" }) === canonicalJson(before.note);
      must(isSame ?? false, "no hidden roll was like that.");
      const isAsItFell = canonicalJson(whatFell(rolls)) === canonicalJson(whatFell(before?.rolls ?? []));
      must(isAsItFell, "a hidden roll fell otherwise than it is shown.");
      this.found.shown += 1;
    } else if (!note.void) this.#roll(keyOf(this.hiddenChain.find(note), this.table, note), rolls);
  }

  /** @param {Uint8Array} key @param {Roll[]} rolls */
  #roll(key, rolls) {
    let number = 0;
    for (const roll of rolls) {
      must(roll.typed === false, "typed and rolled dice are mixed.");
      const faces = facesOf(roll);
      for (const shown of roll.faces) {
        const fell = faces[faceIndex(key, number, faces.length)];
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
  return canonicalJson(fell) === canonicalJson(told);
}

/** @param {Uint8Array} link @param {string} table @param {Proof} note what all dice of an act follow from */
function keyOf(link, table, { rules, players, ...note }) {
  const [scheme, ...parts] = players ? ["dice/v2", players] : ["dice/v1"];
  const usedFor = [scheme, table, note.epoch, note.index, note.command, note.random, ...parts];
  usedFor.push(hashJson([rules.ruleset, rules.house_rules]));
  return hmacSha256(link, utf8.encode(canonicalJson(usedFor)));
}

/** @param {string} table @param {Part} part whether it was not given at all, or is what was committed to */
const isPart = (table, { seat, commitment, value }) =>
  value === "" || (isHex(value, 16) && hashJson(["part/v1", table, seat, value]) === commitment);

/** @param {Roll[]} rolls what must be the same where dice are shown a second time: all but their words */
const whatFell = (rolls) => rolls.map((roll) => [roll.die, roll.die_faces ?? [], roll.faces, roll.typed]);

/**
 * Which face of its die an act's die shows, counted from 0.
 * @param {Uint8Array} key
 * @param {number} number
 * @param {number} sides
 */
export function faceIndex(key, number, sides) {
  for (let attempt = 0; ; attempt += 1) {
    const message = new Uint8Array(15);
    message.set(utf8.encode("dice/v1"));
    new DataView(message.buffer).setUint32(7, number);
    new DataView(message.buffer).setUint32(11, attempt);
    const word = new DataView(hmacSha256(key, message).buffer).getUint32(0);
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
    sealed = bytesToHex(sha256(utf8.encode(`${sealed} ${json}`)));
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
