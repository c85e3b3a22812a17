/** The page's header (table, round, connection, tools), its help dialog and its tabs. */

import { ROUND, canEnterDice, hasChanged, isGm, nextRoundAct, turnText } from "../../core/game/store.js";
import { byId, el } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";
import { moveText, provocationText } from "../../core/ui/move-text.js";

/** @import {PageState} from "../../../types/page.js" */
/** @import {GmCommands} from "../../core/game/gm-commands.js" */
/** @import {Store} from "../../core/game/store.js" */
/** @import {Stage} from "./stage.js" */

/** The rows of the help dialog: each has its keys and its effect in the language file. */
const HELP = [
  "NextToken",
  "Move",
  "Turn",
  "Inspect",
  "Attack",
  "Layers",
  "Pan",
  "Zoom",
  "Escape",
  "Undo",
  "DragToken",
  "Waypoint",
  "Formation",
  "ClickEnemy",
  "DoubleClick",
  "DragBoard",
  "Wheel",
  "ClickDoor",
];

/** @param {{store: Store, commands: GmCommands, stage: Stage}} parts */
export function header({ store, commands, stage }) {
  const help = helpDialog();
  document.body.append(help);
  byId("undo").onclick = () => commands.undo();
  byId("next-round").onclick = () => commands.act(nextRoundAct());
  byId("fit").onclick = () => stage.fit();
  byId("help").onclick = () => help.showModal();
  store.subscribe((state, before) => {
    show(state);
    if (hasChanged(state, before, "ghost", "pointed", "overlay", "hovered")) showMove(state);
  });
}

/**
 * Show what the move of the dragged token, or to the cell under the pointer, costs and provokes.
 * @param {PageState} state
 */
function showMove({ ghost, pointed, overlay, replica, hovered }) {
  const scene = replica?.scene;
  const tokens = scene?.tokens ?? [];
  const dragged = ghost && tokens.find((token) => token.id === ghost.token);
  const own = tokens.find((token) => token.id === overlay?.token);
  let text = "";
  if (scene && ghost && dragged) {
    const isPlain = !ghost.path.length && !ghost.group?.length;
    text = isPlain ? moveText(overlay, dragged, ghost.at, scene) : ghost.text;
  } else if (scene && pointed && !hovered && overlay?.reach) {
    const isGridless = overlay.reach.bands?.length && own;
    text = isGridless
      ? moveText(overlay, own, pointed, scene)
      : provocationText(overlay.reach, pointed, tokens);
  }
  byId("move-text").hidden = !text;
  if (byId("move-text").textContent !== text) setText("move-text", text);
}

/** @param {PageState} state */
function show(state) {
  const { replica, connection, refusal } = state;
  const scene = replica?.scene;
  const round = scene?.tracks.round ?? 0;
  setText("table-name", scene?.name || localize("Page.Untitled"));
  document.title = scene?.name ? `${scene.name} | Enfilade` : "Enfilade";
  setText("ruleset-name", replica?.ruleset.title ?? "");
  setText("round", scene ? (round ? localize("Turn.Round", { round }) : localize("Turn.NotStarted")) : "");
  setText("active", scene ? turnText(scene) : "");
  setText("role", replica && replica.role !== "gm" ? localize(`Role.${replica.role}`) : "");
  setText("connection", localize(`Connection.${connection}`));
  byId("connection").dataset.state = connection;
  byId("undo").hidden = !isGm(state);
  byId("next-round").hidden = !isGm(state) || !replica?.ruleset.acts.some(({ kind }) => kind === ROUND);
  setText("next-round", localize("Turn.StartRound", { round: round + 1 }));
  byId("welcome").hidden = connection !== "refused";
  if (connection === "refused") setText("welcome-text", refusal);
  document.body.dataset.role = replica?.role ?? "";
  document.body.dataset.dice = canEnterDice(state) ? "physical" : "server";
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
  const close = el("button", { class: "primary", autofocus: true }, localize("Window.Close"));
  return el(
    "dialog",
    { class: "help", "aria-labelledby": "help-title" },
    el("h2", { id: "help-title" }, localize("Help.Title")),
    el("dl", { class: "keys" }, ...rows),
    el("form", { method: "dialog" }, close),
  );
}

/**
 * Make the buttons of a tab list work as the ARIA guide describes: arrow keys move between them, one panel shows.
 * @param {HTMLElement} list an element with role "tablist"
 */
export function tabs(list) {
  const all = /** @type {HTMLButtonElement[]} */ ([...list.querySelectorAll('[role="tab"]')]);
  const open = (/** @type {HTMLButtonElement} */ tab) =>
    all.forEach((other) => setOpen(other, other === tab));
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
}

/** @param {HTMLButtonElement} tab @param {boolean} isOpen */
function setOpen(tab, isOpen) {
  tab.setAttribute("aria-selected", String(isOpen));
  tab.tabIndex = isOpen ? 0 : -1;
  const panel = document.getElementById(tab.getAttribute("aria-controls") ?? "");
  if (panel) panel.hidden = !isOpen;
}
