/** Writes into the tabletop that wait for the GM's decision. */

import { writeTarget } from "./writes.js";

/** @import {Write} from "./writes.js" */

/** The list of one seat. */
export class PendingWrites {
  /** @type {Write[]} */
  list = [];
  /** @type {(() => void)[]} */
  #listeners = [];

  /** @param {{onAccept: (writes: Write[]) => void, onDecline: (writes: Write[]) => void}} decisions */
  constructor(decisions) {
    this.decisions = decisions;
  }

  /** @param {() => void} listener called after every change of the list */
  subscribe(listener) {
    this.#listeners.push(listener);
  }

  /** Adds writes; each replaces an earlier one to the same target. @param {Write[]} writes */
  add(writes) {
    const newer = new Set(writes.map(writeTarget));
    this.#set([...this.list.filter((write) => !newer.has(writeTarget(write))), ...writes]);
  }

  /** Takes over the list of the page that asks. @param {Write[]} list */
  replace(list) {
    this.#set(list);
  }

  /** Takes out what needs no decision any more. @param {(write: Write) => boolean} isMoot */
  withdraw(isMoot) {
    const left = this.list.filter((write) => !isMoot(write));
    if (left.length < this.list.length) this.#set(left);
  }

  /** @param {Write[]} writes of the list */
  accept(writes) {
    const accepted = new Set(writes);
    this.#set(this.list.filter((write) => !accepted.has(write)));
    this.decisions.onAccept([...accepted]);
  }

  declineAll() {
    const declined = this.list;
    this.#set([]);
    this.decisions.onDecline(declined);
  }

  /** @param {Write[]} list */
  #set(list) {
    this.list = list;
    for (const listener of this.#listeners) listener();
  }
}
