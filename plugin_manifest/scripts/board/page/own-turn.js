/** "Your turn" in the title, in the icon of the browser's tab, and as a sound for players who want one. */

import { isOwnTurn } from "../panels/turn-tracker.js";
import { byId } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";
import { setting } from "./display.js";

/** @import {Store} from "../../core/game/store.js" */

const ICON_PX = 32;
const [TONE_HZ, TONE_SECONDS, TONE_VOLUME] = [660, 0.25, 0.15];

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
    if (isOwn && setting("sound") === "on") playTone();
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

function playTone() {
  const audio = new AudioContext();
  const [tone, volume] = [audio.createOscillator(), audio.createGain()];
  tone.frequency.value = TONE_HZ;
  volume.gain.value = TONE_VOLUME;
  tone.connect(volume).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + TONE_SECONDS);
  tone.onended = () => audio.close();
}
