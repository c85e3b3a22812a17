/** The map painter's plants, rocks, hills, water and pits. Each thing has its own random numbers by its place. */

import { groundTexture, paintBlades } from "./ground.js";
import { blobPath, boxOf, mix, newCanvas, Pen, roundedPath } from "./pen.js";
import { between, noiseAt, randomFrom } from "./random.js";
import { eachAlong } from "./rings.js";

/** @import {Ground} from "./ground.js" */
/** @import {Point} from "./pen.js" */

/** Leaves from shadow to light. */
const LEAVES = {
  green: ["#16210f", "#24351a", "#365024", "#4f6d31", "#6f8b42"],
  dusk: ["#10180f", "#1c2a1c", "#2c3f29", "#445536", "#66744a"],
  thorn: ["#1c1410", "#33241a", "#4a3524", "#6b4d33", "#8c6a45"],
};
const VARIANTS = 6;
/** A tree's picture is so wide for each unit of its radius: leaves and shadow reach beyond it. */
const SPREAD = 3.2;
/** @type {Map<string, OffscreenCanvas>} */
const sprites = new Map();

/**
 * Paint a tree or bush from above. There are a few of each size; they are painted once and stamped.
 * @param {Pen} pen
 * @param {Point} at
 * @param {number} radius
 * @param {keyof typeof LEAVES} [kind]
 */
export function paintTree({ context, scale }, [x, y], radius, kind = "green") {
  const variant = Math.floor(noiseAt(x * 64, y * 64, 21) * VARIANTS);
  const size = Math.max(8, Math.ceil(Math.pow(2, Math.ceil(Math.log2(radius * SPREAD * scale) * 2) / 2)));
  const key = `${kind} ${variant} ${size}`;
  const sprite = sprites.get(key) ?? treeSprite(kind, variant, size);
  sprites.set(key, sprite);
  const half = (radius * SPREAD) / 2;
  context.drawImage(sprite, x - half, y - half, half * 2, half * 2);
}

/** @param {keyof typeof LEAVES} kind @param {number} variant @param {number} size in pixels */
function treeSprite(kind, variant, size) {
  const { canvas, context } = newCanvas(size, size);
  const pen = new Pen(context, size / SPREAD, [-SPREAD / 2, -SPREAD / 2]);
  const [random, tones] = [randomFrom(variant * 7919 + 3), LEAVES[kind]];
  pen.shadowed(0.16, 0.26, 0.35, "rgba(0,0,0,.85)", () => {
    context.fillStyle = tones[0];
    blobPath(context, random, [0, 0], [1, 1], 0.12, 18);
    context.fill();
  });
  const leaves = size < 40 ? 30 : 90;
  context.globalAlpha = 0.85;
  for (let i = 0; i < leaves; i += 1) {
    const part = i / leaves;
    const [angle, far] = [random() * 2 * Math.PI, Math.sqrt(random()) * (0.95 - part * 0.3)];
    const at = /** @type {Point} */ ([
      Math.cos(angle) * far - part * 0.14,
      Math.sin(angle) * far - part * 0.18,
    ]);
    context.fillStyle = tones[Math.min(4, Math.floor(part * 4.6))];
    blobPath(context, random, at, [between(random, 0.1, 0.2), between(random, 0.08, 0.16)], 0.3, 8);
    context.fill();
  }
  return canvas;
}

/** @param {Pen} pen @param {Point} at @param {number} radius @param {string} [tone] */
export function paintRock(pen, [x, y], radius, tone = "#77726a") {
  const { context } = pen;
  const random = randomFrom(noiseAt(x * 64, y * 64, 22) * 2 ** 31);
  const count = 8 + Math.floor(random() * 3);
  const foot = Array.from({ length: count }, (_, i) => {
    const [angle, far] = [(i / count) * 2 * Math.PI, radius * between(random, 0.8, 1.1)];
    return /** @type {Point} */ ([x + Math.cos(angle) * far, y + Math.sin(angle) * far * 0.86]);
  });
  const top = foot.map(
    ([a, b]) =>
      /** @type {Point} */ ([x - radius * 0.08 + (a - x) * 0.58, y - radius * 0.12 + (b - y) * 0.56]),
  );
  pen.shadowed(radius * 0.2, radius * 0.28, radius * 0.35 + 0.06, "rgba(0,0,0,.8)", () => {
    context.fillStyle = mix(tone, "#1b1916", 0.55);
    pen.path(foot);
    context.fill();
  });
  foot.forEach((point, i) => {
    const next = (i + 1) % count;
    const light = Math.cos(((i + 0.5) / count) * 2 * Math.PI + 2.3);
    context.fillStyle = light > 0 ? mix(tone, "#ece0c4", light * 0.32) : mix(tone, "#24211d", -light * 0.5);
    pen.path([point, foot[next], top[next], top[i]]);
    context.fill();
  });
  context.fillStyle = mix(tone, "#f5ead0", 0.24);
  pen.path(top);
  context.fill();
  if (pen.isFine) pen.line([...top, top[0]], "rgba(255,245,220,.22)", 0.02);
}

