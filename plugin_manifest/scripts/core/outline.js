/** The border of a set of cells, quickly enough for a whole board at every step of a drag. */

import { corners, isHex, isPointy, isPushed } from "./geometry.js";

/** @import {Cell, Grid} from "../../types/contract.js" */

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
 * @param {Cell[]} cells
 * @returns {number[]}
 */
export function outline(grid, cells) {
  const set = new CellSet(cells);
  /** @type {number[]} */
  const edges = [];
  for (const cell of set.cells()) {
    const open = neighbours(grid, cell).map(([dx, dy]) => !set.has(cell[0] + dx, cell[1] + dy));
    if (open.includes(true)) addEdges(edges, corners(grid, cell), open);
  }
  return edges;
}

/** @param {number[]} edges @param {number[]} points a cell's corners @param {boolean[]} open its edges to be added */
function addEdges(edges, points, open) {
  const count = points.length;
  for (let i = 0; i < open.length; i += 1)
    if (open[i])
      edges.push(points[2 * i], points[2 * i + 1], points[(2 * i + 2) % count], points[(2 * i + 3) % count]);
}

/**
 * The steps from a cell across its edges, in the order of its corners.
 * @param {Grid} grid
 * @param {Cell} cell
 * @returns {number[][]}
 */
function neighbours(grid, [column, row]) {
  if (!isHex(grid)) return ABOUT_SQUARE;
  const turned = isPointy(grid);
  return ABOUT_HEX[turned ? "pointy" : "flat"][isPushed(grid, turned ? row : column) ? 1 : 0];
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

const ABOUT_HEX = {
  pointy: [aboutPointy(0), aboutPointy(1)],
  flat: [aboutFlat(0), aboutFlat(1)],
};

/** Cells to be asked for by place: one byte for each in the box round them all. */
class CellSet {
  /** @param {Cell[]} cells */
  constructor(cells) {
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const [column, row] of cells) {
      left = Math.min(left, column);
      right = Math.max(right, column);
      top = Math.min(top, row);
      bottom = Math.max(bottom, row);
    }
    this.left = left;
    this.top = top;
    this.width = cells.length ? right - left + 1 : 0;
    this.height = cells.length ? bottom - top + 1 : 0;
    this.held = new Uint8Array(this.width * this.height);
    for (const [column, row] of cells) this.held[(row - top) * this.width + column - left] = 1;
  }

  /** @param {number} column @param {number} row */
  has(column, row) {
    const [x, y] = [column - this.left, row - this.top];
    return x >= 0 && y >= 0 && x < this.width && y < this.height && this.held[y * this.width + x] === 1;
  }

  /** Each cell once, row by row. @returns {Generator<Cell>} */
  *cells() {
    for (let place = 0; place < this.held.length; place += 1)
      if (this.held[place])
        yield [this.left + (place % this.width), this.top + Math.floor(place / this.width)];
  }
}
