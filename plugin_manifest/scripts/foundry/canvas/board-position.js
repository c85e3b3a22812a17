/** The board's position on Foundry's padded canvas. The server's importer computes the same. */

import { dropCell } from "../../core/map/footprints.js";
import { CELL, cellAt, center, tokenCenter } from "../../core/map/geometry.js";

/** @import {Cell, Grid, Replica, Token} from "../../../types/contract.js" */

/** The kinds of grids by Foundry's numbers. */
export const KINDS = /** @type {const} */ ([
  "gridless",
  "square",
  "hex_odd_r",
  "hex_even_r",
  "hex_odd_q",
  "hex_even_q",
]);
/** From one row of hexes to the next, in widths of a hex between flat sides. */
const ROW_STEP = Math.sqrt(3) / 2;
/** The tolerance of a map's origin at a hex's edge, in cells: Foundry rounds to whole pixels. */
const SLACK = 0.05;
const UNITS = 64;
/** A length beyond whole cells that is a rounding error, in cells. */
const HAIR = 1e-6;
/** A token on hexes counts as this far left and up of its middle, as in the importer: more than Foundry rounds. */
const ASIDE = 0.0437 * UNITS;

/** @typedef {{left: number, top: number, scale: number}} BoardPosition the board's corner in pixels, and pixels to a 64th of a cell */

/**
 * Returns the board's corner on the canvas, and its scale.
 * @param {{type: number, size: number}} grid
 * @param {{sceneX: number, sceneY: number}} dimensions
 * @returns {BoardPosition}
 */
export function boardPosition({ type, size }, { sceneX: x, sceneY: y }) {
  const kind = KINDS[type];
  const scale = size / UNITS;
  if (kind.endsWith("_r")) return { ...hexCorner(size, x, y), scale };
  if (kind.endsWith("_q")) {
    const { left, top } = hexCorner(size, y, x);
    return { left: top, top: left, scale };
  }
  return { left: Math.floor(x / size) * size, top: Math.floor(y / size) * size, scale };
}

/** @param {number} size @param {number} along where the map begins along its rows @param {number} across */
function hexCorner(size, along, across) {
  const row = Math.floor(across / (size * ROW_STEP) + SLACK);
  const phase = row % 2 ? 0 : size / 2; // every other row of the canvas begins half a hex outside
  const left = Math.floor((along - size / 2 - phase) / size + SLACK) * size + phase;
  return { left, top: row * size * ROW_STEP };
}

/**
 * Returns how many columns and rows of cells the map has, as the server's importer counts them.
 * @param {{type: number, size: number}} grid
 * @param {{sceneX: number, sceneY: number, sceneWidth: number, sceneHeight: number}} dimensions
 * @returns {[number, number]}
 */
export function boardCells(grid, dimensions) {
  const { sceneX, sceneY, sceneWidth, sceneHeight } = dimensions;
  const { left, top } = boardPosition(grid, dimensions);
  const [wide, high] = [sceneX + sceneWidth - left, sceneY + sceneHeight - top];
  const count = (/** @type {number} */ cells) => Math.max(1, Math.ceil(cells - HAIR));
  const places = (/** @type {number} */ length) => count(length / grid.size);
  const lines = (/** @type {number} */ length) => count((length / grid.size - 1 / Math.sqrt(12)) / ROW_STEP);
  const kind = KINDS[grid.type];
  if (kind.endsWith("_r")) return [places(wide), lines(high)];
  return kind.endsWith("_q") ? [lines(wide), places(high)] : [places(wide), places(high)];
}

/**
 * Converts a point of the board to canvas pixels.
 * @param {BoardPosition} position
 * @param {[number, number]} point in 64ths of a cell
 * @returns {[number, number]}
 */
export const toCanvas = ({ left, top, scale }, [x, y]) => [left + x * scale, top + y * scale];

/**
 * Converts canvas pixels to a point of the board.
 * @param {BoardPosition} position
 * @param {{x: number, y: number}} point
 * @returns {[number, number]} in 64ths of a cell
 */
export const toBoard = ({ left, top, scale }, { x, y }) => [(x - left) / scale, (y - top) / scale];

/**
 * Returns a token's size on the canvas in pixels. Rows of pointy hexes overlap by a quarter, and so do columns of flat
 * ones: each further hex adds three quarters.
 * @param {{width: number, height: number}} token in grid spaces
 * @param {{type: number, sizeX: number, sizeY: number}} grid
 * @returns {[number, number]}
 */
export function tokenSize({ width, height }, { type, sizeX, sizeY }) {
  const spaces = (/** @type {number} */ count) => 0.75 * Math.floor(count) + 0.5 * (count % 1) + 0.25;
  const isRows = type === 2 || type === 3;
  const isColumns = type === 4 || type === 5;
  return [(isColumns ? spaces(width) : width) * sizeX, (isRows ? spaces(height) : height) * sizeY];
}

