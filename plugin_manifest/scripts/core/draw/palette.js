/**
 * What everything looks like, as data. Colors are Okabe and Ito's and a few more that people of any color
 * vision tell apart from those; each layer also has a pattern and each side a shape, so that color never
 * stands alone.
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
export const INK = 0x14171c;
export const GRAY = 0x8a929e;
export const CRIMSON = 0xa00020;
export const CHALK = 0xffffff;
export const VIOLET = 0x9933ff;

/**
 * The layers of advice in the order they are listed, and the keys of the words for each one's name and for
 * what it means.
 * @type {{key: LayerKey, name: string, says: string, isOn: boolean, style: Style & {pattern: Pattern}}[]}
 */
export const LAYERS = [
  {
    key: "reach",
    name: "Layer.Reach.Name",
    says: "Layer.Reach.Says",
    isOn: true,
    style: { color: GREEN, fill: 0.3, pattern: "solid", line: 1, width: 3 },
  },
  {
    key: "arc",
    name: "Layer.Arc.Name",
    says: "Layer.Arc.Says",
    isOn: true,
    style: { color: YELLOW, fill: 0.28, pattern: "right", line: 0.9, width: 2 },
  },
  {
    key: "ranges",
    name: "Layer.Ranges.Name",
    says: "Layer.Ranges.Says",
    isOn: false,
    style: { color: SKY, fill: 0.3, pattern: "level", line: 1, width: 2.5 },
  },
  {
    key: "sight",
    name: "Layer.Sight.Name",
    says: "Layer.Sight.Says",
    isOn: false,
    style: { color: ORANGE, fill: 0.55, pattern: "dots", line: 0.9, width: 2 },
  },
  {
    key: "blind",
    name: "Layer.Blind.Name",
    says: "Layer.Blind.Says",
    isOn: true,
    style: { color: 0x05070a, fill: 0.45, pattern: "cross", line: 0.5, width: 1.5 },
  },
  {
    key: "defence",
    name: "Layer.Defence.Name",
    says: "Layer.Defence.Says",
    isOn: false,
    style: { color: BLUE, fill: 0.55, pattern: "upright", line: 1, width: 2.5 },
  },
  {
    key: "reactions",
    name: "Layer.Reactions.Name",
    says: "Layer.Reactions.Says",
    isOn: true,
    style: { color: PURPLE, fill: 0.3, pattern: "left", line: 1, width: 3 },
  },
  {
    key: "targets",
    name: "Layer.Targets.Name",
    says: "Layer.Targets.Says",
    isOn: true,
    style: { color: VERMILLION, fill: 0, pattern: "none", line: 1, width: 4 },
  },
  {
    key: "threat",
    name: "Layer.Threat.Name",
    says: "Layer.Threat.Says",
    isOn: false,
    style: { color: CRIMSON, fill: 0.5, pattern: "zigzag", line: 1, width: 3 },
  },
  {
    key: "cover",
    name: "Layer.Cover.Name",
    says: "Layer.Cover.Says",
    isOn: false,
    style: { color: CHALK, fill: 0.45, pattern: "bricks", line: 1, width: 2.5 },
  },
  {
    key: "engagement",
    name: "Layer.Engagement.Name",
    says: "Layer.Engagement.Says",
    isOn: true,
    style: { color: VIOLET, fill: 0.9, pattern: "rings", line: 1, width: 5 },
  },
];

/** Those that panels and moves speak of, whether or not they are shown. */
const SPOKEN_OF = new Set(["reach", "reactions", "targets"]);

/**
 * The layers of a token's overlay that a page needs: those that are shown, and those that are spoken of.
 * @param {Pick<Ruleset, "layers">} ruleset
 * @param {Record<LayerKey, boolean>} isShown
 */
export const neededLayers = (ruleset, isShown) =>
  availableLayers(ruleset)
    .map(({ key }) => key)
    .filter((key) => isShown[key] || SPOKEN_OF.has(key));

/** @param {number} place of a layer in a list; the digit that toggles it, none past the tenth */
export const layerDigit = (place) => (place < 10 ? String((place + 1) % 10) : "");

/** @param {Pick<Ruleset, "layers">} ruleset the layers it may have, in the order they are listed and numbered */
export const availableLayers = ({ layers }) => LAYERS.filter(({ key }) => layers.includes(key));

/** What a board without a picture looks like: the ground, and what lies on it. */
export const GROUND = 0x5d6a60;
export const STONE = 0xc9c1ae;
export const SAND = 0xe6d9b8;

/**
 * One look for each side, in the order the sides are listed; `corners` 0 is a circle, `turn` its first corner.
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

/** @param {number} index a side's place in the scene's list; -1 for a side that is not in it */
export const sideStyle = (index) => SIDES[Math.max(0, index) % SIDES.length];

/** @param {number} color as CSS writes it */
export const css = (color) => `#${color.toString(16).padStart(6, "0")}`;

/** @param {LayerKey | string} key */
export const layerStyle = (key) => (LAYERS.find((layer) => layer.key === key) ?? LAYERS[0]).style;
