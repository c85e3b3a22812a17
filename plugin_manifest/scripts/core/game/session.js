/** One seat at a table: keeps the store current and sends the seat's commands. */

import { neededLayers } from "./layers.js";
import { RequestError } from "../table/credentials.js";
import { localize } from "../ui/i18n.js";
import { Receipts } from "./receipts.js";
import { canPlay, hasChanged, isGm, selectedToken } from "./store.js";

/** @import {Ack, Act, Cell, DrawnArea, Matchups, Overlay, PathCost, Replica, Sent, Target, Verdict} from "../../../types/contract.js" */
/** @import {ConnectionState, Notices, OverrideOffer} from "../../../types/page.js" */
/** @import {TableClient} from "../table/table-client.js" */
/** @import {Store} from "./store.js" */

/** The error codes that the GM may override. */
const OVERRIDABLE = new Set(["illegal-act", "not-your-turn", "out-of-reach", "cannot-pay"]);

export class Session {
  #wasLost = false;
  /** The layers requested last. */
  #layers = "";
  /** The newest selection. @type {Promise<void>} */
  #selecting = Promise.resolve();
  /** Those who wait for an entry. @type {{seq: number, resolve: () => void}[]} */
  #awaited = [];

  /**
   * @param {Store} store
   * @param {Notices} notices
   * @param {TableClient} client
   */
  constructor(store, notices, client) {
    this.store = store;
    this.notices = notices;
    this.client = client;
    this.receipts = new Receipts(client.link, browserStorage());
    client.on("snapshot", (replica) => {
      this.#wasLost ||= store.state.replica !== null;
      this.#takeReplica(replica);
      this.#settle(Infinity); // a table that was restored has other entries
    });
    client.on("entries", (_, replica) => {
      this.#takeReplica(replica);
      this.#settle(replica.seq);
    });
    client.on("overlay", (overlay) => this.#takeOverlay(overlay));
    client.on("players", (players) => store.set({ players }));
    client.on("connection", (state, sentence) => this.#setConnection(state, sentence));
    store.subscribe((state, before) => hasChanged(state, before, "layers") && this.#requestNewLayers());
  }

  /**
   * Send a command. A refusal is shown as a notice.
   * @template {keyof Sent.Commands} K
   * @param {K} kind
   * @param {Sent.Commands[K]} body
   * @param {{onCurrent?: boolean, offer?: OverrideOffer | null}} [options] `onCurrent`: the table refuses the command
   *   if it has moved on; `offer`: lets the GM override if the rules refuse it
   * @returns {Promise<Ack | null>} null if refused
   */
  async send(kind, body, { onCurrent = false, offer = null } = {}) {
    if (kind !== "overlay.show") this.notices.dismissOffers();
    try {
      return await this.client.send(kind, body, onCurrent ? (this.store.state.replica?.seq ?? null) : null);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      const canOverride = isGm(this.store.state) && OVERRIDABLE.has(error.problem.code);
      this.notices.error(error.message, canOverride ? offer : null);
      return null;
    }
  }

  /**
   * Wait until the replica has an entry, which can come after the answer to its command.
   * @param {number} seq
   * @returns {Promise<void>}
   */
  async reaches(seq) {
    const { replica } = this.store.state;
    if (!replica || replica.seq < seq)
      await new Promise((resolve) => this.#awaited.push({ seq, resolve: () => resolve(null) }));
  }

  /** @param {number} seq */
  #settle(seq) {
    const there = this.#awaited.filter((one) => one.seq <= seq);
    this.#awaited = this.#awaited.filter((one) => one.seq > seq);
    for (const one of there) one.resolve();
  }

  /**
   * Select a token and request its overlay; null clears the selection.
   * @param {string | null} token
   */
  async select(token) {
    if (token === this.store.state.selected) return;
    this.store.set({ selected: token, overlay: null, isOverlayDue: token !== null, target: null });
    this.#selecting = this.#requestOverlay(token);
    await this.#selecting;
  }

  /** Wait until the table has answered what the selected token can do, or refused to. @returns {Promise<void>} */
  get knowsOverlay() {
    return this.#selecting;
  }

  /** @param {string | null} id */
  async #requestOverlay(id) {
    const { replica } = this.store.state;
    const token = replica?.scene.tokens.find((other) => other.id === id);
    // Players get overlays of their own tokens only; of others they see the card.
    const isAllowed = replica?.role !== "player" || !token || canPlay(this.store.state, token);
    const layers = this.#neededLayers();
    this.#layers = String(layers);
    const ack = await this.send("overlay.show", { token: isAllowed ? id : null, layers });
    if (id && isAllowed && ack?.result)
      this.#takeOverlay(/** @type {Overlay} */ (ack.result.overlay ?? ack.result));
    if (id === this.store.state.selected) this.store.set({ isOverlayDue: false });
  }

  #neededLayers() {
    const { replica, layers } = this.store.state;
    return replica ? neededLayers(replica.ruleset, layers) : null;
  }

  #requestNewLayers() {
    const { selected } = this.store.state;
    const known = this.#layers.split(",");
    // An overlay with more layers than are shown serves as well, so that layers may come and go without requests.
    if (selected && !this.#neededLayers()?.every((key) => known.includes(key)))
      this.#requestOverlay(selected);
  }

  /**
   * Request the verdict of one token on another. A refusal is not shown, because hovering is no command.
   * @param {string} token
   * @param {string} target
   * @returns {Promise<Verdict | null>} null if refused
   */
  async requestVerdict(token, target) {
    try {
      const ack = await this.client.send("verdict.ask", { token, target }, null);
      return /** @type {Verdict} */ (ack.result);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      return null;
    }
  }

  /**
   * Request the preview of an act. A refusal is not shown, because aiming is no command.
   * @param {Act} act
   * @returns {Promise<Target | null>} null if the table refuses the question
   */
  async requestPreview(act) {
    try {
      const ack = await this.client.send("act.preview", { act }, null);
      return /** @type {Target} */ (ack.result);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      return null;
    }
  }

  /**
   * Request what a token would see from one place at another. A refusal is not shown, because measuring is no command.
   * @param {string} token
   * @param {Cell} at
   * @param {Cell} to
   * @returns {Promise<Verdict | null>} null if refused
   */
  async requestSight(token, at, to) {
    try {
      const ack = await this.client.send("verdict.ask", { token, at, to }, null);
      return /** @type {Verdict} */ (ack.result);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      return null;
    }
  }

  /**
   * Request who is in an area that is being placed. A refusal is not shown, because placing is no command.
   * @param {number[]} outline x, y, x, y, ... in 64ths of a cell
   * @param {[number, number]} origin
   * @returns {Promise<DrawnArea | null>} null if refused
   */
  async requestArea(outline, origin) {
    try {
      const ack = await this.client.send("area.ask", { outline, origin }, null);
      return /** @type {DrawnArea} */ (ack.result);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      return null;
    }
  }

  /**
   * Request what a path through waypoints costs. A refusal is not shown, because dragging is no command.
   * @param {string} token
   * @param {Cell[]} path
   * @returns {Promise<PathCost | null>} null if refused
   */
  async requestPath(token, path) {
    try {
      const ack = await this.client.send("path.ask", { token, path }, null);
      return /** @type {PathCost} */ (ack.result);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      return null;
    }
  }

  /** The number of the newest question about odds, and the one under way. @type {{newest: number, now: Promise<unknown>}} */
  #matchups = { newest: 0, now: Promise.resolve() };

  /**
   * Request the odds of answers to open choices. One question is under way at a time, and of those that wait only the
   * newest is asked. A refusal is not shown: the question may have closed meanwhile.
   * @param {Record<string, string>} answers by the ID of their choice
   * @returns {Promise<Matchups | null>} null if refused, or if a newer question came
   */
  async requestMatchups(answers) {
    const number = (this.#matchups.newest += 1);
    await this.#matchups.now;
    if (number !== this.#matchups.newest) return null;
    const asked = this.client.send("matchup.ask", { answers }, null);
    this.#matchups.now = asked.catch(() => {});
    try {
      return /** @type {Matchups} */ ((await asked).result);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      return null;
    }
  }

  /** @param {Replica} replica */
  #takeReplica(replica) {
    this.store.set({ replica });
    if (this.store.state.selected && !selectedToken(this.store.state)) this.select(null);
    if (!this.#wasLost) return;
    this.#wasLost = false;
    this.notices.info(localize("Connection.Restored", { seq: replica.seq }));
    this.#requestOverlay(this.store.state.selected);
  }

  /** @param {Overlay} overlay */
  #takeOverlay(overlay) {
    if (overlay.token === this.store.state.selected) this.store.set({ overlay });
  }

  /** @param {ConnectionState} connection @param {string} sentence */
  #setConnection(connection, sentence) {
    const before = this.store.state.connection;
    this.store.set({
      connection,
      refusal: connection === "refused" || connection === "full" ? sentence : "",
    });
    if (connection === "lost" && before !== "lost") this.notices.error(sentence);
    if (connection === "lost") this.#wasLost = true;
  }
}

/** Return the browser's storage; null if the browser denies it to this page. @returns {Storage | null} */
function browserStorage() {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}