/**
 * Returns a token's top left corner in canvas pixels and its rotation (0 faces down in Foundry). A token keeps its
 * position within its cell, so that sizes and shapes that Foundry places off the cells' centers stay as they are.
 * @param {Grid} grid
 * @param {Token} token on the board
 * @param {{x: number, y: number, width: number, height: number}} now the token in Foundry
 * @param {{grid: Foundry.Grid, dimensions: Foundry.SceneDimensions}} canvas
 * @returns {{x: number, y: number, rotation?: number}}
 */
export function tokenPosition(grid, token, now, canvas) {
  const board = boardPosition(canvas.grid, canvas.dimensions);
  const isStill = !token.body && String(token.at) === String(tokenCell(grid, now, canvas));
  const corner = isStill ? { x: now.x, y: now.y } : newCorner(grid, token, now, canvas, board);
  return token.facing === null ? corner : { ...corner, rotation: (token.facing + 180) % 360 };
}

/**
 * Returns the corner of a token on another cell: as far from where it is now as the cells are apart. A token without
 * cells, or whose footprint the rules tell, is put around its center.
 * @param {Grid} grid
 * @param {Token} token
 * @param {{x: number, y: number, width: number, height: number}} now
 * @param {{grid: Foundry.Grid, dimensions: Foundry.SceneDimensions}} canvas
 * @param {BoardPosition} board
 */
function newCorner(grid, token, now, canvas, board) {
  const from = tokenCell(grid, now, canvas);
  if (token.body || grid.kind === "gridless") return centeredCorner(grid, token, now, canvas, board);
  const [x, y] = center(grid, from);
  const [toX, toY] = center(grid, token.at ?? from);
  const corner = {
    x: Math.round(now.x + (toX - x) * board.scale),
    y: Math.round(now.y + (toY - y) * board.scale),
  };
  // A token that stood off Foundry's own places, at the border of two cells, may have been rounded over it.
  const { width, height } = now; // not spread: a document's fields need not be its own properties
  const isThere = String(tokenCell(grid, { width, height, ...corner }, canvas)) === String(token.at ?? from);
  return isThere ? corner : centeredCorner(grid, token, now, canvas, board);
}

/**
 * Returns the corner of a token around the center of its cells.
 * @param {Grid} grid
 * @param {Token} token
 * @param {{width: number, height: number}} size
 * @param {{grid: Foundry.Grid}} canvas
 * @param {BoardPosition} board
 */
function centeredCorner(grid, token, size, canvas, board) {
  const [x, y] = toCanvas(board, tokenCenter(grid, token, token.at ?? [0, 0]));
  const [wide, high] = tokenSize(size, canvas.grid);
  return { x: Math.round(x - wide / 2), y: Math.round(y - high / 2) };
}

/**
 * Returns the cell of a token on Foundry's canvas, by the rules of the server's importer: on squares its top left one,
 * on hexes the one in its middle, without cells its center in 64ths.
 * @param {Grid} grid
 * @param {{x: number, y: number, width: number, height: number}} token
 * @param {{grid: Foundry.Grid, dimensions: Foundry.SceneDimensions}} canvas
 * @returns {[number, number]}
 */
export function tokenCell(grid, token, canvas) {
  const board = boardPosition(canvas.grid, canvas.dimensions);
  const [wide, high] = tokenSize(token, canvas.grid);
  const middle = toBoard(board, { x: token.x + wide / 2, y: token.y + high / 2 });
  if (grid.kind === "gridless") return [halfUp(middle[0]), halfUp(middle[1])];
  if (grid.kind !== "square") return cellAt(grid, [middle[0] - ASIDE, middle[1] - ASIDE]);
  const [x, y] = toBoard(board, token);
  const spare = (/** @type {number} */ count) => (Math.ceil(count) - count) / 2;
  return [halfUp(x / UNITS - spare(token.width)), halfUp(y / UNITS - spare(token.height))];
}

/** Rounds halves up, as the importer does. @param {number} value */
const halfUp = (value) => Math.floor(value + 0.5 + 1e-9);

/**
 * Returns the cell that a token would have with its center at a point of the canvas: the top left one of its square,
 * without cells the point.
 * @param {Pick<Replica, "scene" | "regions">} replica
 * @param {Token} token
 * @param {{x: number, y: number}} middle
 * @param {{grid: Foundry.Grid, dimensions: Foundry.SceneDimensions}} canvas
 * @returns {Cell}
 */
export function cellUnder({ scene: { grid }, regions }, token, middle, canvas) {
  const [x, y] = toBoard(boardPosition(canvas.grid, canvas.dimensions), middle);
  if (token.body) return dropCell(grid, regions ?? [], token, [x, y]);
  if (grid.kind === "gridless") return cellAt(grid, [x, y]);
  const [columns, rows] = token.size;
  return cellAt(grid, [x - ((columns - 1) * CELL) / 2, y - ((rows - 1) * CELL) / 2]);
}

/** Returns where an event of the pointer is on the canvas. @param {Event} event @returns {{x: number, y: number}} */
export function canvasPoint(event) {
  const { clientX, clientY } = /** @type {PointerEvent} */ (event);
  const { left, top } = canvas.app.view.getBoundingClientRect();
  return canvas.stage.toLocal(new PIXI.Point(clientX - left, clientY - top));
}
