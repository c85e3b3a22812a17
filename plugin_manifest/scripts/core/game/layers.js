/** The layers of a token's overlay: which there are, which are visible at first, and which a page needs of the table. */

/** @import {LayerKey, Ruleset} from "../../../types/contract.js" */

/**
 * The overlay layers in the order of the list. `name` and `description` are keys of the language file; `isOn` tells
 * whether a layer is visible at first.
 * @type {{key: LayerKey, name: string, description: string, isOn: boolean}[]}
 */
export const LAYERS = [
  {
    key: "reach",
    name: "Layer.Reach.Name",
    description: "Layer.Reach.Description",
    isOn: true,
  },
  {
    key: "arc",
    name: "Layer.Arc.Name",
    description: "Layer.Arc.Description",
    isOn: true,
  },
  {
    key: "ranges",
    name: "Layer.Ranges.Name",
    description: "Layer.Ranges.Description",
    isOn: false,
  },
  {
    key: "sight",
    name: "Layer.Sight.Name",
    description: "Layer.Sight.Description",
    isOn: false,
  },
  {
    key: "blind",
    name: "Layer.Blind.Name",
    description: "Layer.Blind.Description",
    isOn: true,
  },
  {
    key: "defense",
    name: "Layer.Defense.Name",
    description: "Layer.Defense.Description",
    isOn: false,
  },
  {
    key: "reactions",
    name: "Layer.Reactions.Name",
    description: "Layer.Reactions.Description",
    isOn: true,
  },
  {
    key: "targets",
    name: "Layer.Targets.Name",
    description: "Layer.Targets.Description",
    isOn: true,
  },
  {
    key: "threat",
    name: "Layer.Threat.Name",
    description: "Layer.Threat.Description",
    isOn: false,
  },
  {
    key: "cover",
    name: "Layer.Cover.Name",
    description: "Layer.Cover.Description",
    isOn: false,
  },
  {
    key: "engagement",
    name: "Layer.Engagement.Name",
    description: "Layer.Engagement.Description",
    isOn: true,
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
