/** Settings that the pages of this extension share in one browser: the link to the table, and the visible layers. */

import { LAYERS } from "../core/game/layers.js";
import { SavedLink } from "../tabletop/seat-link.js";

/** @import {LayerKey} from "../../types/contract.js" */
/** @import {TabletopSeat} from "../tabletop/seat.js" */

const [LINK, LAYER_LIST] = ["enfilade.owlbear.link", "enfilade.owlbear.layers"];

/** The link of this browser. The other pages notice a change by the browser's own event. */
export const savedLink = new SavedLink(LINK);

/** Calls a listener when another page has saved another link. @param {() => void} listener */
export function onOtherLink(listener) {
  window.addEventListener("storage", ({ key }) => key === LINK && listener());
}

/** Keeps the visible layers of a seat the same in all pages. @param {TabletopSeat} seat @returns {() => void} ends it */
export function shareLayers({ store }) {
  const read = () => {
    const saved = readLayers();
    if (saved) store.set({ layers: { ...store.state.layers, ...saved } });
  };
  const onStorage = (/** @type {StorageEvent} */ { key }) => key === LAYER_LIST && read();
  window.addEventListener("storage", onStorage);
  read();
  store.subscribe((state, before) => {
    const text = JSON.stringify(state.layers);
    if (state.layers === before.layers || text === JSON.stringify(before.layers)) return;
    try {
      localStorage.setItem(LAYER_LIST, text);
    } catch {
      // A browser that keeps nothing for this page: each page has its own layers.
    }
  });
  return () => window.removeEventListener("storage", onStorage);
}

/** @returns {Record<LayerKey, boolean> | null} */
function readLayers() {
  try {
    const saved = JSON.parse(localStorage.getItem(LAYER_LIST) ?? "null");
    if (typeof saved !== "object" || saved === null) return null;
    const known = LAYERS.filter(({ key }) => typeof saved[key] === "boolean").map(({ key }) => [
      key,
      saved[key],
    ]);
    return /** @type {Record<LayerKey, boolean>} */ (Object.fromEntries(known));
  } catch {
    return null;
  }
}
