/** Labels over or under tokens, as marks. Apart from the layer, so that tests run without Foundry. */

import { CELL } from "../../core/draw/geometry.js";
import { INK, WHITE } from "../../core/draw/palette.js";

/** @import {Cell, Mark} from "../../../types/contract.js" */

const [LABEL_SIZE, LINE_HEIGHT, LETTER_WIDTH, MAX_LINE] = [14, 21.5, 8.6, 46];
const MARGIN = CELL / 8;
/** A cost is written so far around the center of its cell. */
const COST_RADIUS = CELL / 4;
/** A label that covers no cost is looked for as far as this from its token. */
const MAX_STEPS = 12;
const DIRECTIONS = [
  [0, -1],
  [0, 1],
  [1, 0],
  [-1, 0],
  [1, -1],
  [-1, -1],
  [1, 1],
  [-1, 1],
];

/** @typedef {{left: number, right: number, top: number, bottom: number}} Box in 64ths of a cell */

/**
 * The things that a label does not cover.
 * @typedef {object} Surroundings
 * @property {[number, number][]} costs the centers of the cells that show a cost
 * @property {Box | null} view the part of the board on the screen
 * @property {boolean} [isNear] whether the label stays at the token's side, as for one that moves
 */

/**
 * Returns a label on a dark box beside a token: at the nearest place on the screen that covers no cost, with a line to
 * the token if that is not next to it. If every place covers some, it is the one that covers the fewest.
 * @param {{at: Cell, radius: number}} place the token's center, and the distance to its edge
 * @param {string[]} lines
 * @param {Surroundings} [around]
 * @returns {Mark[]}
 */
export function labelMarks(place, lines, around = { costs: [], view: null }) {
  const wrapped = lines.flatMap(wrapLine);
  const wide = (Math.max(...wrapped.map((line) => line.length)) * LETTER_WIDTH) / 2 + MARGIN;
  const high = (wrapped.length * LINE_HEIGHT) / 2 + MARGIN;
  const { box, isBeside } = bestPlace(place, [wide, high], around);
  const { left, right, top, bottom } = box;
  const at = /** @type {Cell} */ ([(left + right) / 2, (top + bottom) / 2]);
  const style = { color: INK, fill: 0.85, pattern: /** @type {const} */ ("solid"), line: 1, width: 1 };
  return [
    ...(isBeside ? [] : leader(place, box)),
    { kind: "polygon", points: [left, top, right, top, right, bottom, left, bottom], style },
    { kind: "text", at, text: wrapped.join("\n"), size: LABEL_SIZE, color: WHITE },
  ];
}

/**
 * @param {{at: Cell, radius: number}} place
 * @param {[number, number]} half the label's width and height
 * @param {Surroundings} around
 * @returns {{box: Box, isBeside: boolean}}
 */
function bestPlace({ at: [x, y], radius }, [wide, high], { costs, view, isNear = false }) {
  const edge = view ?? { left: -Infinity, right: Infinity, top: 0, bottom: Infinity };
  let [best, least] = [/** @type {{box: Box, isBeside: boolean} | null} */ (null), Infinity];
  for (let step = 0; step <= (isNear ? 0 : MAX_STEPS); step++)
    for (const [dx, dy] of DIRECTIONS) {
      const distance = radius + CELL / 2 + (step * CELL) / 2;
      const [middleX, middleY] = [x + dx * (wide + distance), y + dy * (high + distance)];
      const box = {
        left: middleX - wide,
        right: middleX + wide,
        top: middleY - high,
        bottom: middleY + high,
      };
      const isOutside =
        box.left < edge.left || box.right > edge.right || box.top < edge.top || box.bottom > edge.bottom;
      // A place outside the screen is of no use; a label that covers a cost is worse than a far one.
      const score = (isOutside ? 1e6 : 0) + 100 * covered(box, costs) + step;
      if (score < least) [best, least] = [{ box, isBeside: step === 0 }, score];
      if (score === 0) return { box, isBeside: true };
    }
  return /** @type {{box: Box, isBeside: boolean}} */ (best);
}

/** @param {Box} box @param {[number, number][]} costs @returns {number} how many costs the box covers */
function covered({ left, right, top, bottom }, costs) {
  let count = 0;
  for (const [x, y] of costs)
    if (
      x > left - COST_RADIUS &&
      x < right + COST_RADIUS &&
      y > top - COST_RADIUS &&
      y < bottom + COST_RADIUS
    )
      count++;
  return count;
}

/** Returns a line from a token's edge to a box. @param {{at: Cell, radius: number}} place @param {Box} box @returns {Mark[]} */
function leader({ at: [x, y], radius }, { left, right, top, bottom }) {
  const [toX, toY] = [Math.min(Math.max(x, left), right), Math.min(Math.max(y, top), bottom)];
  const far = Math.hypot(toX - x, toY - y) || 1;
  const points = [x + ((toX - x) * radius) / far, y + ((toY - y) * radius) / far, toX, toY];
  return [
    { kind: "lines", points, style: { color: WHITE, line: 0.9, width: 5 } },
    { kind: "lines", points, style: { color: INK, line: 1, width: 2 } },
  ];
}

/** @param {string} line @returns {string[]} broken between words; continuation lines are indented */
export function wrapLine(line) {
  if (line.length <= MAX_LINE) return [line];
  const cut = line.lastIndexOf(" ", MAX_LINE);
  if (cut < 0 || !line.slice(0, cut).trim()) return [line];
  return [line.slice(0, cut), ...wrapLine(`  ${line.slice(cut + 1)}`)];
}
