/**
 * Colors, patterns and shapes. The colors are those of Okabe and Ito, and a few more that remain distinct for
 * color-blind people. Each layer also has a pattern and each side a shape, so color alone never carries meaning.
 */

/** @import {LayerKey, Pattern, Ruleset, Style} from "../../../types/contract.js" */

export const ORANGE = 0xe69f00;
export const SKY = 0x56b4e9;
export const GREEN = 0x009e73;
export const YELLOW = 0xf0e442;
export const BLUE = 0x0072b2;
export const VERMILLION = 0xd55e00;
export const PURPLE = 0xcc79a7;
export const WHITE = 0xf4f1e8;
export const IVORY = 0xfff6e0;
export const INK = 0x14171c;
export const GRAY = 0x8a929e;
export const CRIMSON = 0xa00020;
export const CHALK = 0xffffff;
export const VIOLET = 0x9933ff;

/**
 * The overlay layers in the order of the list. `name` and `description` are keys of the language file; `isOn` tells
 * whether a layer is visible at first.
 * @type {{key: LayerKey, name: string, description: string, isOn: boolean, style: Style & {pattern: Pattern}}[]}
 */
export const LAYERS = [
  {
    key: "reach",
    name: "Layer.Reach.Name",
    description: "Layer.Reach.Description",
    isOn: true,
    style: { color: GREEN, fill: 0.3, pattern: "solid", line: 1, width: 3 },
  },
  {
    key: "arc",
    name: "Layer.Arc.Name",
    description: "Layer.Arc.Description",
    isOn: true,
    style: { color: YELLOW, fill: 0.28, pattern: "right", line: 0.9, width: 2 },
  },
  {
    key: "ranges",
    name: "Layer.Ranges.Name",
    description: "Layer.Ranges.Description",
    isOn: false,
    style: { color: SKY, fill: 0.3, pattern: "level", line: 1, width: 2.5 },
  },
  {
    key: "sight",
    name: "Layer.Sight.Name",
    description: "Layer.Sight.Description",
    isOn: false,
    style: { color: ORANGE, fill: 0.55, pattern: "dots", line: 0.9, width: 2 },
  },
  {
    key: "blind",
    name: "Layer.Blind.Name",
    description: "Layer.Blind.Description",
    isOn: true,
    style: { color: 0x05070a, fill: 0.45, pattern: "cross", line: 0.5, width: 1.5 },
  },
  {
    key: "defense",
    name: "Layer.Defense.Name",
    description: "Layer.Defense.Description",
    isOn: false,
    style: { color: BLUE, fill: 0.55, pattern: "upright", line: 1, width: 2.5 },
  },
  {
    key: "reactions",
    name: "Layer.Reactions.Name",
    description: "Layer.Reactions.Description",
    isOn: true,
    style: { color: PURPLE, fill: 0.3, pattern: "left", line: 1, width: 3 },
  },
  {
    key: "targets",
    name: "Layer.Targets.Name",
    description: "Layer.Targets.Description",
    isOn: true,
    style: { color: VERMILLION, fill: 0, pattern: "none", line: 1, width: 4 },
  },
  {
    key: "threat",
    name: "Layer.Threat.Name",
    description: "Layer.Threat.Description",
    isOn: false,
    style: { color: CRIMSON, fill: 0.5, pattern: "zigzag", line: 1, width: 3 },
  },
  {
    key: "cover",
    name: "Layer.Cover.Name",
    description: "Layer.Cover.Description",
    isOn: false,
    style: { color: CHALK, fill: 0.45, pattern: "bricks", line: 1, width: 2.5 },
  },
  {
    key: "engagement",
    name: "Layer.Engagement.Name",
    description: "Layer.Engagement.Description",
    isOn: true,
    style: { color: VIOLET, fill: 0.9, pattern: "rings", line: 1, width: 5 },
  },
];

/** The layers that panels and moves read even if they are not visible. */
const ALWAYS_NEEDED = new Set(["reach", "reactions", "targets"]);

/**
 * Return the layers that the page needs of a token's overlay.
 * @param {Pick<Ruleset, "layers">} ruleset
 * @param {Record<LayerKey, boolean>} isVisible
 */
export const neededLayers = (ruleset, isVisible) =>
  availableLayers(ruleset)
    .map(({ key }) => key)
    .filter((key) => isVisible[key] || ALWAYS_NEEDED.has(key));

/**
 * Return the digit key that toggles a layer; "" past the tenth.
 * @param {number} index of the layer in the list
 */
export const layerDigit = (index) => (index < 10 ? String((index + 1) % 10) : "");

/**
 * Return the layers that a ruleset can have, in the order of the list.
 * @param {Pick<Ruleset, "layers">} ruleset
 */
export const availableLayers = ({ layers }) => LAYERS.filter(({ key }) => layers.includes(key));

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
  { color: VERMILLION, ink: INK, corners: 4, turn: 45, shape: "square" },
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
  reach: { fill: 0.2, width: 2.5 },
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
  const { style } = LAYERS.find((layer) => layer.key === key) ?? LAYERS[0];
  return isCalm ? { ...style, ...CALM[key] } : style;
}
