/** The state of the board page: what the person does with the map. The table's state has a store of its own. */

import { Store } from "../../core/game/store.js";

/** @import {BoardState, PageState, TableState} from "../../../types/page.js" */

/** @typedef {Store<PageState>} Page */

/** No wall and no terrain is being drawn. @type {PageState["draft"]} */
export const NO_DRAFT = { points: [], cells: [] };

/** @type {PageState} */
const INITIAL_STATE = {
  camera: { left: 0, top: 0, scale: 1 },
  hasAutoLayers: true,
  hasReachCosts: false,
  tool: null,
  ruler: null,
  sighting: "",
  draft: NO_DRAFT,
  edited: null,
  placing: null,
  cursor: null,
  frame: null,
  picking: null,
  planning: null,
  pings: [],
  past: null,
};

/** Build the store of a page. @returns {Page} */
export const pageStore = () => new Store(INITIAL_STATE);

/** The table's store and the page's as one, to be read: for what depends on both. */
export class Board {
  /** @type {BoardState} */
  #state;

  /** @param {Store} store @param {Page} page */
  constructor(store, page) {
    this.store = store;
    this.page = page;
    this.initial = { ...store.initial, ...page.initial };
    this.#state = this.initial;
  }

  /** The state now: the same object until one of the two changes. @returns {BoardState} */
  get state() {
    const [table, page] = [this.store.state, this.page.state];
    if (table !== this.#table || page !== this.#page) this.#state = { ...table, ...page };
    [this.#table, this.#page] = [table, page];
    return this.#state;
  }

  /** The states that `#state` was made of. @type {TableState | null} */
  #table = null;
  /** @type {PageState | null} */
  #page = null;

  /**
   * Add a subscriber, which is called for the changes of each store.
   * @param {(state: BoardState, before: BoardState) => void} subscriber
   */
  subscribe(subscriber) {
    this.store.subscribe((_, before) => subscriber(this.state, { ...this.state, ...before }));
    this.page.subscribe((_, before) => subscriber(this.state, { ...this.state, ...before }));
  }
}
