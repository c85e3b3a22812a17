/** Areas of a gridless board as marks: a region with its border, and its label. Pure functions. */

import { LABEL_SIZE } from "./labels.js";
import { WHITE } from "./palette.js";

/** @import {Area, Cell, Mark, Style} from "../../../types/contract.js" */
/** @import {Labels} from "./labels.js" */

/**
 * Draw an area with rings or lines.
 * @param {Area} area
 * @param {Style} style
 * @param {Labels} labels
 * @returns {Mark[]} empty if the area has cells only
 */
export function regionMarks({ label, rings = [], lines = [] }, style, labels) {
  /** @type {Mark[]} */
  const marks = rings.length ? [{ kind: "region", rings, style }] : [];
  const points = lines.flatMap(segments);
  if (points.length) marks.push({ kind: "lines", points, style });
  const at = label ? labels.place(label, lines.length ? lines : rings) : null;
  if (at) marks.push({ kind: "text", at, text: label, size: LABEL_SIZE, color: WHITE, grows: true });
  return marks;
}

/** Return a pair of points for each part of a line. @param {number[]} line @returns {number[]} */
function segments(line) {
  const pairs = [];
  for (let i = 0; i + 3 < line.length; i += 2) pairs.push(line[i], line[i + 1], line[i + 2], line[i + 3]);
  return pairs;
}

/**
 * Return whether a point lies in an area with rings.
 * @param {Area} area
 * @param {Cell} point
 * @returns {boolean}
 */
export const isInRings = ({ rings = [] }, point) => rings.some((ring) => winding(ring, point) !== 0);

/** Return how often a ring goes around a point. @param {number[]} ring @param {Cell} point */
function winding(ring, [x, y]) {
  let turns = 0;
  for (let i = 0; i < ring.length; i += 2) {
    const next = (i + 2) % ring.length;
    const [x1, y1, x2, y2] = [ring[i], ring[i + 1], ring[next], ring[next + 1]];
    if (y1 <= y !== y2 <= y && x1 + ((y - y1) / (y2 - y1)) * (x2 - x1) > x) turns += y2 > y1 ? 1 : -1;
  }
  return turns;
}
