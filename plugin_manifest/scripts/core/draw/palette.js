/**
 * Colors, patterns and shapes. The colors are those of Okabe and Ito, and a few more that remain distinct for
 * color-blind people. Each layer also has a pattern and each side a shape, so color alone never carries meaning.
 */

/** @import {LayerKey, Pattern, Style} from "../../../types/contract.js" */

export const ORANGE = 0xe69f00;
export const SKY = 0x56b4e9;
export const GREEN = 0x009e73;
export const YELLOW = 0xf0e442;
export const BLUE = 0x0072b2;
export const VERMILLION = 0xd55e00;
export const PURPLE = 0xcc79a7;
const EMBER = 0xe8743b;
export const WHITE = 0xf4f1e8;
export const IVORY = 0xfff6e0;
export const INK = 0x14171c;
export const GRAY = 0x8a929e;
const CRIMSON = 0xa00020;
export const CHALK = 0xffffff;
const VIOLET = 0x9933ff;

/** The style of each layer of an overlay. @type {Record<LayerKey, Style & {pattern: Pattern}>} */
export const LAYER_STYLES = {
  reach: { color: GREEN, fill: 0.3, pattern: "solid", line: 1, width: 3 },
  arc: { color: YELLOW, fill: 0.28, pattern: "right", line: 0.9, width: 2 },
  ranges: { color: SKY, fill: 0.3, pattern: "level", line: 1, width: 2.5 },
  sight: { color: ORANGE, fill: 0.55, pattern: "dots", line: 0.9, width: 2 },
  blind: { color: 0x05070a, fill: 0.45, pattern: "cross", line: 0.5, width: 1.5 },
  defense: { color: BLUE, fill: 0.55, pattern: "upright", line: 1, width: 2.5 },
  reactions: { color: PURPLE, fill: 0.3, pattern: "left", line: 1, width: 3 },
  targets: { color: VERMILLION, fill: 0, pattern: "none", line: 1, width: 4 },
  threat: { color: CRIMSON, fill: 0.5, pattern: "zigzag", line: 1, width: 3 },
  cover: { color: CHALK, fill: 0.45, pattern: "bricks", line: 1, width: 2.5 },
  engagement: { color: VIOLET, fill: 0.9, pattern: "rings", line: 1, width: 5 },
};

/** The ground of a board without a picture, and terrain on it. */
export const GROUND = 0x5d6a60;
export const STONE = 0xc9c1ae;
export const SAND = 0xe6d9b8;
export const MASONRY = 0x8f8778;
export const TIMBER = 0x8a5a2a;

/**
 * A style for each side, in the order of the scene. `corners` 0 is a circle; `turn` is the angle of the first corner;
 * `shape` is a key below Shape in the language file.
 * @type {{color: number, ink: number, corners: number, turn: number, shape: string}[]}
 */
export const SIDES = [
  { color: SKY, ink: INK, corners: 0, turn: 0, shape: "circle" },
  { color: EMBER, ink: INK, corners: 4, turn: 45, shape: "square" },
  { color: YELLOW, ink: INK, corners: 6, turn: 0, shape: "hexagon" },
  { color: PURPLE, ink: INK, corners: 4, turn: 0, shape: "diamond" },
  { color: GREEN, ink: INK, corners: 8, turn: 22.5, shape: "octagon" },
  { color: ORANGE, ink: INK, corners: 5, turn: -90, shape: "pentagon" },
];

/** @param {number} index of the side in the scene; -1 if the scene lacks it */
export const sideStyle = (index) => SIDES[Math.max(0, index) % SIDES.length];

/** Return a color in CSS notation. @param {number} color */
export const css = (color) => `#${color.toString(16).padStart(6, "0")}`;

/**
 * The strength of layers on a calm map: a tint, with the pattern only where the color alone would not do.
 * @type {Record<string, Partial<Style>>}
 */
const CALM = {
  reach: { color: 0x7fe0b8, fill: 0.12, width: 4 },
  arc: { fill: 0.07, pattern: "solid", line: 0.75 },
  ranges: { fill: 0.14, line: 0.8 },
  sight: { fill: 0.25, line: 0.8, width: 1.5 },
  blind: { fill: 0.42, pattern: "solid", line: 0.6, width: 1 },
  defense: { fill: 0.25 },
  reactions: { fill: 0.2 },
  threat: { fill: 0.25, width: 2 },
  cover: { fill: 0.22, width: 1.5 },
};
let isCalm = false;

/** Let layers be tints instead of strong patterns. @param {boolean} wanted */
export const setCalm = (wanted) => (isCalm = wanted);

/** Return whether layers are tints. */
export const isCalmMap = () => isCalm;

/** @param {LayerKey | string} key @returns {Style & {pattern: Pattern}} */
export function layerStyle(key) {
  const style = LAYER_STYLES[/** @type {LayerKey} */ (key)] ?? LAYER_STYLES.reach;
  return isCalm ? { ...style, ...CALM[key] } : style;
}
