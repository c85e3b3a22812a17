/**
 * A line to a table: commands out, each acknowledged once; updates in. After a break it takes itself up
 * again, says what it has seen, and sends once more, in order and under the same ids, what had no answer.
 */

import { Pass, Refused } from "./pass.js";
import { words } from "./words.js";

/** @import {Ack, Problem, Update} from "../../types/contract.js" */
/** @import {LineState} from "../../types/page.js" */
/** @import {io as Open, Socket} from "socket.io-client" */

export { Refused };

const PAUSE_MS = 1000;

/** @type {typeof fetch} bound to its page, which a browser insists on */
const askByFetch = (...request) => fetch(...request);

/** One seat's line to one table. */
export class Connection {
  /** @type {Map<string, {command: object, settle: (ack: Ack) => void}>} */
  #waiting = new Map();
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
   * @param {() => number | null} parts.lastSeq the last entry seen; null asks for a snapshot
   * @param {(update: Update) => void} parts.onUpdate
   * @param {(state: LineState, sentence: string) => void} parts.onState
   */
  constructor({ open, url, table, key, ask = askByFetch, lastSeq, onUpdate, onState }) {
    this.onState = onState;
    this.pass = new Pass({ ask, url, table, key });
    this.lastSeq = lastSeq;
    this.#socket = open(url, {
      transports: ["websocket"],
      reconnectionDelay: 500,
      reconnectionDelayMax: 5000,
      auth: (/** @type {(auth: object) => void} */ give) => this.#present(give),
    });
    this.#socket.on("update", (/** @type {Update} */ update) => {
      if (update.kind === "hello") this.pass.keep(update.body.resume);
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
   * @returns {Promise<Ack>} rejected with Refused where the table refuses
   */
  send(kind, body, base = null) {
    const id = freshBytes();
    // The other bytes go into the dice, so that the server alone does not make them.
    const command = { v: 1, id, kind, base, body, random: freshBytes() };
    return new Promise((resolve, reject) => {
      /** @param {Ack} ack */
      const settle = (ack) => (ack.ok ? resolve(ack) : reject(new Refused(ack.error ?? noReason())));
      this.#waiting.set(id, { command, settle });
      if (this.#socket.connected && !this.#pause) this.#emit(id);
    });
  }

  /** Starts over: the caller has set its `lastSeq` to null and wants a snapshot. */
  restart() {
    this.#socket.disconnect().connect();
  }

  /** Hangs up for good. */
  close() {
    clearTimeout(this.#pause);
    this.#socket.close();
  }

  /** @param {(auth: object) => void} give */
  async #present(give) {
    try {
      const by = await this.pass.present();
      const seq = this.lastSeq();
      give(seq === null ? by : { ...by, seq });
    } catch (problem) {
      this.#socket.disconnect();
      if (problem instanceof Refused) this.onState("refused", problem.message);
      else this.#comeAgain();
    }
  }

  #comeAgain(sentence = words("Line.Unreachable"), pause = PAUSE_MS) {
    this.onState("lost", sentence);
    setTimeout(() => this.#socket.connect(), pause);
  }

  #takeUp() {
    this.onState("connected", "");
    this.#sendAgain();
  }

  #sendAgain() {
    clearTimeout(this.#pause);
    this.#pause = undefined;
    if (!this.#socket.connected) return; // it is sent when the line is taken up
    for (const id of this.#waiting.keys()) this.#emit(id);
  }

  /** @param {string} id */
  #emit(id) {
    this.#socket.emit("command", this.#waiting.get(id)?.command, (/** @type {Ack} */ ack) =>
      this.#answered(id, ack),
    );
  }

  /** @param {string} id @param {Ack} ack */
  #answered(id, ack) {
    const waiting = this.#waiting.get(id);
    if (!waiting) return; // a second answer, to a command sent again
    if (ack.error?.code === "rate-limited") return this.#waitToSend(ack.error);
    this.#waiting.delete(id);
    waiting.settle(ack);
  }

  /** Sends nothing for a while, so that the order stays, and then all that has no answer. @param {Problem} problem */
  #waitToSend({ retry_after_ms = PAUSE_MS }) {
    this.#pause ??= setTimeout(() => this.#sendAgain(), retry_after_ms);
  }

  /** @param {string} reason */
  #lost(reason) {
    if (reason === "io client disconnect") return;
    this.onState("lost", words("Line.Lost"));
    if (reason === "io server disconnect") setTimeout(() => this.#socket.connect(), PAUSE_MS);
  }

  /** @param {Error & {data?: Partial<Problem>}} error */
  #failed(error) {
    const { retryable, sentence, retry_after_ms } = error.data ?? {};
    if (this.#socket.active) this.onState("lost", words("Line.Unreachable"));
    else if (retryable) this.#comeAgain(sentence, retry_after_ms);
    else if (this.pass.isResuming)
      this.#socket.connect(); // with a ticket, where the token no longer holds
    else this.onState("refused", sentence ?? words("Line.Refused", { why: error.message }));
  }
}

/** 16 fresh bytes in hexadecimal. randomUUID is missing on pages over plain HTTP, as on a table's own network. */
export function freshBytes() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}

/** @returns {Problem} */
const noReason = () => ({ code: "internal", sentence: words("Line.NoReason") });
