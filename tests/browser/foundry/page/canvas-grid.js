// Lengths and places on the grid of a scene.

import { isStrict, strict } from "./strict.js";

const HEX_SIDE = 2 / Math.sqrt(3);

/** Returns the grid that a scene's source describes. */
export function readGrid({ grid }, diagonals) {
  const { type, size, distance, units } = grid;
  const [sizeX, sizeY] =
    type < 2 ? [size, size] : type < 4 ? [size, size * HEX_SIDE] : [size * HEX_SIDE, size];
  return strict("Grid", { type, size, sizeX, sizeY, distance, units, diagonals });
}

/** Returns a scene's lengths with its margin. Synthetic: whole cells on every kind of grid. */
export function readDimensions({ width, height, padding, grid }) {
  const margin = (side) => Math.ceil((padding * side) / grid.size) * grid.size;
  return strict("SceneDimensions", {
    sceneX: margin(width),
    sceneY: margin(height),
    sceneWidth: width,
    sceneHeight: height,
    size: grid.size,
    distance: grid.distance,
    distancePixels: grid.size / grid.distance,
  });
}

/** Returns a token's size in pixels: rows of hexes overlap by a quarter. */
export function sizeOf({ width, height }, { type, sizeX, sizeY }) {
  const rows = (count) =>
    isStrict("hex-size") ? 0.75 * Math.floor(count) + 0.5 * (count % 1) + 0.25 : count;
  if (type < 2) return [width * sizeX, height * sizeY];
  return type < 4 ? [width * sizeX, rows(height) * sizeY] : [rows(width) * sizeX, height * sizeY];
}

/** Returns the point in the middle of a token. */
export function middleOf(doc, grid) {
  const [width, height] = sizeOf(doc, grid);
  return { x: doc.x + width / 2, y: doc.y + height / 2 };
}

/** Returns where a dropped token lies: it snaps to squares. */
export function snapped({ x, y }, { type, size }) {
  const snap = (value) => (type === 1 ? Math.round(value / size) * size : Math.round(value));
  return { x: snap(x), y: snap(y) };
}

/** Returns the price of a way in the scene's units: steps of a king. */
export function priceOf(way, { size, distance }) {
  const steps = way
    .slice(1)
    .map(({ x, y }, i) => Math.max(Math.abs(x - way[i].x), Math.abs(y - way[i].y)) / size);
  return Math.round(steps.reduce((sum, one) => sum + one, 0)) * distance;
}
