/**
 * Conversions between cells and points on the plane. The plane's unit is 1/64 of a cell, as for walls on squares;
 * the camera scales it to pixels. A hex is 64 units wide between its flat sides.
 */

/** @import {Cell, Grid, Token} from "../../../types/contract.js" */

export const CELL = 64;
const HEX_SIDE = CELL / Math.sqrt(3);

/** @param {Grid} grid */
export const isHex = (grid) => grid.kind.startsWith("hex");

/** Return whether hexes stand on a corner, in straight rows. @param {Grid} grid */
export const isPointy = (grid) => grid.kind.endsWith("_r");

/**
 * Return whether a row (pointy) or column (flat) is shifted by half a hex.
 * @param {Grid} grid
 * @param {number} line
 */
export const isShifted = (grid, line) => Math.abs(line % 2) === (grid.kind.startsWith("hex_odd") ? 1 : 0);

/**
 * Return the board's width and height.
 * @param {Grid} grid
 * @returns {[number, number]}
 */
export function boardSize(grid) {
  const { columns, rows } = grid;
  if (!isHex(grid)) return [columns * CELL, rows * CELL];
  const along = (/** @type {number} */ n, /** @type {number} */ lines) => (n + (lines > 1 ? 0.5 : 0)) * CELL;
  const across = (/** @type {number} */ lines) => (lines * 1.5 + 0.5) * HEX_SIDE;
  return isPointy(grid) ? [along(columns, rows), across(rows)] : [across(columns), along(rows, columns)];
}

/**
 * Return a cell's center; on a gridless board the point itself.
 * @param {Grid} grid
 * @param {Cell} cell
 * @returns {Cell}
 */
export function center(grid, [column, row]) {
  if (grid.kind === "gridless") return [column, row];
  if (!isHex(grid)) return [(column + 0.5) * CELL, (row + 0.5) * CELL];
  const along = (/** @type {number} */ n, /** @type {number} */ line) =>
    (n + 0.5 + (isShifted(grid, line) ? 0.5 : 0)) * CELL;
  const across = (/** @type {number} */ line) => (line * 1.5 + 1) * HEX_SIDE;
  return isPointy(grid) ? [along(column, row), across(row)] : [across(column), along(row, column)];
}

/**
 * Return a wall's line on the plane. On hexes the wire counts in 64ths of the hex's own width and height, and a hex is
 * longer from corner to corner than between its flat sides.
 * @param {Grid} grid
 * @param {[number, number, number, number]} line
 * @returns {[number, number, number, number]}
 */
export function toPlane(grid, [x1, y1, x2, y2]) {
  if (!isHex(grid)) return [x1, y1, x2, y2];
  const longer = 2 / Math.sqrt(3);
  return isPointy(grid) ? [x1, y1 * longer, x2, y2 * longer] : [x1 * longer, y1, x2 * longer, y2];
}

/**
 * Return a cell's corners as [x, y, x, y, ...]; on a gridless board those of a square inch.
 * @param {Grid} grid
 * @param {Cell} cell
 * @returns {number[]}
 */
export function corners(grid, cell) {
  if (!isHex(grid)) {
    const [x, y] = [cell[0] * CELL, cell[1] * CELL];
    return [x, y, x + CELL, y, x + CELL, y + CELL, x, y + CELL];
  }
  const [x, y] = center(grid, cell);
  return HEX_CORNERS[isPointy(grid) ? "pointy" : "flat"].map((value, i) => value + (i % 2 ? y : x));
}

/**
 * Return the corners of a regular polygon, clockwise. The first lies `start` degrees clockwise from the right.
 * @param {Cell} at
 * @param {number} radius
 * @param {number} count
 * @param {number} start
 * @returns {number[]}
 */
export function regularPolygon([x, y], radius, count, start = 0) {
  return Array.from({ length: count }, (_, i) => (start + (360 * i) / count) * (Math.PI / 180)).flatMap(
    (angle) => [x + radius * Math.cos(angle), y + radius * Math.sin(angle)],
  );
}

/** A hex's corners relative to its center. */
const HEX_CORNERS = {
  pointy: regularPolygon([0, 0], HEX_SIDE, 6, 30),
  flat: regularPolygon([0, 0], HEX_SIDE, 6),
};

/**
 * Return the cell that contains a point; on a gridless board the point itself, in whole 64ths.
 * @param {Grid} grid
 * @param {Cell} point
 * @returns {Cell}
 */
