/** The map painter's walls: bodies of masonry that cast a shadow, with the doorways' posts. */

import { mix } from "./pen.js";
import { between, noiseAt, randomFrom } from "./random.js";

/** @import {Pen, Point} from "./pen.js" */

/** @typedef {{from: Point, to: Point, width: number, tone: string}} WallBody in cells */

/** Paint walls; those that touch join, because each layer is painted for all. @param {Pen} pen @param {WallBody[]} walls */
export function paintWalls(pen, walls) {
  if (!walls.length) return;
  castShadow(pen, walls);
  strokeAll(pen, walls, 0.1, () => "#15120e");
  strokeAll(pen, walls, 0.02, ({ tone }) => mix(tone, "#1d1a15", 0.55), [0.03, 0.035]);
  strokeAll(pen, walls, -0.03, ({ tone }) => mix(tone, "#fff3d6", 0.42), [-0.02, -0.025]);
  strokeAll(pen, walls, -0.07, ({ tone }) => tone);
  if (pen.isFine) for (const wall of walls) paintMasonry(pen, wall);
}

/** @param {Pen} pen @param {WallBody[]} walls @param {number} more wider than the wall @param {(wall: WallBody) => string} color @param {Point} [shift] */
function strokeAll({ context }, walls, more, color, [dx, dy] = [0, 0]) {
  context.lineCap = "square";
  const paths = new Map();
  for (const wall of walls) {
    const key = `${wall.width} ${color(wall)}`;
    const path = paths.get(key) ?? { width: wall.width + more, color: color(wall), path: new Path2D() };
    path.path.moveTo(wall.from[0] + dx, wall.from[1] + dy);
    path.path.lineTo(wall.to[0] + dx, wall.to[1] + dy);
    paths.set(key, path);
  }
  for (const { width, color: stroke, path } of paths.values()) {
    Object.assign(context, { strokeStyle: stroke, lineWidth: width });
    context.stroke(path);
  }
  context.lineCap = "round";
}

/** @param {Pen} pen @param {WallBody[]} walls */
function castShadow(pen, walls) {
  const { context, scale } = pen;
  for (const [dx, dy, blur, alpha, more] of [
    [0.13, 0.2, 0.32, 0.75, 0.16],
    [0, 0, 0.5, 0.5, 0.4],
  ]) {
    // All walls throw one shadow: one from outside of the canvas, or where they meet it would be twice as dark.
    const outside = context.canvas.width * 4;
    context.save();
    Object.assign(context, { shadowColor: `rgba(0,0,0,${alpha})`, shadowBlur: blur * scale });
    Object.assign(context, { shadowOffsetX: dx * scale + outside, shadowOffsetY: dy * scale });
    context.translate(-outside / scale, 0);
    strokeAll(pen, walls, more, () => "#000");
    context.restore();
  }
}

/** @param {Pen} pen @param {WallBody} wall */
function paintMasonry({ context }, { from: [ax, ay], to: [bx, by], width, tone }) {
  const length = Math.hypot(bx - ax, by - ay);
  if (!length) return;
  const [dx, dy] = [(bx - ax) / length, (by - ay) / length];
  const half = width / 2 - 0.04;
  const along = (/** @type {number} */ far) => /** @type {Point} */ ([ax + dx * far, ay + dy * far]);
  const random = randomFrom(noiseAt(ax * 64, ay * 64, bx * 64, by * 64) * 2 ** 31);
  context.lineCap = "butt";
  for (let far = between(random, 0, 0.2); far < length;) {
    const end = Math.min(length, far + between(random, 0.22, 0.5));
    const shade = between(random, -0.2, 0.2);
    const color = shade < 0 ? mix(tone, "#3a362e", -shade * 2) : mix(tone, "#d6cdb6", shade * 1.6);
    segment(context, along(far), along(end - 0.02), color, width - 0.1, 0.75);
    const [x, y] = along(end);
    segment(context, [x - dy * half, y + dx * half], [x + dy * half, y - dx * half], "#2a251d", 0.025, 0.7);
    if (random() < 0.45) segment(context, along(far), along(end), "#2a251d", 0.025, 0.4);
    far = end;
  }
  Object.assign(context, { globalAlpha: 1, lineCap: "round" });
}

/** @param {import("./pen.js").Context} context @param {Point} from @param {Point} to @param {string} color @param {number} width @param {number} alpha */
function segment(context, from, to, color, width, alpha) {
  Object.assign(context, { strokeStyle: color, lineWidth: width, globalAlpha: alpha });
  context.beginPath();
  context.moveTo(...from);
  context.lineTo(...to);
  context.stroke();
}
