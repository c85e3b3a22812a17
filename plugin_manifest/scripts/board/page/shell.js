/** The page's header (table, round, connection, tools), its help dialog and its tabs. */

import { canEnterDice, hasChanged, isGm } from "../../core/game/store.js";
import { byId, el, replaceContent } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";
import { isAt, moveText } from "../../core/ui/move-text.js";
import { openBranch } from "../panels/branch-panel.js";
import { sideColor } from "./side-color.js";
import { rulerText } from "./tool-marks.js";

/** @import {BoardState, TableState} from "../../../types/page.js" */
/** @import {GmCommands} from "../../core/game/gm-commands.js" */
/** @import {Board} from "./page-state.js" */
/** @import {MapTools} from "../input/map-tools.js" */
/** @import {Stage} from "./stage.js" */

/** The rows of the help dialog: each has its keys and its effect in the language file. */
const HELP = [
  "NextToken",
  "Step",
  "Move",
  "Turn",
  "Inspect",
  "Attack",
  "Layers",
  "Pan",
  "Zoom",
  "Escape",
  "Undo",
  "Redo",
  "ClickCell",
  "DragToken",
  "Waypoint",
  "Formation",
  "PickMany",
  "Ruler",
  "Ping",
  "Draw",
  "Sketch",
  "ClickEnemy",
  "DoubleClick",
  "DragBoard",
  "Wheel",
  "ClickDoor",
];

/** @param {{board: Board, commands: GmCommands, stage: Stage, tools: MapTools}} parts */
export function header({ board, commands, stage, tools }) {
  const help = helpDialog();
  document.body.append(help);
  byId("undo").onclick = () => commands.undo();
  byId("redo").onclick = () => commands.redo();
  byId("ruler").onclick = () => tools.take("ruler");
  byId("ping").onclick = () => tools.take("ping");
  byId("fit").onclick = () => stage.fit();
  byId("zoom-in").onclick = () => stage.zoom(1.25);
  byId("zoom-out").onclick = () => stage.zoom(0.8);
  byId("fullscreen").onclick = toggleFullscreen;
  byId("help").onclick = () => help.showModal();
  board.subscribe((state, before) => {
    show(state, () => commands.session.client.closeOthers());
    if (hasChanged(state, before, "ghost", "pointed", "overlay", "hovered", "target", "ruler", "sighting"))
      showMove(state);
    if (hasChanged(state, before, "tool")) showTool(state);
  });
}

/** Show which tool is up. @param {BoardState} state */
function showTool({ tool }) {
  for (const id of ["ruler", "ping"]) byId(id).setAttribute("aria-pressed", String(tool === id));
  document.body.dataset.tool = tool ?? "";
}

function toggleFullscreen() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.().catch(() => {}); // some browsers have none
}

/**
 * Show what the move of the dragged token, or to the cell under the pointer, costs and provokes.
 * @param {BoardState} state
 */
function showMove({ ghost, pointed, overlay, replica, hovered, target, ruler, sighting }) {
  const scene = replica?.scene;
  const tokens = scene?.tokens ?? [];
  const dragged = ghost && tokens.find((token) => token.id === ghost.token);
  const own = tokens.find((token) => token.id === overlay?.token);
  let text = "";
  if (scene && ruler) text = [rulerText(scene.grid, ruler), sighting].filter(Boolean).join(". ");
  else if (scene && ghost && dragged) {
    const isPlain = !ghost.path.length && !ghost.group?.length;
    text = isPlain ? moveText(overlay, dragged, ghost.at, scene) : ghost.text;
    if (ghost.isPlan && text === ghost.text) text = ""; // the ghost and the next step say the same
  } else if (scene && pointed && !hovered && !target && overlay?.reach) {
    const isReached = overlay.reach.bands?.length || overlay.reach.cells.some(isAt(pointed));
    text = own && isReached ? moveText(overlay, own, pointed, scene) : "";
  }
  byId("move-text").hidden = !text;
  if (byId("move-text").textContent !== text) setText("move-text", text);
}

/**
 * Say why the page has no table; the seat's other pages, which leave no room for it, can be closed.
 * @param {TableState} state
 * @param {() => void} closeOthers
 */
function showRefusal({ connection, refusal }, closeOthers) {
  const host = byId("welcome");
  host.hidden = connection !== "refused" && connection !== "full";
  if (host.hidden || host.dataset.refusal === refusal) return;
  host.dataset.refusal = refusal;
  const title = localize(openBranch() ? "Branch.Ended" : "Page.NotOpen");
  const close = el(
    "button",
    { id: "close-others", onclick: closeOthers },
    localize("Connection.CloseOthers"),
  );
  const text = el("p", { id: "welcome-text" }, refusal);
  replaceContent(host, el("h2", {}, title), text, ...(connection === "full" ? [close] : []));
}

