/** One seat at a table: keeps the state in step with the server and sends what the seat asks. */

import { Refused } from "./pass.js";
import { fromSnapshot, withEntries } from "./replica.js";
import { selectedToken } from "./store.js";
import { words } from "./words.js";

/** @import {Ack, Entries, LogEntry, Overlay, Update} from "../../types/contract.js" */
/** @import {Line, LineEnds, LineState, Link, Notices, Remedy} from "../../types/page.js" */
/** @import {Store} from "./store.js" */

/** The codes of refusals that a game master may overrule. */
const BY_RULES = new Set(["illegal-act", "not-your-turn", "out-of-reach", "cannot-pay"]);

/** One seat; entries that arrive are handed to `onEntries` after they are folded in. */
export class Session {
  /** The last entry told to the server when the line is taken up; null asks for a snapshot. */
  #isBehind = true;
  #wasLost = false;

  /**
   * @param {Store} store
   * @param {Notices} notices
   * @param {(ends: LineEnds) => Line} open begins the line to the table
   * @param {Link} link where the table is; for a line through another browser its key is empty
   */
  constructor(store, notices, open, link) {
    this.link = link;
    this.store = store;
    this.notices = notices;
    /** @type {(entries: LogEntry[]) => void} */
    this.onEntries = () => {};
    this.line = open({
      lastSeq: () => (this.#isBehind ? null : (store.state.replica?.seq ?? null)),
      onUpdate: (update) => this.#take(update),
      onState: (state, sentence) => this.#lineIs(state, sentence),
    });
  }

  /**
   * Asks the table for something; a refusal is shown as its sentence.
   * @param {string} kind
   * @param {object} body
   * @param {{onCurrent?: boolean, remedy?: Remedy | null}} [how] `onCurrent`: refuse it where the table has
   *   moved on meanwhile; `remedy`: what is offered where the rules refuse it
   * @returns {Promise<Ack | null>} null where it was refused
   */
  async ask(kind, body, { onCurrent = false, remedy = null } = {}) {
    if (kind !== "overlay.show") this.notices.withdraw();
    try {
      return await this.line.send(kind, body, onCurrent ? (this.store.state.replica?.seq ?? null) : null);
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      this.notices.problem(problem.message, BY_RULES.has(problem.problem.code) ? remedy : null);
      return null;
    }
  }

  /**
   * Selects a token and asks for its overlay; null selects none.
   * @param {string | null} token
   */
  async select(token) {
    if (token === this.store.state.selected) return;
    this.store.set({ selected: token, overlay: null, target: null });
    await this.#show(token);
  }

  /** @param {string | null} token */
  async #show(token) {
    const ack = await this.ask("overlay.show", { token, layers: null });
    if (token && ack?.result) this.#takeOverlay(/** @type {Overlay} */ (ack.result.overlay ?? ack.result));
  }

  /** @param {Update} update */
  #take(update) {
    if (update.kind === "snapshot") {
      this.#isBehind = false;
      this.store.set({ replica: fromSnapshot(update.seq, update.body) });
      this.#letGo();
      this.#upAgain();
    } else if (update.kind === "entries") this.#takeEntries(update.body);
    else if (update.kind === "players") this.store.set({ players: update.body });
    else if (update.kind === "overlay") this.#takeOverlay(update.body);
  }

  /** @param {Entries} body */
  #takeEntries(body) {
    const { replica } = this.store.state;
    if (!replica) return;
    const next = withEntries(replica, body);
    if (next === null) return this.#startOver();
    this.store.set({ replica: next });
    this.#letGo();
    this.onEntries(next.log.slice(replica.log.length));
    this.#upAgain();
  }

  /** Lets go of a token that has left the scene, and of its overlay. */
  #letGo() {
    const { selected } = this.store.state;
    if (selected && !selectedToken(this.store.state)) this.select(null);
  }

  /** @param {Overlay} overlay */
  #takeOverlay(overlay) {
    if (overlay.token === this.store.state.selected) this.store.set({ overlay });
  }

  #startOver() {
    this.#isBehind = true;
    this.#wasLost = true;
    this.line.restart();
  }

  /** @param {LineState} line @param {string} sentence */
  #lineIs(line, sentence) {
    const before = this.store.state.line;
    this.store.set({ line, refusal: line === "refused" ? sentence : "" });
    if (line === "lost" && before !== "lost") this.notices.problem(sentence);
    if (line === "lost") this.#wasLost = true;
  }

  #upAgain() {
    if (!this.#wasLost) return;
    this.#wasLost = false;
    this.notices.say(words("Line.Again", { seq: this.store.state.replica?.seq ?? 0 }));
    this.#show(this.store.state.selected);
  }
}
