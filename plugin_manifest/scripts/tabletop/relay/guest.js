/**
 * A player's connection through the GM's page, for players whose browsers do not reach the server. A command is sent
 * again through the page that takes over, with its ID, so that the table does it once; if none does in time, it ends
 * with a sentence.
 */

import { RequestError, randomHex } from "../../core/table/connection.js";
import { localize } from "../../core/ui/i18n.js";

/** @import {Ack} from "../../../types/contract.js" */
/** @import {TableConnection, ConnectionHandlers} from "../../../types/page.js" */
/** @import {Channel} from "./channel.js" */

/**
 * A command without an answer.
 * @typedef {object} Waiting
 * @property {object} command
 * @property {(ack: Ack) => void} resolve
 * @property {(problem: RequestError) => void} reject
 * @property {string | null} seat the seat that it was sent for; null before it is sent
 * @property {ReturnType<typeof setTimeout> | undefined} timer
 */

/** The time that a command waits for an answer, or for a page of the GM. A page of Foundry takes a while to load. */
const PATIENCE_MS = 30_000;
/** A question for a connection that nothing answers is put again after so long, and each time after twice as long. */
const [FIRST_RETRY_MS, MAX_RETRY_MS] = [5_000, 40_000];

/** @typedef {(act: () => void, ms: number) => unknown} Schedule */

/** @implements {TableConnection} */
export class RelayGuest {
  /** By ID, in order. @type {Map<string, Waiting>} */
  #waiting = new Map();
  #isOpen = false;
  #isClosed = false;
  /** The seat that the GM's page has connected; null until it has. @type {string | null} */
  #seat = null;
  /** The seat that the replica belongs to. @type {string | null} */
  #known = null;
  /** The GM whose page was asked for the connection. @type {string | null} */
  #asked = null;
  /** The questions for a connection since the last that was answered. */
  #unanswered = 0;
  /** The number of the last question. */
  #question = 0;

  /**
   * @param {Pick<Channel, "send" | "isPrivate">} channel
   * @param {() => string | null} host the GM whose page relays; null if no GM is connected
   * @param {ConnectionHandlers} handlers
   * @param {() => string[]} others the connected GMs but that one: one of their pages may be the one that relays
   * @param {Schedule} [schedule]
   */
  constructor(channel, host, handlers, others, schedule = (act, ms) => setTimeout(act, ms)) {
    this.channel = channel;
    this.host = host;
    this.handlers = handlers;
    this.others = others;
    this.schedule = schedule;
    queueMicrotask(() => this.open()); // the caller attaches its listeners first
  }

  /**
   * Asks for a connection; asks again when another page of the GM takes over, or a message was lost. A closed one stays
   * closed: its page may have another connection by then.
   */
  open() {
    if (this.#isClosed) return undefined;
    const host = this.host();
    if (!this.channel.isPrivate) return this.handlers.onState("refused", localize("Relay.NotPrivate"));
    if (!host) return this.handlers.onState("lost", localize("Relay.NoGm"));
    this.#isOpen = true;
    this.#asked = host;
    this.#seat = null;
    this.#askAgainLater();
    // What says whose page relays comes once, and is lost on a page that is still loading.
    for (const other of this.others()) this.channel.send(other, { relay: "where" });
    return this.channel.send(host, { relay: "open", known: this.handlers.resumePoint(), seat: this.#known });
  }

  /** A question is lost if the GM's page begins to relay, or the server is out of reach, just then. */
  #askAgainLater() {
    const question = (this.#question += 1);
    const wait = Math.min(FIRST_RETRY_MS * 2 ** this.#unanswered, MAX_RETRY_MS);
    this.#unanswered += 1;
    this.schedule(() => this.#unanswered && question === this.#question && this.open(), wait);
  }

  /** @param {any} message @param {string} sender messages of other users than the host are dropped */
  receive(message, sender) {
    if (!this.#isOpen || sender !== this.host()) return;
    if (message?.relay === "update" || message?.state === "connected") this.#unanswered = 0;
    if (message?.relay === "update") this.handlers.onUpdate(message.update);
    else if (message?.relay === "ack") this.#settle(message);
    else if (message?.relay === "seat") this.#takeSeat(message.seat);
    else if (message?.relay === "state") this.#setState(message);
  }

  /**
   * @param {string} kind
   * @param {object} body
   * @param {number | null} [base]
   * @param {string} [id]
   * @returns {Promise<Ack>}
   */
  send(kind, body, base = null, id = randomHex()) {
    const command = { relay: "command", id, kind, body, base };
    return new Promise((resolve, reject) => {
      /** @type {Waiting} */
      const waiting = { command, resolve, reject, seat: null, timer: undefined };
      this.#waiting.set(id, waiting);
      this.#pass(id, waiting);
    });
  }

  async restart() {
    this.open();
  }

  /** The GM whose page relays may be another than the one that was asked, who does not answer. */
  hostChanged() {
    const host = this.host();
    if (host && host !== this.#asked) this.open();
  }

  /** A GM has left; the page of another says when it has taken over. @param {string} user */
  hostLeft(user) {
    if (user !== this.#asked) return;
    this.#seat = null;
    this.handlers.onState("lost", localize("Relay.NoGm"));
  }

  close() {
    const host = this.host();
    if (this.#isOpen && host) this.channel.send(host, { relay: "close" });
    for (const { timer } of this.#waiting.values()) clearTimeout(timer);
    this.#waiting.clear();
    this.#isOpen = false;
    this.#isClosed = true;
  }

  /** Sends what waits for an answer. Another seat would do it a second time. @param {string} seat */
  #takeSeat(seat) {
    this.#seat = this.#known = seat;
    for (const [id, waiting] of this.#waiting)
      if (waiting.seat === null || waiting.seat === seat) this.#pass(id, waiting);
      else this.#giveUp(id);
  }

  /** Sends a command once the GM's page has a connection, and waits for its answer. @param {string} id @param {Waiting} waiting */
  #pass(id, waiting) {
    clearTimeout(waiting.timer);
    waiting.timer = setTimeout(() => this.#giveUp(id), PATIENCE_MS);
    const host = this.host();
    if (!host || this.#seat === null) return;
    waiting.seat = this.#seat;
    this.channel.send(host, waiting.command);
  }

  /** @param {string} id */
  #giveUp(id) {
    const isSent = this.#waiting.get(id)?.seat !== null;
    const sentence = localize(isSent ? "Relay.NoAnswer" : "Relay.NotSent");
    this.#settle({ id, ack: { ok: false, id, error: { code: "unavailable", sentence } } });
  }

  /** @param {{id: string, ack: Ack}} message */
  #settle({ id, ack }) {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    clearTimeout(waiting?.timer);
    if (ack.ok || !ack.error) waiting?.resolve(ack);
    else waiting?.reject(new RequestError(ack.error));
  }

  /** @param {{state: import("../../../types/page.js").ConnectionState, sentence: string}} message */
  #setState({ state, sentence }) {
    this.handlers.onState(state, state === "refused" && !sentence ? localize("Relay.Full") : sentence);
  }
}
