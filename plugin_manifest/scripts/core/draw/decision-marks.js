/**
 * The decision map as marks: a heat map of a token's places. Blue places are good for it, orange ones with stripes
 * are bad, so that no color need be told from another.
 */

import { setMarks } from "./board-marks.js";
import { CellSet } from "./cell-set.js";
import { CELL, center } from "../map/geometry.js";
import { BLUE, GRAY, VERMILLION, WHITE } from "./palette.js";

/** @import {Cell, DecisionMap, Grid, MapCell, Mark, Style} from "../../../types/contract.js" */

/** The steps of the heat map on each side of zero. */
const STEPS = 4;
const [FAINTEST, STRONGEST] = [0.22, 0.78];
/** The radius of a place on a gridless board. */
const DOT = CELL * 0.3;
const NUMBER_SIZE = 20;

/** Return the number of a place in points of damage: dealt minus taken and provoked. @param {MapCell} cell */
export const numberOf = ({ dealt, taken, provoked }) => (dealt - taken - provoked) / 1000;

/** Return a number with its sign: "+0.5", "−1.25", "0". @param {number} number */
export function signed(number) {
  const text = String(Math.abs(Math.round(number * 100) / 100));
  return text === "0" ? text : `${number > 0 ? "+" : "−"}${text}`;
}

/**
 * Draw a map, with the number of one place.
 * @param {Grid} grid
 * @param {DecisionMap} map
 * @param {MapCell | null} pointed
 * @returns {Mark[]}
 */
export function decisionMarks(grid, map, pointed) {
  const most = Math.max(0.01, ...map.cells.map((cell) => Math.abs(numberOf(cell))));
  /** @type {Map<number, MapCell[]>} */
  const steps = new Map();
  for (const cell of map.cells) {
    const step = stepOf(numberOf(cell), most);
    steps.set(step, [...(steps.get(step) ?? []), cell]);
  }
  const heat = [...steps].flatMap(([step, cells]) => placeMarks(grid, cells, styleOf(step)));
  const number = pointed
    ? [
        {
          kind: /** @type {const} */ ("text"),
          at: center(grid, pointed.at),
          text: signed(numberOf(pointed)),
          size: NUMBER_SIZE,
          color: WHITE,
        },
      ]
    : [];
  return [...heat, ...number];
}

/** Return the step of a number, from -STEPS to STEPS; only 0 is in the middle. @param {number} number @param {number} most */
function stepOf(number, most) {
  if (Math.abs(number) < 0.005) return 0;
  return Math.sign(number) * Math.max(1, Math.ceil((Math.abs(number) / most) * STEPS));
}

/** @param {number} step @returns {Style} */
function styleOf(step) {
  if (step === 0) return { color: GRAY, fill: FAINTEST, pattern: "solid" };
  const fill = FAINTEST + ((STRONGEST - FAINTEST) * Math.abs(step)) / STEPS;
  return step > 0 ? { color: BLUE, fill, pattern: "solid" } : { color: VERMILLION, fill, pattern: "cross" };
}

/** @param {Grid} grid @param {MapCell[]} cells @param {Style} style @returns {Mark[]} */
function placeMarks(grid, cells, style) {
  if (grid.kind === "gridless")
    return cells.map(({ at }) => ({ kind: /** @type {const} */ ("circle"), at, radius: DOT, style }));
  return setMarks(grid, CellSet.of(cells.map(({ at }) => at)), style);
}

/**
 * Return the place of a map at a point of the board, on a gridless board the nearest within an inch.
 * @param {Grid} grid
 * @param {DecisionMap | null} map
 * @param {Cell | null} at
 * @returns {MapCell | null}
 */
export function placeAt(grid, map, at) {
  if (!map || !at) return null;
  if (grid.kind !== "gridless")
    return map.cells.find((cell) => cell.at[0] === at[0] && cell.at[1] === at[1]) ?? null;
  const apart = (/** @type {MapCell} */ cell) => Math.hypot(cell.at[0] - at[0], cell.at[1] - at[1]);
  const nearest = map.cells.reduce(
    (/** @type {MapCell | null} */ best, cell) => (best && apart(best) <= apart(cell) ? best : cell),
    null,
  );
  return nearest && apart(nearest) <= CELL ? nearest : null;
}
