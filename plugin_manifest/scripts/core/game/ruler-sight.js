/** The sight of the selected unit along the ruler: from the place where it starts, at the place where it ends. */

import { cellAt } from "../draw/geometry.js";

/** @import {Cell, Grid} from "../../../types/contract.js" */
/** @import {PageState} from "../../../types/page.js" */
/** @import {Session} from "./session.js" */
/** @import {Store} from "./store.js" */

/** The ruler must rest for this time before the table is asked. */
const REST_MS = 150;

/** Keeps the state's `sighting` current. */
export class RulerSight {
  #key = "";
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {Store} store @param {Pick<Session, "requestSight">} session */
  constructor(store, session) {
    this.store = store;
    this.session = session;
    store.subscribe((state) => this.#update(state));
  }

  /** @param {PageState} state */
  #update(state) {
    const asked = question(state);
    const key = asked ? JSON.stringify(asked) : "";
    if (key === this.#key) return;
    this.#key = key;
    clearTimeout(this.#timer);
    if (state.sighting) this.store.set({ sighting: "" });
    if (asked) this.#timer = setTimeout(() => this.#ask(key, asked), REST_MS);
  }

  /** @param {string} key @param {{token: string, at: Cell, to: Cell}} asked */
  async #ask(key, asked) {
    const verdict = await this.session.requestSight(asked.token, asked.at, asked.to);
    if (key === this.#key) this.store.set({ sighting: verdict?.sentence ?? "" });
  }
}

/**
 * Return what a state asks of the table: null without a ruler, or without a unit that this seat knows all of.
 * @param {PageState} state
 */
function question({ replica, overlay, selected, ruler }) {
  if (!replica || !ruler || !selected || overlay?.token !== selected) return null;
  const { grid } = replica.scene;
  const [at, to] = ruler.map((point) => placeOf(grid, point));
  if (!at || !to || String(at) === String(to)) return null;
  return { epoch: replica.epoch, seq: replica.seq, token: selected, at, to };
}

/** @param {Grid} grid @param {Cell} point on the plane @returns {Cell | null} */
function placeOf(grid, [x, y]) {
  const isGridless = grid.kind === "gridless";
  const [column, row] = isGridless ? [Math.round(x), Math.round(y)] : cellAt(grid, [x, y]);
  const [columns, rows] = isGridless ? [grid.columns * 64, grid.rows * 64] : [grid.columns, grid.rows];
  return column >= 0 && row >= 0 && column < columns && row < rows ? [column, row] : null;
}
