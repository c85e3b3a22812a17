/** The bar at the top: which table, which round, whose turn, the line's state, undo, view and help. */

import { byId, el } from "../../core/ui/dom.js";
import { KEY_HELP } from "../input/keys.js";
import { ROUND, isGm, nextRoundAct, turnText, canEnterDice } from "../../core/game/store.js";

/** @import {PageState} from "../../../types/page.js" */
/** @import {GmCommands} from "../../core/game/gm-commands.js" */
/** @import {Stage} from "./stage.js" */
/** @import {Store} from "../../core/game/store.js" */

const LINE = {
  connecting: "Connecting",
  connected: "Connected",
  lost: "Connection lost, trying again",
  refused: "Not let in",
};

const ROLES = { gm: "", player: "Player", spectator: "Spectator" };

/** @param {{store: Store, commands: GmCommands, stage: Stage}} parts */
export function header({ store, commands, stage }) {
  byId("undo").onclick = () => commands.undo();
  byId("next-round").onclick = () => commands.act(nextRoundAct());
  byId("fit").onclick = () => stage.fit();
  byId("help").onclick = () => help.showModal();
  const help = helpDialog();
  document.body.append(help);
  store.subscribe((state) => show(state));
}

/** @param {PageState} state */
function show(state) {
  const { replica, connection } = state;
  const scene = replica?.scene;
  setText("table-name", scene?.name || "Untitled table");
  document.title = scene?.name ? `${scene.name} | Enfilade` : "Enfilade board";
  setText("ruleset-name", replica?.ruleset.title ?? "");
  setText("round", scene ? (scene.tracks.round ? `Round ${scene.tracks.round}` : "Not begun") : "");
  setText("active", scene ? turnText(scene) : "");
  setText("role", ROLES[replica?.role ?? "gm"]);
  setText("line", LINE[connection]);
  byId("line").dataset.line = connection;
  byId("undo").hidden = !isGm(state);
  showRound(state);
  showRefusal(state);
  document.body.dataset.role = replica?.role ?? "";
  document.body.dataset.dice = canEnterDice(state) ? "typed" : "rolled";
}

/** @param {PageState} state */
function showRound(state) {
  const act = state.replica?.ruleset.acts.find(({ kind }) => kind === ROUND);
  byId("next-round").hidden = !act || !isGm(state);
  setText("next-round", act?.label ?? "");
}

/** @param {PageState} state whoever is not let in reads why in the middle of the page */
function showRefusal({ connection, refusal }) {
  byId("welcome").hidden = connection !== "refused";
  if (connection === "refused") setText("welcome-text", refusal);
}

/** @param {string} id @param {string} text */
function setText(id, text) {
  const element = byId(id);
  if (element.textContent !== text) element.textContent = text;
}

function helpDialog() {
  const rows = KEY_HELP.flatMap(([keys, does]) => [el("dt", {}, keys), el("dd", {}, does)]);
  const mouse = [
    ["Drag a token", "move it; Q and E turn it in the hand"],
    ["Click an enemy", "see every attack at it"],
    ["Double click", "select, whoever it is"],
    ["Drag the board, wheel", "move the board, zoom"],
    ["Shift and wheel", "turn the token"],
    ["Click a door", "open or close it"],
  ];
  const dialog = el(
    "dialog",
    { class: "help", "aria-labelledby": "help-title" },
    el("h2", { id: "help-title" }, "Keys and mouse"),
    el(
      "dl",
      { class: "keys" },
      ...rows,
      ...mouse.flatMap(([deed, does]) => [el("dt", {}, deed), el("dd", {}, does)]),
    ),
    el("form", { method: "dialog" }, el("button", { class: "primary", autofocus: true }, "Close")),
  );
  return dialog;
}

/** @param {HTMLElement} list an element with role "tablist" */
export function tabs(list) {
  const all = /** @type {HTMLButtonElement[]} */ ([...list.querySelectorAll('[role="tab"]')]);
  const open = (/** @type {HTMLButtonElement} */ tab) =>
    all.forEach((other) => setOpen(other, other === tab));
  list.addEventListener("click", (event) => {
    const tab = all.find((other) => other === event.target);
    if (tab) open(tab);
  });
  list.addEventListener("keydown", (event) => {
    const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const shown = all.filter((tab) => tab.offsetParent !== null);
    const at = shown.findIndex((tab) => tab === document.activeElement);
    if (!way || at < 0) return;
    const next = shown[(at + way + shown.length) % shown.length];
    open(next);
    next.focus();
  });
}

/** @param {HTMLButtonElement} tab @param {boolean} isOpen */
function setOpen(tab, isOpen) {
  tab.setAttribute("aria-selected", String(isOpen));
  tab.tabIndex = isOpen ? 0 : -1;
  const panel = document.getElementById(tab.getAttribute("aria-controls") ?? "");
  if (panel) panel.hidden = !isOpen;
}
