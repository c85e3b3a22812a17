/** Labels over or under tokens, as marks. Apart from the layer, so that tests run without Foundry. */

import { CELL } from "../../core/map/geometry.js";
import { INK, WHITE } from "../../core/draw/palette.js";

/** @import {Cell, Mark} from "../../../types/contract.js" */

const [LABEL_SIZE, LINE_HEIGHT, LETTER_WIDTH] = [14, 21.5, 8.6];
/** The letters of a line, at most. A label takes a narrower form only to keep clear of costs. */
const WIDTHS = [46, 34, 26];
const MARGIN = CELL / 8;
/** A line at a moving token: so small that it fits between two rows of costs. */
const [STRIP_SIZE, STRIP_HEIGHT, STRIP_LETTER, STRIP_MARGIN] = [11, 18, 6.8, 4];
/** Such a line is looked for as far up and down as this, and so finely. */
const [STRIP_REACH, STRIP_STEP] = [3 * CELL, CELL / 16];
/** A cost is written so far around the center of its cell. */
const COST_RADIUS = CELL / 4;
/** Half the height of a cost's digits. */
const DIGITS_HALF = 11;
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
 * @property {[number, number][]} costs the centers of the cells that show a cost, and of tokens
 * @property {Box | null} view the part of the board on the screen
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
  const forms = WIDTHS.map((letters) => {
    const wrapped = lines.flatMap((line) => wrapLine(line, letters));
    const wide = (Math.max(...wrapped.map((line) => line.length)) * LETTER_WIDTH) / 2 + MARGIN;
    const high = (wrapped.length * LINE_HEIGHT) / 2 + MARGIN;
    return { wrapped, ...bestPlace(place, [wide, high], around) };
  });
  const best = forms.reduce((found, form) => (form.score < found.score ? form : found));
  const { box, isBeside, wrapped } = best;
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
 * Returns a label at the side of a moving token, a strip for each line: between the rows of costs, so that the costs that
 * the user compares stay in sight. It is on the left where the right one would leave the screen.
 * @param {{at: Cell, radius: number}} place
 * @param {string[]} lines
 * @param {Surroundings} around
 * @returns {Mark[]}
 */
export function stripMarks({ at: [x, y], radius }, lines, { costs, view }) {
  const edge = view ?? { left: -Infinity, right: Infinity, top: 0, bottom: Infinity };
  const widths = lines.map((line) => line.length * STRIP_LETTER + 2 * STRIP_MARGIN);
  const gap = radius + STRIP_MARGIN;
  const isLeft = x + gap + Math.max(...widths) > edge.right && x - gap - Math.max(...widths) >= edge.left;
  const near = costs.filter(([, costY]) => Math.abs(costY - y) < STRIP_REACH + CELL);
  /** @type {Box[]} */
  const boxes = [];
  for (const wide of widths) {
    const left = isLeft ? x - gap - wide : x + gap;
    boxes.push(bestStrip({ left, right: left + wide }, y, near, edge, boxes));
  }
  // The lines stay in their order from top to bottom.
  const tops = boxes.map(({ top }) => top).sort((a, b) => a - b);
  const style = { color: INK, fill: 0.85, pattern: /** @type {const} */ ("solid"), line: 1, width: 1 };
  return boxes.flatMap(({ left, right }, i) => {
    const [top, bottom] = [tops[i], tops[i] + STRIP_HEIGHT];
    const middle = /** @type {Cell} */ ([(left + right) / 2, (top + bottom) / 2]);
    return [
      { kind: "polygon", points: [left, top, right, top, right, bottom, left, bottom], style },
      { kind: "text", at: middle, text: lines[i], size: STRIP_SIZE, color: WHITE },
    ];
  });
}

/**
 * Returns the strip nearest to a height that covers no cost and no strip before it; else the one that covers the fewest.
 * @param {{left: number, right: number}} span
 * @param {number} y
 * @param {[number, number][]} costs
 * @param {Box} edge
 * @param {Box[]} taken
 * @returns {Box}
 */
function bestStrip({ left, right }, y, costs, edge, taken) {
  const inside = costs.filter(([x]) => x > left - COST_RADIUS && x < right + COST_RADIUS);
  let best = { left, right, top: y, bottom: y + STRIP_HEIGHT };
  let least = Infinity;
  for (let aside = 0; aside <= STRIP_REACH; aside += STRIP_STEP)
    for (const sign of aside ? [-1, 1] : [1]) {
      const top = y + sign * aside - STRIP_HEIGHT / 2;
      const box = { left, right, top, bottom: top + STRIP_HEIGHT };
      const isOutside = box.top < edge.top || box.bottom > edge.bottom;
      const isTaken = taken.some((other) => box.top < other.bottom && other.top < box.bottom);
      // Digits are low and wide: a strip may come as near to a cost as its digits are high.
      const score = (isOutside ? 1e6 : 0) + (isTaken ? 1e5 : 0) + 1e3 * coveredDigits(box, inside) + aside;
      if (score < least) [best, least] = [box, score];
      if (least === aside) return best;
    }
  return best;
}

/** @param {Box} box @param {[number, number][]} costs @returns {number} how many costs' digits the box covers */
const coveredDigits = ({ top, bottom }, costs) =>
  costs.filter(([, y]) => y > top - DIGITS_HALF && y < bottom + DIGITS_HALF).length;

/**
 * @param {{at: Cell, radius: number}} place
 * @param {[number, number]} half the label's width and height
 * @param {Surroundings} around
 * @returns {{box: Box, isBeside: boolean, score: number}} the lower the score, the better
 */
function bestPlace({ at: [x, y], radius }, [wide, high], { costs, view }) {
  const edge = view ?? { left: -Infinity, right: Infinity, top: 0, bottom: Infinity };
  let best = { box: edge, isBeside: true, score: Infinity };
  for (let step = 0; step <= MAX_STEPS; step++)
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
      if (score < best.score) best = { box, isBeside: step === 0, score };
      if (score === 0) return best;
    }
  return best;
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

/**
 * @param {string} line
 * @param {number} [letters]
 * @returns {string[]} broken between words; continuation lines are indented
 */
export function wrapLine(line, letters = WIDTHS[0]) {
  if (line.length <= letters) return [line];
  const cut = line.lastIndexOf(" ", letters);
  if (cut < 0 || !line.slice(0, cut).trim()) return [line];
  return [line.slice(0, cut), ...wrapLine(`  ${line.slice(cut + 1)}`, letters)];
}
