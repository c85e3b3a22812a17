/** "Your turn" in the title, in the icon of the browser's tab, and as a sound for players who want one. */

import { isOwnTurn } from "../panels/turn-tracker.js";
import { byId } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";
import { playSounds } from "./sound.js";

/** @import {Store} from "../../core/game/store.js" */

const ICON_PX = 32;

/** Keep the title and the icon current. @param {Store} store */
export function ownTurn(store) {
  let wasOwn = false;
  drawIcon(false);
  store.subscribe((state) => {
    const name = state.replica?.scene.name;
    const isOwn = isOwnTurn(state);
    const title = name ? `${name} | Enfilade` : "Enfilade";
    document.title = isOwn ? `${localize("Tracker.Your")} – ${title}` : title;
    if (isOwn === wasOwn) return;
    wasOwn = isOwn;
    drawIcon(isOwn);
    if (isOwn) playSounds([{ name: "turn", at: 0 }]);
  });
}

/** @param {boolean} isOwn */
function drawIcon(isOwn) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = ICON_PX;
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.fillStyle = isOwn ? "#e69f00" : "#12507a";
  pen.beginPath();
  pen.arc(ICON_PX / 2, ICON_PX / 2, ICON_PX / 2, 0, 2 * Math.PI);
  pen.fill();
  pen.fillStyle = "#ffffff";
  if (isOwn) (pen.fillRect(13, 6, 6, 13), pen.fillRect(13, 22, 6, 5));
  else for (const x of [7, 14, 21]) pen.fillRect(x, 8, 4, 16);
  /** @type {HTMLLinkElement} */ (byId("favicon")).href = canvas.toDataURL();
}
