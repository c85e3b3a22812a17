/** Short words and numbers on a canvas of the size of their box, light with a dark rim. */

import { CELL } from "./geometry.js";
import { INK, css } from "./palette.js";
import { LABEL } from "./quads.js";

const SHARPNESS = 3;
const SIZE = 19;
const RIM = 4;

/**
 * A canvas with a text in its middle; one that is too long for its box is made narrower.
 * @param {string} text
 * @param {number} colour
 * @returns {HTMLCanvasElement}
 */
export function labelCanvas(text, colour) {
  const [width, height] = [LABEL.width * CELL, LABEL.height * CELL];
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: width * SHARPNESS, height: height * SHARPNESS });
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.scale(SHARPNESS, SHARPNESS);
  pen.font = `600 ${SIZE}px system-ui, 'DejaVu Sans', sans-serif`;
  Object.assign(pen, { textAlign: "center", textBaseline: "middle", lineJoin: "round", lineWidth: RIM });
  Object.assign(pen, { strokeStyle: css(INK), fillStyle: css(colour) });
  pen.strokeText(text, width / 2, height / 2, width - RIM);
  pen.fillText(text, width / 2, height / 2, width - RIM);
  return canvas;
}
