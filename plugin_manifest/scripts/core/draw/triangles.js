/** Lines, cells and labels as triangles, many at once, which saves PIXI the tessellation of each. */

import { CELL, center, corners, isHex } from "../map/geometry.js";

/** @import {Cell, Grid} from "../../../types/contract.js" */
/** @import {CellSet} from "./cell-set.js" */

/** @typedef {Uint16Array | Uint32Array} Triangles three indexes into a list of corners for each */

/** The size of a label's box, in cells. */
export const LABEL = { width: 1, height: 3 / 8 };
/** The corners of a texture, in the order of a box's corners. */
const TEXTURE_CORNERS = [0, 0, 1, 0, 1, 1, 0, 1];

/**
 * Return the rectangles of lines.
 * @param {number[]} points a pair of points for each line
 * @param {number} width
 * @returns {Float32Array} four corners for each line, [x, y, ...]
 */
export function lineRectangles(points, width) {
  const quads = new Float32Array(points.length * 2);
  for (let i = 0, next = 0; i < points.length; i += 4) {
    const x1 = points[i];
    const y1 = points[i + 1];
    const x2 = points[i + 2];
    const y2 = points[i + 3];
    const half = width / 2 / (Math.hypot(x2 - x1, y2 - y1) || 1);
    const nx = (y1 - y2) * half;
    const ny = (x2 - x1) * half;
    quads[next++] = x1 + nx;
    quads[next++] = y1 + ny;
    quads[next++] = x2 + nx;
    quads[next++] = y2 + ny;
    quads[next++] = x2 - nx;
    quads[next++] = y2 - ny;
    quads[next++] = x1 - nx;
    quads[next++] = y1 - ny;
  }
  return quads;
}

/**
 * Return the corners of every cell of a board, row by row. Their unit is a cell, so that they serve as texture
 * coordinates too.
 * @param {Grid} grid
 * @returns {Float32Array}
 */
export function boardCorners(grid) {
  const each = cornersOf(grid) * 2;
  const found = new Float32Array(grid.columns * grid.rows * each);
  everyCell(grid, (cell, n) =>
    found.set(
      corners(grid, cell).map((value) => value / CELL),
      n * each,
    ),
  );
  return found;
}

/**
 * Return the label boxes at the center of every cell of a board, row by row, in cells; and their texture coordinates.
 * @param {Grid} grid
 * @returns {[Float32Array, Float32Array]}
 */
export function boardLabels(grid) {
  const boxes = new Float32Array(grid.columns * grid.rows * 8);
  const offsets = TEXTURE_CORNERS.map((value, i) => (value - 0.5) * (i % 2 ? LABEL.height : LABEL.width));
  const isGridless = grid.kind === "gridless"; // its cells are square inches
  everyCell(grid, ([column, row], n) => {
    const at = isGridless
      ? [column + 0.5, row + 0.5]
      : center(grid, [column, row]).map((value) => value / CELL);
    for (let i = 0; i < 8; i += 1) boxes[n * 8 + i] = at[i % 2] + offsets[i];
  });
  return [boxes, boxes.map((_, i) => TEXTURE_CORNERS[i % 8])];
}

/**
 * Return the triangles of some cells, as indexes into `boardCorners`. Cells off the board are skipped.
 * @param {Grid} grid
 * @param {CellSet} cells
 * @returns {Triangles}
 */
export function cellTriangles(grid, cells) {
  const { columns, rows } = grid;
  const each = cornersOf(grid);
  const triangles = indexArray(columns * rows * each, cells.size * (each - 2) * 3);
  let next = 0;
  cells.each((column, row) => {
    if (column < 0 || row < 0 || column >= columns || row >= rows) return;
    next = fan(triangles, next, (row * columns + column) * each, each);
  });
  return triangles.subarray(0, next);
}

/**
 * Return the triangles of some cells' labels, as indexes into `boardLabels`.
 * @param {Grid} grid
 * @param {number[][]} cells column and row of each; further values are ignored
 * @returns {Triangles}
 */
export function labelTriangles({ columns, rows }, cells) {
  const triangles = indexArray(columns * rows * 4, cells.length * 6);
  let next = 0;
  for (const cell of cells) {
    const [column, row] = [cell[0], cell[1]];
    if (column >= 0 && row >= 0 && column < columns && row < rows)
      next = fan(triangles, next, (row * columns + column) * 4, 4);
  }
  return triangles.subarray(0, next);
}

/**
 * Return the triangles of boxes with four corners each.
 * @param {number} boxes their number
 * @returns {Triangles}
 */
export function boxTriangles(boxes) {
  const triangles = indexArray(boxes * 4, boxes * 6);
  for (let n = 0, next = 0; n < boxes; n += 1) next = fan(triangles, next, n * 4, 4);
  return triangles;
}

/**
 * Add one polygon's triangles.
 * @param {Triangles} triangles
 * @param {number} next free index
 * @param {number} first corner
 * @param {number} corners
 * @returns {number} the next free index
 */
function fan(triangles, next, first, corners) {
  for (let i = 1; i < corners - 1; i += 1) {
    triangles[next++] = first;
    triangles[next++] = first + i;
    triangles[next++] = first + i + 1;
  }
  return next;
}

/** @param {number} corners @param {number} count of indexes @returns {Triangles} */
const indexArray = (corners, count) => (corners > 65_536 ? new Uint32Array(count) : new Uint16Array(count));

/** @param {Grid} grid */
const cornersOf = (grid) => (isHex(grid) ? 6 : 4);

/**
 * Call a function for every cell, row by row.
 * @param {Grid} grid
 * @param {(cell: Cell, n: number) => void} visit
 */
function everyCell({ columns, rows }, visit) {
  for (let row = 0, n = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1, n += 1) visit([column, row], n);
}
