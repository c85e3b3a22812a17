/**
 * The size of drawn tokens. Seen from afar a token grows beyond its base, so that its portrait can be told and
 * touched; the base stays a thin ring.
 */

import { CELL } from "../map/geometry.js";

/** @import {Grid, Token} from "../../../types/contract.js" */

/** The least diameter of a drawn token on the screen, in pixels. */
export const LEAST_PX = 40;
/** A token of one cell has this radius, in cells, before it grows. */
const RADIUS = 0.43;
/** The greatest radius of the shape on a token with a footprint, in cells. */
const MAX_RADIUS = 0.8;
/** A token grows so far at most: on cells it must leave its neighbors to be seen, between bases there is room. */
const MOST = { cells: 1.45, gridless: 2.2 };
/** Growth changes in steps, so that not every step of the wheel paints all tokens again. */
const STEP = 0.1;

/** Beyond this growth tokens that touch hide each other's rims. */
const CROWDED = 1.5;

let growth = 1;

/**
 * Return the growth of tokens at a zoom.
 * @param {Pick<Grid, "kind">} grid
 * @param {number} scale pixels for each 64th of a cell
 */
export function growthAt({ kind }, scale) {
  const wanted = LEAST_PX / (2 * RADIUS * CELL * scale);
  const most = kind === "gridless" ? MOST.gridless : MOST.cells;
  return Math.min(most, Math.max(1, Math.ceil(wanted / STEP - 1e-6) * STEP));
}

/** Let all tokens be drawn so many times larger. @param {number} wanted @returns {boolean} whether that is another size */
export function setTokenGrowth(wanted) {
  const isOther = Math.abs(wanted - growth) > 1e-6;
  growth = wanted;
  return isOther;
}

/** Return whether tokens are drawn so large that rings around them would hide their neighbors. */
export const areTokensCrowded = () => growth > CROWDED;

/** Return the radius of a token's shape as it is drawn, in 64ths. @param {Pick<Token, "size" | "body">} token */
export function tokenRadius({ size, body }) {
  if (body) return CELL * Math.min(MAX_RADIUS, 0.3 * Math.sqrt(body.cells.length));
  const least = Math.min(...size);
  return CELL * (RADIUS * least + 0.05 * (least - 1)) * (least === 1 ? growth : Math.min(growth, 1.2));
}
