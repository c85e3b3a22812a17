/**
 * Private messages between two pages, in order: addressed by Foundry 13 and later, encrypted in 12. Messages are
 * numbered, so that a replayed one is dropped and a lost one is noticed.
 */

import { randomHex } from "../../core/table/connection.js";
import { KeyPair, canEncrypt } from "./encryption.js";

/** @import {Encrypted, SharedKey} from "./encryption.js" */

/**
 * A message over the module's socket.
 * @typedef {{to: string, key?: JsonWebKey, page?: string, n?: number, message?: any, encrypted?: Encrypted}} Envelope
 */

/**
 * @typedef {object} Transport
 * @property {string} me this user's ID
 * @property {boolean} hasRecipients whether a message can go to one user alone
 * @property {(envelope: Envelope) => void} emit
 */

/** @typedef {{sharedKey: Promise<SharedKey>, publicKey: string}} Peer */

/** Sends messages to users and receives theirs. */
export class Channel {
  /** @type {Map<string, Peer>} */
  #peers = new Map();
  /** @type {Map<string, any[]>} messages that wait for a user's public key */
  #unsent = new Map();
  /** @type {Map<string, number>} the last number sent to each user */
  #sent = new Map();
  /** @type {Map<string, number>} the last number received from each user */
  #received = new Map();
  /** @type {Map<string, string>} the page that each user's messages come from */
  #pages = new Map();
  #page = randomHex();
  #last = Promise.resolve();
  #keyPair = canEncrypt() ? new KeyPair() : null;

  /**
   * @param {Transport} transport
   * @param {(message: any, sender: string) => void} onMessage
   * @param {(sender: string) => void} [onGap] called after a message whose predecessor was lost
   */
  constructor(transport, onMessage, onGap = () => {}) {
    this.transport = transport;
    this.onMessage = onMessage;
    this.onGap = onGap;
  }

  /** @returns {boolean} whether messages stay private on this page */
  get isPrivate() {
    return this.transport.hasRecipients || this.#keyPair !== null;
  }

  /**
   * Sends a message; in 12 the first one waits for the user's public key.
   * @param {string} to
   * @param {any} message
   */
  send(to, message) {
    if (this.transport.hasRecipients)
      return this.transport.emit({ to, page: this.#page, n: this.#nextNumber(to), message });
    if (this.#peers.has(to)) return this.#enqueue(() => this.#sendEncrypted(to, message));
    this.#unsent.set(to, [...(this.#unsent.get(to) ?? []), message]);
    return this.#enqueue(() => this.#sendPublicKey(to));
  }

  /**
   * Takes what came over the socket.
   * @param {Envelope} envelope
   * @param {string} sender as Foundry says; nothing else is trusted
   */
  receive(envelope, sender) {
    if (envelope?.to !== this.transport.me || sender === this.transport.me) return;
    this.#enqueue(() => this.#open(envelope, sender));
  }

  /** Forgets a user who left; their next page has another key. @param {string} user */
  forget(user) {
    for (const map of [this.#peers, this.#received, this.#sent, this.#unsent]) map.delete(user);
  }

  /** Returns a promise that settles when all messages so far are processed. */
  idle() {
    return this.#last;
  }

  /** Encryption is asynchronous: this keeps the messages in order. @param {() => unknown} step */
  #enqueue(step) {
    this.#last = this.#last.then(step).then(
      () => {},
      (problem) => console.warn(problem),
    );
  }

  /** @param {string} to */
  #nextNumber(to) {
    const n = (this.#sent.get(to) ?? 0) + 1;
    this.#sent.set(to, n);
    return n;
  }

  /** @param {string} to */
  async #sendPublicKey(to) {
    if (this.#keyPair) this.transport.emit({ to, key: await this.#keyPair.publicKey() });
  }

  /** @param {string} to @param {any} message */
  async #sendEncrypted(to, message) {
    const sharedKey = await this.#peers.get(to)?.sharedKey;
    const numbered = { n: this.#nextNumber(to), message };
    const encrypted = await sharedKey?.encrypt(numbered, `${this.transport.me} to ${to}`);
    if (encrypted) this.transport.emit({ to, encrypted });
  }

  /** @param {Envelope} envelope @param {string} sender */
  async #open({ key, page, n, message, encrypted }, sender) {
    if (key) return this.#addPeer(sender, key);
    if (encrypted) {
      const sharedKey = await this.#peers.get(sender)?.sharedKey;
      const direction = `${sender} to ${this.transport.me}`;
      return this.#deliver(/** @type {any} */ (await sharedKey?.decrypt(encrypted, direction)), sender);
    }
    if (!this.transport.hasRecipients) return;
    if (page !== this.#pages.get(sender)) this.#received.delete(sender); // a new page counts from 1
    this.#pages.set(sender, page ?? "");
    this.#deliver({ n: n ?? 0, message }, sender);
  }

  /** @param {{n: number, message: any} | undefined} numbered @param {string} sender */
  #deliver(numbered, sender) {
    const last = this.#received.get(sender) ?? 0;
    if (!numbered || !(numbered.n > last)) return;
    this.#received.set(sender, numbered.n);
    this.onMessage(numbered.message, sender);
    if (last > 0 && numbered.n > last + 1) this.onGap(sender);
  }

  /** @param {string} user @param {JsonWebKey} key another than before belongs to a new page of theirs */
  async #addPeer(user, key) {
    if (!this.#keyPair) return;
    const publicKey = `${key.x} ${key.y}`;
    if (this.#peers.get(user)?.publicKey !== publicKey) {
      this.#received.delete(user);
      this.#peers.set(user, { publicKey, sharedKey: this.#keyPair.sharedKey(key) });
      await this.#sendPublicKey(user);
    }
    const waiting = this.#unsent.get(user) ?? [];
    this.#unsent.delete(user);
    for (const message of waiting) await this.#sendEncrypted(user, message);
  }
}
