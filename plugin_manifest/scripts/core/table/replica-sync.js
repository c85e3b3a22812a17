/**
 * Keeps a page's replica in sync with its table. After a desync it requests a snapshot, and counts the desync.
 */

import { fromSnapshot, stateHash, withEntries } from "./replica.js";

/** @import {DesyncReason, Entries, LogEntry, Problem, Replica, ResumePoint, Update} from "../../../types/contract.js" */

export class ReplicaSync {
  /** @type {Replica | null} */
  replica = null;
  /** The number of desyncs that each check has found. @type {Record<DesyncReason, number>} */
  desyncs = { gap: 0, hash: 0, stale: 0 };
  /** True if only a snapshot can restore the replica. */
  #isDesynced = true;
  /** True while a requested snapshot is pending. */
  #isRestarting = false;

  /**
   * @param {(why: DesyncReason) => Promise<unknown>} restart requests a snapshot; settled when that is answered
   */
  constructor(restart) {
    this.restart = restart;
  }

  /**
   * Return the last entry that the replica has, for a reconnect.
   * @returns {ResumePoint | null} null requests a snapshot
   */
  resumePoint() {
    if (this.#isDesynced || !this.replica) return null;
    const { epoch, seq, scene } = this.replica;
    return { epoch, seq, hash: stateHash(scene) };
  }

  /** @param {Update & {kind: "snapshot"}} update @returns {Replica} */
  applySnapshot({ seq, body, epoch }) {
    this.#isDesynced = this.#isRestarting = false;
    this.replica = fromSnapshot(seq, body, epoch);
    return this.replica;
  }

  /**
   * Apply an update of entries.
   * @param {Update & {kind: "entries"}} update
   * @returns {LogEntry[] | null} the new ones; null if they cannot be applied, or a snapshot is on its way
   */
  applyEntries({ seq, body, epoch }) {
    if (this.#isRestarting) return null;
    const isLost = this.#isDesynced || epoch !== this.replica?.epoch; // desynced here: the snapshot itself was lost
    return isLost ? this.#desync("gap") : this.#apply(body, seq);
  }

  /**
   * Apply the missed entries that come with the refusal of a stale command.
   * @param {Problem} problem
   * @returns {LogEntry[] | null}
   */
  applyMissed({ code, missing, current = 0 }) {
    if (code !== "stale-base" || this.#isDesynced) return null;
    return missing ? this.#apply(missing, current) : this.#desync("stale");
  }

  /** @param {Entries} body @param {number} seq of its last entry */
  #apply(body, seq) {
    const before = /** @type {Replica} */ (this.replica);
    const after = withEntries(before, body);
    if (!after || after.seq < seq) return this.#desync("gap");
    if (after.seq === seq && body.hash && body.hash !== stateHash(after.scene)) return this.#desync("hash");
    this.replica = after;
    return after.log.slice(after.log.length - (after.seq - before.seq));
  }

  /** @param {DesyncReason} why */
  #desync(why) {
    this.#isDesynced = this.#isRestarting = true;
    this.desyncs[why] += 1;
    this.restart(why).finally(() => (this.#isRestarting = false)); // the snapshot precedes the answer
    return null;
  }
}
