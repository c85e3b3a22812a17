/**
 * A socket connection to a table. Each command is sent until it is acknowledged. After a disconnect the client
 * reconnects, states the last entry it has, and sends its unacknowledged commands again: same order, same ids.
 */

import { localize } from "../ui/i18n.js";
import { Credentials, RequestError } from "./credentials.js";
import { partsOf } from "./parts.js";
import { watchWakeUp } from "./wake-up.js";

/** @import {Ack, DesyncReason, Problem, ResumePoint, Update} from "../../../types/contract.js" */
/** @import {ConnectionState} from "../../../types/page.js" */
/** @import {io as Open, Socket} from "socket.io-client" */
/** @import {Ticket} from "./credentials.js" */

/**
 * A command without an answer; `parts` if it is larger than a message.
 * @typedef {{kind: string, command: object, parts: string[] | null, settle: (ack: Ack) => void, attempts: number, timer: any}} Pending
 */

export { RequestError };

const RETRY_MS = 1000;
/** The longest pause between two attempts to connect: a page is back so soon after an outage of any length. */
const RECONNECT_MS = 4000;
const ACK_TIMEOUT_MS = 1000;
/** The time to open a connection: a process of a cluster that does not answer must not hold a client up. */
const CONNECT_TIMEOUT_MS = 4000;
/** A command sent so often without an answer, and nothing heard for so long: the client connects anew. */
const SILENT_ATTEMPTS = 2;
const SILENT_MS = 2000;
const MAX_ACK_TIMEOUT_MS = 10_000;
/** Questions whose answer takes long to work out: sent again early, they would make a busy server work them out again. */
const QUESTION = /\.ask$|^act\.preview$/;
const QUESTION_PATIENCE = 5;
/** A server that works out an answer says nothing else meanwhile: it is left only after so long. */
const SILENT_WHILE_ASKED_MS = SILENT_MS * QUESTION_PATIENCE;
/** The time that a server may need for a large command after its last part. */
const WORK_MS = 30_000;

/** One seat's connection to one table. */
export class Connection {
  /** The commands without an answer, by id, in order. @type {Map<string, Pending>} */
  #pending = new Map();
  /** The number of commands sent since the last connect. */
  #count = 0;
  /** Set while the server's rate limit forbids sending. @type {any} */
  #pause;
  /** The time of the last message from the server, in ms. */
  #heard = 0;
  #isClosed = false;
  /** The failed connections in a row. */
  #failures = 0;
  /** The request of a ticket that is under way. @type {Promise<void> | null} */
  #preparing = null;
  /** True if the next connection closes the seat's other ones. */
  #closesOthers = false;
  /** The ID by which the server closes this connection's last one, which may have ended without a word. */
  #page = randomHex();
  /** Ends the watch for the computer's wake-up. */
  #unwatch;
  /** @type {Socket} */
  #socket;

