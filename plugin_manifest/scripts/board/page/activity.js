/**
 * Layers by what the person is doing: moving, aiming, or answering a question. A box that is set by hand ends this
 * until it is switched on again.
 */

import { LAYERS } from "../../core/draw/palette.js";
import { hasChanged } from "../../core/game/store.js";
import { checkbox } from "../../core/ui/controls.js";
import { el } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";

/** @import {LayerKey} from "../../../types/contract.js" */
/** @import {PageState} from "../../../types/page.js" */
/** @import {Store} from "../../core/game/store.js" */

/** @type {Record<string, LayerKey[]>} */
const LAYERS_OF = {
  looking: LAYERS.filter(({ isOn }) => isOn).map(({ key }) => key),
  moving: ["reach", "reactions", "threat", "engagement"],
  aiming: ["arc", "ranges", "targets", "cover", "defense", "engagement"],
  answering: ["reactions", "targets", "engagement"],
};

/** Return what the person is doing. @param {PageState} state */
export function activityOf({ ghost, target, replica }) {
  if (ghost) return "moving";
  if (target) return "aiming";
  return replica?.choice && !replica.choice.given ? "answering" : "looking";
}

/**
 * Keep the layers as the activity wants them, and add the switch to the layer list.
 * @param {HTMLElement} host
 * @param {Store} store
 */
export function layersByActivity(host, store) {
  const box = el("input", { type: "checkbox", id: "layers-auto", checked: store.state.hasAutoLayers });
  box.onchange = () => store.set({ hasAutoLayers: box.checked });
  host.prepend(checkbox(box, localize("Layer.Auto")));
  let shown = "looking";
  /** The layers that this wrote last: others were set by hand. @type {PageState["layers"] | null} */
  let written = null;
  store.subscribe((state, before) => {
    if (hasChanged(state, before, "layers") && written && state.layers !== written && state.hasAutoLayers)
      store.set({ hasAutoLayers: false });
    if (box.checked !== store.state.hasAutoLayers) box.checked = store.state.hasAutoLayers;
    if (!store.state.hasAutoLayers) return;
    const activity = activityOf(state);
    if (activity === shown && written && before.hasAutoLayers) return;
    shown = activity;
    const layers = { ...state.layers };
    for (const { key } of LAYERS) layers[key] = LAYERS_OF[activity].includes(key);
    written = layers;
    if (JSON.stringify(layers) !== JSON.stringify(state.layers)) store.set({ layers });
    else written = state.layers;
  });
}
