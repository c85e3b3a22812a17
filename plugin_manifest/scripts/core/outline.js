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
  const [about, aboutPushed] = neighbours(grid);
  const [line, pushed] = [isHex(grid) && isPointy(grid) ? 1 : 0, isPushed(grid, 1) ? 1 : 0];
  /** @type {number[]} */
  const edges = [];
  set.each((cell) => {
    const around = (cell[line] & 1) === pushed ? aboutPushed : about;
    for (let edge = 0; edge < around.length; edge += 1)
      if (!set.has(cell[0] + around[edge][0], cell[1] + around[edge][1]))
        addEdge(edges, corners(grid, cell), edge);
  });
  return edges;
}

/** @param {number[]} edges @param {number[]} points a cell's corners @param {number} edge of it */
function addEdge(edges, points, edge) {
  const [from, to] = [2 * edge, (2 * edge + 2) % points.length];
  edges.push(points[from], points[from + 1], points[to], points[to + 1]);
}

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

  /** @param {(cell: Cell) => void} act done for each cell once, row by row */
  each(act) {
    for (let row = 0; row < this.height; row += 1)
      for (let column = 0; column < this.width; column += 1)
        if (this.held[row * this.width + column]) act([this.left + column, this.top + row]);
  }
}
