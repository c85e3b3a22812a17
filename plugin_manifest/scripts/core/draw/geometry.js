/**
 * From cells to the plane and back. The plane is measured in 64ths of a cell, as walls on squares are;
 * whoever draws scales it to pixels. A hex is 64 wide between its two flat sides.
 */

/** @import {Cell, Grid, Token} from "../../../types/contract.js" */

export const CELL = 64;
const HEX_SIDE = CELL / Math.sqrt(3);

/** @param {Grid} grid */
export const isHex = (grid) => grid.kind.startsWith("hex");

/** @param {Grid} grid whether its hexes stand on a corner, in straight rows */
export const isPointy = (grid) => grid.kind.endsWith("_r");

/** @param {Grid} grid @param {number} line a row (pointy) or column (flat): whether it is pushed in by half a hex */
export const isShifted = (grid, line) => Math.abs(line % 2) === (grid.kind.startsWith("hex_odd") ? 1 : 0);

/**
 * The board's width and height.
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
 * A cell's center; on a gridless board the point itself.
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
 * A wall's line on the plane. On hexes lengths are counted in 64ths of the hex's own width and height, and from
 * point to point a hex is longer than between its flat sides.
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
 * A cell's corners as [x, y, x, y, ...]; on a gridless board those of a square inch.
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
  return AROUND[isPointy(grid) ? "pointy" : "flat"].map((value, i) => value + (i % 2 ? y : x));
}

/**
 * The points of a regular polygon, clockwise; the first at `start` compass degrees turned from the right.
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

/** A hex's corners about its center. */
const AROUND = { pointy: regularPolygon([0, 0], HEX_SIDE, 6, 30), flat: regularPolygon([0, 0], HEX_SIDE, 6) };

/**
 * The cell a point lies in; on a gridless board the point itself, in whole 64ths.
 * @param {Grid} grid
 * @param {Cell} point
 * @returns {Cell}
 */
export function cellAt(grid, [x, y]) {
  if (grid.kind === "gridless") return [Math.round(x), Math.round(y)];
  if (!isHex(grid)) return [Math.floor(x / CELL), Math.floor(y / CELL)];
  const rise = 1.5 * HEX_SIDE;
  const [column, row] = isPointy(grid) ? [x / CELL - 0.5, y / rise - 0.5] : [x / rise - 0.5, y / CELL - 0.5];
  return nearest(grid, [x, y], [Math.round(column), Math.round(row)]);
}

/**
 * @param {Grid} grid
 * @param {Cell} point
 * @param {Cell} about a cell at most one off
 * @returns {Cell}
 */
function nearest(grid, [x, y], [column, row]) {
  const steps = [-1, 0, 1];
  const cells = steps.flatMap((dc) => steps.map((dr) => /** @type {Cell} */ ([column + dc, row + dr])));
  const distance = (/** @type {Cell} */ cell) =>
    Math.hypot(center(grid, cell)[0] - x, center(grid, cell)[1] - y);
  return cells.reduce((best, cell) => (distance(cell) < distance(best) ? cell : best));
}

/** @param {Grid} grid @param {Cell} cell whether a cell (or on a gridless board a point) lies on the board */
export function isOnBoard(grid, [column, row]) {
  const unit = grid.kind === "gridless" ? CELL : 1;
  return column >= 0 && row >= 0 && column < grid.columns * unit && row < grid.rows * unit;
}

/** @param {Grid} grid @param {Cell[]} cells @returns {Cell} the point in the middle of some cells */
export function centroid(grid, cells) {
  const centers = cells.map((cell) => center(grid, cell));
  const mean = (/** @type {0 | 1} */ axis) =>
    centers.reduce((sum, point) => sum + point[axis], 0) / centers.length;
  return [mean(0), mean(1)];
}

/**
 * Where a token's middle is when it stands at a cell.
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
 * The point so far from another in a compass direction.
 * @param {Cell} from
 * @param {number} degrees 0 up, clockwise
 * @param {number} distance
 * @returns {Cell}
 */
export function pointToward([x, y], degrees, distance) {
  const angle = (degrees * Math.PI) / 180;
  return [x + Math.sin(angle) * distance, y - Math.cos(angle) * distance];
}

/** @param {Grid} grid how far one turn goes: to the next edge of a cell; on a gridless board 15 degrees */
export function turnStep(grid) {
  if (grid.kind === "gridless") return 15;
  return isHex(grid) ? 60 : 90;
}

/**
 * The facings that turns lead through, from the one nearest to up: hexes that stand on a corner have none there.
 * @param {Grid} grid
 * @returns {number[]}
 */
export function facings(grid) {
  const first = isHex(grid) && isPointy(grid) ? 30 : 0;
  return Array.from({ length: 360 / turnStep(grid) }, (_, i) => first + i * turnStep(grid));
}

/**
 * A cell's name as people say it: column letters and a row number, both from 1 (A1); a point's in inches.
 * @param {Grid} grid
 * @param {Cell} cell
 */
export function cellName(grid, [column, row]) {
  if (grid.kind === "gridless") return `${(column / CELL).toFixed(1)}, ${(row / CELL).toFixed(1)} in`;
  const letters = column < 26 ? "" : String.fromCharCode(64 + Math.floor(column / 26));
  return `${letters}${String.fromCharCode(65 + (column % 26))}${row + 1}`;
}
