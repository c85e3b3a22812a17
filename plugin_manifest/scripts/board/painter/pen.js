/**
 * The tools of the map painter: a canvas on which a unit is a cell, colors, and the shapes that its things are made of. Light comes from the upper left.
 */

import { between } from "./random.js";

/** @import {Random} from "./random.js" */

/** @typedef {OffscreenCanvasRenderingContext2D} Context */
/** @typedef {[number, number]} Point in cells */

/** @typedef {{left: number, top: number, right: number, bottom: number}} Box in cells */

/** @param {string} color as #rrggbb @returns {number[]} */
export const channels = (color) => [1, 3, 5].map((i) => parseInt(color.slice(i, i + 2), 16));

/** Mix two colors. @param {string} a @param {string} b @param {number} part of the second, 0 to 1 */
export function mix(a, b, part) {
  const [from, to] = [channels(a), channels(b)];
  return `rgb(${from.map((value, i) => Math.round(value + (to[i] - value) * part)).join(",")})`;
}

/** @param {number} width @param {number} height in pixels */
export function newCanvas(width, height) {
  const canvas = new OffscreenCanvas(Math.ceil(width), Math.ceil(height));
  return { canvas, context: /** @type {Context} */ (canvas.getContext("2d")) };
}

/** A pen on a canvas of which a unit is a cell. */
export class Pen {
  /** @param {Context} context @param {number} scale pixels of a cell @param {Point} origin the cell at the left upper corner */
  constructor(context, scale, [left, top]) {
    this.context = context;
    this.scale = scale;
    this.left = left;
    this.top = top;
    context.setTransform(scale, 0, 0, scale, -left * scale, -top * scale);
    context.lineJoin = context.lineCap = "round";
  }

  /** Return whether things much smaller than a cell can be seen. */
  get isFine() {
    return this.scale >= 24;
  }

  /**
   * Fill the current path with a tile that repeats over the whole map.
   * @param {OffscreenCanvas} tile
   * @param {{larger: number, turned: number}} [change] of its size, and in degrees
   */
  fillTile(tile, change) {
    this.context.fillStyle = this.pattern(tile, change);
    this.context.fill();
  }

  /** @param {OffscreenCanvas} tile @param {{larger: number, turned: number}} [change] @returns {CanvasPattern} */
  pattern(tile, { larger, turned } = { larger: 1, turned: 0 }) {
    const pattern = /** @type {CanvasPattern} */ (this.context.createPattern(tile, "repeat"));
    pattern.setTransform(new DOMMatrix().rotate(turned).scale(larger / TILE_SCALE));
    return pattern;
  }

  /** @param {Point[]} points @param {boolean} [isClosed] */
  path(points, isClosed = true) {
    const { context } = this;
    context.beginPath();
    for (const [x, y] of points) context.lineTo(x, y);
    if (isClosed) context.closePath();
  }

  /** @param {Point} center @param {number} radius @param {string} color */
  disc([x, y], radius, color) {
    const { context } = this;
    context.fillStyle = color;
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fill();
  }

  /** @param {Point[]} points @param {string} color @param {number} width */
  line(points, color, width) {
    this.path(points, false);
    Object.assign(this.context, { strokeStyle: color, lineWidth: width });
    this.context.stroke();
  }

  /** Draw something with a soft shadow. @param {number} dx @param {number} dy @param {number} blur in cells @param {string} color @param {() => void} draw */
  shadowed(dx, dy, blur, color, draw) {
    const { context, scale } = this;
    context.save();
    Object.assign(context, {
      shadowColor: color,
      shadowBlur: blur * scale,
      shadowOffsetX: dx * scale,
      shadowOffsetY: dy * scale,
    });
    draw();
    context.restore();
  }

  /** Clip to the current path while something is drawn. @param {() => void} draw */
  clipped(draw) {
    this.context.save();
    this.context.clip();
    draw();
    this.context.restore();
  }
}

/** Pixels of a repeating tile for each cell. */
const TILE_SCALE = 64;

/**
 * Begin the path of a rounded, irregular shape.
 * @param {Context} context
 * @param {Random} random
 * @param {Point} center
 * @param {Point} radii
 * @param {number} [unevenness]
 * @param {number} [count] of its corners
 */
export function blobPath(context, random, [x, y], [rx, ry], unevenness = 0.15, count = 12) {
  const points = Array.from({ length: count }, (_, i) => {
    const [angle, far] = [(i / count) * 2 * Math.PI, 1 + between(random, -unevenness, unevenness)];
    return /** @type {Point} */ ([x + Math.cos(angle) * rx * far, y + Math.sin(angle) * ry * far]);
  });
  context.beginPath();
  roundedPath(context, points);
}

/** Add a closed curve near points to the path. @param {Context} context @param {Point[]} points */
export function roundedPath(context, points) {
  const middle = (/** @type {Point} */ a, /** @type {Point} */ b) =>
    /** @type {Point} */ ([(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]);
  context.moveTo(...middle(/** @type {Point} */ (points.at(-1)), points[0]));
  points.forEach((point, i) =>
    context.quadraticCurveTo(...point, ...middle(point, points[(i + 1) % points.length])),
  );
  context.closePath();
}

/** Return whether two boxes overlap. @param {Box} a @param {Box} b */
export const overlap = (a, b) => a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;

/** Return a box that is larger on each side. @param {Box} box @param {number} by */
export const grown = ({ left, top, right, bottom }, by) => ({
  left: left - by,
  top: top - by,
  right: right + by,
  bottom: bottom + by,
});

/** @param {Point[]} points @returns {Box} */
export const boxOf = (points) => ({
  left: Math.min(...points.map(([x]) => x)),
  top: Math.min(...points.map(([, y]) => y)),
  right: Math.max(...points.map(([x]) => x)),
  bottom: Math.max(...points.map(([, y]) => y)),
});
