/**
 * The rows of the log, kept as entries come: one for each event, one for moves and activations that follow each other, a
 * heading for each round. A new entry is looked at once, and no other.
 */

import { LOG_KEPT, undoneEntries } from "../table/replica.js";
import { localize } from "./i18n.js";
import { isDiceProof, logLine } from "./log-entry.js";

/** @import {LogEntry} from "../../../types/contract.js" */

/**
 * @typedef {{key: string, round: string, entries: LogEntry[]}} LogRow a heading if `round` is not "", else one entry, or
 *   several that are folded
 * @typedef {{query: string, hasProofs: boolean, isWanted: (entry: LogEntry) => boolean}} LogFilter
 */

/** The rows that are kept at least: more than a view shows, so that none at its top is cut. */
const ROWS_KEPT = 60;

/** Return whether nothing but a move or the begin or end of an activation happened. @param {LogEntry} entry */
export const isQuiet = ({ kind, facts, secret, undoes }) =>
  !secret &&
  !undoes &&
  (kind === "token.move" ||
    (kind === "act" &&
      Boolean(facts.token) &&
      !facts.target &&
      !facts.rolls?.length &&
      !facts.steps?.length));

/** A synchronization without a text has changed the map alone, which is to be seen there. @param {LogEntry} entry */
const isSilentSync = ({ kind, text }) => kind === "scene.sync" && !text;

/** Return the pattern of a sentence that begins a round. */
const roundBegins = () => new RegExp(`^${localize("Turn.Round", { round: "\\d+" })}\\b`);

/** @param {LogEntry} entry @param {RegExp} begins */
const roundOf = ({ kind, text }, begins) => (kind === "act" && text.match(begins)?.[0]) || "";

/**
 * Group rows by round: each group begins with the entry that starts a round.
 * @template {{entry: LogEntry}} T
 * @param {T[]} rows
 * @returns {{round: string, rows: T[]}[]}
 */
export function groupByRound(rows) {
  const begins = roundBegins();
  /** @type {{round: string, rows: T[]}[]} */
  const groups = [{ round: "", rows: [] }];
  for (const row of rows) {
    const round = roundOf(row.entry, begins);
    if (round) groups.push({ round, rows: [] });
    groups.at(-1)?.rows.push(row);
  }
  return groups.filter(({ rows: own }) => own.length);
}

/**
 * Return the numbers of the entries that a later one counts instead of: it tells of the same message of the tabletop.
 * @param {LogEntry[]} entries
 */
function correctedEntries(entries) {
  /** @type {Map<string, number>} */
  const last = new Map();
  const corrected = [];
  for (const { seq, facts } of entries) {
    if (facts.source === undefined) continue;
    const before = last.get(facts.source);
    if (before !== undefined) corrected.push(before);
    last.set(facts.source, seq);
  }
  return corrected;
}

/** Keeps the rows of all entries that pass a filter. */
export class LogRows {
  /** All entries, those included that do not pass. @type {LogEntry[]} */
  entries = [];
  /** @type {LogRow[]} */
  rows = [];
  /** The number of entries that pass the filter. */
  count = 0;
  /** The numbers of the undone entries. @type {Set<number>} */
  undone = new Set();
  /** The hidden rolls that are revealed, as `epoch/index`. @type {Set<string>} */
  revealed = new Set();
  /** The messages of the tabletop that entries tell of. @type {Set<string>} */
  #sources = new Set();
  /** @type {LogFilter} */
  #filter = { query: "", hasProofs: false, isWanted: () => true };
  #begins = roundBegins();

  /**
   * Take the entries that are new in a log.
   * @param {LogEntry[]} log
   * @returns {number} how many rows at the start are as before
   */
  take(log) {
    const known = log.lastIndexOf(/** @type {LogEntry} */ (this.entries.at(-1)));
    if (known >= 0) return this.#add(log.slice(known + 1));
    this.entries = [];
    return this.#add(log, true);
  }

  /** Forget the oldest entries, if there are far more than a view shows. @returns {boolean} whether it forgot any */
  forgetOld() {
    if (this.rows.length <= 2 * ROWS_KEPT || this.entries.length <= 2 * LOG_KEPT) return false;
    let [place, count] = [this.rows.length - ROWS_KEPT, 0];
    for (const { entries } of this.rows.slice(place)) count += entries.length;
    while (place > 0 && count < LOG_KEPT) count += this.rows[(place -= 1)].entries.length;
    const first = this.rows.slice(place).find(({ entries }) => entries.length)?.entries[0];
    this.entries = this.entries.slice(this.entries.indexOf(/** @type {LogEntry} */ (first)));
    this.#build();
    return true;
  }

  /** Take older entries, which come before all others. @param {LogEntry[]} older @returns {number} how many rows more there are */
  takeOlder(older) {
    const count = this.rows.length;
    const entries = [...older, ...this.entries];
    this.entries = [];
    this.#add(entries, true);
    return this.rows.length - count;
  }

  /** Show the entries that pass another filter. @param {LogFilter} filter */
  setFilter(filter) {
    this.#filter = filter;
    this.#build();
  }

  /** Return whether an entry passes the filter. @param {LogEntry} entry */
  passes(entry) {
    const { query, hasProofs, isWanted } = this.#filter;
    if ((!hasProofs && isDiceProof(entry)) || !isWanted(entry) || isSilentSync(entry)) return false;
    return !query || logLine(entry, this.undone.has(entry.seq)).toLowerCase().includes(query);
  }

  /** @param {LogEntry[]} fresh @param {boolean} [isNew] whether there are no others */
  #add(fresh, isNew = false) {
    let isCorrected = false;
    for (const entry of fresh) {
      this.entries.push(entry);
      const { source } = entry.facts;
      if (source !== undefined && this.#sources.has(source)) isCorrected = true;
      if (source !== undefined) this.#sources.add(source);
      if (entry.dice?.type === "shown") this.revealed.add(`${entry.dice.epoch}/${entry.dice.index}`);
    }
    if (isNew || isCorrected || fresh.some(({ undoes }) => undoes)) {
      this.#build();
      return 0;
    }
    const same = Math.max(0, this.rows.length - 1); // the last row may grow
    for (const entry of fresh) this.#append(entry);
    return same;
  }

  #build() {
    this.undone = new Set([...undoneEntries(this.entries), ...correctedEntries(this.entries)]);
    this.rows = [];
    this.count = 0;
    for (const entry of this.entries) this.#append(entry);
  }

  /** @param {LogEntry} entry */
  #append(entry) {
    if (!this.passes(entry)) return;
    this.count += 1;
    const round = roundOf(entry, this.#begins);
    if (round) this.rows.push({ key: `round-${entry.seq}`, round, entries: [] });
    const last = this.rows.at(-1);
    const grows = last && !last.round && isQuiet(entry) && last.entries.every(isQuiet);
    if (grows) last.entries.push(entry);
    else this.rows.push({ key: String(entry.seq), round: "", entries: [entry] });
  }
}
