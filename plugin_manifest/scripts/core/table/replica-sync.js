/** A page's copy of its table, kept in step; where it goes astray it asks for the table whole, and counts that. */

import { fromSnapshot, stateHash, withEntries } from "./replica.js";

/** @import {Entries, Known, LogEntry, Problem, Replica, DesyncReason, Update} from "../../../types/contract.js" */

export class ReplicaSync {
  /** @type {Replica | null} */
  replica = null;
  /** How often it went astray, by what was noticed. @type {Record<DesyncReason, number>} */
  desyncs = { gap: 0, hash: 0, stale: 0 };
  #isAstray = true;
  #isAsking = false;

  /** @param {(why: DesyncReason) => Promise<unknown>} startOver asks for a snapshot; settles when that is answered */
  constructor(startOver) {
    this.startOver = startOver;
  }

  /** @returns {Known | null} what is said when the line is taken up again; null asks for a snapshot */
  known() {
    if (this.#isAstray || !this.replica) return null;
    const { epoch, seq, scene } = this.replica;
    return { epoch, seq, hash: stateHash(scene) };
  }

  /** @param {Update & {kind: "snapshot"}} update @returns {Replica} */
  applySnapshot({ seq, body, epoch }) {
    this.#isAstray = this.#isAsking = false;
    this.replica = fromSnapshot(seq, body, epoch);
    return this.replica;
  }

  /**
   * @param {Update & {kind: "entries"}} update
   * @returns {LogEntry[] | null} those that were not known yet; null where it cannot follow, or need not
   */
  applyEntries({ seq, body, epoch }) {
    if (this.#isAsking) return null;
    const isLost = this.#isAstray || epoch !== this.replica?.epoch; // astray: the snapshot itself was lost
    return isLost ? this.#stray("gap") : this.#follow(body, seq);
  }

  /**
   * Takes in what a refusal as stale brings with it.
   * @param {Problem} problem
   * @returns {LogEntry[] | null}
   */
  applyMissed({ code, missing, current = 0 }) {
    if (code !== "stale-base" || this.#isAstray) return null;
    return missing ? this.#follow(missing, current) : this.#stray("stale");
  }

  /** @param {Entries} body @param {number} seq the last of them */
  #follow(body, seq) {
    const before = /** @type {Replica} */ (this.replica);
    const after = withEntries(before, body);
    if (!after || after.seq < seq) return this.#stray("gap");
    if (after.seq === seq && body.hash && body.hash !== stateHash(after.scene)) return this.#stray("hash");
    this.replica = after;
    return after.log.slice(before.log.length);
  }

  /** @param {DesyncReason} why */
  #stray(why) {
    this.#isAstray = this.#isAsking = true;
    this.desyncs[why] += 1;
    this.startOver(why).finally(() => (this.#isAsking = false)); // from then on a snapshot comes first
    return null;
  }
}
