/** The selected token: its card, what it can do, whom it can attack, and for the GM its particulars. */

import { el, refill } from "../../core/ui/dom.js";
import { percent } from "../../core/dice/notation.js";
import { targetsByToken } from "../../core/draw/overlay-marks.js";
import { cellName, facings } from "../../core/draw/geometry.js";
import { css, sideLook } from "../../core/draw/palette.js";
import { ROUND, changed, isGm, plays, selectedToken } from "../../core/game/store.js";
import {
  button,
  check,
  choices,
  field,
  nameField,
  onSubmit,
  rowButton,
  rows,
  section,
} from "../../core/ui/controls.js";

/** @import {Overlay, Replica, Scene, Side, Target, Token} from "../../../types/contract.js" */
/** @import {PageState} from "../../../types/page.js" */
/** @import {Deeds} from "../../core/game/gm-commands.js" */
/** @import {Moves} from "../input/moves.js" */
/** @import {Session} from "../../core/game/session.js" */
/** @import {Store} from "../../core/game/store.js" */

/** @typedef {{store: Store, session: Session, deeds: Deeds, moves: Moves}} Parts */

const NOBODY_SELECTED =
  "Select a token on the board (click, or Tab while the board has the focus) to see where it may go, " +
  "what it sees and whom it can hit.";

/**
 * Keeps an element filled with the selected token.
 * @param {HTMLElement} host
 * @param {Parts} parts
 */
export function tokenPanel(host, parts) {
  const editor = keptEditor(parts.deeds);
  const show = () => refill(host, ...contents(parts.store.state, parts, editor));
  parts.store.watch((state, before) => {
    const isOther =
      state.replica?.scene !== before.replica?.scene || state.replica?.role !== before.replica?.role;
    if (isOther || changed(state, before, "selected", "overlay")) show();
  });
  show();
}

/**
 * Makes the editor anew only for another token or another state of it, so that what is being typed stays.
 * @param {Deeds} deeds
 */
function keptEditor(deeds) {
  /** @type {{token: Token, sides: Side[], element: HTMLElement} | null} */
  let kept = null;
  return (/** @type {Replica} */ replica, /** @type {Token} */ token) => {
    const { sides } = replica.scene;
    if (kept?.token !== token || kept.sides !== sides)
      kept = { token, sides, element: tokenEditor(replica, token, deeds) };
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
  const deeds =
    overlay && plays(state, token)
      ? [actButtons(overlay, parts), turnButtons(token, parts), targetList(state.replica, overlay, parts)]
      : [];
  const editor = isGm(state) ? [editorOf(state.replica, token)] : [];
  return [
    heading(state.replica, token),
    conditions(state.replica, token),
    card(overlay),
    ...deeds.filter((part) => part !== null),
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
    everybody.length ? section("Everybody", rows(everybody)) : "",
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
  const look = sideLook(index);
  const side = el(
    "p",
    { class: "side" },
    `${replica.scene.sides[index]?.name ?? token.side}, ${look.shape}, ${whereabouts(replica, token)}`,
  );
  const head = el("div", { class: "token-head" }, el("h2", {}, token.name), side);
  head.style.borderColor = css(look.colour);
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
function actButtons(overlay, { deeds }) {
  const acts = overlay.targets.filter((target) => !target.target && target.act.kind !== ROUND);
  if (!acts.length) return null;
  return group("Acts", ...acts.map((target, i) => actButton(target, i, deeds)));
}

/** @param {string} label @param {...Node} buttons */
const group = (label, ...buttons) =>
  el("div", { class: "buttons", role: "group", "aria-label": label }, ...buttons);

/** @param {Target} target @param {number} place @param {Deeds} deeds */
function actButton({ act, label, legal, why, cost, chance: [part, whole] }, place, deeds) {
  const odds = part > 0 && part < whole ? percent([part, whole]) : "";
  const price = [cost ? `${cost} MP` : "", odds].filter(Boolean).join(", ");
  const words = price ? `${label} (${price})` : label;
  const deed = button(`deed-${place}`, words, () => deeds.act(act), { disabled: !legal, title: why });
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
    const remark = best.legal ? `${best.label}, ${percent(best.chance)}` : best.why;
    const state = best.legal ? "" : "is-refused";
    return rowButton(`target-${id}`, [name, remark], () => store.set({ target: id }), state);
  });
  return found.length ? section("Targets", rows(found)) : null;
}

const COMPASS = ["up", "right", "down", "left"];

/**
 * The form with a token's particulars, folded away.
 * @param {Replica} replica
 * @param {Token} token
 * @param {Deeds} deeds
 * @returns {HTMLElement}
 */
export function tokenEditor({ scene }, token, deeds) {
  const sides = scene.sides.map(({ id, name }) => /** @type {[string, string]} */ ([id, name]));
  const name = nameField("edit-name", token.name);
  const side = choices("edit-side", sides, token.side);
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
  const submit = onSubmit(() => deeds.edit(edited()));
  const parts = [...fields, check(hidden, "Hidden from players"), buttons(token, deeds)];
  const form = el("form", { class: "form", onsubmit: submit }, ...parts);
  return el("details", { class: "editor" }, el("summary", { id: "edit-open" }, "Edit token"), form);
}

/** @param {Token} token @param {Deeds} deeds */
function buttons(token, deeds) {
  const save = el("button", { type: "submit", id: "edit-save" }, "Save");
  const remove = button("edit-remove", "Remove", () => deeds.remove(token.id), { class: "danger" });
  return el("div", { class: "buttons" }, save, remove);
}

/** @param {Scene} scene @param {Token} token who may face where no turn leads */
function facingField({ grid }, { facing }) {
  const all = facings(grid);
  const listed = facing === null || all.includes(facing) ? all : [...all, facing];
  const options = listed.map(
    (degrees) => /** @type {[string, string]} */ ([String(degrees), inWords(degrees)]),
  );
  return choices("edit-facing", options, String(facing), { disabled: facing === null });
}

/** @param {number} degrees */
const inWords = (degrees) => (degrees % 90 ? `${degrees}°` : `${COMPASS[degrees / 90]} (${degrees}°)`);
