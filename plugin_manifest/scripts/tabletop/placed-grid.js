/** The board on a tabletop's map: pixels of the map and 64ths of a cell, and a grid laid over an area. */

import {
  CELL,
  boardSize,
  cellAt,
  center,
  facings,
  isHex,
  isPointy,
  tokenCenter,
} from "../core/map/geometry.js";

/** @import {Cell, Grid, GridKind, Token} from "../../types/contract.js" */
/** @import {PlacedGrid, Point} from "./tabletop.js" */

/** @typedef {{left: number, top: number, right: number, bottom: number}} Area in pixels */

/** The server takes no larger board, in cells. */
export const MOST_CELLS = 500;
/** The board of a scene without a map picture, in cells around the map's origin. */
const BARE_CELLS = 60;
/** From one row of hexes to the next, in widths of a hex between its flat sides. */
const ROW_STEP = Math.sqrt(3) / 2;
/** A map that ends this close to the next cell ends with its own, in cells. */
const SLACK = 0.02;

/**
 * Lay a grid over the area of a map, with whole cells; the same for every page that sees the same map.
 * @param {object} options
 * @param {GridKind} options.kind
 * @param {number} options.size the width of a cell between its flat sides, in pixels
 * @param {Point} options.middle the middle of any cell; without cells, any point
 * @param {Area | null} options.area the map's; null for a board around the origin
 * @param {number} options.distance the length of a cell
 * @param {string} options.units
 * @returns {PlacedGrid}
 */
export function placeGrid({ kind, size, middle, area, distance, units }) {
  const half = (BARE_CELLS / 2) * size;
  const around = area ?? { left: -half, top: -half, right: half, bottom: half };
  const placed = { kind, distance, units, size, left: 0, top: 0, columns: 1, rows: 1 };
  if (kind.startsWith("hex")) return overHexes(placed, middle, around);
  const [offsetX, offsetY] = kind === "gridless" ? [0, 0] : [middle.x - size / 2, middle.y - size / 2];
  const first = (/** @type {number} */ from, /** @type {number} */ offset) =>
    Math.floor((from - offset) / size + SLACK);
  const count = (/** @type {number} */ from, /** @type {number} */ to, /** @type {number} */ offset) =>
    within(Math.ceil((to - offset) / size - SLACK) - first(from, offset));
  return {
    ...placed,
    left: offsetX + first(around.left, offsetX) * size,
    top: offsetY + first(around.top, offsetY) * size,
    columns: count(around.left, around.right, offsetX),
    rows: count(around.top, around.bottom, offsetY),
  };
}

/**
 * Lay hexes over an area. The first line of hexes is never the shifted one, which any middle of a hex allows.
 * @param {PlacedGrid} placed
 * @param {Point} middle
 * @param {Area} area
 * @returns {PlacedGrid}
 */
function overHexes(placed, middle, area) {
  const { size } = placed;
  const isRows = isPointy(placed);
  const step = size * ROW_STEP;
  const [alongFrom, alongTo, acrossFrom, acrossTo] = isRows
    ? [area.left, area.right, area.top, area.bottom]
    : [area.top, area.bottom, area.left, area.right];
  const [along, across] = isRows ? [middle.x, middle.y] : [middle.y, middle.x];
  const tall = (size * 2) / Math.sqrt(3);
  const line = Math.floor((acrossFrom - (across - tall / 2)) / step + SLACK);
  const phase = Math.abs(line % 2) ? size / 2 : 0;
  const place = Math.floor((alongFrom - (along - size / 2 + phase)) / size + SLACK);
  const [start, begin] = [along - size / 2 + phase + place * size, across - tall / 2 + line * step];
  const lines = within(Math.ceil((acrossTo - begin - tall / 4) / step - SLACK));
  const places = within(Math.ceil((alongTo - start) / size - SLACK));
  return isRows
    ? { ...placed, left: start, top: begin, columns: places, rows: lines }
    : { ...placed, left: begin, top: start, columns: lines, rows: places };
}

/** @param {number} count */
const within = (count) => Math.max(1, Math.min(MOST_CELLS, count));

/** Returns the grid as the table has it. @param {PlacedGrid} placed @returns {Grid} */
export const gridOf = ({ kind, columns, rows, distance, units }) => ({
  kind,
  columns,
  rows,
  distance,
  units,
});

/** Tells whether two grids have the same cells. @param {Grid} a @param {Grid} b */
export const isSameGrid = (a, b) => a.kind === b.kind && a.columns === b.columns && a.rows === b.rows;

/** Converts pixels to a point of the board, in 64ths of a cell. @param {PlacedGrid} placed @param {Point} point @returns {Cell} */
export const toBoard = ({ left, top, size }, { x, y }) => [
  ((x - left) * CELL) / size,
  ((y - top) * CELL) / size,
];

/** Converts a point of the board to pixels. @param {PlacedGrid} placed @param {Cell} point in 64ths of a cell @returns {Point} */
export const toPixels = ({ left, top, size }, [x, y]) => ({
  x: left + (x * size) / CELL,
  y: top + (y * size) / CELL,
});

/**
 * Returns the place of a token with its center at a point; null off the board. On squares it is the token's top left
 * cell, on hexes the one in its middle, without cells the point.
 * @param {PlacedGrid} placed
 * @param {Point} middle
 * @param {[number, number]} size in cells
 * @returns {Cell | null}
 */
