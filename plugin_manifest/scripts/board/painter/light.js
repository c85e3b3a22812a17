/** The map painter's light: what lights shine on past the walls, and its multiplication into a tile. */

import { newCanvas } from "./pen.js";

/** @import {Pen, Point} from "./pen.js" */
/** @import {Line} from "./rooms.js" */

/** @typedef {{at: Point, reach: number, color: string, power: number, ring: Point[]}} Light `color` as "r,g,b"; `ring` is what it shines on */

/** The light is painted so many times coarser than the map: it is soft anyway. */
const COARSE = 4;
/** Coarse pixels around the tile, so that smoothing finds the neighbor's light at the border. */
const RIM = 6;
/** The width of a shadow's soft edge, in cells. */
const SOFTNESS = 0.12;
const EPSILON = 1e-4;

/**
 * Return the outline of what can be seen from a place, no farther than a square around it.
 * @param {Point} at
 * @param {Line[]} lines those that block
 * @param {number} reach
 * @returns {Point[]}
 */
export function visibleRing([x, y], lines, reach) {
  const [left, right, top, bottom] = [x - reach, x + reach, y - reach, y + reach];
  const near = lines.filter(
    ([ax, ay, bx, by]) =>
      Math.min(ax, bx) < right &&
      Math.max(ax, bx) > left &&
      Math.min(ay, by) < bottom &&
      Math.max(ay, by) > top,
  );
  /** @type {Line[]} */
  const border = [
    [left, top, right, top],
    [right, top, right, bottom],
    [right, bottom, left, bottom],
    [left, bottom, left, top],
  ];
  const all = [...near, ...border];
  const angles = all
    .flatMap(([ax, ay, bx, by]) => [Math.atan2(ay - y, ax - x), Math.atan2(by - y, bx - x)])
    .flatMap((angle) => [angle - EPSILON, angle, angle + EPSILON])
    .sort((a, b) => a - b);
  return angles.map((angle) => {
    const [dx, dy] = [Math.cos(angle), Math.sin(angle)];
    const far = Math.min(...all.map((line) => distanceAlong(x, y, dx, dy, line)), reach * 2);
    return [x + dx * far, y + dy * far];
  });
}

/** @param {number} x @param {number} y @param {number} dx @param {number} dy @param {Line} line @returns {number} Infinity if the ray misses it */
function distanceAlong(x, y, dx, dy, [ax, ay, bx, by]) {
  const [ex, ey] = [bx - ax, by - ay];
  const across = dx * ey - dy * ex;
  if (Math.abs(across) < 1e-9) return Infinity;
  const far = ((ax - x) * ey - (ay - y) * ex) / across;
  const part = ((ax - x) * dy - (ay - y) * dx) / across;
  return far > 1e-6 && part >= -1e-6 && part <= 1 + 1e-6 ? far : Infinity;
}

/**
 * Darken a tile to the light that falls there.
 * @param {Pen} pen
 * @param {{ambient: string, warmth: number, lift: number}} day the light that is everywhere, how much lights color what they fall on,
 *   and how much brighter all becomes at the end, 0 to 1
 * @param {Light[]} lights
 */
export function paintLight({ context, scale, left, top }, { ambient, warmth, lift }, lights) {
  const { width, height } = context.canvas;
  const coarse = scale / COARSE;
  const size = /** @type {[number, number]} */ ([width / COARSE + 2 * RIM, height / COARSE + 2 * RIM]);
  const sum = newCanvas(...size);
  sum.context.fillStyle = ambient;
  sum.context.fillRect(0, 0, ...size);
  sum.context.setTransform(coarse, 0, 0, coarse, RIM - left * coarse, RIM - top * coarse);
  sum.context.globalCompositeOperation = "lighter";
  // The edges of shadows are soft, in browsers that can blur.
  if ("filter" in sum.context) sum.context.filter = `blur(${coarse * SOFTNESS}px)`;
  for (const light of lights) shine(sum.context, light);
  context.save();
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.imageSmoothingQuality = "high";
  const spread = () =>
    context.drawImage(sum.canvas, -RIM * COARSE, -RIM * COARSE, size[0] * COARSE, size[1] * COARSE);
  context.globalCompositeOperation = "multiply";
  spread();
  if (warmth && lights.length) {
    context.globalCompositeOperation = "soft-light";
    context.globalAlpha = warmth;
    spread();
  }
  if (lift) {
    context.globalAlpha = 1;
    context.globalCompositeOperation = "color-dodge";
    const gray = Math.round(lift * 255);
    context.fillStyle = `rgb(${gray},${gray},${gray})`;
    context.fillRect(0, 0, width, height);
  }
  context.restore();
}

/** @param {import("./pen.js").Context} context @param {Light} light */
function shine(context, { at: [x, y], reach, color, power, ring }) {
  const glow = context.createRadialGradient(x, y, 0.1, x, y, reach);
  for (const [far, strength] of [
    [0, 1],
    [0.2, 0.72],
    [0.45, 0.36],
    [0.75, 0.1],
    [1, 0],
  ])
    glow.addColorStop(far, `rgba(${color},${(strength * power).toFixed(3)})`);
  context.fillStyle = glow;
  context.beginPath();
  for (const point of ring) context.lineTo(...point);
  context.fill();
}

/** Draw the halo of a flame over the finished light. @param {Pen} pen @param {Point} at @param {number} radius */
export function paintHalo({ context }, [x, y], radius) {
  const glow = context.createRadialGradient(x, y, 0, x, y, radius);
  glow.addColorStop(0, "rgba(255,170,80,.75)");
  glow.addColorStop(0.25, "rgba(255,120,40,.28)");
  glow.addColorStop(1, "rgba(255,110,30,0)");
  context.save();
  context.globalCompositeOperation = "screen";
  context.fillStyle = glow;
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
  context.restore();
}
