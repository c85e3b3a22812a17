/** The layers: a toggle for each, with the color and pattern that it has on the board. It is the legend too. */

import { el, replaceContent } from "./dom.js";
import { LAYERS, css, layerDigit, availableLayers } from "../draw/palette.js";
import { patternCanvas } from "../draw/textures.js";
import { hasChanged } from "../game/store.js";
import { localize } from "./i18n.js";

/** @import {LayerKey} from "../../../types/contract.js" */
/** @import {Store} from "../game/store.js" */

/**
 * Fills an element with the toggles and keeps them in step.
 * @param {HTMLElement} host
 * @param {Store} store
 */
export function layerPanel(host, store) {
  /** @type {ReturnType<typeof toggle>[]} */
  let boxes = [];
  const list = el("ul", {});
  host.append(el("h2", { class: "visually-hidden" }, localize("Layer.Layers")), list);
  store.subscribe((state, before) => {
    if (state.replica && state.replica.ruleset !== before.replica?.ruleset) {
      boxes = availableLayers(state.replica.ruleset).map((layer, i) => toggle(layer, i, store));
      replaceContent(list, ...boxes.map(({ row }) => row));
    }
    if (hasChanged(state, before, "layers"))
      for (const { key, box } of boxes) box.checked = state.layers[key];
  });
}

/**
 * @param {typeof LAYERS[number]} layer
 * @param {number} place
 * @param {Store} store
 */
function toggle({ key, name, says, style }, place, store) {
  const box = el("input", { type: "checkbox", id: `layer-${key}`, checked: store.state.layers[key] });
  box.onchange = () => store.set({ layers: { ...store.state.layers, [key]: box.checked } });
  const swatch = patternCanvas(style.pattern, css(key === "blind" ? 0x8a929e : style.color));
  swatch.className = `swatch swatch-${key}`;
  swatch.setAttribute("aria-hidden", "true");
  swatch.style.borderColor = css(key === "blind" ? 0x8a929e : style.color);
  const label = el(
    "label",
    { htmlFor: box.id, title: localize(says) },
    swatch,
    localize(name),
    el("span", { class: "visually-hidden" }, `, ${localize(says)}`),
  );
  return {
    key: /** @type {LayerKey} */ (key),
    box,
    row: el("li", {}, box, label, el("kbd", {}, layerDigit(place))),
  };
}
