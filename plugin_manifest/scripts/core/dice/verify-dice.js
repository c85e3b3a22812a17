/**
 * Verification of dice: all rolls of an exported log (`node verify-dice.js LOG`), or of the log on this page. It recomputes
 * every die as docs/fair-dice.md describes, and gives the same report as enfilade.cli.verify in Python. It shares no code
 * with the rest of the page: this file and hashing.js are all that is needed.
 */

import {
  bytesToHex,
  canonicalJson,
  faceIndex,
  hashJson,
  hashTimes,
  hexToBytes,
  hmacSha256,
  isHex,
  sha256,
  utf8,
} from "./hashing.js";

/** @import {ChainHead, ChainNote, LogEntry, Part, Roll, SealedAnswer} from "../../../types/contract.js" */

/** @typedef {ChainNote & ({type: "used"} | {type: "shown"})} Proof */
/** @typedef {ReturnType<typeof newReport>} Report */

const FORMAT = "enfilade-log/1";
const MAX_LINKS = 2 ** 24;

/** A failed check; its message says what is wrong. */
class VerificationError extends Error {}

/** @param {boolean} isValid @param {string} why */
function check(isValid, why) {
  if (!isValid) throw new VerificationError(why);
}

/** @param {unknown} error */
const reasonOf = (error) =>
  error instanceof VerificationError ? error.message : "a field is missing or has the wrong type.";

/** Return an empty report. `entry` and `why` name the first failure; entry 0 stands for the file itself. */
const newReport = () => ({
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
  answers: 0,
  entry: 0,
  why: "",
});

/**
 * Verify an exported log.
 * @param {Uint8Array} data
 * @returns {Report}
 */
export function verifyFile(data) {
  const report = newReport();
  try {
    verifyLines(readLines(data), report);
  } catch (error) {
    Object.assign(report, { holds: false, why: reasonOf(error) });
  }
  return report;
}

/** @param {Generator<any>} values @param {Report} report */
function verifyLines(values, report) {
  const { format, table } = values.next().value ?? {};
  check(format === FORMAT, `the file format is not ${FORMAT}.`);
  const verifier = new Verifier(table, report);
  let hasEnded = false;
  for (const value of values) {
    check(!hasEnded, "data follows the end of the log.");
    if ("end" in value) {
      check(canonicalJson(value) === `{"end":${report.entries}}`, "the entry count at the end is wrong.");
      hasEnded = true;
      continue;
    }
    report.entry = report.entries + 1;
    check(value.seq === report.entry, "the entry number is not the next one.");
    check(value.dice?.type === "shown" || hasSameRolls(value), "the dice do not match the events.");
    verifier.verify(value);
    verifier.verifySealed(value);
    report.entries = report.entry;
    report.entry = 0;
  }
  check(hasEnded, "the end of the log is missing.");
}

/**
 * Verify the entries that a page has, which may start in the middle of the log and omit secrets.
 * @param {string} table
 * @param {ChainHead | null} head the table's commitment when the page loaded
 * @param {LogEntry[]} entries
 * @param {ReadonlyMap<string, string>} [receipts] the commitments to the page's own answers, by choice
 * @returns {Map<number, string>} by entry with dice or sealed answers: the failure, "" if there is none
 */
export function verifyEntries(table, head, entries, receipts = new Map()) {
  const verifier = new Verifier(table, newReport(), head);
  const found = new Map();
  const opening = entries[0]?.seq === 1 ? 0 : entries.findIndex((entry) => entry.dice?.type === "opened");
  const epochs = [head?.epoch, head?.hidden?.epoch];
  for (const [i, entry] of entries.entries()) {
    const { seq, dice: note } = entry;
    if (i < opening && note && !epochs.includes(note.epoch)) continue; // of a chain opened before the first entry
    try {
      verifier.verify(entry);
      const hasAnswers = verifier.verifySealed(entry, receipts);
      if (note?.type === "used" || note?.type === "shown" || hasAnswers) found.set(seq, "");
    } catch (error) {
      found.set(seq, reasonOf(error));
    }
  }
  return found;
}

/** A hash chain, whose links are revealed one after another. */
class Chain {
  /**
   * @param {{epoch: string, head: string, links: number} | null | undefined} head
   * @param {boolean} isWholeLog
   */
  constructor(head, isWholeLog) {
    this.epoch = head?.epoch ?? "";
    this.link = head?.head ?? "";
    this.links = head?.links ?? 0;
    this.isWholeLog = isWholeLog;
    this.index = 0;
  }

