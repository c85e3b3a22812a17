/** The page's client of a table: keeps the replica in sync and emits what is new. */

import { RequestError } from "./credentials.js";
import { ReplicaSync } from "./replica-sync.js";

/** @import {Ack, Cell, LogEntry, Overlay, Players, Replica, Sent, Update} from "../../../types/contract.js" */
/** @import {ConnectionHandlers, ConnectionState, Link, TableConnection} from "../../../types/page.js" */

/**
 * The events: `snapshot` (a whole replica arrived), `entries` (entries were applied), `overlay`, `players` (GM only),
 * `ping` (a seat points at a place), `branch` (a seat shows a branch, or no longer) and `connection` (its state, with a sentence).
 * @typedef {object} ClientEvents
 * @property {(replica: Replica) => void} snapshot
 * @property {(entries: LogEntry[], replica: Replica) => void} entries
 * @property {(overlay: Overlay) => void} overlay
 * @property {(players: Players) => void} players
 * @property {(ping: {at: Cell, name: string}) => void} ping
 * @property {() => void} branch
 * @property {(state: ConnectionState, sentence: string) => void} connection
 */

/** One seat's client, for as long as the page is open. */
export class TableClient {
  /** @type {ConnectionState} */
  state = "connecting";
  /** @type {{[K in keyof ClientEvents]: ClientEvents[K][]}} */
  #listeners = { snapshot: [], entries: [], overlay: [], players: [], ping: [], branch: [], connection: [] };

  /**
   * @param {Link} link the table and key; the key is empty for a connection relayed by the GM's browser
   * @param {(handlers: ConnectionHandlers) => TableConnection} open
   */
  constructor(link, open) {
    this.link = link;
    this.sync = new ReplicaSync((why) => this.connection.restart(why));
    this.connection = open({
      resumePoint: () => this.sync.resumePoint(),
      onUpdate: (update) => this.#handleUpdate(update),
      onState: (state, sentence) => {
        this.state = state;
        this.#emit("connection", state, sentence);
      },
    });
  }

  /** @returns {Replica | null} null before the first snapshot */
  get replica() {
    return this.sync.replica;
  }

  /**
   * Add a listener for an event.
   * @template {keyof ClientEvents} K
   * @param {K} event
   * @param {ClientEvents[K]} listener
   */
  on(event, listener) {
    this.#listeners[event].push(listener);
  }

  /**
   * Send a command.
   * @template {keyof Sent.Commands} K
   * @param {K} kind
   * @param {Sent.Commands[K]} body
   * @param {number | null} [base] the entry that the command was decided on
   * @param {string} [id] the command's, which becomes that of its entry
   * @returns {Promise<Ack>} rejected with RequestError if the table refuses it
   */
  async send(kind, body, base = null, id = undefined) {
    try {
      return await this.connection.send(kind, body, base, id);
    } catch (error) {
      if (error instanceof RequestError) this.#emitEntries(this.sync.applyMissed(error.problem));
      throw error;
    }
  }

  /** Close the seat's other pages, and connect in their place. */
  closeOthers() {
    this.connection.closeOthers?.();
  }

  close() {
    this.connection.close();
  }

  /** @param {Update} update */
  #handleUpdate(update) {
    if (update.kind === "snapshot") this.#emit("snapshot", this.sync.applySnapshot(update));
    else if (update.kind === "entries") this.#emitEntries(this.sync.applyEntries(update));
    else if (update.kind === "ping") this.#emit("ping", update.body);
    else if (update.kind === "branch") this.#emit("branch");
    else if (update.kind === "players") this.#emit("players", update.body);
    else if (update.kind === "overlay") this.#emit("overlay", update.body);
  }

  /** @param {LogEntry[] | null} entries null if none were applied */
  #emitEntries(entries) {
    if (entries && this.replica) this.#emit("entries", entries, this.replica);
  }

  /**
   * @template {keyof ClientEvents} K
   * @param {K} event
   * @param {Parameters<ClientEvents[K]>} values
   */
  #emit(event, ...values) {
    for (const listener of this.#listeners[event]) /** @type {any} */ (listener)(...values);
  }
}