  /**
   * @param {object} options
   * @param {typeof Open} options.open socket.io-client's `io`
   * @param {string} options.url the server's origin
   * @param {string} options.table
   * @param {string} options.key
   * @param {typeof fetch} [options.fetcher] requests the ticket
   * @param {Ticket | null} [options.ticket] for the first connection, if there is one already
   * @param {() => ResumePoint | null} options.resumePoint returns the last entry that the replica has; null requests a snapshot
   * @param {(update: Update) => void} options.onUpdate
   * @param {(state: ConnectionState, sentence: string) => void} options.onState
   * @param {() => void} [options.onAsked] the table has been asked for its state, and works on the answer
   * @param {typeof watchWakeUp} [options.watch] calls back when the page comes back
   */
  constructor({
    open,
    url,
    table,
    key,
    fetcher = (...request) => fetch(...request),
    ticket = null,
    resumePoint,
    onUpdate,
    onState,
    onAsked = () => {},
    watch = watchWakeUp,
  }) {
    this.onState = onState;
    this.onAsked = onAsked;
    this.#unwatch = watch(() => this.#check());
    this.resumePoint = resumePoint;
    this.credentials = new Credentials({ fetcher, url, table, key, ticket });
    this.#socket = open(url, {
      transports: ["websocket"],
      query: this.#query(this.credentials.process),
      timeout: CONNECT_TIMEOUT_MS,
      reconnectionDelay: 500,
      reconnectionDelayMax: RECONNECT_MS,
      auth: (/** @type {(auth: object) => void} */ send) => this.#authenticate(send),
    });
    this.#socket.on("update", (/** @type {Update} */ update) => {
      this.#heard = Date.now();
      if (update.kind !== "hello") onUpdate(update);
    });
    this.#socket.on("connect", () => {
      this.#count = 0;
      this.#failures = 0;
      this.#heard = Date.now();
      this.onState("connected", "");
      this.#sendPending();
    });
    this.#socket.on("disconnect", (reason) => this.#handleDisconnect(reason));
    this.#socket.on("connect_error", (error) => this.#handleConnectError(error));
  }

  /**
   * Send a command.
   * @param {string} kind
   * @param {object} body
   * @param {number | null} [base] the entry that the command was decided on
   * @param {string} [id] of a command that may have been sent before: it is done once
   * @returns {Promise<Ack>} rejected with RequestError if the table refuses it
   */
  send(kind, body, base = null, id = randomHex()) {
    // `random` goes into the dice, so that the server alone cannot determine them.
    const command = { v: 1, id, kind, base, body, random: randomHex() };
    return new Promise((resolve, reject) => {
      /** @param {Ack} ack */
      const settle = (ack) => (ack.ok ? resolve(ack) : reject(new RequestError(ack.error ?? noReason())));
      this.#pending.set(id, {
        kind,
        command,
        parts: partsOf(command),
        settle,
        attempts: 0,
        timer: undefined,
      });
      this.#emit(id);
    });
  }

  /**
   * Request a snapshot, because the replica has lost sync.
   * @param {DesyncReason} why
   * @returns {Promise<unknown>} settled when the table has answered
   */
  restart(why) {
    return this.send("sync", { why }).catch(() => this.#reconnect());
  }

  /** Close the connection and drop all pending commands. */
  close() {
    this.#isClosed = true;
    this.#unwatch();
    clearTimeout(this.#pause);
    for (const { timer } of this.#pending.values()) clearTimeout(timer);
    this.#pending.clear();
    this.#socket.close();
  }

  /** Close the seat's other connections, which leave no room for this one, and connect. */
  closeOthers() {
    this.#closesOthers = true;
    this.#reconnect();
  }

  /** Ask the server at once whether this connection still stands: by a new one, which states the last entry. */
  #check() {
    if (!this.#isClosed && Date.now() - this.#heard >= SILENT_MS) this.#reconnect();
  }

  /** @param {(auth: object) => void} send */
  async #authenticate(send) {
    try {
      const credentials = await this.credentials.next();
      const closes = this.#closesOthers ? { close_others: true } : {};
      this.#closesOthers = false;
      send({ ...credentials, page: this.#page, ...closes, ...this.resumePoint() });
      this.onAsked();
    } catch (error) {
      this.#socket.disconnect();
      if (error instanceof RequestError) this.onState("refused", error.message);
      else this.#retryConnect();
    }
  }

  /** Try again meanwhile: one of the seat's other pages may close. @param {string} [sentence] @param {number} [delay] */
  #waitForRoom(sentence = "", delay = RETRY_MS) {
    this.onState("full", sentence);
    setTimeout(() => !this.#isClosed && !this.#socket.connected && this.#socket.connect(), delay);
  }

  #retryConnect(sentence = localize("Connection.Unreachable"), delay = RETRY_MS) {
    this.onState("lost", sentence);
    setTimeout(() => !this.#isClosed && this.#socket.connect(), delay);
  }

  #sendPending() {
    clearTimeout(this.#pause);
    this.#pause = undefined;
    for (const id of this.#pending.keys()) this.#emit(id);
  }

  /**
   * Send a pending command, and again if its ack does not arrive in time. While offline or paused it does
   * nothing: all pending commands are sent afterwards.
   * @param {string} id
   */
  #emit(id) {
    const pending = this.#pending.get(id);
    if (!pending || this.#pause || !this.#socket.connected) return;
    clearTimeout(pending.timer);
    if (pending.attempts >= SILENT_ATTEMPTS && this.#isSilent()) return this.#leaveSilentServer();
    const patience = QUESTION.test(pending.kind) ? QUESTION_PATIENCE : 1;
    pending.timer = setTimeout(() => this.#emit(id), patience * ackTimeout(pending.attempts++));
    if (pending.attempts === SILENT_ATTEMPTS) this.#watchSilence(id);
    if (pending.parts) return this.#emitPart(id, pending.parts, 0);
    this.#count += 1;
    const command = { ...pending.command, n: this.#count };
    this.#socket.emit("command", command, (/** @type {Ack} */ ack) => this.#handleAck(id, ack));
  }

  /**
   * Send a part of a command, and the next once it has arrived. A later attempt begins with the first part again.
   * @param {string} id
   * @param {string[]} parts
   * @param {number} part
   */
  #emitPart(id, parts, part) {
    const pending = this.#pending.get(id);
    const attempt = pending?.attempts;
    this.#count += 1;
    const message = { v: 1, id, n: this.#count, part, parts: parts.length, text: parts[part] };
    this.#socket.emit("part", message, (/** @type {Ack} */ ack) => {
      if (!ack.ok || part + 1 === parts.length) return this.#handleAck(id, ack);
      this.#heard = Date.now();
      if (!pending || this.#pending.get(id) !== pending || pending.attempts !== attempt) return;
      clearTimeout(pending.timer);
      const wait = part + 2 === parts.length ? WORK_MS : QUESTION_PATIENCE * ackTimeout(1);
      pending.timer = setTimeout(() => this.#emit(id), wait);
      this.#emitPart(id, parts, part + 1);
    });
  }

  #isSilent() {
    return Date.now() - this.#heard >= this.#longestSilence();
  }

  /** Return how long the server may say nothing. To leave it while it works on a question would have it begin anew. */
  #longestSilence() {
    const asked = [...this.#pending.values()].some(
      ({ kind, attempts }) => attempts > 0 && QUESTION.test(kind),
    );
    return asked ? SILENT_WHILE_ASKED_MS : SILENT_MS;
  }

  /**
   * Leave the server once it has been silent for so long: the next attempt is due much later. Ask for a ticket before
   * that. By this request a proxy notices a silent process, and another one answers.
   * @param {string} id
   */
  #watchSilence(id) {
    this.#prepare();
    const wait = Math.max(0, this.#heard + this.#longestSilence() - Date.now());
    setTimeout(() => {
      const isWaiting = (this.#pending.get(id)?.attempts ?? 0) >= SILENT_ATTEMPTS && this.#socket.connected;
      if (isWaiting && !this.#pause && this.#isSilent()) this.#leaveSilentServer();
    }, wait);
  }

  /** Connect anew, and first let the proxy notice: the server's process may be stopped, or its machine gone. */
  #leaveSilentServer() {
    for (const pending of this.#pending.values()) pending.attempts = 0;
    this.#socket.disconnect();
    this.onState("lost", localize("Connection.Lost"));
    this.#prepare(SILENT_MS).then(() => {
      this.#setRoute(this.credentials.process);
      if (!this.#isClosed) this.#socket.connect();
    });
  }

  /**
   * Request a ticket, once at a time; a failure shows in the next attempt to connect.
   * @param {number} [longestAge] the age in ms up to which the last ticket is kept
   */
  #prepare(longestAge) {
    this.#preparing ??= this.credentials
      .prepare(longestAge)
      .catch(() => {})
      .finally(() => (this.#preparing = null));
    return this.#preparing;
  }

  /** @param {string} id @param {Ack} ack */
  #handleAck(id, ack) {
    this.#heard = Date.now();
    const pending = this.#pending.get(id);
    if (!pending) return; // a second ack, to a command that was sent twice
    // Sends all pending commands again.
    if (["out-of-order", "other-process"].includes(ack.error?.code ?? "")) return this.#reconnect();
    clearTimeout(pending.timer);
    if (ack.error?.code === "rate-limited") return this.#pauseSending(ack.error);
    this.#pending.delete(id);
    pending.settle(ack);
  }

  /** @param {string} [process] names the process of a cluster that the proxy shall choose for the next connections */
  #setRoute(process) {
    this.#socket.io.opts.query = this.#query(process);
  }

  /** Return the part of the address by which a proxy routes the connection. @param {string} [process] */
  #query(process) {
    const { table } = this.credentials;
    return process ? { table, process } : { table };
  }

  #reconnect() {
    this.#socket.disconnect().connect();
  }

  /** Hold back all commands for a while, so that their order stays. @param {Problem} problem */
  #pauseSending({ retry_after_ms = RETRY_MS }) {
    this.#pause ??= setTimeout(() => this.#sendPending(), retry_after_ms);
  }

  /** @param {string} reason */
  #handleDisconnect(reason) {
    if (reason === "io client disconnect") return;
    if (reason === "ping timeout") return this.#leaveSilentServer();
    this.onState("lost", localize("Connection.Lost"));
    if (reason === "io server disconnect")
      setTimeout(() => !this.#isClosed && this.#socket.connect(), RETRY_MS);
  }

  /** @param {Error & {data?: Partial<Problem>}} error */
  #handleConnectError(error) {
    const { code, retryable, sentence, process, retry_after_ms: delay } = error.data ?? {};
    this.#setRoute(process);
    this.#failures += 1;
    if (code === "other-process") {
      this.#socket.disconnect(); // else the next attempt uses the same connection, to the same process
      this.#retryConnect(sentence, process && this.#failures === 1 ? 0 : delay);
    } else if (this.#socket.active) {
      this.onState("lost", localize("Connection.Unreachable"));
      this.#prepare();
    } else if (code === "seat-full") this.#waitForRoom(sentence, delay);
    else if (retryable) this.#retryConnect(sentence, delay);
    else this.onState("refused", sentence ?? localize("Connection.Refused", { why: error.message }));
  }
}

/**
 * Return how long to wait for an ack, in ms. The random part spreads the retries of many clients of a slow
 * server.
 * @param {number} attempts earlier ones
 */
const ackTimeout = (attempts) =>
  ACK_TIMEOUT_MS + Math.random() * Math.min(MAX_ACK_TIMEOUT_MS, ACK_TIMEOUT_MS * 2 ** attempts);

/**
 * Return 16 random bytes in hexadecimal. Browsers deny randomUUID to pages over plain HTTP, as on a local
 * network.
 */
export function randomHex() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}

/** @returns {Problem} */
const noReason = () => ({ code: "internal", sentence: localize("Connection.NoReason") });
