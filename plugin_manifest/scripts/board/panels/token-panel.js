/** The selected token: its card, what it can do, whom it can attack, and for the GM its particulars. */

import { el, replaceContent } from "../../core/ui/dom.js";
import { formatChance } from "../../core/dice/notation.js";
import { targetsByToken } from "../../core/draw/overlay-marks.js";
import { cellName, facings } from "../../core/draw/geometry.js";
import { css, sideStyle } from "../../core/draw/palette.js";
import { ROUND, hasChanged, isGm, canPlay, selectedToken } from "../../core/game/store.js";
import {
  button,
  checkbox,
  selectField,
  field,
  nameField,
  submitHandler,
  rowButton,
  rowList,
  section,
} from "../../core/ui/controls.js";

/** @import {Overlay, Replica, Scene, Side, Target, Token} from "../../../types/contract.js" */
/** @import {PageState} from "../../../types/page.js" */
/** @import {GmCommands} from "../../core/game/gm-commands.js" */
/** @import {Moves} from "../input/moves.js" */
/** @import {Session} from "../../core/game/session.js" */
/** @import {Store} from "../../core/game/store.js" */

/** @typedef {{store: Store, session: Session, commands: GmCommands, moves: Moves}} Parts */

const NOBODY_SELECTED =
  "Select a token on the board (click, or Tab while the board has the focus) to see where it may go, " +
  "what it sees and whom it can hit.";

/**
 * Keeps an element filled with the selected token.
 * @param {HTMLElement} host
 * @param {Parts} parts
 */
export function tokenPanel(host, parts) {
  const editor = keptEditor(parts.commands);
  const show = () => replaceContent(host, ...contents(parts.store.state, parts, editor));
  parts.store.subscribe((state, before) => {
    const isOther =
      state.replica?.scene !== before.replica?.scene || state.replica?.role !== before.replica?.role;
    if (isOther || hasChanged(state, before, "selected", "overlay")) show();
  });
  show();
}

/**
 * Makes the editor anew only for another token or another state of it, so that what is being typed stays.
 * @param {GmCommands} commands
 */
function keptEditor(commands) {
  /** @type {{token: Token, sides: Side[], element: HTMLElement} | null} */
  let kept = null;
  return (/** @type {Replica} */ replica, /** @type {Token} */ token) => {
    const { sides } = replica.scene;
    if (kept?.token !== token || kept.sides !== sides)
      kept = { token, sides, element: tokenEditor(replica, token, commands) };
    return kept.element;
  };
}

/**
 * @param {PageState} state
 * @param {Parts} parts
 * @param {(replica: Replica, token: Token) => HTMLElement} editorOf
 */
function contents(state, parts, editorOf) {
  const token = selectedToken(state);
  if (!state.replica || !token) return nobody(state, parts);
  const overlay = state.overlay;
  const commands =
    overlay && canPlay(state, token)
      ? [actButtons(overlay, parts), turnButtons(token, parts), targetList(state.replica, overlay, parts)]
      : [];
  const editor = isGm(state) ? [editorOf(state.replica, token)] : [];
  return [
    heading(state.replica, token),
    conditions(state.replica, token),
    card(overlay),
    ...commands.filter((part) => part !== null),
    ...editor,
  ];
}

/** @param {PageState} state @param {Parts} parts */
function nobody({ replica }, { session }) {
  const everybody = (replica?.scene.tokens ?? []).map((token) =>
    rowButton(`pick-${token.id}`, [token.name, whereabouts(replica, token)], () => session.select(token.id)),
  );
  return [
    el("p", { class: "quiet" }, NOBODY_SELECTED),
    everybody.length ? section("Everybody", rowList(everybody)) : "",
  ];
}

/** @param {Replica | null} replica @param {Token} token */
function whereabouts(replica, token) {
  if ("out" in token.conditions) return "out of action";
  if (!token.at || !replica) return "off the board";
  const words = ["downed" in token.conditions ? "downed" : "", token.hidden ? "hidden" : ""].filter(Boolean);
  return [cellName(replica.scene.grid, token.at), ...words].join(", ");
}

/** @param {Replica} replica @param {Token} token */
function heading(replica, token) {
  const index = replica.scene.sides.findIndex((side) => side.id === token.side);
  const look = sideStyle(index);
  const side = el(
    "p",
    { class: "side" },
    `${replica.scene.sides[index]?.name ?? token.side}, ${look.shape}, ${whereabouts(replica, token)}`,
  );
  const head = el("div", { class: "token-head" }, el("h2", {}, token.name), side);
  head.style.borderColor = css(look.color);
  return head;
}

/** @param {Replica} replica @param {Token} token */
function conditions({ ruleset }, token) {
  const tracks = Object.entries(token.tracks).map(([name, value]) =>
    el("li", { class: "chip", title: ruleset.tracks[name] }, `${name} ${value}`),
  );
  const flags = Object.entries(token.conditions).map(([name, note]) =>
    el(
      "li",
      { class: "chip is-condition", title: ruleset.conditions[name] },
      note ? `${name}: ${note}` : name,
    ),
  );
  return el("ul", { class: "chips", "aria-label": "Tracks and conditions" }, ...tracks, ...flags);
}

