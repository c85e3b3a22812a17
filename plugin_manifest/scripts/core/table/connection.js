/**
 * A line to a table: commands out, each acknowledged once; updates in. After a break it takes itself up
 * again, says what it has seen, and sends once more, in order and under the same ids, what had no answer.
 */

import { Credentials, RequestError } from "./credentials.js";
import { localize } from "../ui/i18n.js";

/** @import {Ack, Known, Problem, DesyncReason, Update} from "../../../types/contract.js" */
/** @import {ConnectionState} from "../../../types/page.js" */
/** @import {io as Open, Socket} from "socket.io-client" */

/** @typedef {{command: object, settle: (ack: Ack) => void, sent: number, again: any}} Waiting */

export { RequestError };

const PAUSE_MS = 1000;
const ANSWER_MS = 1000;
const MOST_PATIENCE_MS = 10_000;

/** @type {typeof fetch} bound to its page, which a browser insists on */
const askByFetch = (...request) => fetch(...request);

/** One seat's line to one table. */
export class Connection {
  /** @type {Map<string, Waiting>} */
  #waiting = new Map();
  /** How many commands went over this connection. */
  #count = 0;
  /** Runs while the table has been asked too much and nothing is sent. @type {any} */
  #pause;
  /** @type {Socket} */
  #socket;

  /**
   * @param {object} parts
   * @param {typeof Open} parts.open socket.io-client's `io`
   * @param {string} parts.url the server's origin
   * @param {string} parts.table
   * @param {string} parts.key
   * @param {typeof fetch} [parts.ask] how a ticket is asked for
   * @param {() => Known | null} parts.known what is known already; null asks for a snapshot
   * @param {(update: Update) => void} parts.onUpdate
   * @param {(state: ConnectionState, sentence: string) => void} parts.onState
   */
  constructor({ open, url, table, key, ask = askByFetch, known, onUpdate, onState }) {
    this.onState = onState;
    this.credentials = new Credentials({ ask, url, table, key });
    this.known = known;
    this.#socket = open(url, {
      transports: ["websocket"],
      query: { table }, // so that a server of several processes knows whose it is
      reconnectionDelay: 500,
      reconnectionDelayMax: 10_000,
      auth: (/** @type {(auth: object) => void} */ give) => this.#present(give),
    });
    this.#socket.on("update", (/** @type {Update} */ update) => {
      if (update.kind === "hello") this.credentials.keep(update.body.resume);
      else onUpdate(update);
    });
    this.#socket.on("connect", () => this.#takeUp());
    this.#socket.on("disconnect", (reason) => this.#lost(reason));
    this.#socket.on("connect_error", (error) => this.#failed(error));
  }

  /**
   * Sends a command and gives the ack when the table has done it.
   * @param {string} kind
   * @param {object} body
   * @param {number | null} [base] the entry the command was decided on
   * @returns {Promise<Ack>} rejected with RequestError where the table refuses
   */
  send(kind, body, base = null) {
    const id = randomHex();
    // The other bytes go into the dice, so that the server alone does not make them.
    const command = { v: 1, id, kind, base, body, random: randomHex() };
    return new Promise((resolve, reject) => {
      /** @param {Ack} ack */
      const settle = (ack) => (ack.ok ? resolve(ack) : reject(new RequestError(ack.error ?? noReason())));
      this.#waiting.set(id, { command, settle, sent: 0, again: undefined });
      if (this.#socket.connected && !this.#pause) this.#emit(id);
    });
  }

  /**
   * Asks for a snapshot, as the caller's copy cannot be trusted.
   * @param {DesyncReason} why
   * @returns {Promise<unknown>} settled when that is answered
   */
  restart(why) {
    return this.send("sync", { why }).catch(() => this.#reconnect());
  }

  /** Hangs up for good. */
  close() {
    clearTimeout(this.#pause);
    for (const { again } of this.#waiting.values()) clearTimeout(again);
    this.#waiting.clear();
    this.#socket.close();
  }

  /** @param {(auth: object) => void} give */
  async #present(give) {
    try {
      give({ ...(await this.credentials.present()), ...this.known() });
    } catch (problem) {
      this.#socket.disconnect();
      if (problem instanceof RequestError) this.onState("refused", problem.message);
      else this.#comeAgain();
    }
  }

  #comeAgain(sentence = localize("Line.Unreachable"), pause = PAUSE_MS) {
    this.onState("lost", sentence);
    setTimeout(() => this.#socket.connect(), pause);
  }

  #takeUp() {
    this.#count = 0;
    this.onState("connected", "");
    this.#sendAgain();
  }

  #sendAgain() {
    clearTimeout(this.#pause);
    this.#pause = undefined;
    if (!this.#socket.connected) return; // it is sent when the line is taken up
    for (const id of this.#waiting.keys()) this.#emit(id);
  }

  /** Sends what waits, and once more where it is not answered in time. @param {string} id */
  #emit(id) {
    const waiting = this.#waiting.get(id);
    if (!waiting || this.#pause || !this.#socket.connected) return; // else it is sent once that is over
    clearTimeout(waiting.again);
    waiting.again = setTimeout(() => this.#emit(id), patience(waiting.sent++));
    this.#count += 1;
    const command = { ...waiting.command, n: this.#count };
    this.#socket.emit("command", command, (/** @type {Ack} */ ack) => this.#answered(id, ack));
  }

  /** @param {string} id @param {Ack} ack */
  #answered(id, ack) {
    const waiting = this.#waiting.get(id);
    if (!waiting) return; // a second answer, to a command sent again
    if (ack.error?.code === "out-of-order") return this.#reconnect(); // where all that waits is sent again
    clearTimeout(waiting.again);
    if (ack.error?.code === "rate-limited") return this.#waitToSend(ack.error);
    this.#waiting.delete(id);
    waiting.settle(ack);
  }

  #reconnect() {
    this.#socket.disconnect().connect();
  }

  /** Sends nothing for a while, so that the order stays, and then all that has no answer. @param {Problem} problem */
  #waitToSend({ retry_after_ms = PAUSE_MS }) {
    this.#pause ??= setTimeout(() => this.#sendAgain(), retry_after_ms);
  }

  /** @param {string} reason */
  #lost(reason) {
    if (reason === "io client disconnect") return;
    this.onState("lost", localize("Line.Lost"));
    if (reason === "io server disconnect") setTimeout(() => this.#socket.connect(), PAUSE_MS);
  }

  /** @param {Error & {data?: Partial<Problem>}} error */
  #failed(error) {
    const { retryable, sentence, retry_after_ms } = error.data ?? {};
    if (this.#socket.active) this.onState("lost", localize("Line.Unreachable"));
    else if (retryable) this.#comeAgain(sentence, retry_after_ms);
    else if (this.credentials.isResuming)
      this.#socket.connect(); // with a ticket, where the token no longer holds
    else this.onState("refused", sentence ?? localize("Line.Refused", { why: error.message }));
  }
}

/**
 * How many milliseconds an answer is waited for: one second and a random part of up to ten, so that many
 * clients of a slow server do not all ask again at once.
 * @param {number} sent how often before
 */
const patience = (sent) => ANSWER_MS + Math.random() * Math.min(MOST_PATIENCE_MS, ANSWER_MS * 2 ** sent);

/** 16 fresh bytes in hexadecimal. randomUUID is missing on pages over plain HTTP, as on a table's own network. */
export function randomHex() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}

/** @returns {Problem} */
const noReason = () => ({ code: "internal", sentence: localize("Line.NoReason") });
