/** A connection to a branch of a table: over HTTP, because a branch has few clients and is stored nowhere. */

import { randomHex } from "./connection.js";
import { RequestError } from "./credentials.js";
import { UNREACHABLE, readTable } from "./reading.js";

/** @import {Ack} from "../../../types/contract.js" */
/** @import {Overlay, Update} from "../../../types/contract.js" */
/** @import {ConnectionHandlers, Link} from "../../../types/page.js" */

/** A page that only watches asks for news this often. */
const POLL_MS = 1500;

/** One page's connection to one branch. */
export class BranchConnection {
  /** The number of the last entry that the page has; null for nothing. @type {number | null} */
  #last = null;
  /** The last question for the overlay of the selected token; null if none is selected. @type {object | null} */
  #shown = null;
  /** Updates are asked for one after another, so that they come in order. @type {Promise<void>} */
  #turn = Promise.resolve();
  #isClosed = false;
  /** Breaks off the request that is under way when the connection closes. */
  #breaks = new AbortController();

  /**
   * @param {Link} link the table's, with the key of the seat
   * @param {string} branch
   * @param {ConnectionHandlers} handlers
   */
  constructor(link, branch, { onUpdate, onState }) {
    this.link = link;
    this.path = `branches/${encodeURIComponent(branch)}`;
    this.onUpdate = onUpdate;
    this.onState = onState;
    this.#poll();
  }

  /**
   * @param {string} kind
   * @param {object} body
   * @param {number | null} [base]
   * @returns {Promise<Ack>} rejected with RequestError if the branch refuses it
   */
  async send(kind, body, base = null) {
    const command = { v: 1, id: randomHex(), kind, base, body };
    if (kind === "overlay.show") this.#shown = /** @type {{token?: unknown}} */ (body).token ? body : null;
    const ack = await readTable(this.link, `${this.path}/commands`, { method: "POST", body: command });
    await this.#update();
    return ack;
  }

  /** Request a snapshot. */
  async restart() {
    this.#last = null;
    await this.#update();
  }

  close() {
    this.#isClosed = true;
    this.#breaks.abort();
  }

  async #poll() {
    while (!this.#isClosed) {
      await this.#update();
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  #update() {
    this.#turn = this.#turn.then(() => this.#ask());
    return this.#turn;
  }

  async #ask() {
    if (this.#isClosed) return;
    try {
      const after = this.#last === null ? "" : `?after=${this.#last}`;
      const update = await readTable(this.link, `${this.path}/update${after}`, {
        signal: this.#breaks.signal,
      });
      const isMoved = this.#last !== null && this.#last !== update.seq;
      this.#last = update.seq;
      this.onState("connected", "");
      this.onUpdate(update);
      if (isMoved) this.#renewOverlay(update);
    } catch (error) {
      if (this.#isClosed) return;
      const isRefused = error instanceof RequestError && error.problem.code !== UNREACHABLE;
      if (isRefused) this.close();
      this.onState(isRefused ? "refused" : "lost", String(/** @type {any} */ (error).message));
    }
  }

  /** Ask for the overlay of the selected token again after new entries. A table sends it by itself. @param {Update} update */
  async #renewOverlay(update) {
    const shown = this.#shown;
    if (!shown) return;
    try {
      const body = { v: 1, id: randomHex(), kind: "overlay.show", base: null, body: shown };
      const ack = await readTable(this.link, `${this.path}/commands`, { method: "POST", body });
      /** @type {Overlay | null} */
      const overlay = ack.result.overlay;
      if (overlay && !this.#isClosed && shown === this.#shown)
        this.onUpdate({ ...update, kind: "overlay", body: overlay });
    } catch (error) {
      if (!(error instanceof RequestError)) throw error; // the token has gone: the page drops it too
    }
  }
}