/** Paint a soft-edged stretch of another ground. @param {Pen} pen @param {Point[][]} rings @param {Ground} ground @param {number} softness in cells */
export function paintPatch(pen, rings, ground, softness) {
  const { context, scale } = pen;
  const { width, height } = context.canvas;
  const mask = newCanvas(width, height);
  const soft = new Pen(mask.context, scale, [pen.left, pen.top]);
  softFill(soft, rings, softness);
  mask.context.globalCompositeOperation = "source-in";
  mask.context.setTransform(scale, 0, 0, scale, -pen.left * scale, -pen.top * scale);
  mask.context.fillStyle = soft.pattern(groundTexture(ground));
  mask.context.fillRect(pen.left, pen.top, width / scale, height / scale);
  if (pen.isFine && ground !== "water") {
    mask.context.globalCompositeOperation = "source-atop";
    const box = boxOf(rings.flat());
    paintBlades(soft, ground, {
      left: Math.max(box.left, pen.left),
      top: Math.max(box.top, pen.top),
      right: Math.min(box.right, pen.left + width / scale),
      bottom: Math.min(box.bottom, pen.top + height / scale),
    });
  }
  context.save();
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.drawImage(mask.canvas, 0, 0);
  context.restore();
}

/** Fill rings with a soft edge: as the shadow of a shape that lies outside of the canvas. @param {Pen} pen @param {Point[][]} rings @param {number} softness */
function softFill({ context, scale }, rings, softness) {
  const outside = context.canvas.width * 4;
  context.save();
  Object.assign(context, { shadowColor: "#000", shadowBlur: softness * scale * 2, shadowOffsetX: outside });
  context.translate(-outside / scale, 0);
  context.beginPath();
  for (const ring of rings) roundedPath(context, ring);
  context.fill("evenodd");
  context.restore();
}

/** Paint water with its banks. @param {Pen} pen @param {Point[][]} rings @param {Ground} [ground] */
export function paintWater(pen, rings, ground = "water") {
  const { context } = pen;
  const path = new Path2D();
  const trace = () => {
    context.beginPath();
    for (const ring of rings) roundedPath(context, ring);
  };
  pen.shadowed(0, 0, 0.3, "rgba(20,16,8,.8)", () => {
    trace();
    Object.assign(context, { strokeStyle: "#7a6a4a", lineWidth: 0.26 });
    context.stroke();
  });
  trace();
  pen.fillTile(groundTexture(ground));
  trace();
  pen.clipped(() => {
    // Darker below the bank, as if the water lay deeper than the ground.
    for (const [width, alpha] of [
      [0.7, 0.16],
      [0.4, 0.2],
      [0.16, 0.35],
    ]) {
      trace();
      Object.assign(context, {
        strokeStyle: ground === "water" ? `rgba(6,26,34,${alpha})` : `rgba(20,4,0,${alpha})`,
      });
      context.lineWidth = width;
      context.stroke();
    }
    const box = boxOf(rings.flat());
    for (let row = Math.floor(box.top); row < box.bottom; row += 1)
      for (let column = Math.floor(box.left); column < box.right; column += 1)
        for (let i = 0; i < 3; i += 1) {
          const [x, y] = [column + noiseAt(column, row, i, 31), row + noiseAt(column, row, i, 32)];
          const half = 0.1 + noiseAt(column, row, i, 33) * 0.16;
          path.moveTo(x - half, y);
          path.quadraticCurveTo(x, y + 0.06, x + half, y);
        }
    Object.assign(context, { strokeStyle: "rgba(207,233,230,.24)", lineWidth: 0.025 });
    if (pen.isFine) context.stroke(path);
  });
}

/** Paint rising ground in steps. @param {Pen} pen @param {Point[][]} rings @param {string} tone @param {number} steps */
export function paintHill(pen, rings, tone, steps) {
  const { context } = pen;
  const box = boxOf(rings.flat());
  const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  for (let step = 0; step < steps; step += 1) {
    const part = 1 - (step / steps) * 0.72;
    const ring = rings.map((points) =>
      points.map(
        ([a, b]) =>
          /** @type {Point} */ ([x - step * 0.08 + (a - x) * part, y - step * 0.12 + (b - y) * part]),
      ),
    );
    const trace = () => {
      context.beginPath();
      for (const points of ring) roundedPath(context, points);
    };
    pen.shadowed(0.12, 0.18, 0.35, "rgba(0,0,0,.55)", () => {
      context.fillStyle = mix(tone, "#c3b98a", step * 0.09);
      context.globalAlpha = 0.5;
      trace();
      context.fill();
    });
    trace();
    Object.assign(context, { strokeStyle: "rgba(245,236,190,.22)", lineWidth: 0.035 });
    context.stroke();
    if (!pen.isFine) continue;
    trace();
    pen.clipped(() => paintBlades(pen, "moor", boxOf(ring.flat())));
  }
}

/** Paint a pit with rocks along its edge. @param {Pen} pen @param {Point[][]} rings */
export function paintPit(pen, rings) {
  const { context } = pen;
  const trace = () => {
    context.beginPath();
    for (const ring of rings) roundedPath(context, ring);
  };
  pen.shadowed(0, 0, 0.2, "rgba(0,0,0,.9)", () => {
    trace();
    context.fillStyle = "#0f0d0a";
    context.fill();
  });
  trace();
  pen.clipped(() => {
    for (let i = 0; i < 8; i += 1) {
      trace();
      Object.assign(context, {
        strokeStyle: mix("#6f6350", "#0d0b09", i / 7),
        lineWidth: 1.3 - i * 0.14,
        globalAlpha: 0.4,
      });
      context.stroke();
    }
    context.globalAlpha = 1;
  });
  for (const ring of rings)
    eachAlong(ring, 0.5, ([x, y], random) => {
      const at = /** @type {Point} */ ([x + between(random, -0.1, 0.1), y + between(random, -0.1, 0.1)]);
      paintRock(pen, at, between(random, 0.08, 0.2), "#756b59");
    });
}
