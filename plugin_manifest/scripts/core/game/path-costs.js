/** The costs of paths through waypoints, as the table's rules judge them: requested once each, and kept while they hold. */

/** @import {Cell, PathCost} from "../../../types/contract.js" */
/** @import {Session} from "./session.js" */
/** @import {Store} from "./store.js" */

/**
 * The cost of the way to a waypoint: from the one before it, and from the start. Null where no path leads.
 * @typedef {{leg: number | null, total: number | null, budget: number, isAllowed: boolean}} LegCost
 */

/** The table takes so many waypoints of one path. */
const MAX_PATH = 16;
/** The pointer moves on meanwhile: the next request is that of its last place. */
const [FIRST_WAIT_MS, KEPT_LEGS] = [30, 512];

/** Answers at once with what it knows, and asks the table for the rest. */
export class PathCosts {
  /** The costs of legs by the path to their end. @type {Map<string, LegCost>} */
  #legs = new Map();
  #known = "";
  /** The path that waits for its request. @type {{token: string, path: Cell[], key: string} | null} */
  #next = null;
  #isAsking = false;
  /** Paths that the table has refused to judge. @type {Set<string>} */
  #refused = new Set();

  /**
   * @param {Store} store
   * @param {Pick<Session, "requestPath">} session
   * @param {() => void} onAnswer called when a cost has arrived
   */
  constructor(store, session, onAnswer) {
    this.store = store;
    this.session = session;
    this.onAnswer = onAnswer;
  }

  /**
   * Return the costs of all legs of a path, null for those that the table has yet to tell.
   * @param {string} token
   * @param {Cell[]} path without the token's own place
   * @returns {(LegCost | null)[]}
   */
  legs(token, path) {
    const { replica } = this.store.state;
    const place = `${replica?.epoch} ${replica?.seq}`;
    if (place !== this.#known || this.#legs.size > KEPT_LEGS) {
      this.#legs.clear();
      this.#refused.clear();
      this.#known = place;
    }
    const found = path.map((_, i) => this.#legs.get(pathKey(token, path.slice(0, i + 1))) ?? null);
    if (path.length && path.length <= MAX_PATH && found.includes(null)) this.#request(token, path);
    return found;
  }

  /** @param {string} token @param {Cell[]} path */
  #request(token, path) {
    const key = pathKey(token, path);
    if (this.#refused.has(key)) return;
    this.#next = { token, path, key };
    if (this.#isAsking) return;
    this.#isAsking = true;
    setTimeout(() => this.#ask(), FIRST_WAIT_MS);
  }

  async #ask() {
    const asked = this.#next;
    this.#next = null;
    if (asked) {
      const answer = await this.session.requestPath(asked.token, asked.path);
      if (answer) this.#take(asked.token, asked.path, answer);
      else this.#refused.add(asked.key);
    }
    this.#isAsking = false;
    this.#askForNext();
    if (asked) this.onAnswer();
  }

  /** Asks for the path that was asked for meanwhile. */
  #askForNext() {
    if (this.#next) this.#request(this.#next.token, this.#next.path);
  }

  /** @param {string} token @param {Cell[]} path @param {PathCost} answer */
  #take(token, path, { costs, ruling }) {
    let total = /** @type {number | null} */ (0);
    costs.forEach((leg, i) => {
      total = leg === null || total === null ? null : total + leg;
      const isAllowed = i < costs.length - 1 ? total !== null && total <= ruling.budget : ruling.allowed;
      const cost = { leg, total, budget: ruling.budget, isAllowed };
      this.#legs.set(pathKey(token, path.slice(0, i + 1)), cost);
    });
  }
}

/** @param {string} token @param {Cell[]} path */
const pathKey = (token, path) => `${token} ${path.join(";")}`;
