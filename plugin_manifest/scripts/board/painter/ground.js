/** The map painter's grounds: textures that repeat, with blades of grass, tufts and pebbles on them. */

import { Pen, channels, newCanvas } from "./pen.js";
import { noiseAt, periodicNoise } from "./random.js";

/** @import {Box} from "./pen.js" */

/** @typedef {keyof typeof GROUNDS} Ground */

/** Colors from dark to light, and those of the blades; `blades` are so many a cell. */
export const GROUNDS = {
  grass: { ramp: ["#34421f", "#435528", "#54672f", "#66773a"], blades: ["#222c14", "#8b9a52"], count: 14 },
  moor: { ramp: ["#3b3d2a", "#4e5033", "#626340", "#74724c"], blades: ["#262819", "#989364"], count: 13 },
  marsh: { ramp: ["#2d3a2b", "#3c4a33", "#4d5a3d", "#5e6848"], blades: ["#1c251b", "#7d8a5f"], count: 13 },
  sand: { ramp: ["#8a744e", "#a38b60", "#b79f72", "#c6b083"], blades: ["#6d5a3a", "#d9c491"], count: 3 },
  dirt: { ramp: ["#4c3b28", "#655038", "#7b6446", "#8d7553"], blades: ["#3a2c1c", "#a58c67"], count: 2 },
  rock: { ramp: ["#34343a", "#45454a", "#57565a", "#696869"], blades: ["#26262b", "#7d7b78"], count: 2 },
  snow: { ramp: ["#9fb0bd", "#bccad4", "#d5dfe6", "#e9eff2"], blades: ["#8798a6", "#ffffff"], count: 2 },
  water: { ramp: ["#1d3f45", "#2a565a", "#3b6f70", "#528685"], blades: ["#17343a", "#cfe9e6"], count: 0 },
  lava: { ramp: ["#2b0f0a", "#7a1e0c", "#d4521a", "#f7b347"], blades: ["#1a0906", "#ffd873"], count: 0 },
};

/** A veil over the ground: so many times larger than its texture, and turned by some degrees. */
const VEIL = { larger: 4.7, turned: 31 };
/** The side of a texture, in pixels; it repeats after so many cells. */
const SIZE = 512;
/** @type {Map<string, OffscreenCanvas>} */
const textures = new Map();

/** Return the texture of a ground. @param {Ground} kind */
export function groundTexture(kind) {
  const known = textures.get(kind) ?? paintTexture(kind);
  textures.set(kind, known);
  return known;
}

/** @param {Ground} kind */
function paintTexture(kind) {
  const { canvas, context } = newCanvas(SIZE, SIZE);
  const image = context.createImageData(SIZE, SIZE);
  const seed = Object.keys(GROUNDS).indexOf(kind) * 131 + 11;
  const [shades, grain] = [periodicNoise(SIZE, 4, 5, seed), periodicNoise(SIZE, 64, 2, seed + 5)];
  const stops = GROUNDS[kind].ramp.map(channels);
  for (let i = 0; i < SIZE * SIZE; i += 1) {
    const shade = Math.min(0.999, Math.max(0, (shades[i] - 0.5) * 1.6 + 0.5)) * (stops.length - 1);
    const [low, part] = [Math.floor(shade), shade % 1];
    const speck = (grain[i] - 0.5) * 16;
    for (let channel = 0; channel < 3; channel += 1)
      image.data[i * 4 + channel] =
        stops[low][channel] + (stops[low + 1][channel] - stops[low][channel]) * part + speck;
    image.data[i * 4 + 3] = 255;
  }
  context.putImageData(image, 0, 0);
  return canvas;
}

/**
 * Fill a box with a ground. On a board of inches a cell is small, so its ground is coarser.
 * @param {Pen} pen
 * @param {Ground} kind
 * @param {Box} box
 * @param {number} grain so many times coarser
 */
export function paintGround(pen, kind, box, grain = 1) {
  if (grain !== 1) return coarsely(pen, grain, (coarse) => paintGround(coarse, kind, shrunk(box, grain)));
  const { context } = pen;
  context.beginPath();
  context.rect(box.left, box.top, box.right - box.left, box.bottom - box.top);
  pen.fillTile(groundTexture(kind));
  // The same texture over itself, much larger and turned, so that one does not see it repeat on a large map.
  context.globalAlpha = 0.5;
  pen.fillTile(groundTexture(kind), VEIL);
  context.globalAlpha = 1;
  if (pen.isFine) paintBlades(pen, kind, box);
}

/** Paint with a pen of which a unit is some cells. @param {Pen} pen @param {number} grain @param {(pen: Pen) => void} paint */
function coarsely({ context, scale, left, top }, grain, paint) {
  context.save();
  paint(new Pen(context, scale * grain, [left / grain, top / grain]));
  context.restore();
}

/** @param {Box} box @param {number} grain @returns {Box} */
const shrunk = ({ left, top, right, bottom }, grain) => ({
  left: left / grain,
  top: top / grain,
  right: right / grain,
  bottom: bottom / grain,
});

/**
 * Draw the blades of every cell in a box: each has its own by its place, so that neighboring tiles agree. Blades of
 * one shade share a path.
 * @param {Pen} pen
 * @param {Ground} kind
 * @param {Box} box
 */
export function paintBlades({ context }, kind, box) {
  const { blades, count } = GROUNDS[kind];
  const shades = [0.18, 0.3, 0.42].flatMap((alpha) =>
    blades.map((color) => ({ alpha, color, path: new Path2D() })),
  );
  const pebbles = new Path2D();
  for (let row = Math.floor(box.top) - 1; row <= box.bottom + 1; row += 1)
    for (let column = Math.floor(box.left) - 1; column <= box.right + 1; column += 1) {
      for (let i = 0; i < count; i += 1) addBlade(shades, column, row, i);
      if (noiseAt(column, row, 91) > 0.4) continue;
      const [x, y] = [column + noiseAt(column, row, 92), row + noiseAt(column, row, 93)];
      const size = 0.015 + noiseAt(column, row, 94) * 0.03;
      pebbles.ellipse(x, y, size, size * 0.7, 0, 0, 2 * Math.PI);
      pebbles.closePath();
    }
  context.lineWidth = 0.02;
  for (const { alpha, color, path } of shades) {
    context.globalAlpha = alpha;
    context.strokeStyle = color;
    context.stroke(path);
  }
  context.globalAlpha = 0.45;
  context.fillStyle = "#8d8a7c";
  context.fill(pebbles);
  context.globalAlpha = 1;
}

/** @param {{path: Path2D}[]} shades @param {number} column @param {number} row @param {number} i */
function addBlade(shades, column, row, i) {
  const at = (/** @type {number} */ salt) => noiseAt(column, row, i, salt);
  const [x, y] = [column + at(1), row + at(2)];
  const [height, lean] = [0.05 + at(3) * 0.09, (at(4) - 0.5) * 0.1];
  const { path } = shades[Math.floor(at(5) * shades.length)];
  path.moveTo(x, y);
  path.quadraticCurveTo(x + lean * 0.3, y - height * 0.6, x + lean, y - height);
}
