/**
 * The map painter's floors: planks, flagstones and cobbles. Boards and stones have their sizes by their place on the
 * map, so that any part of a floor can be painted alone.
 */

import { mix } from "./pen.js";
import { between, noiseAt, randomFrom } from "./random.js";

/** @import {Box, Pen, Point} from "./pen.js" */

/** @typedef {{kind: "wood" | "stone", tone: string, size?: number, moss?: number, isUpright?: boolean, seed: number}} Floor */

const PLANK = 0.3;
const PLANK_LENGTH = 2.6;
/** Stones below this height are cobbles: shorter, rounder, and without cracks. */
const SMALL_STONE = 0.4;

/** Paint the part of a floor in a box; the caller has clipped to the floor. @param {Pen} pen @param {Floor} floor @param {Box} box */
export function paintFloor(pen, floor, box) {
  if (floor.kind === "wood") paintWood(pen, floor, box);
  else paintStone(pen, floor, box);
}

/** @param {Pen} pen @param {Floor} floor @param {Box} box */
function paintWood(pen, floor, { left, top, right, bottom }) {
  const { context } = pen;
  context.save();
  // Upright planks are level ones on a map whose axes are swapped.
  if (floor.isUpright) context.transform(0, 1, 1, 0, 0, 0);
  const area = floor.isUpright
    ? { left: top, top: left, right: bottom, bottom: right }
    : { left, top, right, bottom };
  context.fillStyle = "#1c120a";
  context.fillRect(area.left, area.top, area.right - area.left, area.bottom - area.top);
  for (let row = Math.floor(area.top / PLANK); row * PLANK < area.bottom; row += 1) {
    const joint = (/** @type {number} */ i) =>
      (i + 0.36 * (noiseAt(floor.seed, row, i, 1) - 0.5) + noiseAt(row, 7)) * PLANK_LENGTH;
    for (let i = Math.floor(area.left / PLANK_LENGTH) - 2; joint(i) < area.right; i += 1)
      if (joint(i + 1) > area.left)
        paintPlank(pen, floor, [joint(i), row * PLANK], joint(i + 1) - joint(i), i, row);
  }
  context.restore();
}

/** @param {Pen} pen @param {Floor} floor @param {Point} at @param {number} length @param {number} i @param {number} row */
function paintPlank({ context, isFine }, { tone, seed }, [x, y], length, i, row) {
  const random = randomFrom(noiseAt(seed, row, i, 2) * 2 ** 31);
  const shade = between(random, -0.22, 0.2);
  context.fillStyle = shade < 0 ? mix(tone, "#20140b", -shade * 1.5) : mix(tone, "#c79a64", shade * 1.2);
  context.fillRect(x + 0.012, y + 0.014, length - 0.024, PLANK - 0.028);
  if (!isFine) return;
  context.fillStyle = "rgba(255,220,165,.13)";
  context.fillRect(x + 0.012, y + 0.014, length - 0.024, 0.03);
  context.fillStyle = "rgba(0,0,0,.2)";
  context.fillRect(x + 0.012, y + PLANK - 0.05, length - 0.024, 0.036);
  for (let line = 0; line < 4; line += 1) {
    const [height, from] = [y + between(random, 0.04, PLANK - 0.05), x + between(random, 0, length * 0.6)];
    const to = Math.min(x + length - 0.02, from + between(random, 0.3, length * 0.5));
    context.strokeStyle = random() < 0.7 ? "rgba(35,18,6,.3)" : "rgba(255,215,160,.12)";
    context.lineWidth = 0.014;
    context.beginPath();
    context.moveTo(from, height);
    const bend = height + between(random, -0.03, 0.03);
    context.quadraticCurveTo((from + to) / 2, bend, to, height);
    context.stroke();
  }
  context.fillStyle = "rgba(10,6,3,.65)";
  for (const end of [0.07, length - 0.07])
    for (const down of [0.08, PLANK - 0.08])
      context.fillRect(x + end - 0.012, y + down - 0.012, 0.024, 0.024);
  if (random() > 0.2) return;
  context.fillStyle = "rgba(30,14,5,.5)";
  context.beginPath();
  context.ellipse(x + between(random, 0.3, length - 0.3), y + PLANK / 2, 0.06, 0.035, 0, 0, 2 * Math.PI);
  context.fill();
}

