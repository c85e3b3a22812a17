/** One seat at a table: keeps the state in step with the server and sends what the seat asks. */

import { RequestError } from "../table/connection.js";
import { neededLayers } from "../draw/palette.js";
import { hasChanged, isGm, canPlay, selectedToken } from "./store.js";
import { DiceContribution } from "../dice/contribution.js";
import { localize } from "../ui/i18n.js";

/** @import {Ack, Overlay, Replica, Verdict} from "../../../types/contract.js" */
/** @import {ConnectionState, Notices, OverrideOffer} from "../../../types/page.js" */
/** @import {Store} from "./store.js" */
/** @import {TableClient} from "../table/table-client.js" */

/** The codes of refusals that a game master may overrule. */
const BY_RULES = new Set(["illegal-act", "not-your-turn", "out-of-reach", "cannot-pay"]);

/** One seat, whose state follows its line to the table. */
export class Session {
  #wasLost = false;
  /** The layers that were asked for last. */
  #layers = "";

  /**
   * @param {Store} store
   * @param {Notices} notices
   * @param {TableClient} client
   */
  constructor(store, notices, client) {
    this.store = store;
    this.notices = notices;
    this.client = client;
    this.contribution = new DiceContribution(client, browserStorage());
    client.on("snapshot", (replica) => {
      this.#wasLost ||= store.state.replica !== null;
      this.#follow(replica);
    });
    client.on("entries", (_, replica) => this.#follow(replica));
    client.on("overlay", (overlay) => this.#takeOverlay(overlay));
    client.on("players", (players) => store.set({ players }));
    store.subscribe((state, before) => hasChanged(state, before, "layers") && this.#widen());
    client.on("connection", (state, sentence) => this.#lineIs(state, sentence));
  }

  /**
   * Asks the table for something; a refusal is shown as its sentence.
   * @param {string} kind
   * @param {object} body
   * @param {{onCurrent?: boolean, offer?: OverrideOffer | null}} [how] `onCurrent`: refuse it where the table has
   *   moved on meanwhile; `offer`: what is offered where the rules refuse it
   * @returns {Promise<Ack | null>} null where it was refused
   */
  async send(kind, body, { onCurrent = false, offer = null } = {}) {
    if (kind !== "overlay.show") this.notices.dismissOffers();
    try {
      return await this.client.send(kind, body, onCurrent ? (this.store.state.replica?.seq ?? null) : null);
    } catch (problem) {
      if (!(problem instanceof RequestError)) throw problem;
      this.notices.error(
        problem.message,
        isGm(this.store.state) && BY_RULES.has(problem.problem.code) ? offer : null,
      );
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
    const known = this.store.state.replica?.scene.tokens.find(({ id }) => id === token);
    // A player is shown what the own tokens can do; of others there is the card of what can be seen.
    const isShown = this.store.state.replica?.role !== "player" || !known || canPlay(this.store.state, known);
    const layers = this.#needed();
    this.#layers = String(layers);
    const ack = await this.send("overlay.show", { token: isShown ? token : null, layers });
    if (token && isShown && ack?.result)
      this.#takeOverlay(/** @type {Overlay} */ (ack.result.overlay ?? ack.result));
  }

  #needed() {
    const { replica, layers } = this.store.state;
    return replica ? neededLayers(replica.ruleset, layers) : null;
  }

  /** Asks anew where other layers are to be seen by now. */
  #widen() {
    const { selected } = this.store.state;
    if (selected && String(this.#needed()) !== this.#layers) this.#show(selected);
  }

  /**
   * What a token makes of another; null where the table does not say, which is nothing to bother people with.
   * @param {string} token
   * @param {string} target
   * @returns {Promise<Verdict | null>}
   */
  async requestVerdict(token, target) {
    try {
      const ack = await this.client.send("verdict.ask", { token, target }, null);
      return /** @type {Verdict} */ (ack.result);
    } catch (problem) {
      if (!(problem instanceof RequestError)) throw problem;
      return null;
    }
  }

  /** @param {Replica} replica */
  #follow(replica) {
    this.store.set({ replica });
    this.#letGo();
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

  /** @param {ConnectionState} line @param {string} sentence */
  #lineIs(line, sentence) {
    const before = this.store.state.connection;
    this.store.set({ connection: line, refusal: line === "refused" ? sentence : "" });
    if (line === "lost" && before !== "lost") this.notices.error(sentence);
    if (line === "lost") this.#wasLost = true;
  }

  #upAgain() {
    if (!this.#wasLost) return;
    this.#wasLost = false;
    this.notices.info(localize("Line.Again", { seq: this.store.state.replica?.seq ?? 0 }));
    this.#show(this.store.state.selected);
  }
}

/** @returns {Storage | null} what this browser keeps for its pages; null where it keeps nothing for them */
function browserStorage() {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}
