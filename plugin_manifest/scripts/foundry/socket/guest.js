/** A player's connection through the GM's page, for players whose browsers do not reach the server. */

import { RequestError, randomHex } from "../../core/table/connection.js";
import { localize } from "../../core/ui/i18n.js";

/** @import {Ack} from "../../../types/contract.js" */
/** @import {TableConnection, ConnectionHandlers} from "../../../types/page.js" */
/** @import {Channel} from "./channel.js" */

/** @implements {TableConnection} */
export class RelayGuest {
  /** @type {Map<string, {command: object, settle: (ack: Ack) => void}>} */
  #waiting = new Map();
  #isOpen = false;

  /**
   * @param {Pick<Channel, "send" | "isPrivate">} channel
   * @param {() => string | null} host the GM whose page relays; null if no GM is connected
   * @param {ConnectionHandlers} handlers
   */
  constructor(channel, host, handlers) {
    this.channel = channel;
    this.host = host;
    this.handlers = handlers;
    queueMicrotask(() => this.open()); // the caller attaches its listeners first
  }

  /** Asks for a connection; asks again when another page of the GM takes over, or a message was lost. */
  open() {
    const host = this.host();
    if (!this.channel.isPrivate) return this.handlers.onState("refused", localize("Relay.NotPrivate"));
    if (!host) return this.handlers.onState("lost", localize("Relay.NoGm"));
    this.#isOpen = true;
    this.channel.send(host, { relay: "open", known: this.handlers.resumePoint() });
  }

  /** @param {any} message @param {string} sender messages of other users than the host are dropped */
  receive(message, sender) {
    if (!this.#isOpen || sender !== this.host()) return;
    if (message?.relay === "update") this.handlers.onUpdate(message.update);
    else if (message?.relay === "ack") this.#settle(message);
    else if (message?.relay === "state") this.#setState(message);
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
      this.#sendToHost(command);
    });
  }

  async restart() {
    this.open();
  }

  /** The GM has left. */
  hostLeft() {
    this.handlers.onState("lost", localize("Relay.NoGm"));
  }

  close() {
    if (this.#isOpen) this.#sendToHost({ relay: "close" });
    this.#isOpen = false;
  }

  /** @param {object} message */
  #sendToHost(message) {
    const host = this.host();
    if (host) this.channel.send(host, message);
  }

  /** @param {{id: string, ack: Ack}} message */
  #settle({ id, ack }) {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    waiting?.settle(ack);
  }

  /** @param {{state: import("../../../types/page.js").ConnectionState, sentence: string}} message */
  #setState({ state, sentence }) {
    this.handlers.onState(state, state === "refused" && !sentence ? localize("Relay.Full") : sentence);
  }
}
