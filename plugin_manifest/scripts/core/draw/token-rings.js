/** Rings around tokens: chosen, now, may act, hidden. Pure functions. */

import { tokenCenter } from "../map/geometry.js";
import { INK, IVORY } from "./palette.js";
import { tokenRadius } from "./token-size.js";

/** @import {Cell, Grid, Mark, Style, Token} from "../../../types/contract.js" */

/**
 * Draw a ring of dashes over a dark one.
 * @param {Cell} at
 * @param {number} radius
 * @param {number} color
 * @param {number} width
 * @param {number} [count] of the dashes
 * @returns {Mark[]}
 */
function dashedRing([x, y], radius, color, width, count = 14) {
  const points = Array.from({ length: count }, (_, i) => i).flatMap((i) =>
    [0, 1, 2].flatMap((k) =>
      [k, k + 1].flatMap((part) => {
        const angle = ((i + (part * 0.62) / 3) / count) * 2 * Math.PI;
        return [x + Math.cos(angle) * radius, y + Math.sin(angle) * radius];
      }),
    ),
  );
  return [
    { kind: "lines", points, style: { color: INK, line: 0.75, width: width + 3 } },
    { kind: "lines", points, style: { color, line: 1, width } },
  ];
}

/** Draw a dashed frame around a token that only the GM sees. @param {Cell} at @param {number} radius @returns {Mark[]} */
export const hiddenRing = (at, radius) => dashedRing(at, radius + 4, HIDDEN, 4);

/** The color of all that only the GM sees. */
const HIDDEN = 0xcdaaf5;

/** Build a circle. @param {Cell} at @param {number} radius @param {Style} style @returns {Mark} */
export const circle = (at, radius, style) => ({ kind: "circle", at, radius, style });

/** Draw a ring with a dark casing. @param {Grid} grid @param {Token} token @param {number} color @param {number} width @returns {Mark[]} */
export function ringMark(grid, token, color, width) {
  const at = tokenCenter(grid, token, token.at ?? [0, 0]);
  return [
    {
      kind: "circle",
      at,
      radius: tokenRadius(token) + 7,
      style: { color: INK, line: 0.8, width: width + 4 },
    },
    { kind: "circle", at, radius: tokenRadius(token) + 7, style: { color, line: 1, width } },
  ];
}

/** Draw the ring of the token whose turn it is: the color of the next step, which nothing else has. @param {Grid} grid @param {Token} token @returns {Mark[]} */
export function activeMarks(grid, token) {
  const at = tokenCenter(grid, token, token.at ?? [0, 0]);
  const radius = tokenRadius(token) + 6;
  return [
    circle(at, radius + 1, { color: IVORY, fill: 0.22 }),
    circle(at, radius, { color: INK, line: 0.85, width: 8 }),
    circle(at, radius, { color: IVORY, line: 1, width: 4.5 }),
    circle(at, radius + 6, { color: IVORY, line: 0.45, width: 2 }),
  ];
}

/** Draw a dashed ring around a token that may act next. @param {Grid} grid @param {Token} token @returns {Mark[]} */
export const readyMarks = (grid, token) =>
  dashedRing(tokenCenter(grid, token, token.at ?? [0, 0]), tokenRadius(token) + 6, IVORY, 2.5, 18);