/** @param {Pen} pen @param {Floor} floor @param {Box} box */
function paintStone(pen, floor, { left, top, right, bottom }) {
  const { context } = pen;
  const { size = 0.62, seed } = floor;
  context.fillStyle = "#23231f";
  context.fillRect(left, top, right - left, bottom - top);
  const course = (/** @type {number} */ row) => (row + 0.3 * (noiseAt(seed, row, 3) - 0.5)) * size;
  const length = size * (size < SMALL_STONE ? 1.12 : 1.35);
  for (let row = Math.floor(top / size) - 1; course(row) < bottom; row += 1) {
    const joint = (/** @type {number} */ i) =>
      (i + 0.5 * (noiseAt(seed, row, i, 4) - 0.5) + noiseAt(seed, row, 5)) * length;
    for (let i = Math.floor(left / length) - 2; joint(i) < right; i += 1) {
      if (joint(i + 1) < left) continue;
      const box = { left: joint(i), top: course(row), right: joint(i + 1), bottom: course(row + 1) };
      paintFlag(pen, floor, box, randomFrom(noiseAt(seed, row, i, 6) * 2 ** 31));
    }
  }
}

/** @param {Pen} pen @param {Floor} floor @param {Box} box @param {import("./random.js").Random} random */
function paintFlag(pen, { tone, moss = 0.12, size = 0.62 }, { left, top, right, bottom }, random) {
  const { context } = pen;
  const gap = () => (size > SMALL_STONE ? between(random, 0.012, 0.05) : between(random, 0.03, 0.08));
  const corners = /** @type {Point[]} */ ([
    [left + gap(), top + gap()],
    [right - gap(), top + gap()],
    [right - gap(), bottom - gap()],
    [left + gap(), bottom - gap()],
  ]);
  const shade = between(random, -0.25, 0.25);
  const color = shade < 0 ? mix(tone, "#33343a", -shade * 2) : mix(tone, "#a9a391", shade * 1.5);
  pen.path(corners);
  Object.assign(context, {
    fillStyle: color,
    strokeStyle: color,
    lineWidth: size > SMALL_STONE ? 0.05 : 0.09,
  });
  context.fill();
  if (!pen.isFine) return;
  context.stroke();
  pen.line([corners[3], corners[0], corners[1]], "rgba(255,248,225,.18)", 0.028);
  pen.line([corners[1], corners[2], corners[3]], "rgba(0,0,0,.3)", 0.028);
  const [width, height] = [right - left, bottom - top];
  for (let i = 0; i < (size > SMALL_STONE ? 6 : 3); i += 1) {
    context.fillStyle = random() < 0.5 ? "rgba(0,0,0,.16)" : "rgba(255,255,240,.1)";
    const [x, y] = [left + between(random, 0.12, 0.88) * width, top + between(random, 0.15, 0.85) * height];
    context.beginPath();
    context.ellipse(x, y, between(random, 0.01, 0.045), between(random, 0.01, 0.03), 0, 0, 2 * Math.PI);
    context.fill();
  }
  if (size > SMALL_STONE && random() < 0.13) crack(pen, random, left + random() * width, top, height);
  if (random() > moss) return;
  context.fillStyle = "rgba(86,99,47,.45)";
  context.beginPath();
  context.ellipse(left, bottom, between(random, 0.06, 0.2), between(random, 0.05, 0.12), 0, 0, 2 * Math.PI);
  context.fill();
}

/** @param {Pen} pen @param {import("./random.js").Random} random @param {number} x @param {number} y @param {number} height */
function crack(pen, random, x, y, height) {
  const points = Array.from({ length: 5 }, (_, i) => {
    if (i) x += between(random, -0.14, 0.14);
    return /** @type {Point} */ ([x, y + (height * i) / 4]);
  });
  pen.line(points, "rgba(10,10,8,.5)", 0.018);
}