  /** Return the next link; a page may have missed some. @param {Proof} note @returns {Uint8Array} */
  follow(note) {
    const isNext = this.isWholeLog ? note.index === this.index + 1 : note.index > this.index;
    const link = this.#link(note, isNext, note.index - this.index);
    Object.assign(this, { index: note.index, link: note.link });
    return link;
  }

  /** Return any link of a chain that is still at its head. @param {Proof} note @returns {Uint8Array} */
  find(note) {
    return this.#link(note, note.index > 0, note.index);
  }

  /** @param {Proof} note @param {boolean} isInOrder @param {number} distance from the last known link */
  #link({ epoch, index, link: hex }, isInOrder, distance) {
    check(epoch === this.epoch, "the chain was not committed to first.");
    check(isInOrder && index <= this.links, "a link is missing, repeated or out of range.");
    check(isHex(hex, 32), "the link is malformed.");
    const link = hexToBytes(hex);
    check(bytesToHex(hashTimes(link, distance)) === this.link, "the link does not match the commitment.");
    return link;
  }
}

/** Verifies entries one after another, and keeps the commitments that later entries must match. */
class Verifier {
  /** The contributions committed to but not revealed; null if unknown. @type {Part[] | null} */
  pending;
  /** The hash of the last revealed contributions; null if unknown to a page. @type {string | null} */
  players;
  /** The hidden rolls of a whole log, by chain and index. @type {Map<string, {note: Proof, rolls: Roll[]}>} */
  hiddenRolls = new Map();
  /** The commitments to sealed answers, by question. @type {Map<string, SealedAnswer[]>} */
  closed = new Map();

  /** @param {string} table @param {Report} report @param {ChainHead | null} [head] only for a page */
  constructor(table, report, head) {
    this.table = table;
    this.report = report;
    this.isWholeLog = head === undefined;
    this.epochs = new Set();
    this.chain = new Chain(head, this.isWholeLog);
    this.hiddenChain = new Chain(head?.hidden, this.isWholeLog);
    this.pending = this.isWholeLog ? [] : null;
    this.players = this.isWholeLog ? "" : null;
  }

  /** @param {Pick<LogEntry, "dice" | "facts">} entry */
  verify({ dice: note, facts }) {
    const rolls = (facts.rolls ?? []).filter((roll) => roll.faces.length);
    if (note === null) {
      const isPhysical = rolls.every((roll) => roll.typed === true);
      check(isPhysical, "the dice have no proof.");
      this.report.typed += rolls.length ? 1 : 0;
    } else if (note.type === "used") this.#use(note, rolls);
    else if (note.type === "shown") this.#reveal(note, rolls);
    else if (note.type === "sealed") check(!this.isWholeLog, "a proof is hidden.");
    else {
      check(!rolls.length, "a chain note comes with dice.");
      if (note.type === "opened") this.#open(note);
      else if (note.type === "committed") this.#commit(note);
      else if (note.type === "given") this.#give(note);
      else check(!this.isWholeLog, "a proof is hidden.");
    }
  }

  /**
   * Verify commitments to answers, or revealed answers. A page may have missed the commitments.
   * @param {Pick<LogEntry, "sealed" | "events">} entry
   * @param {ReadonlyMap<string, string>} [receipts]
   * @returns {boolean} whether the entry reveals answers
   */
  verifySealed({ sealed = [], events }, receipts = new Map()) {
    const given = [];
    for (const { question, answers, is_open: isOpen } of sealed) {
      for (const { choice, commitment, answer } of answers) {
        const isRight = isHex(commitment, 32) && (isOpen || answer === "");
        check(isRight, "a commitment to an answer is malformed, or open before the reveal.");
        const receipt = receipts.get(choice);
        check(receipt === undefined || receipt === commitment, "your answer is not the one that you gave.");
      }
      if (!isOpen) {
        check(!this.closed.has(question), "a question is closed twice.");
        this.closed.set(question, answers);
        continue;
      }
      this.#checkCommitted(question, answers);
      for (const one of answers)
        check(this.#seal(question, one) === one.commitment, "an answer does not match its commitment.");
      given.push(...answers.map(({ answer }) => answer));
    }
    if (this.isWholeLog && given.length) {
      const made = events.flatMap((event) =>
        event.type === "choice_made" && !event.automatic ? [event] : [],
      );
      let next = 0;
      for (const { answer } of made) if (answer === given[next]) next += 1;
      const isUsed = next === given.length;
      check(isUsed, "the act used other answers than those revealed.");
    }
    this.report.answers += given.length;
    return given.length > 0;
  }

  /** @param {string} question @param {SealedAnswer[]} answers */
  #checkCommitted(question, answers) {
    const closed = this.closed.get(question);
    this.closed.delete(question);
    if (!closed && !this.isWholeLog) return;
    const part = (/** @type {SealedAnswer} */ one) =>
      [one.choice, one.token, one.seat, one.commitment].join(" ");
    const known = (closed ?? []).map(part);
    const isSame =
      answers.every((one) => known.includes(part(one))) &&
      (!this.isWholeLog || known.length === answers.length);
    check(isSame, "the answers were not committed to first.");
  }

