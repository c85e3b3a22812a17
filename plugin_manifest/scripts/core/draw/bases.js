/** Round bases on a gridless board: their size, and the place at which a dragged base touches another. */

import { CELL } from "../map/geometry.js";

/** @import {Cell, Scene, Token} from "../../../types/contract.js" */

/** A base within an eighth of an inch of another, or less than half onto it, goes into contact. */
const SNAP = CELL / 8;

/** Return the radius of a token's base, an inch across for each unit of size. @param {Pick<Token, "size">} token */
export const baseRadius = ({ size }) => (Math.min(...size) * CELL) / 2;

/**
 * Return the place of a dragged base: in contact with the base that it nearly touches or overlaps, else as it is.
 * @param {Pick<Scene, "grid" | "tokens">} scene
 * @param {Token} token
 * @param {Cell} at its center, in 64ths of an inch
 * @returns {Cell}
 */
export function placeOfBase({ grid, tokens }, token, at) {
  if (grid.kind !== "gridless") return at;
  const radius = baseRadius(token);
  const gaps = tokens
    .filter((other) => other.at && other.id !== token.id)
    .map((other) => ({ other, touch: radius + baseRadius(other), apart: distance(at, other) }))
    .filter(({ touch, apart }) => apart < touch + SNAP && apart > touch / 2)
    .sort((a, b) => a.apart - a.touch - (b.apart - b.touch));
  if (!gaps.length) return at;
  const { other, touch } = gaps[0];
  return contactPlace(/** @type {Cell} */ (other.at), at, touch);
}

/**
 * Return the whole place nearest to contact that does not overlap.
 * @param {Cell} center of the other base
 * @param {Cell} at
 * @param {number} touch the distance of the centers in contact
 * @returns {Cell}
 */
function contactPlace([x, y], at, touch) {
  const apart = Math.hypot(at[0] - x, at[1] - y);
  for (let far = touch; ; far += 0.25) {
    const place = /** @type {Cell} */ ([
      Math.round(x + ((at[0] - x) * far) / apart),
      Math.round(y + ((at[1] - y) * far) / apart),
    ]);
    if (Math.hypot(place[0] - x, place[1] - y) >= touch) return place;
  }
}

/** @param {Cell} at @param {Pick<Token, "at">} other */
const distance = ([x, y], { at }) => (at ? Math.hypot(at[0] - x, at[1] - y) : Infinity);
