/**
 * The layer list: a checkbox for each overlay layer, with its color and pattern, so that the list is the legend
 * too.
 */

import { LAYER_STYLES, css } from "../draw/palette.js";
import { LAYERS, availableLayers, layerDigit } from "../game/layers.js";
import { drawPattern } from "../draw/textures.js";
import { hasChanged } from "../game/store.js";
import { el, replaceContent } from "./dom.js";
import { localize } from "./i18n.js";
import { whenIdle } from "./idle-work.js";

/** @import {LayerKey} from "../../../types/contract.js" */
/** @import {Store} from "../game/store.js" */

/** The swatch color of the near-black blind layer, which would not show on the dark panel. */
const BLIND_SWATCH = 0x8a929e;

/**
 * Fill an element with the checkboxes and keep them current.
 * @param {HTMLElement} host
 * @param {Store} store
 */
export function layerPanel(host, store) {
  /** @type {ReturnType<typeof toggle>[]} */
  let toggles = [];
  const list = el("ul", {});
  host.append(el("h2", { class: "visually-hidden" }, localize("Layer.Layers")), list);
  store.subscribe((state, before) => {
    if (state.replica && state.replica.ruleset !== before.replica?.ruleset) {
      toggles = availableLayers(state.replica.ruleset).map((layer, i) => toggle(layer, i, store));
      replaceContent(list, ...toggles.map(({ row }) => row));
    }
    if (hasChanged(state, before, "layers"))
      for (const { key, box } of toggles) box.checked = state.layers[key];
  });
}

/** @param {typeof LAYERS[number]} layer @param {number} index @param {Store} store */
function toggle({ key, name, description }, index, store) {
  const style = LAYER_STYLES[key];
  const box = el("input", { type: "checkbox", id: `layer-${key}`, checked: store.state.layers[key] });
  box.onchange = () => store.set({ layers: { ...store.state.layers, [key]: box.checked } });
  const color = css(key === "blind" ? BLIND_SWATCH : style.color);
  const swatch = el("canvas", { class: `swatch swatch-${key}`, "aria-hidden": "true" });
  swatch.style.borderColor = color;
  whenIdle(() => drawPattern(swatch, style.pattern, color)); // the list is closed at first
  const label = el(
    "label",
    { htmlFor: box.id, title: localize(description) },
    swatch,
    localize(name),
    el("span", { class: "visually-hidden" }, `, ${localize(description)}`),
  );
  return {
    key: /** @type {LayerKey} */ (key),
    box,
    row: el("li", {}, box, label, el("kbd", {}, layerDigit(index))),
  };
}
