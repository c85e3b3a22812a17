/** The drawer with the panels of the table, the log, the layer list and the tools of a phone: they open over the map. */

import { byId, el } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";
import { layoutOf } from "./free-area.js";
import { icon, tooltip } from "../../core/ui/icons.js";

/** The key under which this browser keeps whether the log is unfolded. */
const LOG = "enfilade.log";

/** The buttons that unfold something, and the class of the page while it is open. */
const FOLDS = { "layers-open": "has-layers", "tools-more": "has-tools", "sketch-open": "has-sketch" };

const size = () => /** @type {[number, number]} */ ([innerWidth, innerHeight]);

/** Return whether the page is a phone's, where a panel covers the map. */
export const isPhone = () => ["upright", "sideways"].includes(layoutOf(size()));

/** Open or close the drawer. @param {boolean} isOpen */
export function showDrawer(isOpen) {
  document.body.classList.toggle("has-sheet", isOpen);
  byId("menu").setAttribute("aria-expanded", String(isOpen));
}

/** Close what covers the map of a phone: what is asked about lies there. */
export function uncoverMap() {
  if (!isPhone()) return;
  showDrawer(false);
  showLog(false, false);
}

/** Unfold the log, or fold it to its last line. @param {boolean} isOpen @param {boolean} [isKept] for the next visit */
export function showLog(isOpen, isKept = true) {
  document.body.classList.toggle("has-log", isOpen);
  const fold = byId("log-fold");
  fold.setAttribute("aria-expanded", String(isOpen));
  fold.querySelector(".icon")?.replaceWith(icon(isOpen ? "down" : "up"));
  byId("log").dispatchEvent(new Event("panelopen"));
  if (!isKept || isPhone()) return;
  try {
    localStorage.setItem(LOG, isOpen ? "open" : "folded");
  } catch {
    // kept for this visit only
  }
}

/** Show or hide what searches, counts, saves and verifies the log. @param {boolean} isShown */
function showLogTools(isShown) {
  byId("log").classList.toggle("has-tools", isShown);
  byId("log-tools-open").setAttribute("aria-expanded", String(isShown));
  byId("log").dispatchEvent(new Event("panelopen"));
  if (isShown) byId("log-search").focus();
}

/** Connect the drawer, the log's fold and the layer list. @param {HTMLElement} board gets the focus when one closes */
export function drawers(board) {
  byId("menu").onclick = () => showDrawer(!document.body.classList.contains("has-sheet"));
  byId("drawer-close").onclick = () => (showDrawer(false), board.focus());
  byId("drawer").addEventListener("keydown", ({ key, target }) => {
    const isTyping =
      target instanceof Element && target.matches("input:not([type=checkbox]), textarea, select");
    if (key === "Escape" && !isTyping) (showDrawer(false), board.focus());
  });
  for (const [id, name] of Object.entries(FOLDS)) connectFold(byId(id), name, board);
  const fold = el(
    "button",
    { type: "button", id: "log-fold", class: "icon-button", "aria-label": localize("Log.Fold") },
    icon("down"),
    tooltip(localize("Log.Fold")),
  );
  fold.onclick = () => showLog(!document.body.classList.contains("has-log"));
  const tools = el(
    "button",
    { type: "button", id: "log-tools-open", class: "icon-button", "aria-expanded": "false" },
    icon("search"),
    tooltip(localize("Log.Tools")),
  );
  tools.setAttribute("aria-label", localize("Log.Tools"));
  tools.onclick = () => showLogTools(!byId("log").classList.contains("has-tools"));
  byId("log").prepend(fold, tools);
  showLog(!isPhone() && wasOpen(), false);
  let wasPhone = isPhone();
  addEventListener("resize", () => {
    if (isPhone() && !wasPhone) showLog(false, false); // it would cover the map and the next step
    wasPhone = isPhone();
  });
}

/**
 * Let a button unfold something, and the Escape key fold it. By key the focus goes there and back to the board.
 * @param {HTMLElement} opener
 * @param {string} name the class of the page while it is open
 * @param {HTMLElement} board
 */
function connectFold(opener, name, board) {
  const panel = document.getElementById(opener.getAttribute("aria-controls") ?? "");
  const toggle = () => {
    const isOpen = document.body.classList.toggle(name);
    opener.setAttribute("aria-expanded", String(isOpen));
    return isOpen;
  };
  opener.onclick = ({ detail }) => {
    const isByKey = detail === 0;
    const first = panel && /** @type {HTMLElement | null} */ (panel.querySelector("button,input"));
    if (toggle() && isByKey) first?.focus();
  };
  panel?.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") (toggle(), board.focus());
  });
}

/** Return whether the log was unfolded on the last visit; at first it is where there is room. */
function wasOpen() {
  try {
    const kept = localStorage.getItem(LOG);
    if (kept) return kept === "open";
  } catch {
    // the browser denies its storage to this page
  }
  return layoutOf(size()) === "wide";
}
