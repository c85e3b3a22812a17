/** The borders of areas as closed rings, and these made to look grown instead of drawn. */

import { CellSet } from "../../core/draw/cell-set.js";
import { CELL } from "../../core/map/geometry.js";
import { outline } from "../../core/draw/outline.js";
import { noiseAt, randomFrom } from "./random.js";

/** @import {Cell, Grid} from "../../../types/contract.js" */
/** @import {Point} from "./pen.js" */
/** @import {Random} from "./random.js" */

/** Points along a grown border are so far apart at most, and moved so far, in cells. */
const [APART, MOVED] = [0.75, 0.2];

/** Return the cells of each connected part of an area. @param {Grid} grid @param {Cell[]} cells @returns {Cell[][]} */
export function partsOf(grid, cells) {
  const left = new Map(cells.map((cell) => [String(cell), cell]));
  const steps = grid.kind.startsWith("hex")
    ? [-1, 0, 1].flatMap((x) => [-1, 0, 1].map((y) => [x, y]))
    : [
        [1, 0],
        [-1, 0],
        [0, 1],
        [0, -1],
      ];
  const parts = [];
  for (const cell of left.values()) {
    const part = [cell];
    left.delete(String(cell));
    for (const [x, y] of part)
      for (const [dx, dy] of steps) {
        const next = left.get(`${x + dx},${y + dy}`);
        if (!next) continue;
        left.delete(String(next));
        part.push(next);
      }
    parts.push(part);
  }
  return parts;
}

/** Return the border of some cells as closed rings. @param {Grid} grid @param {Cell[]} cells @returns {Point[][]} */
export function ringsOf(grid, cells) {
  const edges = outline(grid, CellSet.of(cells));
  /** @type {Map<string, [Point, Point][]>} */
  const from = new Map();
  const key = (/** @type {Point} */ [x, y]) => `${Math.round(x * 32)},${Math.round(y * 32)}`;
  for (let i = 0; i < edges.length; i += 4) {
    const [a, b] = [edges.slice(i, i + 2), edges.slice(i + 2, i + 4)].map(
      (point) => /** @type {Point} */ (point.map((value) => value / CELL)),
    );
    from.set(key(a), [...(from.get(key(a)) ?? []), [a, b]]);
  }
  const rings = [];
  for (const starts of from.values())
    while (starts.length) {
      const ring = [];
      for (let edge = starts.pop(); edge; edge = from.get(key(edge[1]))?.pop()) ring.push(edge[0]);
      if (ring.length > 2) rings.push(ring);
    }
  return rings;
}

/**
 * Return rings as they would have grown: more points, moved a little; where they touch the board's border they go on
 * beyond it.
 * @param {Point[][]} rings
 * @param {Point} board its width and height in cells
 * @param {number} margin in cells
 * @param {number} [moved] how far points move at most
 * @param {number} [near] a point this near to the board's border counts as on it: hexes are staggered there
 * @returns {Point[][]}
 */
export const grownRings = (rings, board, margin, moved = MOVED, near = 0.01) =>
  rings.map((ring) =>
    withPoints(straightened(ring)).map((point) => movedPoint(beyond(point, board, margin, near), moved)),
  );

/** Leave out the points in the middle of straight lines. @param {Point[]} ring */
function straightened(ring) {
  return ring.filter(([x, y], i) => {
    const [ax, ay] = ring[(i + ring.length - 1) % ring.length];
    const [bx, by] = ring[(i + 1) % ring.length];
    return Math.abs((x - ax) * (by - y) - (y - ay) * (bx - x)) > 1e-6;
  });
}

/** @param {Point[]} ring @returns {Point[]} */
const withPoints = (ring) =>
  ring.flatMap(([x, y], i) => {
    const [a, b] = ring[(i + 1) % ring.length];
    const count = Math.max(1, Math.ceil(Math.hypot(a - x, b - y) / APART));
    return Array.from(
      { length: count },
      (_, k) => /** @type {Point} */ ([x + ((a - x) * k) / count, y + ((b - y) * k) / count]),
    );
  });

/** @param {Point} point @param {Point} board @param {number} margin @param {number} near @returns {Point} */
const beyond = (point, board, margin, near) =>
  /** @type {Point} */ (
    point.map((value, axis) =>
      value < near ? -margin : value > board[axis] - near ? board[axis] + margin : value,
    )
  );

/** @param {Point} point @param {number} by @returns {Point} */
const movedPoint = ([x, y], by) => [
  x + (noiseAt(x * 64, y * 64, 61) - 0.5) * 2 * by,
  y + (noiseAt(x * 64, y * 64, 62) - 0.5) * 2 * by,
];

/** Visit places along a closed ring, about so far apart. @param {Point[]} ring @param {number} apart @param {(at: Point, random: Random) => void} visit */
export function eachAlong(ring, apart, visit) {
  ring.forEach(([x, y], i) => {
    const [a, b] = ring[(i + 1) % ring.length];
    const count = Math.max(1, Math.round(Math.hypot(a - x, b - y) / apart));
    for (let k = 0; k < count; k += 1) {
      const at = /** @type {Point} */ ([x + ((a - x) * k) / count, y + ((b - y) * k) / count]);
      visit(at, randomFrom(noiseAt(at[0] * 64, at[1] * 64, 41) * 2 ** 31));
    }
  });
}
