/** The part of the plane that is painted: the board and a margin around it, in which the map fades out. */

import { CELL, boardSize } from "../../core/map/geometry.js";

/** @import {Grid} from "../../../types/contract.js" */
/** @import {Box} from "./pen.js" */

/** The painted ground reaches so far beyond the board, in cells; inches are smaller on the screen. */
const [MARGIN, INCH_MARGIN] = [9, 18];

/** @param {Pick<Grid, "kind">} grid @returns {number} in cells */
export const marginOf = ({ kind }) => (kind === "gridless" ? INCH_MARGIN : MARGIN);

/** @param {Grid} grid @returns {Box} */
export function paintedBox(grid) {
  const [width, height] = boardSize(grid);
  const margin = marginOf(grid);
  return { left: -margin, top: -margin, right: width / CELL + margin, bottom: height / CELL + margin };
}
