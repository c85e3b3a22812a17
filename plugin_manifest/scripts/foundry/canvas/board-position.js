/** The board's position on Foundry's padded canvas. The server's importer computes the same. */

import { tokenCenter } from "../../core/draw/geometry.js";

/** @import {Grid, Token} from "../../../types/contract.js" */

const KINDS = ["gridless", "square", "hex_odd_r", "hex_even_r", "hex_odd_q", "hex_even_q"];
/** From one row of hexes to the next, in widths of a hex between flat sides. */
const ROW_STEP = Math.sqrt(3) / 2;
/** The tolerance of a map's origin at a hex's edge, in cells: Foundry rounds to whole pixels. */
const SLACK = 0.05;
const UNITS = 64;

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
 * Returns a token's top left corner in canvas pixels and its rotation (0 faces down in Foundry).
 * @param {Grid} grid
 * @param {Token} token on the board
 * @param {{width: number, height: number}} size in grid spaces, as Foundry has it
 * @param {{grid: Foundry.Grid, dimensions: Foundry.SceneDimensions}} canvas
 * @returns {{x: number, y: number, rotation?: number}}
 */
export function tokenPosition(grid, token, { width, height }, canvas) {
  const center = tokenCenter(grid, token, token.at ?? [0, 0]);
  const [x, y] = toCanvas(boardPosition(canvas.grid, canvas.dimensions), center);
  const [wide, high] = tokenSize({ width, height }, canvas.grid);
  const corner = { x: Math.round(x - wide / 2), y: Math.round(y - high / 2) };
  return token.facing === null ? corner : { ...corner, rotation: (token.facing + 180) % 360 };
}