  /** @param {string} question @param {SealedAnswer} one */
  #seal(question, { choice, seat, answer, salt }) {
    check(isHex(salt, 16), "the salt of an answer is malformed.");
    return hashJson(["answer/v1", this.table, question, choice, seat, answer, salt]);
  }

  /** Open the chains; earlier contributions lapse. @param {ChainNote & {type: "opened"}} note */
  #open(note) {
    const newChain = (/** @type {{epoch: string, head: string, links: number}} */ head) => {
      check(!this.epochs.has(head.epoch), "a chain is opened twice.");
      const isValid = 0 < head.links && head.links <= MAX_LINKS && isHex(head.head, 32);
      check(isValid, "a chain's head is malformed.");
      this.epochs.add(head.epoch);
      return new Chain(head, this.isWholeLog);
    };
    Object.assign(this, { pending: [], players: "" });
    this.chain = newChain(note);
    this.hiddenChain = note.hidden ? newChain(note.hidden) : new Chain(null, this.isWholeLog);
    this.report.chains += 1;
  }

  /** @param {ChainNote & {type: "committed"}} note */
  #commit({ epoch, parts }) {
    check(epoch === this.chain.epoch, "the chain was not committed to first.");
    check(!this.pending?.length, "contributions are committed to twice.");
    const seats = parts.map(({ seat }) => seat);
    const sorted = [...new Set(seats)].sort();
    check(seats.length > 0 && canonicalJson(seats) === canonicalJson(sorted), "a player contributes twice.");
    const areHashes = parts.every((part) => isHex(part.commitment, 32));
    check(areHashes, "a commitment is malformed.");
    const areSecret = parts.every((part) => part.value === "");
    check(areSecret, "a contribution is revealed before all players have committed.");
    this.pending = parts;
  }

  /** @param {ChainNote & {type: "given"}} note */
  #give({ epoch, parts, players }) {
    check(epoch === this.chain.epoch, "the chain was not committed to first.");
    const before = canonicalJson(parts.map((part) => ({ ...part, value: "" })));
    const isPending = this.pending === null || (before === canonicalJson(this.pending) && before !== "[]");
    check(isPending, "the contributions do not match the commitments.");
    const areValid = parts.every(({ seat, commitment, value }) => {
      if (value === "") return true; // withheld
      return isHex(value, 16) && hashJson(["part/v1", this.table, seat, value]) === commitment;
    });
    check(areValid, "a contribution does not match its commitment.");
    const values = parts.map(({ seat, commitment, value }) => [seat, commitment, value]);
    const hash = hashJson(["players/v1", this.table, epoch, values]);
    check(players === hash, "the hash of the contributions is wrong.");
    this.report.withheld += parts.filter((part) => part.value === "").length;
    Object.assign(this, { pending: [], players });
  }

  /** @param {ChainNote & {type: "used"}} note @param {Roll[]} rolls */
  #use(note, rolls) {
    const isHidden = note.is_hidden ?? false;
    const link = (isHidden ? this.hiddenChain : this.chain).follow(note);
    check(note.random === "" || isHex(note.random, 16), "the client's bytes are malformed.");
    const hasPlayers = this.players === null || (note.players ?? "") === this.players;
    check(hasPlayers, "the contributions are not those that were revealed.");
    this.report.without_client += note.random === "" ? 1 : 0;
    this.report.with_players += note.players ? 1 : 0;
    this.report.hidden += isHidden ? 1 : 0;
    this.report.void += note.void ? 1 : 0;
    if (isHidden) this.hiddenRolls.set(`${note.epoch} ${note.index}`, { note, rolls });
    if (note.void) check(!rolls.length, "void dice are shown as valid.");
    else this.#recompute(diceKey(link, this.table, note), rolls);
  }

  /** Check a revealed roll; a page recomputes it. @param {ChainNote & {type: "shown"}} note @param {Roll[]} rolls */
  #reveal(note, rolls) {
    if (!this.isWholeLog) {
      if (!note.void) this.#recompute(diceKey(this.hiddenChain.find(note), this.table, note), rolls);
      return;
    }
    const before = this.hiddenRolls.get(`${note.epoch} ${note.index}`);
    const isSame = canonicalJson({ ...note, type: "used" }) === canonicalJson(before?.note ?? null);
    check(isSame, "no hidden roll matches.");
    const dice = (/** @type {Roll[] | undefined} */ all) =>
      canonicalJson(all?.map((roll) => [roll.die, roll.die_faces ?? [], roll.faces, roll.typed]) ?? []);
    check(dice(rolls) === dice(before?.rolls), "the revealed dice differ from the hidden roll.");
    this.report.shown += 1;
  }

  /** @param {Uint8Array} key @param {Roll[]} rolls */
  #recompute(key, rolls) {
    let number = 0;
    for (const roll of rolls) {
      check(roll.typed === false, "physical and server dice are mixed.");
      const faces = facesOf(roll);
      for (const shown of roll.faces) {
        const rolled = faces[faceIndex(key, number, faces.length)];
        check(rolled === shown, `${roll.label}: die ${number + 1} rolled ${rolled}, not ${shown}.`);
        number += 1;
      }
    }
    check(number > 0, "a link was used without dice.");
    this.report.rolled += 1;
    this.report.dice += number;
  }
}

