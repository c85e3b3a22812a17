/**
 * Post between two pages, to one user alone and in order: by the recipients that Foundry 13 and later know, sealed
 * in 12. Every letter is numbered, so that one that was kept and sent again is passed over.
 */

import { randomHex } from "../../core/table/connection.js";
import { Sealer, canSeal } from "./sealed.js";

/** @import {Seal, Sealed} from "./sealed.js" */

/**
 * What goes over the module's channel.
 * @typedef {{to: string, key?: JsonWebKey, page?: string, n?: number, letter?: any, sealed?: Sealed}} Envelope
 */

/**
 * What the post needs of the page.
 * @typedef {object} Carrier
 * @property {string} me this user's id
 * @property {boolean} isAlone whether the channel reaches one user alone
 * @property {(envelope: Envelope) => void} emit
 */

/** @typedef {{seal: Promise<Seal>, key: string}} Known */

/** Sends and receives letters. */
export class Post {
  /** @type {Map<string, Known>} the seals shared with others, by user */
  #seals = new Map();
  /** @type {Map<string, any[]>} what waits for a seal */
  #unsent = new Map();
  /** @type {Map<string, number>} */
  #sent = new Map();
  /** @type {Map<string, number>} */
  #got = new Map();
  /** @type {Map<string, string>} the page that a user's letters came from last */
  #pages = new Map();
  #page = randomHex();
  #last = Promise.resolve();
  #sealer = canSeal() ? new Sealer() : null;

  /**
   * @param {Carrier} carrier
   * @param {(letter: any, sender: string) => void} onLetter
   * @param {(sender: string) => void} [onGap] called when a letter shows that one before it was lost
   */
  constructor(carrier, onLetter, onGap = () => {}) {
    this.carrier = carrier;
    this.onLetter = onLetter;
    this.onGap = onGap;
  }

  /** @returns {boolean} whether a letter can be kept from others here */
  get isPrivate() {
    return this.carrier.isAlone || this.#sealer !== null;
  }

  /**
   * Sends a letter to a user; the first to somebody whose key is not known yet waits for it.
   * @param {string} to
   * @param {any} letter
   */
  send(to, letter) {
    if (this.carrier.isAlone) return this.carrier.emit({ to, page: this.#page, n: this.#next(to), letter });
    if (this.#seals.has(to)) return this.#inTurn(() => this.#sendSealed(to, letter));
    this.#unsent.set(to, [...(this.#unsent.get(to) ?? []), letter]);
    return this.#inTurn(() => this.#showKey(to));
  }

  /**
   * Takes what came over the channel.
   * @param {Envelope} envelope
   * @param {string} sender as Foundry says, which alone is believed
   */
  hear(envelope, sender) {
    if (envelope?.to !== this.carrier.me || sender === this.carrier.me) return;
    this.#inTurn(() => this.#take(envelope, sender));
  }

  /** @param {string} user who begins anew: another page of theirs, with another key */
  forget(user) {
    for (const map of [this.#seals, this.#got, this.#sent, this.#unsent]) map.delete(user);
  }

  /** @param {() => unknown} act */
  #inTurn(act) {
    this.#last = this.#last.then(act).then(
      () => {},
      (problem) => console.warn(problem),
    );
  }

  /** @param {string} to */
  #next(to) {
    const n = (this.#sent.get(to) ?? 0) + 1;
    this.#sent.set(to, n);
    return n;
  }

  /** @param {string} to */
  async #showKey(to) {
    if (this.#sealer) this.carrier.emit({ to, key: await this.#sealer.publicKey() });
  }

  /** @param {string} to @param {any} letter */
  async #sendSealed(to, letter) {
    const seal = await this.#seals.get(to)?.seal;
    const sealed = await seal?.close({ n: this.#next(to), letter }, `${this.carrier.me} to ${to}`);
    if (sealed) this.carrier.emit({ to, sealed });
  }

  /** @param {Envelope} envelope @param {string} sender */
  async #take({ key, page, n, letter, sealed }, sender) {
    if (key) return this.#meet(sender, key);
    if (sealed) {
      const seal = await this.#seals.get(sender)?.seal;
      const inside = /** @type {any} */ (await seal?.open(sealed, `${sender} to ${this.carrier.me}`));
      return this.#deliver(inside, sender);
    }
    if (!this.carrier.isAlone) return;
    if (page !== this.#pages.get(sender)) this.#got.delete(sender); // another page of theirs counts anew
    this.#pages.set(sender, page ?? "");
    this.#deliver({ n: n ?? 0, letter }, sender);
  }

  /** @param {{n: number, letter: any} | undefined} inside @param {string} sender */
  #deliver(inside, sender) {
    const last = this.#got.get(sender) ?? 0;
    if (!inside || !(inside.n > last)) return;
    this.#got.set(sender, inside.n);
    this.onLetter(inside.letter, sender);
    if (last > 0 && inside.n > last + 1) this.onGap(sender);
  }

  /** @param {string} user @param {JsonWebKey} key shown by a user; another than before is another page of theirs */
  async #meet(user, key) {
    if (!this.#sealer) return;
    const said = `${key.x} ${key.y}`;
    const isKnown = this.#seals.get(user)?.key === said;
    if (!isKnown) {
      this.#got.delete(user);
      this.#seals.set(user, { key: said, seal: this.#sealer.with(key) });
      await this.#showKey(user);
    }
    const waiting = this.#unsent.get(user) ?? [];
    this.#unsent.delete(user);
    for (const letter of waiting) await this.#sendSealed(user, letter);
  }
}