/** @param {TableState} state @param {() => void} closeOthers */
function show(state, closeOthers) {
  const { replica, connection } = state;
  const scene = replica?.scene;
  setText("table-name", scene?.name || localize("Page.Untitled"));
  setText("ruleset-name", replica?.ruleset.title ?? "");
  setText("role", replica && replica.role !== "gm" ? localize(`Role.${replica.role}`) : "");
  setText("connection", localize(`Connection.${connection}`));
  byId("connection").dataset.state = connection;
  showWaiting(state);
  showTurn(state);
  const canCancel = replica?.choice != null; // undo then cancels the act that waits
  setButton("undo", isGm(state), canCancel || replica?.history?.undo != null);
  byId("ping").hidden = replica?.role === "spectator";
  setButton("redo", isGm(state), !canCancel && replica?.history?.redo != null);
  showRefusal(state, closeOthers);
  document.body.dataset.role = replica?.role ?? "";
  document.body.dataset.dice = canEnterDice(state) ? "physical" : "server";
}

/** Name the guests that wait for the GM, on the tab and wherever the GM looks. @param {TableState} state */
function showWaiting({ players }) {
  const waiting = players?.members.filter(({ seated }) => !seated) ?? [];
  const count = waiting.length;
  setText("tab-players", localize(count ? "Tab.PlayersWaiting" : "Tab.Players", { count }));
  byId("waiting").hidden = !count;
  const name = waiting[0]?.name ?? "";
  setText(
    "waiting",
    count ? localize(count > 1 ? "Players.ManyWait" : "Players.OneWaits", { name, count }) : "",
  );
}

/** Give the page the edge of light of the side whose turn it is. @param {TableState} state */
function showTurn({ replica }) {
  const { turn, scene, choice } = replica ?? {};
  const active = scene?.tokens.find(({ id }) => id === turn?.token)?.side;
  const side = choice?.side || active || (turn?.sides.length === 1 ? turn.sides[0] : "");
  const index = scene?.sides.findIndex(({ id }) => id === side) ?? -1;
  const { body } = document;
  if (index < 0 || turn?.is_over) delete body.dataset.turn;
  else body.dataset.turn = String(index);
  body.style.setProperty("--turn-color", index < 0 ? "" : sideColor(index));
}

/**
 * Show a button to the GM, disabled if there is nothing to do. It keeps the focus, so it is not really disabled.
 * @param {string} id
 * @param {boolean} isShown
 * @param {boolean} isPossible
 */
function setButton(id, isShown, isPossible) {
  byId(id).hidden = !isShown;
  byId(id).setAttribute("aria-disabled", String(!isPossible));
}

/**
 * Set an element's text. An equal text stays untouched, because a status region would be read out again.
 * @param {string} id
 * @param {string} text
 */
function setText(id, text) {
  const element = byId(id);
  if (element.textContent !== text) element.textContent = text;
}

function helpDialog() {
  const rows = HELP.flatMap((row) => [
    el("dt", {}, localize(`Help.${row}.Keys`)),
    el("dd", {}, localize(`Help.${row}.Effect`)),
  ]);
  const close = el("button", { class: "primary" }, localize("Window.Close"));
  return el(
    "dialog",
    { class: "help", "aria-labelledby": "help-title" },
    // The title has the focus: the button at the end would have the dialog open there.
    el("h2", { id: "help-title", tabIndex: -1, autofocus: true }, localize("Help.Title")),
    el("dl", { class: "keys" }, ...rows),
    el("form", { method: "dialog" }, close),
  );
}

/**
 * Make the buttons of a tab list work as the ARIA guide describes: arrow keys move between them, one panel shows.
 * @param {HTMLElement} list an element with role "tablist"
 * @param {(tab: string, isByHand: boolean) => void} [onOpen] is called with the ID of a tab that opens
 * @returns {(id: string) => void} opens a tab
 */
export function tabs(list, onOpen = (/** @type {string} */ _tab, /** @type {boolean} */ _isByHand) => {}) {
  const all = /** @type {HTMLButtonElement[]} */ ([...list.querySelectorAll('[role="tab"]')]);
  const open = (/** @type {HTMLButtonElement} */ tab, isByHand = true) => {
    all.forEach((other) => setOpen(other, other === tab));
    onOpen(tab.id, isByHand);
  };
  list.addEventListener("click", (event) => {
    const tab = all.find((other) => other === event.target);
    if (tab) open(tab);
  });
  list.addEventListener("keydown", (event) => {
    const direction = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const visible = all.filter((tab) => tab.offsetParent !== null);
    const at = visible.findIndex((tab) => tab === document.activeElement);
    if (!direction || at < 0) return;
    const next = visible[(at + direction + visible.length) % visible.length];
    open(next);
    next.focus();
  });
  return (id) => all.filter((tab) => tab.id === id).forEach((tab) => open(tab, false));
}

/** @param {HTMLButtonElement} tab @param {boolean} isOpen */
function setOpen(tab, isOpen) {
  tab.setAttribute("aria-selected", String(isOpen));
  tab.tabIndex = isOpen ? 0 : -1;
  const panel = document.getElementById(tab.getAttribute("aria-controls") ?? "");
  if (!panel) return;
  panel.hidden = !isOpen;
  if (isOpen) panel.dispatchEvent(new Event("panelopen"));
}