/** Return whether the dice in an entry's facts are those of its events. @param {any} entry */
function hasSameRolls({ facts, events }) {
  const type = "dice_rolled";
  const rolled = events.filter((/** @type {any} */ event) => event.type === type);
  const stated = facts.rolls?.map((/** @type {object} */ roll) => ({ type, die_faces: [], ...roll }));
  return canonicalJson(rolled) === canonicalJson(stated ?? []);
}

/** Return the key of an act's dice. @param {Uint8Array} link @param {string} table @param {Proof} note */
function diceKey(link, table, { rules, players, ...note }) {
  const [scheme, ...parts] = players ? ["dice/v2", players] : ["dice/v1"];
  const message = [scheme, table, note.epoch, note.index, note.command, note.random, ...parts];
  message.push(hashJson([rules.ruleset, rules.house_rules]));
  return hmacSha256(link, utf8.encode(canonicalJson(message)));
}

/** Return the faces of a roll's die, by its name or list: numbers, then words. @param {Roll} roll */
function facesOf({ die, die_faces: listed = [] }) {
  const numbers = listed.filter((face) => typeof face === "number").sort((a, b) => Number(a) - Number(b));
  if (listed.length) return [...numbers, ...listed.filter((face) => typeof face === "string").sort()];
  const name = /^d([1-9][0-9]{0,4})$/.exec(die);
  check(name !== null, `the faces of a ${die} are unknown.`);
  return Array.from({ length: Number(name?.[1]) }, (_, i) => i + 1);
}

/** Yield a log's values, checking each hash. @param {Uint8Array} data @returns {Generator<any>} */
function* readLines(data) {
  const lines = new TextDecoder("utf-8", { ignoreBOM: true }).decode(data).split("\n");
  let hash = "";
  for (const [i, line] of lines.entries()) {
    if (i === lines.length - 1 && line === "") return;
    check(i < lines.length - 1, "the log does not end with a newline.");
    const space = line.indexOf(" ") < 0 ? line.length : line.indexOf(" ");
    const json = line.slice(space + 1);
    hash = bytesToHex(sha256(utf8.encode(`${hash} ${json}`)));
    check(line.slice(0, space) === hash, `line ${i + 1} was changed.`);
    try {
      yield JSON.parse(json);
    } catch {
      throw new VerificationError(`line ${i + 1} is not JSON.`);
    }
  }
}

/** Run as `node verify-dice.js LOG`, it prints the report as JSON; the exit code is 1 if verification fails. */
const node = /** @type {any} */ (globalThis).process;
const isMain =
  node?.argv?.[1] && import.meta.url === node.getBuiltinModule("node:url").pathToFileURL(node.argv[1]).href;
if (isMain) {
  const report = verifyFile(node.getBuiltinModule("node:fs").readFileSync(node.argv[2]));
  console.log(JSON.stringify(report));
  node.exitCode = report.holds ? 0 : 1;
}
