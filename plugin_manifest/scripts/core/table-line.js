/** This page's line to its table: the replica kept in step, and everybody told of what is new. */

import { fromSnapshot, withEntries } from "./replica.js";

/** @import {Ack, Entries, LogEntry, Overlay, Players, Replica, Update} from "../../types/contract.js" */
/** @import {Line, LineEnds, LineState, Link} from "../../types/page.js" */

/**
 * What may be listened for: `snapshot` (a whole replica came), `entries` (these were folded in), `overlay`,
 * `players` (who is at the table, for the game master), `line` (connecting, connected, lost or refused, with a sentence).
 * @typedef {object} LineEvents
 * @property {(replica: Replica) => void} snapshot
 * @property {(entries: LogEntry[], replica: Replica) => void} entries
 * @property {(overlay: Overlay) => void} overlay
 * @property {(players: Players) => void} players
 * @property {(state: LineState, sentence: string) => void} line
 */

/** One seat's line to its table, for as long as the page is open. */
export class TableLine {
  /** @type {Replica | null} */
  replica = null;
  /** @type {LineState} */
  state = "connecting";
  #isBehind = true;
  /** @type {{[K in keyof LineEvents]: LineEvents[K][]}} */
  #listeners = { snapshot: [], entries: [], overlay: [], players: [], line: [] };

  /**
   * @param {Link} link where the table is; for a line through another browser its key is empty
   * @param {(ends: LineEnds) => Line} open begins the line
   */
  constructor(link, open) {
    this.link = link;
    this.line = open({
      lastSeq: () => (this.#isBehind ? null : (this.replica?.seq ?? null)),
      onUpdate: (update) => this.#take(update),
      onState: (state, sentence) => this.#lineIs(state, sentence),
    });
  }

  /**
   * Has a listener told of something from now on.
   * @template {keyof LineEvents} K
   * @param {K} what
   * @param {LineEvents[K]} listener
   */
  on(what, listener) {
    this.#listeners[what].push(listener);
  }

  /**
   * Asks the table for something.
   * @param {string} kind
   * @param {object} body
   * @param {number | null} [base] the entry it was decided on
   * @returns {Promise<Ack>} rejected with Refused where the table refuses
   */
  ask(kind, body, base = null) {
    return this.line.send(kind, body, base);
  }

  /** Hangs up for good. */
  close() {
    this.line.close();
  }

  /** @param {Update} update */
  #take(update) {
    if (update.kind === "snapshot") {
      this.#isBehind = false;
      const replica = (this.replica = fromSnapshot(update.seq, update.body));
      this.#tell("snapshot", replica);
    } else if (update.kind === "entries") this.#takeEntries(update.body);
    else if (update.kind === "players") this.#tell("players", update.body);
    else if (update.kind === "overlay") this.#tell("overlay", update.body);
  }

  /** @param {Entries} body */
  #takeEntries(body) {
    const before = this.replica;
    if (!before) return;
    const replica = withEntries(before, body);
    if (replica === null) return this.#startOver();
    this.replica = replica;
    this.#tell("entries", replica.log.slice(before.log.length), replica);
  }

  #startOver() {
    this.#isBehind = true;
    this.line.restart();
  }

  /** @param {LineState} state @param {string} sentence */
  #lineIs(state, sentence) {
    this.state = state;
    this.#tell("line", state, sentence);
  }

  /**
   * @template {keyof LineEvents} K
   * @param {K} what
   * @param {Parameters<LineEvents[K]>} told
   */
  #tell(what, ...told) {
    for (const listener of this.#listeners[what]) /** @type {any} */ (listener)(...told);
  }
}
