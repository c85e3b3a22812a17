/**
 * Where the board lies on Foundry's padded canvas: as the server's importer works it out, so that a mark of the
 * table falls on the cell it was meant for.
 */

const KINDS = ["gridless", "square", "hex_odd_r", "hex_even_r", "hex_odd_q", "hex_even_q"];
/** From one row of hexes to the next, in widths of a hex from flat side to flat side. */
const ROW_STEP = Math.sqrt(3) / 2;
/** How far from a hex's edge a map may begin, in cells: Foundry rounds to whole pixels. */
const SLACK = 0.05;
const UNITS = 64;

/** @typedef {{left: number, top: number, scale: number}} Placing the board's corner in pixels, and pixels to a 64th of a cell */

/**
 * Where the board's corner is on the canvas, and how large a 64th of a cell.
 * @param {{type: number, size: number}} grid
 * @param {{sceneX: number, sceneY: number}} dimensions
 * @returns {Placing}
 */
export function placing({ type, size }, { sceneX: x, sceneY: y }) {
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
 * A point of the board in canvas pixels.
 * @param {Placing} placing
 * @param {[number, number]} point in 64ths of a cell
 * @returns {[number, number]}
 */
export const toCanvas = ({ left, top, scale }, [x, y]) => [left + x * scale, top + y * scale];
