/** Who is locked with whom: a heavy bar from rim to rim, barred across its middle. Pure. */

import { middle } from "./geometry.js";
import { radius } from "./draw-tokens.js";
import { CHALK, INK, layerStyle } from "./palette.js";

/** @import {Cell, Engagement, Mark, Scene, Token} from "../../types/contract.js" */

/** How far a bar goes under each of its tokens, and how wide its cross-bar is to either side. */
const UNDER = 12;
const ACROSS = 11;

/**
 * The bars between engaged tokens; none where one of the two is not on the board any more.
 * @param {Pick<Scene, "grid" | "tokens">} scene
 * @param {Engagement[]} engagements
 * @returns {Mark[]}
 */
export function engagementMarks({ grid, tokens }, engagements) {
  const known = new Map(tokens.map((token) => [token.id, token]));
  const bars = engagements.flatMap(({ tokens: [a, b] }) => bar(grid, known.get(a), known.get(b)));
  if (!bars.length) return [];
  const { colour, line, width = 5 } = layerStyle("engagement");
  return [
    { kind: "lines", points: bars, style: { colour: INK, line: 0.9, width: width + 6 } },
    { kind: "lines", points: bars, style: { colour: CHALK, line: 0.9, width: width + 3 } },
    { kind: "lines", points: bars, style: { colour, line, width } },
  ];
}

/** @param {Scene["grid"]} grid @param {Token | undefined} a @param {Token | undefined} b @returns {number[]} */
function bar(grid, a, b) {
  if (!a?.at || !b?.at) return [];
  const [from, to] = [middle(grid, a, a.at), middle(grid, b, b.at)];
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
  const way = /** @type {Cell} */ ([(to[0] - from[0]) / length, (to[1] - from[1]) / length]);
  const start = along(from, way, Math.min(radius(a) - UNDER, length / 3));
  const end = along(to, way, -Math.min(radius(b) - UNDER, length / 3));
  const half = /** @type {Cell} */ ([(start[0] + end[0]) / 2, (start[1] + end[1]) / 2]);
  const side = /** @type {Cell} */ ([-way[1], way[0]]);
  return [...start, ...end, ...along(half, side, ACROSS), ...along(half, side, -ACROSS)];
}

/** @param {Cell} from @param {Cell} way one long @param {number} far @returns {Cell} */
const along = ([x, y], [dx, dy], far) => [x + dx * far, y + dy * far];
