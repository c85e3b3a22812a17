/** A painted map as one picture, for a page that has no painter: a saved log. */

import { CELL, boardSize } from "../../core/map/geometry.js";
import { startPainter, tileWidth, tilesIn } from "./map-tiles.js";

/** @import {Scene} from "../../../types/contract.js" */
/** @import {FromPainter, ToPainter} from "./worker.js" */

/** The longest side of the picture, and a cell's side at most, in pixels. */
const [MOST_PX, CELL_PX] = [1600, 64];
const QUALITY = 0.85;

/**
 * Paint a scene's board.
 * @param {Scene} scene
 * @param {boolean} isDay
 * @returns {Promise<string>} a data URL; "" where a browser cannot paint
 */
export function paintedPicture(scene, isDay) {
  const worker = startPainter();
  const [width, height] = boardSize(scene.grid).map((length) => length / CELL);
  const pixels = Math.min(CELL_PX, MOST_PX / Math.max(width, height));
  const cells = tileWidth(pixels);
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [Math.round(width * pixels), Math.round(height * pixels)];
  const pen = canvas.getContext("2d");
  if (!worker || !pen) return Promise.resolve("");
  const board = { left: 0, top: 0, right: width, bottom: height };
  const wishes = tilesIn(board, board, cells).map(([column, row]) => ({
    cells,
    column,
    row,
    isDay,
    has: "",
  }));
  let left = wishes.length;
  return new Promise((resolve, reject) => {
    const end = (/** @type {() => void} */ settle) => {
      worker.terminate();
      settle();
    };
    worker.onerror = ({ message }) => end(() => reject(new Error(message)));
    worker.onmessage = (/** @type {MessageEvent<FromPainter>} */ { data: { spec, picture } }) => {
      const side = cells * pixels;
      if (picture) pen.drawImage(picture, spec.column * side, spec.row * side, side, side);
      picture?.close();
      left -= 1;
      if (!left) end(() => resolve(canvas.toDataURL("image/webp", QUALITY)));
    };
    const { grid, walls, terrain, name } = scene;
    /** @type {ToPainter} */
    const message = { scene: { version: 1, value: { grid, walls, terrain, name } }, wishes };
    worker.postMessage(message);
  });
}
