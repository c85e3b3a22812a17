/**
 * Keeps the state's decision map current while advice is on: for the selected token, and again whenever the table
 * changes. The first colors come before the whole map.
 */

import { RequestError } from "../table/connection.js";
import { canPlay, selectedToken } from "./store.js";

/** @import {Cell, DecisionMap, Sent} from "../../../types/contract.js" */
/** @import {TableState} from "../../../types/page.js" */
/** @import {Session} from "./session.js" */
/** @import {Store} from "./store.js" */

/** The cells of the first answer: so few that it comes at once. */
const FIRST_CELLS = 20;

/** Return whether a seat gets advice at this table. @param {TableState} state */
export function hasAdvice({ replica }) {
  if (!replica || replica.role === "spectator") return false;
  return replica.role === "gm" || replica.scene.house_rules["table.advice_for_players"] !== false;
}

export class Decisions {
  /** Identifies the map that was requested last. */
  #key = "";

  /** @param {Store} store @param {Pick<Session, "client">} session */
  constructor(store, session) {
    this.store = store;
    this.session = session;
    this.isOn = false;
    store.subscribe((state) => this.#update(state));
  }

  /** Switch advice on or off. @param {boolean} isOn */
  switch(isOn) {
    this.isOn = isOn;
    this.#update(this.store.state);
  }

  /** @param {TableState} state */
  #update(state) {
    const key = this.#keyOf(state);
    if (key === this.#key) return;
    this.#key = key;
    const isKept = key !== "" && state.decision?.token === state.selected;
    this.store.set({ decision: isKept ? state.decision : null, isDeciding: key !== "" && !isKept });
    if (key) this.#request(key, /** @type {string} */ (state.selected));
  }

  /** @param {TableState} state */
  #keyOf(state) {
    const token = selectedToken(state);
    const isAsked = this.isOn && hasAdvice(state) && token?.at && canPlay(state, token);
    return isAsked ? [state.replica?.epoch, state.replica?.seq, state.selected].join(" ") : "";
  }

  /** @param {string} key @param {string} token */
  async #request(key, token) {
    const parts = this.store.state.decision ? [null] : [FIRST_CELLS, null];
    for (const most of parts) {
      const decision = await this.ask({ token, most });
      if (key !== this.#key) return;
      this.store.set({ decision, isDeciding: false });
    }
  }

  /** Request the outlook of one place. @param {string} token @param {Cell} at */
  place(token, at) {
    return this.ask({ token, at });
  }

  /**
   * Request a decision map. A refusal is not shown: the token may be gone meanwhile.
   * @param {Sent.AskDecision} body
   * @returns {Promise<DecisionMap | null>} null if refused
   */
  async ask(body) {
    try {
      const ack = await this.session.client.send("decision.ask", body, null);
      return /** @type {DecisionMap} */ (ack.result);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      return null;
    }
  }
}
