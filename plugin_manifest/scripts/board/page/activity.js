/**
 * The layers of what the person is doing, and a chip that names what the map shows. A box that is set by hand ends this
 * until it is switched on again. The reach has its costs from when it is switched on by hand.
 */

import { BLUE, css, layerStyle } from "../../core/draw/palette.js";
import { LAYERS } from "../../core/game/layers.js";
import { LAYERS_OF, activityOf } from "../../core/game/activity.js";
import { hasChanged, selectedToken } from "../../core/game/store.js";
import { checkbox } from "../../core/ui/controls.js";
import { byId, el, replaceContent } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";

/** @import {Activity} from "../../core/game/activity.js" */
/** @import {BoardState, TableState} from "../../../types/page.js" */
/** @import {Store} from "../../core/game/store.js" */
/** @import {Board, Page} from "./page-state.js" */

/**
 * Keep the layers as the activity wants them, and add the switch to the layer list.
 * @param {HTMLElement} host
 * @param {{store: Store, page: Page, board: Board}} parts
 */
export function layersByActivity(host, { store, page, board }) {
  const box = el("input", { type: "checkbox", id: "layers-auto", checked: page.state.hasAutoLayers });
  box.onchange = () =>
    page.set(box.checked ? { hasAutoLayers: true, hasReachCosts: false } : { hasAutoLayers: false });
  host.prepend(checkbox(box, localize("Layer.Auto")));
  const chip = byId("layer-chip");
  chip.onclick = () => byId("layers-open").click();
  /** @type {Activity | ""} */
  let shown = "";
  /** The layers that this wrote last: others were set by hand. @type {TableState["layers"] | null} */
  let written = null;
  board.subscribe((state, before) => {
    const isByHand = hasChanged(state, before, "layers") && written && state.layers !== written;
    if (isByHand)
      page.set({
        hasAutoLayers: false,
        hasReachCosts: state.layers.reach && (state.hasReachCosts || !before.layers.reach),
      });
    if (box.checked !== page.state.hasAutoLayers) box.checked = page.state.hasAutoLayers;
    showChip(chip, board.state);
    if (!page.state.hasAutoLayers) return;
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

/** Name what the map shows of the selected unit. @param {HTMLElement} chip @param {BoardState} state */
function showChip(chip, state) {
  const token = selectedToken(state);
  const on = LAYERS.filter(({ key }) => state.layers[key]);
  const { overlay, decision } = state;
  const activity = activityOf(state);
  const isPlanning = state.planning !== null;
  const isShown =
    isPlanning ||
    (token && activity !== "answering" && ((overlay && on.length) || (decision && activity === "advised")));
  chip.hidden = !isShown;
  if (!isShown) return;
  if (isPlanning) return writeChip(chip, localize("Layer.Chip.planning"), css(BLUE));
  const isAuto = state.hasAutoLayers && activity !== "watching";
  const names = on.map(({ name }) => localize(name));
  // The best places are drawn beside all layers.
  const isNamed = isAuto || activity === "advised";
  const own = isNamed ? [localize(`Layer.Chip.${activity}`, { name: token?.name ?? "" })] : [];
  const text = [...own, ...(isAuto ? [] : names)].join(", ");
  writeChip(chip, text, css(on[0] ? layerStyle(on[0].key).color : BLUE));
}

/** Give the chip a text and the color of what it names. @param {HTMLElement} chip @param {string} text @param {string} color */
function writeChip(chip, text, color) {
  if (chip.textContent === text && chip.dataset.color === color) return;
  chip.dataset.color = color;
  const swatch = el("span", { class: "chip-swatch", "aria-hidden": "true" });
  swatch.style.background = color;
  replaceContent(chip, swatch, text);
}
