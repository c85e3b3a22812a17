/** A painted map, or a part of one, as one picture: for a saved log, which has no painter, and the cards of the games. */

import { CELL, boardSize } from "../../core/map/geometry.js";
import { startPainter, tileWidth, tilesIn } from "./map-tiles.js";

/** @import {Scene} from "../../../types/contract.js" */
/** @import {Box} from "./pen.js" */
/** @import {FromPainter, ToPainter} from "./worker.js" */

/** The longest side of the picture, and a cell's side at most, in pixels. */
const [MOST_PX, CELL_PX] = [1600, 64];
const QUALITY = 0.85;

/**
 * Paint a scene's board in a thread of its own.
 * @param {Scene} scene
 * @param {boolean} isDay
 * @returns {Promise<string>} a data URL; "" where a browser cannot paint
 */
export async function paintedPicture(scene, isDay) {
  const painter = startPainter();
  if (!painter) return "";
  const [right, bottom] = boardSize(scene.grid).map((length) => length / CELL);
  try {
    return await paintedPart(painter, scene, isDay, { left: 0, top: 0, right, bottom });
  } finally {
    painter.terminate();
  }
}

/**
 * Paint a part of a scene's board. The painter can be used again when it has answered: it keeps the textures of its
 * grounds, which take longer than a small part.
 * @param {Worker} painter
 * @param {Scene} scene
 * @param {boolean} isDay
 * @param {Box} part in cells
 * @param {number} [most] the pixels of a cell's side at most
 * @returns {Promise<string>} a data URL; "" where a browser has no canvas
 */
export function paintedPart(painter, scene, isDay, part, most = CELL_PX) {
  const [width, height] = [part.right - part.left, part.bottom - part.top];
  const pixels = Math.min(most, CELL_PX, MOST_PX / Math.max(width, height));
  const cells = tileWidth(pixels);
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [Math.round(width * pixels), Math.round(height * pixels)];
  const pen = canvas.getContext("2d");
  if (!pen) return Promise.resolve("");
  const wishes = tilesIn(part, part, cells).map(([column, row]) => ({ cells, column, row, isDay, has: "" }));
  let left = wishes.length;
  return new Promise((resolve, reject) => {
    painter.onerror = ({ message }) => reject(new Error(message));
    painter.onmessage = (/** @type {MessageEvent<FromPainter>} */ { data: { spec, picture } }) => {
      const side = cells * pixels;
      const [x, y] = [spec.column * side - part.left * pixels, spec.row * side - part.top * pixels];
      if (picture) pen.drawImage(picture, x, y, side, side);
      picture?.close();
      left -= 1;
      if (!left) resolve(canvas.toDataURL("image/webp", QUALITY));
    };
    const { grid, walls, terrain, name } = scene;
    /** @type {ToPainter} */
    const message = { scene: { version: 1, value: { grid, walls, terrain, name } }, wishes };
    painter.postMessage(message);
  });
}
