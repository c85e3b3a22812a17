/**
 * One list of questions for all pages of a GM's browser: the page that is the bridge asks, and any page answers, such as
 * the window of an extension whose bridge is a hidden page.
 */

import { writeTarget } from "./writes.js";

/** @import {PendingWrites} from "./pending-writes.js" */
/** @import {Write} from "./writes.js" */

/** @typedef {{list?: Write[], isWanted?: boolean, accepted?: string[], isDeclined?: boolean}} Message */

/** A page's part of the list. */
export class SharedPending {
  /**
   * @param {string} table
   * @param {PendingWrites} pending this page's list
   * @param {() => boolean} isBridge whether this page asks
   */
  constructor(table, pending, isBridge) {
    this.channel = new BroadcastChannel(`enfilade.pending.${table}`);
    this.channel.onmessage = ({ data }) => (isBridge() ? this.#answer(data) : this.#show(data));
    this.pending = pending;
    pending.subscribe(() => isBridge() && this.#post({ list: pending.list }));
    this.#post({ isWanted: true });
  }

  /** Has the bridge's page write. @param {Write[]} writes */
  accept(writes) {
    this.#post({ accepted: writes.map(writeTarget) });
  }

  /** Has the bridge's page discard all. */
  decline() {
    this.#post({ isDeclined: true });
  }

  close() {
    this.channel.close();
  }

  /** @param {Message} message */
  #post(message) {
    this.channel.postMessage(structuredClone(message));
  }

  /** @param {Message} message */
  #answer({ isWanted, accepted, isDeclined }) {
    const { pending } = this;
    if (isWanted) this.#post({ list: pending.list });
    if (isDeclined) pending.declineAll();
    if (accepted) pending.accept(pending.list.filter((write) => accepted.includes(writeTarget(write))));
  }

  /** @param {Message} message */
  #show({ list }) {
    if (list) this.pending.replace(list);
  }
}
