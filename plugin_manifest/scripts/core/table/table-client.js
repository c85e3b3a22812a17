/** This page's line to its table: the replica kept in step, and everybody told of what is new. */

import { RequestError } from "./connection.js";
import { ReplicaSync } from "./replica-sync.js";

/** @import {Ack, LogEntry, Overlay, Players, Replica, Update} from "../../../types/contract.js" */
/** @import {TableConnection, ConnectionHandlers, ConnectionState, Link} from "../../../types/page.js" */

/**
 * What may be listened for: `snapshot` (a whole replica came), `entries` (these were folded in), `overlay`,
 * `players` (who is at the table, for the game master), `line` (connecting, connected, lost or refused, with a
 * sentence).
 * @typedef {object} ClientEvents
 * @property {(replica: Replica) => void} snapshot
 * @property {(entries: LogEntry[], replica: Replica) => void} entries
 * @property {(overlay: Overlay) => void} overlay
 * @property {(players: Players) => void} players
 * @property {(state: ConnectionState, sentence: string) => void} connection
 */

/** One seat's line to its table, for as long as the page is open. */
export class TableClient {
  /** @type {ConnectionState} */
  state = "connecting";
  /** @type {{[K in keyof ClientEvents]: ClientEvents[K][]}} */
  #listeners = { snapshot: [], entries: [], overlay: [], players: [], connection: [] };

  /**
   * @param {Link} link where the table is; for a line through another browser its key is empty
   * @param {(ends: ConnectionHandlers) => TableConnection} open begins the line
   */
  constructor(link, open) {
    this.link = link;
    this.sync = new ReplicaSync((why) => this.connection.restart(why));
    this.connection = open({
      known: () => this.sync.known(),
      onUpdate: (update) => this.#take(update),
      onState: (state, sentence) => this.#lineIs(state, sentence),
    });
  }

  /** @returns {Replica | null} the table as far as it is known */
  get replica() {
    return this.sync.replica;
  }

  /**
   * Has a listener told of something from now on.
   * @template {keyof ClientEvents} K
   * @param {K} what
   * @param {ClientEvents[K]} listener
   */
  on(what, listener) {
    this.#listeners[what].push(listener);
  }

  /**
   * Asks the table for something.
   * @param {string} kind
   * @param {object} body
   * @param {number | null} [base] the entry it was decided on
   * @returns {Promise<Ack>} rejected with RequestError where the table refuses
   */
  async send(kind, body, base = null) {
    try {
      return await this.connection.send(kind, body, base);
    } catch (problem) {
      if (problem instanceof RequestError) this.#follow(this.sync.applyMissed(problem.problem));
      throw problem;
    }
  }

  /** Hangs up for good. */
  close() {
    this.connection.close();
  }

  /** @param {Update} update */
  #take(update) {
    if (update.kind === "snapshot") this.#tell("snapshot", this.sync.applySnapshot(update));
    else if (update.kind === "entries") this.#follow(this.sync.applyEntries(update));
    else if (update.kind === "players") this.#tell("players", update.body);
    else if (update.kind === "overlay") this.#tell("overlay", update.body);
  }

  /** @param {LogEntry[] | null} entries that the copy has taken in; null where it took in none */
  #follow(entries) {
    if (entries && this.replica) this.#tell("entries", entries, this.replica);
  }

  /** @param {ConnectionState} state @param {string} sentence */
  #lineIs(state, sentence) {
    this.state = state;
    this.#tell("connection", state, sentence);
  }

  /**
   * @template {keyof ClientEvents} K
   * @param {K} what
   * @param {Parameters<ClientEvents[K]>} told
   */
  #tell(what, ...told) {
    for (const listener of this.#listeners[what]) /** @type {any} */ (listener)(...told);
  }
}
