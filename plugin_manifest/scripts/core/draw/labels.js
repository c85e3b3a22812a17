/** The places of labels on a board without cells: on their outlines, clear of each other and of the tokens. */

import { CELL } from "../map/geometry.js";

/** @import {Cell, Scene} from "../../../types/contract.js" */

/** The size of a label, the distance of its middle from the outline, and half the width of a letter, in 64ths. */
export const LABEL_SIZE = 26;
const [DISTANCE, HALF_LETTER, HALF_HEIGHT] = [14, LABEL_SIZE * 0.3, LABEL_SIZE * 0.6];
/** The directions in which a label looks for its place: up first, then around by the shorter way. */
const DIRECTIONS = [0, 180, 90, 270, 30, 330, 150, 210, 60, 300, 120, 240];
/** @type {[number, 1 | -1][]} inside the outline, then outside */
const PLACES = [-1, 1].flatMap((side) =>
  DIRECTIONS.map((direction) => /** @type {[number, 1 | -1]} */ ([direction, side])),
);
/** Each further place that a label tries costs this much, in square 64ths of overlap: inside first, then outside. */
const TURN_COST = 40;

/** @typedef {{left: number, right: number, top: number, bottom: number}} Box */

/** The labels of one overlay. */
export class Labels {
  /** @type {Box[]} */
  #taken;

  /** @param {Pick<Scene, "grid" | "tokens">} scene */
  constructor({ grid, tokens }) {
    this.width = grid.columns * CELL;
    this.height = grid.rows * CELL;
    this.#taken = tokens.flatMap(({ at, size }) =>
      at ? [boxAround(at, (Math.max(...size) * CELL) / 2)] : [],
    );
  }

  /**
   * Return the middle of a label on an outline.
   * @param {string} text
   * @param {number[][]} lines of the outline: x, y, x, y, ...
   * @returns {Cell | null} null without an outline
   */
  place(text, lines) {
    const half = HALF_LETTER * text.length;
    let best = null;
    for (const [turn, [direction, side]] of PLACES.entries()) {
      const point = farthest(lines, direction);
      if (!point) return null;
      const at = this.#onBoard(beside(point, direction, side * half, side * DISTANCE), half);
      const box = boxAround(at, half, HALF_HEIGHT);
      const cost = turn * TURN_COST + this.#taken.reduce((sum, other) => sum + overlap(box, other), 0);
      if (!best || cost < best.cost) best = { at, box, cost };
    }
    if (best) this.#taken.push(best.box);
    return best && best.at;
  }

  /** @param {Cell} at @param {number} half @returns {Cell} */
  #onBoard([x, y], half) {
    const between = (/** @type {number} */ value, /** @type {number} */ least, /** @type {number} */ most) =>
      least > most ? (least + most) / 2 : Math.max(least, Math.min(most, value));
    return [between(x, half, this.width - half), between(y, HALF_HEIGHT, this.height - HALF_HEIGHT)];
  }
}

/**
 * Return the point of an outline that is farthest in a direction.
 * @param {number[][]} lines
 * @param {number} direction in compass degrees
 * @returns {Cell | null}
 */
function farthest(lines, direction) {
  const [dx, dy] = vector(direction);
  /** @type {Cell | null} */
  let found = null;
  let most = -Infinity;
  for (const line of lines)
    for (let i = 0; i + 1 < line.length; i += 2) {
      const far = line[i] * dx + line[i + 1] * dy;
      if (far > most + 1e-6) [most, found] = [far, [line[i], line[i + 1]]];
    }
  return found;
}

/**
 * Return a point beside another: ahead of it in a direction, or behind it if the distances are negative.
 * @param {Cell} at
 * @param {number} direction
 * @param {number} wide
 * @param {number} high
 * @returns {Cell}
 */
function beside([x, y], direction, wide, high) {
  const [dx, dy] = vector(direction);
  return [x + dx * wide, y + dy * high];
}

/** @param {number} direction @returns {Cell} */
function vector(direction) {
  const angle = (direction * Math.PI) / 180;
  return [Math.sin(angle), -Math.cos(angle)];
}

/** @param {Cell} at @param {number} wide @param {number} [high] @returns {Box} */
const boxAround = ([x, y], wide, high = wide) => ({
  left: x - wide,
  right: x + wide,
  top: y - high,
  bottom: y + high,
});

/** Return the area of two boxes' overlap. @param {Box} a @param {Box} b */
function overlap(a, b) {
  const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return wide > 0 && high > 0 ? wide * high : 0;
}