/** @param {Overlay | null} overlay */
function card(overlay) {
  const lines = (overlay?.card ?? []).flatMap(({ label, value, note }) => [
    el("dt", {}, label),
    el("dd", {}, el("b", {}, value), note ? el("small", {}, ` ${note}`) : null),
  ]);
  return el("dl", { class: "card", "aria-busy": String(!overlay) }, ...lines);
}

/** @param {Overlay} overlay @param {Parts} parts acts that need no target; beginning a round has its button at the top */
function actButtons(overlay, { commands }) {
  const acts = overlay.targets.filter((target) => !target.target && target.act.kind !== ROUND);
  if (!acts.length) return null;
  return group("Acts", ...acts.map((target, i) => actButton(target, i, commands)));
}

/** @param {string} label @param {...Node} buttons */
const group = (label, ...buttons) =>
  el("div", { class: "buttons", role: "group", "aria-label": label }, ...buttons);

/** @param {Target} target @param {number} place @param {GmCommands} commands */
function actButton({ act, label, legal, why, cost, chance: [part, whole] }, place, commands) {
  const odds = part > 0 && part < whole ? formatChance([part, whole]) : "";
  const price = [cost ? `${cost} MP` : "", odds].filter(Boolean).join(", ");
  const words = price ? `${label} (${price})` : label;
  const deed = button(`deed-${place}`, words, () => commands.act(act), { disabled: !legal, title: why });
  return el("div", { class: "deed" }, deed, legal ? null : el("p", { class: "why" }, why));
}

/** @param {Token} token @param {Parts} parts */
function turnButtons(token, { moves }) {
  if (token.facing === null || !moves.canMove(token)) return null;
  const left = button("turn-left", "⟲ Turn left", () => moves.turn(-1));
  return group(
    "Turn",
    left,
    button("turn-right", "Turn right ⟳", () => moves.turn(1)),
  );
}

/** @param {Replica} replica @param {Overlay} overlay @param {Parts} parts */
function targetList({ scene }, overlay, { store }) {
  const found = [...targetsByToken(overlay)].map(([id, [best]]) => {
    const name = scene.tokens.find((token) => token.id === id)?.name ?? id;
    const remark = best.legal ? `${best.label}, ${formatChance(best.chance)}` : best.why;
    const state = best.legal ? "" : "is-refused";
    return rowButton(`target-${id}`, [name, remark], () => store.set({ target: id }), state);
  });
  return found.length ? section("Targets", rowList(found)) : null;
}

const COMPASS = ["up", "right", "down", "left"];

/**
 * The form with a token's particulars, folded away.
 * @param {Replica} replica
 * @param {Token} token
 * @param {GmCommands} commands
 * @returns {HTMLElement}
 */
export function tokenEditor({ scene }, token, commands) {
  const sides = scene.sides.map(({ id, name }) => /** @type {[string, string]} */ ([id, name]));
  const name = nameField("edit-name", token.name);
  const side = selectField("edit-side", sides, token.side);
  const facing = facingField(scene, token);
  const hidden = el("input", { id: "edit-hidden", type: "checkbox", checked: token.hidden });
  const edited = () => ({
    ...token,
    name: name.value.trim(),
    side: side.value,
    facing: token.facing === null ? null : Number(facing.value),
    hidden: hidden.checked,
  });
  const fields = [field("Name", name), field("Side", side), field("Facing", facing)];
  const submit = submitHandler(() => commands.edit(edited()));
  const parts = [...fields, checkbox(hidden, "Hidden from players"), buttons(token, commands)];
  const form = el("form", { class: "form", onsubmit: submit }, ...parts);
  return el("details", { class: "editor" }, el("summary", { id: "edit-open" }, "Edit token"), form);
}

/** @param {Token} token @param {GmCommands} commands */
function buttons(token, commands) {
  const save = el("button", { type: "submit", id: "edit-save" }, "Save");
  const remove = button("edit-remove", "Remove", () => commands.remove(token.id), { class: "danger" });
  return el("div", { class: "buttons" }, save, remove);
}

/** @param {Scene} scene @param {Token} token who may face where no turn leads */
function facingField({ grid }, { facing }) {
  const all = facings(grid);
  const listed = facing === null || all.includes(facing) ? all : [...all, facing];
  const options = listed.map(
    (degrees) => /** @type {[string, string]} */ ([String(degrees), inWords(degrees)]),
  );
  return selectField("edit-facing", options, String(facing), { disabled: facing === null });
}

/** @param {number} degrees */
const inWords = (degrees) => (degrees % 90 ? `${degrees}°` : `${COMPASS[degrees / 90]} (${degrees}°)`);
