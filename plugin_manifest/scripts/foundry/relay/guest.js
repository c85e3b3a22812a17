/** A player's line to the table by way of the GM's browser, for whom the server is out of reach. */

import { RequestError, randomHex } from "../../core/table/connection.js";
import { localize } from "../../core/ui/i18n.js";

/** @import {Ack} from "../../../types/contract.js" */
/** @import {TableConnection, ConnectionHandlers} from "../../../types/page.js" */
/** @import {Post} from "./post.js" */

/** @implements {TableConnection} */
export class RelayLine {
  /** @type {Map<string, {command: object, settle: (ack: Ack) => void}>} */
  #waiting = new Map();
  #isOpen = false;

  /**
   * @param {Pick<Post, "send" | "isPrivate">} post
   * @param {() => string | null} host the user through whose page the line goes, null while nobody is there
   * @param {ConnectionHandlers} ends
   */
  constructor(post, host, ends) {
    this.post = post;
    this.host = host;
    this.ends = ends;
    queueMicrotask(() => this.open()); // not before whoever made it listens
  }

  /** Asks for the line; again when the GM's page is another. */
  open() {
    const host = this.host();
    if (!this.post.isPrivate) return this.ends.onState("refused", localize("Relay.NotPrivate"));
    if (!host) return this.ends.onState("lost", localize("Relay.NoGm"));
    this.#isOpen = true;
    this.post.send(host, { relay: "open", known: this.ends.resumePoint() });
  }

  /** @param {any} letter @param {string} sender only the host is heard */
  hear(letter, sender) {
    if (!this.#isOpen || sender !== this.host()) return;
    if (letter?.relay === "update") this.ends.onUpdate(letter.update);
    else if (letter?.relay === "ack") this.#settle(letter);
    else if (letter?.relay === "state") this.#stateIs(letter);
  }

  /**
   * @param {string} kind
   * @param {object} body
   * @param {number | null} [base]
   * @returns {Promise<Ack>}
   */
  send(kind, body, base = null) {
    const id = randomHex();
    const command = { relay: "command", id, kind, body, base };
    return new Promise((resolve, reject) => {
      const settle = (/** @type {Ack} */ ack) =>
        ack.ok || !ack.error ? resolve(ack) : reject(new RequestError(ack.error));
      this.#waiting.set(id, { command, settle });
      this.#post(command);
    });
  }

  async restart() {
    this.open();
  }

  /** The host has gone. */
  lose() {
    this.ends.onState("lost", localize("Relay.NoGm"));
  }

  close() {
    if (this.#isOpen) this.#post({ relay: "close" });
    this.#isOpen = false;
  }

  /** @param {object} letter */
  #post(letter) {
    const host = this.host();
    if (host) this.post.send(host, letter);
  }

  /** @param {{id: string, ack: Ack}} letter */
  #settle({ id, ack }) {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    waiting?.settle(ack);
  }

  /** @param {{state: import("../../../types/page.js").ConnectionState, sentence: string}} letter */
  #stateIs({ state, sentence }) {
    this.ends.onState(state, state === "refused" && !sentence ? localize("Relay.Full") : sentence);
  }
}
