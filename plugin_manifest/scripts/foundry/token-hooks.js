/** Additions to Foundry's tokens: the cost of a move while one is dragged, and a button on the Token HUD. */

import { isCompanion } from "../core/game/companion.js";
import { el } from "../core/ui/dom.js";
import { localize } from "../core/ui/i18n.js";
import { moveText } from "../core/ui/move-text.js";
import { onHook } from "./boundary.js";
import { boardPosition, cellUnder, toBoard } from "./canvas/board-position.js";
import { overlayLayer } from "./canvas/overlay-layer.js";
import { isTableShown } from "./read/table-scene.js";
import { isThroughWaypoints } from "./canvas/rulers.js";

/** @import {SeatUi} from "./seat-ui.js" */

/**
 * Registers the hooks for as long as the page is open.
 * @param {() => SeatUi | null} seatUi
 */
export function registerTokenHooks(seatUi) {
  // Foundry refreshes the preview of a dragged token each frame; the cost comes from the reach that the page has.
  onHook("refreshToken", (token) => token.isPreview && showCost(seatUi(), token));
  onHook("destroyToken", (token) => token.isPreview && overlayLayer()?.showDrag(null, []));
  for (const hook of ["controlToken", "targetToken"]) onHook(hook, () => seatUi()?.keepVerdicts());
  onHook("renderTokenHUD", (hud, html) => addHudButton(seatUi(), hud, html));
}

/** @param {SeatUi | null} seatUi @param {Foundry.Token} preview */
function showCost(seatUi, preview) {
  const { replica, overlay } = seatUi?.context.store.state ?? {};
  const token = replica?.scene.tokens.find(({ id }) => id === preview.document.id);
  if (!replica || !token || overlay?.token !== token.id || !isTableShown()) return;
  const point = toBoard(boardPosition(canvas.grid, canvas.dimensions), preview.center);
  const at = cellUnder(replica, token, preview.center, canvas);
  // The reach knows the cheapest path only.
  const price = isCompanion(replica) ? corePrice(preview) : null;
  const text = isThroughWaypoints(token.id) ? "" : moveText(overlay, token, at, replica.scene, price);
  overlayLayer()?.showDrag(point, text ? text.split("\n") : []);
}

/**
 * Returns what Foundry, with the world's system, charges for the way of a dragged token, as its own ruler does; null
 * before 13, and where it knows no price. What the user cannot see does not count.
 * @param {Foundry.Token} preview
 */
function corePrice({ document: doc, center }) {
  const placed = canvas.tokens?.get(doc.id);
  if (!placed?.measureMovementPath) return null;
  const { x, y, elevation } = doc._source;
  const [across, down] = [center.x - placed.center.x, center.y - placed.center.y];
  const way = [
    { x, y, elevation },
    { x: x + across, y: y + down, elevation },
  ];
  const { cost } = placed.measureMovementPath(way, { preview: true });
  return Number.isFinite(cost) ? Math.round(cost * 100) / 100 : null;
}

/**
 * Adds the button that opens the token's acts.
 * @param {SeatUi | null} seatUi
 * @param {Foundry.TokenHUD} hud
 * @param {HTMLElement | {0: HTMLElement}} html jQuery in 12, an element from 13 on
 */
function addHudButton(seatUi, { object }, html) {
  const root = html instanceof HTMLElement ? html : html[0];
  const column = root.querySelector(".col.left");
  if (!seatUi?.context.store.state.replica || !object || !column || !isTableShown()) return;
  const icon = el("i", { class: "fa-solid fa-khanda" });
  const button = el("button", { type: "button", class: "control-icon enfilade-hud" }, icon);
  button.title = localize("Hud.Acts");
  button.setAttribute("aria-label", button.title);
  button.onclick = () => {
    object.control({ releaseOthers: true });
    seatUi.context.windows.open("turn");
  };
  column.append(button);
}
