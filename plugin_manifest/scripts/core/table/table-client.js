/** This page's line to its table: the replica kept in step, and everybody told of what is new. */

import { Refused } from "./connection.js";
import { Copy } from "./replica-sync.js";

/** @import {Ack, LogEntry, Overlay, Players, Replica, Update} from "../../../types/contract.js" */
/** @import {Line, LineEnds, LineState, Link} from "../../../types/page.js" */

/**
 * What may be listened for: `snapshot` (a whole replica came), `entries` (these were folded in), `overlay`,
 * `players` (who is at the table, for the game master), `line` (connecting, connected, lost or refused, with a
 * sentence).
 * @typedef {object} LineEvents
 * @property {(replica: Replica) => void} snapshot
 * @property {(entries: LogEntry[], replica: Replica) => void} entries
 * @property {(overlay: Overlay) => void} overlay
 * @property {(players: Players) => void} players
 * @property {(state: LineState, sentence: string) => void} line
 */

/** One seat's line to its table, for as long as the page is open. */
export class TableLine {
  /** @type {LineState} */
  state = "connecting";
  /** @type {{[K in keyof LineEvents]: LineEvents[K][]}} */
  #listeners = { snapshot: [], entries: [], overlay: [], players: [], line: [] };

  /**
   * @param {Link} link where the table is; for a line through another browser its key is empty
   * @param {(ends: LineEnds) => Line} open begins the line
   */
  constructor(link, open) {
    this.link = link;
    this.copy = new Copy((why) => this.line.restart(why));
    this.line = open({
      known: () => this.copy.known(),
      onUpdate: (update) => this.#take(update),
      onState: (state, sentence) => this.#lineIs(state, sentence),
    });
  }

  /** @returns {Replica | null} the table as far as it is known */
  get replica() {
    return this.copy.replica;
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
  async ask(kind, body, base = null) {
    try {
      return await this.line.send(kind, body, base);
    } catch (problem) {
      if (problem instanceof Refused) this.#follow(this.copy.takeMissed(problem.problem));
      throw problem;
    }
  }

  /** Hangs up for good. */
  close() {
    this.line.close();
  }

  /** @param {Update} update */
  #take(update) {
    if (update.kind === "snapshot") this.#tell("snapshot", this.copy.takeSnapshot(update));
    else if (update.kind === "entries") this.#follow(this.copy.takeEntries(update));
    else if (update.kind === "players") this.#tell("players", update.body);
    else if (update.kind === "overlay") this.#tell("overlay", update.body);
  }

  /** @param {LogEntry[] | null} entries that the copy has taken in; null where it took in none */
  #follow(entries) {
    if (entries && this.replica) this.#tell("entries", entries, this.replica);
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
