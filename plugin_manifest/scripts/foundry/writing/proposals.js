/** Writes that wait for the GM's word, the later of two for the same thing replacing the earlier. */

import { thing } from "./plan.js";

/** @import {Write} from "./plan.js" */

/** The writes that were proposed and not yet decided. */
export class Proposals {
  /** @type {Write[]} */
  list = [];
  /** @type {(() => void)[]} */
  #watchers = [];

  /** @param {{agreed: (writes: Write[]) => void, declined: (writes: Write[]) => void}} decided called with what was decided */
  constructor(decided) {
    this.decided = decided;
  }

  /** @param {() => void} watcher called after every change of the list */
  watch(watcher) {
    this.#watchers.push(watcher);
  }

  /** @param {Write[]} writes */
  add(writes) {
    const newer = new Set(writes.map(thing));
    this.#set([...this.list.filter((write) => !newer.has(thing(write))), ...writes]);
  }

  /** @param {Write[]} writes of the list */
  agree(writes) {
    const agreed = new Set(writes);
    this.#set(this.list.filter((write) => !agreed.has(write)));
    this.decided.agreed([...agreed]);
  }

  discard() {
    const declined = this.list;
    this.#set([]);
    this.decided.declined(declined);
  }

  /** @param {Write[]} list */
  #set(list) {
    this.list = list;
    for (const watcher of this.#watchers) watcher();
  }
}
