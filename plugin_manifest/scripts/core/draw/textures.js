/** Canvases for textures: hatching patterns one cell wide (also for the legend), and labels. */

import { CELL } from "../map/geometry.js";
import { INK, css } from "./palette.js";
import { TEXT_FONT } from "./text-size.js";
import { LABEL } from "./triangles.js";

/** @import {Pattern} from "../../../types/contract.js" */

const SIZE = 64;
const STEP = 16;

/** @type {Record<Pattern, (pen: CanvasRenderingContext2D) => void>} */
const DRAW = {
  none: () => {},
  solid: (pen) => pen.fillRect(0, 0, SIZE, SIZE),
  left: (pen) => stripes(pen, -1),
  right: (pen) => stripes(pen, 1),
  cross: (pen) => {
    stripes(pen, 1);
    stripes(pen, -1);
  },
  level: (pen) => {
    for (let y = STEP / 2; y < SIZE; y += STEP) pen.fillRect(0, y - 2, SIZE, 4);
  },
  upright: (pen) => {
    for (let x = STEP / 2; x < SIZE; x += STEP) pen.fillRect(x - 2, 0, 4, SIZE);
  },
  zigzag: (pen) => {
    for (let y = STEP / 2; y < SIZE; y += STEP) path(pen, zigzag(y));
  },
  bricks: (pen) => {
    DRAW.level(pen);
    for (let row = 0; row * STEP < SIZE; row += 1)
      for (let x = row % 2 ? STEP : 0; x <= SIZE; x += 2 * STEP)
        pen.fillRect(x - 2, (row - 0.5) * STEP, 4, STEP);
  },
  rings: (pen) => {
    for (let i = STEP; i < SIZE; i += 2 * STEP) for (let j = STEP; j < SIZE; j += 2 * STEP) ring(pen, i, j);
  },
  dots: (pen) => {
    for (let i = STEP / 2; i < SIZE; i += STEP) for (let j = STEP / 2; j < SIZE; j += STEP) dot(pen, i, j);
  },
};

/**
 * Draw a pattern in a color; the gaps have a quarter of its opacity.
 * @param {Pattern} pattern
 * @param {string} color in CSS notation
 * @returns {HTMLCanvasElement}
 */
export const patternCanvas = (pattern, color) =>
  drawPattern(document.createElement("canvas"), pattern, color);

/** Draw a pattern as `patternCanvas` does, on a canvas that is there. @param {HTMLCanvasElement} canvas @param {Pattern} pattern @param {string} color */
export function drawPattern(canvas, pattern, color) {
  canvas.width = canvas.height = SIZE;
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.fillStyle = pen.strokeStyle = color;
  pen.lineWidth = 3;
  DRAW[pattern](pen);
  if (pattern !== "none") {
    pen.globalAlpha = 0.25;
    pen.fillRect(0, 0, SIZE, SIZE);
  }
  return canvas;
}

/** @param {CanvasRenderingContext2D} pen @param {1 | -1} slope */
function stripes(pen, slope) {
  for (let start = -SIZE; start <= 2 * SIZE; start += STEP) {
    pen.beginPath();
    pen.moveTo(start, slope > 0 ? SIZE + 4 : -4);
    pen.lineTo(start + SIZE + 8, slope > 0 ? -4 : SIZE + 4);
    pen.stroke();
  }
}

/** Return the points of a zigzag line. @param {number} y the middle of its height @returns {number[][]} */
const zigzag = (y) =>
  Array.from({ length: (2 * SIZE) / STEP + 1 }, (_, i) => [(i * STEP) / 2, y + (i % 2 ? -STEP : STEP) / 4]);

/** @param {CanvasRenderingContext2D} pen @param {number[][]} points */
function path(pen, points) {
  pen.beginPath();
  for (const [x, y] of points) pen.lineTo(x, y);
  pen.stroke();
}

/** @param {CanvasRenderingContext2D} pen @param {number} x @param {number} y */
function ring(pen, x, y) {
  pen.beginPath();
  pen.arc(x, y, 9, 0, 2 * Math.PI);
  pen.stroke();
}

/** @param {CanvasRenderingContext2D} pen @param {number} x @param {number} y */
function dot(pen, x, y) {
  pen.beginPath();
  pen.arc(x, y, 3.5, 0, 2 * Math.PI);
  pen.fill();
}

const LABEL_RESOLUTION = 3;
const LABEL_SIZE = 19;
const LABEL_RIM = 4;

/**
 * Draw a text in the center of a label box, light with a dark rim; a text too long for the box is condensed.
 * @param {string} text
 * @param {number} color
 * @returns {HTMLCanvasElement}
 */
export function labelCanvas(text, color) {
  const [width, height] = [LABEL.width * CELL, LABEL.height * CELL];
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: width * LABEL_RESOLUTION, height: height * LABEL_RESOLUTION });
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.scale(LABEL_RESOLUTION, LABEL_RESOLUTION);
  pen.font = `600 ${LABEL_SIZE}px ${TEXT_FONT}`;
  Object.assign(pen, {
    textAlign: "center",
    textBaseline: "middle",
    lineJoin: "round",
    lineWidth: LABEL_RIM,
  });
  Object.assign(pen, { strokeStyle: css(INK), fillStyle: css(color) });
  pen.strokeText(text, width / 2, height / 2, width - LABEL_RIM);
  pen.fillText(text, width / 2, height / 2, width - LABEL_RIM);
  return canvas;
}
