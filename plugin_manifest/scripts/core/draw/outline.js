/** The border of a set of cells. */

import { CELL, center, corners, isHex, isPointy, isShifted } from "./geometry.js";

/** @import {Cell, Grid} from "../../../types/contract.js" */
/** @import {CellSet} from "./cell-set.js" */

/** The cells across each edge of a square, in the order of its corners: above, right, below, left. */
const ABOUT_SQUARE = [
  [0, -1],
  [1, 0],
  [0, 1],
  [-1, 0],
];

/**
 * The edges that only one of some cells has, as pairs of points.
 * @param {Grid} grid
 * @param {CellSet} cells
 * @returns {number[]}
 */
export function outline(grid, cells) {
  const { held, width } = cells;
  const [about, aboutPushed] = neighbours(grid).map((steps) => steps.map(([dx, dy]) => dy * width + dx));
  const [isInRows, pushed] = [isHex(grid) && isPointy(grid), isShifted(grid, 1) ? 1 : 0];
  const [x, y] = middleOf(grid, 0, 0);
  const shape = corners(grid, [0, 0]).map((value, i) => value - (i % 2 ? y : x));
  /** @type {number[]} */
  const edges = [];
  cells.each((column, row, place) => {
    const around = ((isInRows ? row : column) & 1) === pushed ? aboutPushed : about;
    let at = null;
    for (let edge = 0; edge < around.length; edge += 1)
      if (!held[place + around[edge]]) addEdge(edges, shape, (at ??= middleOf(grid, column, row)), edge);
  });
  return edges;
}

/** @param {number[]} edges @param {number[]} shape a cell's corners about its middle @param {Cell} at @param {number} edge of it */
function addEdge(edges, shape, [x, y], edge) {
  const from = 2 * edge;
  const to = (from + 2) % shape.length;
  edges.push(shape[from] + x, shape[from + 1] + y, shape[to] + x, shape[to + 1] + y);
}

/** @param {Grid} grid @param {number} column @param {number} row @returns {Cell} also on a gridless board, whose cells are square inches */
const middleOf = (grid, column, row) =>
  isHex(grid) ? center(grid, [column, row]) : [(column + 0.5) * CELL, (row + 0.5) * CELL];

/**
 * The steps from a cell across its edges, in the order of its corners; and from one that is pushed in.
 * @param {Grid} grid
 * @returns {number[][][]}
 */
function neighbours(grid) {
  if (!isHex(grid)) return [ABOUT_SQUARE, ABOUT_SQUARE];
  return isPointy(grid) ? ABOUT_POINTY : ABOUT_FLAT;
}

/** @param {0 | 1} push half a hex to the right */
const aboutPointy = (push) => [
  [push, 1],
  [push - 1, 1],
  [-1, 0],
  [push - 1, -1],
  [push, -1],
  [1, 0],
];

/** @param {0 | 1} push half a hex down */
const aboutFlat = (push) => [
  [1, push],
  [0, 1],
  [-1, push],
  [-1, push - 1],
  [0, -1],
  [1, push - 1],
];

const ABOUT_POINTY = [aboutPointy(0), aboutPointy(1)];
const ABOUT_FLAT = [aboutFlat(0), aboutFlat(1)];
