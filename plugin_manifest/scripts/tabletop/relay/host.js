/**
 * The GM's side of the relay: one connection to the server for each player who asks, with that player's own seat.
 * Foundry's sender ID decides which connection a message belongs to.
 */

import { RequestError } from "../../core/table/connection.js";

/** @import {ResumePoint} from "../../../types/contract.js" */
/** @import {TableConnection, ConnectionHandlers} from "../../../types/page.js" */
/** @import {Channel} from "./channel.js" */

/**
 * @typedef {object} PlayerConnection
 * @property {TableConnection} connection
 * @property {string} seat the player's own
 */

/**
 * @typedef {(user: string, handlersOf: (seat: string) => ConnectionHandlers) => Promise<PlayerConnection>} Connect
 *   rejected with a sentence if the user gets no seat
 */

const MAX_CONNECTIONS = 30;
const COMMAND_KIND = /^[a-z]+(\.[a-z]+)*$/;
const COMMAND_ID = /^[0-9a-f]{32}$/;

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
  /** @type {Map<string, {connected: Promise<PlayerConnection>}>} */
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
    if (message?.relay === "open") this.#open(user, message);
    else if (message?.relay === "command") this.#command(user, message);
    else if (message?.relay === "close") this.close(user);
    else if (message?.relay === "where") this.channel.send(user, { relay: "host" });
  }

  /** @param {string} user */
  close(user) {
    this.#players
      .get(user)
      ?.connected.then(({ connection }) => connection.close())
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

  /** @param {string} user @param {any} message with the seat and the entry that the player's page knows */
  #open(user, message) {
    this.close(user);
    if (this.#players.size >= MAX_CONNECTIONS)
      return this.channel.send(user, { relay: "state", state: "refused", sentence: "" });
    const connected = this.connect(user, (seat) => {
      let known = message.seat === seat ? parseKnown(message.known) : null; // another seat sees another log
      return {
        resumePoint: () => known,
        onUpdate: (update) => {
          if (update.kind === "snapshot" || update.kind === "entries") known = parseKnown(update);
          this.channel.send(user, { relay: "update", update });
        },
        onState: (state, sentence) => this.channel.send(user, { relay: "state", state, sentence }),
      };
    });
    this.#players.set(user, { connected });
    connected.then(
      ({ seat }) => {
        if (this.#players.get(user)?.connected === connected)
          this.channel.send(user, { relay: "seat", seat });
      },
      (problem) =>
        this.channel.send(user, { relay: "state", state: "refused", sentence: String(problem.message) }),
    );
  }

  /** @param {string} user @param {any} message */
  async #command(user, { id, kind, body, base }) {
    if (!COMMAND_ID.test(id) || typeof kind !== "string" || !COMMAND_KIND.test(kind)) return;
    const reply = { relay: "ack", id };
    try {
      const player = await this.#players.get(user)?.connected;
      if (!player) return;
      const ack = await player.connection.send(kind, body ?? {}, base ?? null, id);
      this.channel.send(user, { ...reply, ack });
    } catch (problem) {
      if (problem instanceof RequestError)
        this.channel.send(user, { ...reply, ack: { ok: false, id, error: problem.problem } });
    }
  }
}
