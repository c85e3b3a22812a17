/** The layers: a toggle for each, with the colour and pattern that it has on the board. It is the legend too. */

import { el, refill } from "./dom.js";
import { LAYERS, css, layerDigit, layersOf } from "../draw/palette.js";
import { patternCanvas } from "../draw/textures.js";
import { changed } from "../game/store.js";
import { words } from "./i18n.js";

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
  host.append(el("h2", { class: "visually-hidden" }, words("Layer.Layers")), list);
  store.watch((state, before) => {
    if (state.replica && state.replica.ruleset !== before.replica?.ruleset) {
      boxes = layersOf(state.replica.ruleset).map((layer, i) => toggle(layer, i, store));
      refill(list, ...boxes.map(({ row }) => row));
    }
    if (changed(state, before, "layers")) for (const { key, box } of boxes) box.checked = state.layers[key];
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
  const swatch = patternCanvas(style.pattern, css(key === "blind" ? 0x8a929e : style.colour));
  swatch.className = `swatch swatch-${key}`;
  swatch.setAttribute("aria-hidden", "true");
  swatch.style.borderColor = css(key === "blind" ? 0x8a929e : style.colour);
  const label = el(
    "label",
    { htmlFor: box.id, title: words(says) },
    swatch,
    words(name),
    el("span", { class: "visually-hidden" }, `, ${words(says)}`),
  );
  return {
    key: /** @type {LayerKey} */ (key),
    box,
    row: el("li", {}, box, label, el("kbd", {}, layerDigit(place))),
  };
}
