/** The border around a set of cells. */

import { CELL, center, corners, isHex, isPointy, isShifted } from "../map/geometry.js";

/** @import {Cell, Grid} from "../../../types/contract.js" */
/** @import {CellSet} from "./cell-set.js" */

/** The steps across each edge of a square, in the order of its corners: above, right, below, left. */
const SQUARE_STEPS = [
  [0, -1],
  [1, 0],
  [0, 1],
  [-1, 0],
];

/**
 * Return the edges that no two of the cells share, as pairs of points.
 * @param {Grid} grid
 * @param {CellSet} cells
 * @returns {number[]}
 */
export function outline(grid, cells) {
  const { held, width } = cells;
  const [around, aroundShifted] = edgeSteps(grid).map((steps) => steps.map(([dx, dy]) => dy * width + dx));
  const [isInRows, shifted] = [isHex(grid) && isPointy(grid), isShifted(grid, 1) ? 1 : 0];
  const [x, y] = cellCenter(grid, 0, 0);
  const shape = corners(grid, [0, 0]).map((value, i) => value - (i % 2 ? y : x));
  /** @type {number[]} */
  const edges = [];
  cells.each((column, row, index) => {
    const steps = ((isInRows ? row : column) & 1) === shifted ? aroundShifted : around;
    let at = null;
    for (let edge = 0; edge < steps.length; edge += 1)
      if (!held[index + steps[edge]]) addEdge(edges, shape, (at ??= cellCenter(grid, column, row)), edge);
  });
  return edges;
}

/**
 * @param {number[]} edges
 * @param {number[]} shape a cell's corners relative to its center
 * @param {Cell} at
 * @param {number} edge
 */
function addEdge(edges, shape, [x, y], edge) {
  const from = 2 * edge;
  const to = (from + 2) % shape.length;
  edges.push(shape[from] + x, shape[from + 1] + y, shape[to] + x, shape[to + 1] + y);
}

/**
 * Return a cell's center. On a gridless board the cells are square inches.
 * @param {Grid} grid
 * @param {number} column
 * @param {number} row
 * @returns {Cell}
 */
const cellCenter = (grid, column, row) =>
  isHex(grid) ? center(grid, [column, row]) : [(column + 0.5) * CELL, (row + 0.5) * CELL];

/**
 * Return the steps across a cell's edges, in the order of its corners: for a regular and for a shifted row or column.
 * @param {Grid} grid
 * @returns {number[][][]}
 */
function edgeSteps(grid) {
  if (!isHex(grid)) return [SQUARE_STEPS, SQUARE_STEPS];
  return isPointy(grid) ? POINTY_STEPS : FLAT_STEPS;
}

/** @param {0 | 1} shift half a hex to the right */
const pointySteps = (shift) => [
  [shift, 1],
  [shift - 1, 1],
  [-1, 0],
  [shift - 1, -1],
  [shift, -1],
  [1, 0],
];

/** @param {0 | 1} shift half a hex down */
const flatSteps = (shift) => [
  [1, shift],
  [0, 1],
  [-1, shift],
  [-1, shift - 1],
  [0, -1],
  [1, shift - 1],
];

const POINTY_STEPS = [pointySteps(0), pointySteps(1)];
const FLAT_STEPS = [flatSteps(0), flatSteps(1)];
