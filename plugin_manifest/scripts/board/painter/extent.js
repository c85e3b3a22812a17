/** The part of the plane that is painted: the board and a margin around it, in which the map fades out. */

import { CELL, boardSize } from "../../core/draw/geometry.js";

/** @import {Grid} from "../../../types/contract.js" */
/** @import {Box} from "./pen.js" */

/** The painted ground reaches so far beyond the board, in cells. */
export const MARGIN = 5;

/** @param {Grid} grid @returns {Box} */
export function paintedBox(grid) {
  const [width, height] = boardSize(grid);
  return { left: -MARGIN, top: -MARGIN, right: width / CELL + MARGIN, bottom: height / CELL + MARGIN };
}
