/**
 * The GM's side of the relay: one connection to the server for each player who asks, with that player's own seat.
 * Foundry's sender ID decides which connection a message belongs to.
 */

import { RequestError } from "../../core/table/connection.js";

/** @import {ResumePoint} from "../../../types/contract.js" */
/** @import {TableConnection, ConnectionHandlers} from "../../../types/page.js" */
/** @import {Channel} from "./channel.js" */

/** @typedef {(user: string, handlers: ConnectionHandlers) => Promise<TableConnection>} Connect rejected with a sentence if the user gets no seat */

const MAX_CONNECTIONS = 30;
const COMMAND_KIND = /^[a-z]+(\.[a-z]+)*$/;

/**
 * Checks what a page says it knows.
 * @param {any} known
 * @returns {ResumePoint | null} null if the server would not take it
 */
function parseKnown(known) {
  const isValid = /^[0-9a-f]{16}$/.test(known?.epoch) && Number.isSafeInteger(known.seq) && known.seq >= 0;
  return isValid ? { epoch: known.epoch, seq: known.seq } : null;
}

/** Keeps the players' connections. */
export class RelayHost {
  /** @type {Map<string, {connection: Promise<TableConnection>}>} */
  #players = new Map();

  /** @param {Pick<Channel, "send">} channel @param {Connect} connect */
  constructor(channel, connect) {
    this.channel = channel;
    this.connect = connect;
  }

  /**
   * @param {any} message untrusted
   * @param {string} user
   */
  receive(message, user) {
    if (message?.relay === "open") this.#open(user, message.known);
    else if (message?.relay === "command") this.#command(user, message);
    else if (message?.relay === "close") this.close(user);
  }

  /** @param {string} user */
  close(user) {
    this.#players
      .get(user)
      ?.connection.then((connection) => connection.close())
      .catch(() => {});
    this.#players.delete(user);
  }

  /** @returns {string[]} the users who are connected */
  get users() {
    return [...this.#players.keys()];
  }

  closeAll() {
    for (const user of [...this.#players.keys()]) this.close(user);
  }

  /** @param {string} user @param {any} knownByPage */
  #open(user, knownByPage) {
    this.close(user);
    if (this.#players.size >= MAX_CONNECTIONS)
      return this.channel.send(user, { relay: "state", state: "refused", sentence: "" });
    let known = parseKnown(knownByPage);
    const connection = this.connect(user, {
      resumePoint: () => known,
      onUpdate: (update) => {
        if (update.kind === "snapshot" || update.kind === "entries") known = parseKnown(update);
        this.channel.send(user, { relay: "update", update });
      },
      onState: (state, sentence) => this.channel.send(user, { relay: "state", state, sentence }),
    });
    this.#players.set(user, { connection });
    connection.catch((problem) =>
      this.channel.send(user, { relay: "state", state: "refused", sentence: String(problem.message) }),
    );
  }

  /** @param {string} user @param {any} message */
  async #command(user, { id, kind, body, base }) {
    if (typeof id !== "string" || typeof kind !== "string" || !COMMAND_KIND.test(kind)) return;
    const reply = { relay: "ack", id: id.slice(0, 64) };
    try {
      const connection = await this.#players.get(user)?.connection;
      if (!connection) return;
      this.channel.send(user, { ...reply, ack: await connection.send(kind, body ?? {}, base ?? null) });
    } catch (problem) {
      if (problem instanceof RequestError)
        this.channel.send(user, { ...reply, ack: { ok: false, id, error: problem.problem } });
    }
  }
}
