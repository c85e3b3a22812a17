/** Drawings beside the rules: free lines, texts at a place, and the fog of war. */

import { setMarks } from "./board-marks.js";
import { CellSet } from "./cell-set.js";
import { toPlane } from "../map/geometry.js";
import { BLUE, CHALK, GREEN, INK, VERMILLION, YELLOW } from "./palette.js";

/** @import {Drawing, Grid, Mark, Run, Scene} from "../../../types/contract.js" */

/** @type {Record<Drawing["color"], number>} */
export const COLORS = {
  yellow: YELLOW,
  white: CHALK,
  red: VERMILLION,
  green: GREEN,
  blue: BLUE,
  black: INK,
};
/** The fog as players see it, and as the GM does, who sees through it. */
const FOG = { color: 0x080a0e, fill: 1 };
const GM_FOG = { color: 0x080a0e, fill: 0.45, line: 0.6, width: 2 };
const TEXT_SIZE = 20;

/**
 * Draw the lines and texts of a map; what only the GM sees is fainter.
 * @param {Scene} scene
 * @returns {Mark[]}
 */
export const drawingMarks = ({ grid, drawings }) => (drawings ?? []).flatMap((one) => marksOf(grid, one));

/** @param {Grid} grid @param {Drawing} drawing @returns {Mark[]} */
function marksOf(grid, { points, text, color, hidden }) {
  const at = places(grid, points);
  if (text) return [{ kind: "text", at: at[0], text, size: TEXT_SIZE, color: COLORS[color], grows: true }];
  return lineMarks(at, COLORS[color], hidden ? 0.55 : 1);
}

/**
 * Draw a line through places, with a casing that shows it on any ground.
 * @param {[number, number][]} at on the plane
 * @param {number} color
 * @param {number} [line] its opacity
 * @returns {Mark[]}
 */
export function lineMarks(at, color, line = 1) {
  const points = at.slice(1).flatMap((place, i) => [...at[i], ...place]);
  if (!points.length) return [];
  return [
    { kind: "lines", points, style: { color: color === INK ? CHALK : INK, line: 0.6 * line, width: 9 } },
    { kind: "lines", points, style: { color, line, width: 5 } },
  ];
}

/** @param {Grid} grid @param {number[]} points @returns {[number, number][]} on the plane */
function places(grid, points) {
  const found = [];
  for (let i = 0; i + 1 < points.length; i += 2) {
    const [x, y] = toPlane(grid, [points[i], points[i + 1], points[i], points[i + 1]]);
    found.push(/** @type {[number, number]} */ ([x, y]));
  }
  return found;
}

/**
 * Draw the fog: the GM sees through it.
 * @param {Scene} scene
 * @param {boolean} isGm
 * @returns {Mark[]}
 */
export function fogMarks({ grid, fog }, isGm) {
  const runs = /** @type {Run[]} */ (fog?.cells ?? []);
  return runs.length ? setMarks(grid, CellSet.ofRuns(runs), isGm ? GM_FOG : FOG) : [];
}