export function placeOf(placed, middle, [wide, high]) {
  const [x, y] = toBoard(placed, middle);
  const isSquare = placed.kind === "square";
  const shift = (/** @type {number} */ count) => (isSquare ? ((count - 1) * CELL) / 2 : 0);
  const [column, row] = cellAt(placed, [x - shift(wide), y - shift(high)]);
  const unit = placed.kind === "gridless" ? CELL : 1;
  const spare = (/** @type {number} */ count) => (isSquare ? count - 1 : 0);
  const isInside = column >= 0 && row >= 0;
  const isLeft = column + spare(wide) < placed.columns * unit && row + spare(high) < placed.rows * unit;
  return isInside && isLeft ? [column, row] : null;
}

/**
 * Returns the center of a token of the table, in pixels; null off the board.
 * @param {PlacedGrid} placed
 * @param {Token} token
 * @returns {Point | null}
 */
export const centerOf = (placed, token) => token.at && toPixels(placed, tokenCenter(placed, token, token.at));

/** The distance from the middle of its cells that a dropped token may have, in cells. */
const OFF_MIDDLE = 0.04;

/**
 * Tells whether a token lies in the middle of its cells, as tabletops put it when it is dropped: on its way it hardly
 * ever does. Without cells nothing tells.
 * @param {PlacedGrid} placed
 * @param {Point} middle
 * @param {[number, number]} size in cells
 */
export function isOnMiddle(placed, middle, size) {
  const at = placed.kind === "gridless" ? null : placeOf(placed, middle, size);
  if (!at) return false;
  const { x, y } = toPixels(placed, tokenCenter(placed, { size, at, body: undefined }, at));
  return Math.hypot(x - middle.x, y - middle.y) <= OFF_MIDDLE * placed.size;
}

/** Returns a facing that the grid has: the nearest. @param {Grid} grid @param {number} degrees */
export function facingOn(grid, degrees) {
  const compass = ((degrees % 360) + 360) % 360;
  if (grid.kind === "gridless") return Math.round(compass) % 360;
  const turn = (/** @type {number} */ facing) =>
    Math.min((facing - compass + 360) % 360, (compass - facing + 360) % 360);
  return facings(grid).reduce((best, facing) => (turn(facing) < turn(best) ? facing : best));
}

/**
 * Returns a line in the units of the wire, cut at the board's edge; null if nothing of it is on the board.
 * @param {PlacedGrid} placed
 * @param {[number, number, number, number]} line in pixels
 * @returns {[number, number, number, number] | null}
 */
export function wireLine(placed, [x1, y1, x2, y2]) {
  const from = toBoard(placed, { x: x1, y: y1 });
  const to = toBoard(placed, { x: x2, y: y2 });
  const cut = clip([...from, ...to], boardSize(placed));
  if (!cut) return null;
  // On hexes the wire counts in 64ths of the hex's own width and height.
  const shorter = isHex(placed) ? Math.sqrt(3) / 2 : 1;
  const [wide, high] = isPointy(placed) ? [1, shorter] : [shorter, 1];
  const line = cut.map((value, i) => Math.round(value * (i % 2 ? high : wide)));
  const [a, b, c, d] = line;
  return a === c && b === d ? null : [a, b, c, d];
}

/**
 * Cut a line at the edge of a rectangle (Liang and Barsky).
 * @param {number[]} line
 * @param {[number, number]} size
 * @returns {number[] | null}
 */
function clip([x1, y1, x2, y2], [width, height]) {
  const [dx, dy] = [x2 - x1, y2 - y1];
  let [first, last] = [0, 1];
  for (const [by, room] of [
    [-dx, x1],
    [dx, width - x1],
    [-dy, y1],
    [dy, height - y1],
  ]) {
    if (by === 0 && room < 0) return null;
    if (by < 0) first = Math.max(first, room / by);
    if (by > 0) last = Math.min(last, room / by);
  }
  return first > last ? null : [x1 + first * dx, y1 + first * dy, x1 + last * dx, y1 + last * dy];
}

/**
 * Returns the cells whose middles lie in an outline.
 * @param {PlacedGrid} placed without cells, squares of the same size
 * @param {number[]} outline in pixels
 * @returns {Cell[]}
 */
export function cellsIn(placed, outline) {
  /** @type {Grid} */
  const grid = { ...gridOf(placed), kind: placed.kind === "gridless" ? "square" : placed.kind };
  const ring = outline.map((value, i) =>
    i % 2 ? ((value - placed.top) * CELL) / placed.size : ((value - placed.left) * CELL) / placed.size,
  );
  const rows = ring.filter((_, i) => i % 2);
  const columns = ring.filter((_, i) => i % 2 === 0);
  const [first, last] = [
    cellAt(grid, [Math.min(...columns), Math.min(...rows)]),
    cellAt(grid, [Math.max(...columns), Math.max(...rows)]),
  ];
  /** @type {Cell[]} */
  const found = [];
  for (let row = Math.max(0, first[1] - 1); row <= Math.min(grid.rows - 1, last[1] + 1); row++)
    for (let column = Math.max(0, first[0] - 1); column <= Math.min(grid.columns - 1, last[0] + 1); column++)
      if (isInside(ring, center(grid, [column, row]))) found.push([column, row]);
  return found;
}

/** @param {number[]} ring @param {Cell} point by the even-odd rule */
function isInside(ring, [x, y]) {
  let isIn = false;
  for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
    const [x1, y1, x2, y2] = [ring[i], ring[i + 1], ring[j], ring[j + 1]];
    if (y1 > y !== y2 > y && x < x1 + ((y - y1) * (x2 - x1)) / (y2 - y1)) isIn = !isIn;
  }
  return isIn;
}