export function cellAt(grid, [x, y]) {
  if (grid.kind === "gridless") return [Math.round(x), Math.round(y)];
  if (!isHex(grid)) return [Math.floor(x / CELL), Math.floor(y / CELL)];
  const rise = 1.5 * HEX_SIDE;
  const [column, row] = isPointy(grid) ? [x / CELL - 0.5, y / rise - 0.5] : [x / rise - 0.5, y / CELL - 0.5];
  return nearestCell(grid, [x, y], [Math.round(column), Math.round(row)]);
}

/**
 * @param {Grid} grid
 * @param {Cell} point
 * @param {Cell} guess at most one cell off
 * @returns {Cell}
 */
function nearestCell(grid, [x, y], [column, row]) {
  const steps = [-1, 0, 1];
  const cells = steps.flatMap((dc) => steps.map((dr) => /** @type {Cell} */ ([column + dc, row + dr])));
  const distance = (/** @type {Cell} */ cell) =>
    Math.hypot(center(grid, cell)[0] - x, center(grid, cell)[1] - y);
  return cells.reduce((best, cell) => (distance(cell) < distance(best) ? cell : best));
}

/**
 * Return whether a cell (on a gridless board, a point) lies on the board.
 * @param {Grid} grid
 * @param {Cell} cell
 */
export function isOnBoard(grid, [column, row]) {
  const size = grid.kind === "gridless" ? CELL : 1;
  return column >= 0 && row >= 0 && column < grid.columns * size && row < grid.rows * size;
}

/** Return the mean of some cells' centers. @param {Grid} grid @param {Cell[]} cells @returns {Cell} */
export function centroid(grid, cells) {
  const centers = cells.map((cell) => center(grid, cell));
  const mean = (/** @type {0 | 1} */ axis) =>
    centers.reduce((sum, point) => sum + point[axis], 0) / centers.length;
  return [mean(0), mean(1)];
}

/**
 * Return the center of a token that stands at a cell.
 * @param {Grid} grid
 * @param {Pick<Token, "size" | "at" | "body">} token
 * @param {Cell} at
 * @returns {Cell}
 */
export function tokenCenter(grid, { size, at: now, body }, at) {
  const [x, y] = center(grid, at);
  if (body && now) {
    const [own, from] = [
      centroid(grid, body.cells),
      center(grid, String(at) === String(now) ? now : body.anchor),
    ];
    return [own[0] + x - from[0], own[1] + y - from[1]];
  }
  return grid.kind === "square" ? [x + ((size[0] - 1) * CELL) / 2, y + ((size[1] - 1) * CELL) / 2] : [x, y];
}

/**
 * Return the point at a distance in a compass direction.
 * @param {Cell} from
 * @param {number} degrees 0 up, clockwise
 * @param {number} distance
 * @returns {Cell}
 */
export function pointToward([x, y], degrees, distance) {
  const angle = (degrees * Math.PI) / 180;
  return [x + Math.sin(angle) * distance, y - Math.cos(angle) * distance];
}

/**
 * Return the angle of one turn: to the next edge of the cell, or 15 degrees on a gridless board.
 * @param {Grid} grid
 */
export function turnStep(grid) {
  if (grid.kind === "gridless") return 15;
  return isHex(grid) ? 60 : 90;
}

/**
 * Return the facings that turns reach, from the first at or after up; pointy hexes have none at up.
 * @param {Grid} grid
 * @returns {number[]}
 */
export function facings(grid) {
  const first = isHex(grid) && isPointy(grid) ? 30 : 0;
  return Array.from({ length: 360 / turnStep(grid) }, (_, i) => first + i * turnStep(grid));
}

/** The units of a map that are inches: its own, and those of a map without any. */
const INCHES = ["in", "inch", "inches", "squares", ""];
const INCH_MARK = String.fromCharCode(34);

/**
 * Return a length in the units of a map without cells: inches if it names no others.
 * @param {Grid} grid
 * @param {number} length in 64ths of a cell
 */
export function lengthText({ distance = 1, units = "" }, length) {
  const number = ((length / CELL) * distance).toFixed(1).replace(".0", "");
  return number + (INCHES.includes(units.toLowerCase()) ? INCH_MARK : ` ${units}`);
}

/**
 * Return a cell's name: column letters and row number, from A1; on a gridless board the point in the map's units.
 * @param {Grid} grid
 * @param {Cell} cell
 */
export function cellName(grid, [column, row]) {
  if (grid.kind === "gridless") return `${lengthText(grid, column)}, ${lengthText(grid, row)}`;
  const letters = column < 26 ? "" : String.fromCharCode(64 + Math.floor(column / 26));
  return `${letters}${String.fromCharCode(65 + (column % 26))}${row + 1}`;
}
