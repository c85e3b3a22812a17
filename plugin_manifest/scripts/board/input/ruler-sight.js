/** The sight of the selected unit along the ruler: from the place where it starts, at the place where it ends. */

import { cellAt } from "../../core/map/geometry.js";
import { RestingQuestion } from "../../core/game/resting-question.js";

/** @import {Cell, Grid} from "../../../types/contract.js" */
/** @import {BoardState} from "../../../types/page.js" */
/** @import {Session} from "../../core/game/session.js" */
/** @import {Board, Page} from "../page/page-state.js" */

/** @typedef {NonNullable<ReturnType<typeof questionOf>>} Question */

/** Keep the page's `sighting` current. @param {{board: Board, page: Page, session: Pick<Session, "requestSight">}} parts */
export function rulerSight({ board, page, session }) {
  const question = new RestingQuestion({
    ask: (/** @type {Question} */ { token, at, to }) => session.requestSight(token, at, to),
    take: (verdict) => page.set({ sighting: verdict?.sentence ?? "" }),
    drop: () => page.state.sighting && page.set({ sighting: "" }),
  });
  board.subscribe((state) => question.put(questionOf(state)));
}

/**
 * Return what a state asks of the table: null without a ruler, or without a unit that this seat knows all of.
 * @param {BoardState} state
 */
function questionOf({ replica, overlay, selected, ruler }) {
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
