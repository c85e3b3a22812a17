/** Paints lists of marks on a plain canvas, for pages without PIXI such as a saved log. */

import { CELL, corners } from "../map/geometry.js";
import { INK, css } from "./palette.js";
import { NAME_FONT, TEXT_FONT, textGrowth } from "./text-size.js";
import { labelCanvas, patternCanvas } from "./textures.js";

/** @import {Mark, Pattern, Style} from "../../../types/contract.js" */

/** @type {Map<string, HTMLCanvasElement>} */
const textures = new Map();

/** @param {string} key @param {() => HTMLCanvasElement} make */
function cached(key, make) {
  const known = textures.get(key) ?? make();
  textures.set(key, known);
  return known;
}

/**
 * Paint marks, the first at the bottom.
 * @param {CanvasRenderingContext2D} pen
 * @param {Mark[]} marks
 * @param {number} [zoom] pixels of the page for each 64th of a cell, by which texts stay readable
 */
export function paintMarks(pen, marks, zoom = 1) {
  for (const mark of marks) {
    pen.save();
    paintMark(pen, mark, zoom);
    pen.restore();
  }
}

/** @param {CanvasRenderingContext2D} pen @param {Mark} mark @param {number} zoom */
function paintMark(pen, mark, zoom) {
  switch (mark.kind) {
    case "polygon":
      return fillAndLine(pen, ringPath([mark.points]), mark.style);
    case "circle": {
      const path = new Path2D();
      path.arc(...mark.at, mark.radius, 0, 2 * Math.PI);
      return fillAndLine(pen, path, mark.style);
    }
    case "region":
      return fillAndLine(pen, ringPath(mark.rings), { ...mark.style, line: 0 });
    case "lines":
      return lines(pen, mark.points, mark.style);
    case "cells": {
      const rings = /** @type {number[][]} */ ([]);
      mark.cells.each((column, row) => rings.push(corners(mark.grid, [column, row])));
      pen.translate(...(mark.shift ?? [0, 0]));
      return fillAndLine(pen, ringPath(rings), { ...mark.style, line: 0 });
    }
    case "texts":
      for (const [column, row] of mark.cells) {
        const label = cached(`${mark.color} ${mark.text}`, () => labelCanvas(mark.text, mark.color));
        const points = corners(mark.grid, [column, row]);
        const middle = mean(points);
        pen.drawImage(label, middle[0] - CELL / 2, middle[1] - (CELL * 3) / 16, CELL, (CELL * 3) / 8);
      }
      return;
    case "picture":
      pen.globalAlpha = mark.alpha;
      pen.translate(...mark.at);
      pen.rotate(((mark.turn ?? 0) * Math.PI) / 180);
      return square(pen, mark.source, { at: [0, 0], size: mark.size });
    case "text":
      return text(pen, mark, zoom);
  }
}

/** @param {number[][]} rings */
function ringPath(rings) {
  const path = new Path2D();
  for (const points of rings) {
    for (let i = 0; i < points.length; i += 2) {
      if (i) path.lineTo(points[i], points[i + 1]);
      else path.moveTo(points[i], points[i + 1]);
    }
    path.closePath();
  }
  return path;
}

/** @param {CanvasRenderingContext2D} pen @param {Path2D} path @param {Style} style */
function fillAndLine(pen, path, { color, fill = 0, pattern = "solid", line = 0, width = 1 }) {
  if (fill && pattern !== "none") {
    pen.globalAlpha = fill;
    pen.fillStyle = fillStyle(pen, color, pattern);
    pen.fill(path);
  }
  if (!line) return;
  pen.globalAlpha = line;
  pen.strokeStyle = css(color);
  pen.lineWidth = width;
  pen.lineJoin = "round";
  pen.stroke(path);
}

/** @param {CanvasRenderingContext2D} pen @param {number} color @param {Pattern} pattern */
function fillStyle(pen, color, pattern) {
  if (pattern === "solid") return css(color);
  const tile = cached(`pattern ${pattern} ${color}`, () => patternCanvas(pattern, css(color)));
  return pen.createPattern(tile, "repeat") ?? css(color);
}

/** @param {CanvasRenderingContext2D} pen @param {number[]} points @param {Style} style */
function lines(pen, points, { color, width = 1, line = 0 }) {
  pen.globalAlpha = line;
  pen.strokeStyle = css(color);
  pen.lineWidth = width;
  pen.beginPath();
  for (let i = 0; i < points.length; i += 4) {
    pen.moveTo(points[i], points[i + 1]);
    pen.lineTo(points[i + 2], points[i + 3]);
  }
  pen.stroke();
}

/** @param {CanvasRenderingContext2D} pen @param {HTMLCanvasElement} source @param {{at: number[], size: number}} place */
function square(pen, source, { at: [x, y], size }) {
  pen.drawImage(source, x - size / 2, y - size / 2, size, size);
}

/** @param {CanvasRenderingContext2D} pen @param {Mark & {kind: "text"}} mark @param {number} zoom */
function text(
  pen,
  { at: [x, y], text: words, size: sizeOnBoard, color, grows = false, isName = false },
  zoom,
) {
  const size = sizeOnBoard * (grows ? textGrowth(sizeOnBoard, zoom, grows) : 1);
  if (!size) return;
  pen.font = isName ? `italic 700 ${size}px ${NAME_FONT}` : `600 ${size}px ${TEXT_FONT}`;
  Object.assign(pen, { textAlign: "center", textBaseline: "middle", lineJoin: "round" });
  if (color !== INK) {
    Object.assign(pen, { strokeStyle: css(INK), lineWidth: Math.max(3, size / 5) });
    pen.strokeText(words, x, y);
  }
  pen.fillStyle = css(color);
  pen.fillText(words, x, y);
}

/** @param {number[]} points @returns {[number, number]} */
function mean(points) {
  const half = points.length / 2;
  const sum = (/** @type {number} */ first) =>
    points.filter((_, i) => i % 2 === first).reduce((a, b) => a + b, 0);
  return [sum(0) / half, sum(1) / half];
}
