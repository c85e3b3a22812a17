/** The selected token: its card, what it can do, whom it can attack, and for the GM its particulars. */

import { el, refill } from "../core/dom.js";
import { percent } from "../core/dice.js";
import { targetsByToken } from "../core/draw-list.js";
import { cellName } from "../core/geometry.js";
import { css, sideLook } from "../core/palette.js";
import { ROUND } from "./header.js";
import { tokenEditor } from "./token-editor.js";
import { changed, isGm, selectedToken } from "./store.js";

/** @import {Overlay, Replica, Target, Token} from "../../types/contract.js" */
/** @import {PageState} from "../../types/page.js" */
/** @import {Deeds} from "./deeds.js" */
/** @import {Moves} from "./moves.js" */
/** @import {Session} from "./session.js" */
/** @import {Store} from "./store.js" */

/** @typedef {{store: Store, session: Session, deeds: Deeds, moves: Moves}} Parts */

/**
 * Keeps an element filled with the selected token.
 * @param {HTMLElement} host
 * @param {Parts} parts
 */
export function tokenPanel(host, parts) {
  const show = () => refill(host, ...contents(parts.store.state, parts));
  parts.store.watch((state, before) => {
    const isOther = state.replica?.scene !== before.replica?.scene || state.replica?.role !== before.replica?.role;
    if (isOther || changed(state, before, "selected", "overlay")) show();
  });
  show();
}

/** @param {PageState} state @param {Parts} parts */
function contents(state, parts) {
  const token = selectedToken(state);
  if (!state.replica || !token) return nobody(state, parts);
  const overlay = state.overlay;
  const deeds = overlay && isGm(state) ? [actButtons(overlay, parts), turnButtons(token, parts), targetList(state.replica, overlay, parts)] : [];
  const editor = isGm(state) ? [tokenEditor(state.replica, token, parts.deeds)] : [];
  return [heading(state.replica, token), conditions(state.replica, token), card(overlay), ...deeds.filter((part) => part !== null), ...editor];
}

/** @param {PageState} state @param {Parts} parts */
function nobody({ replica }, { session }) {
  const says = el("p", { class: "quiet" }, "Select a token on the board (click, or Tab while the board has the focus) to see where it may go, what it sees and whom it can hit.");
  const everybody = (replica?.scene.tokens ?? []).map((token) =>
    el("li", {}, el("button", { type: "button", id: `pick-${token.id}`, class: "row-button", onclick: () => session.select(token.id) }, el("span", {}, token.name), el("small", {}, whereabouts(replica, token)))),
  );
  return [says, everybody.length ? el("h3", {}, "Everybody") : "", el("ul", { class: "plain-list" }, ...everybody)];
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
  const side = el("p", { class: "side" }, `${replica.scene.sides[index]?.name ?? token.side}, ${look.shape}, ${whereabouts(replica, token)}`);
  const head = el("div", { class: "token-head" }, el("h2", {}, token.name), side);
  head.style.borderColor = css(look.colour);
  return head;
}

/** @param {Replica} replica @param {Token} token */
function conditions({ ruleset }, token) {
  const tracks = Object.entries(token.tracks).map(([name, value]) => el("li", { class: "chip", title: ruleset.tracks[name] }, `${name} ${value}`));
  const flags = Object.entries(token.conditions).map(([name, note]) => el("li", { class: "chip is-condition", title: ruleset.conditions[name] }, note ? `${name}: ${note}` : name));
  return el("ul", { class: "chips", "aria-label": "Tracks and conditions" }, ...tracks, ...flags);
}

/** @param {Overlay | null} overlay */
function card(overlay) {
  const lines = (overlay?.card ?? []).flatMap(({ label, value, note }) => [el("dt", {}, label), el("dd", {}, el("b", {}, value), note ? el("small", {}, ` ${note}`) : null)]);
  return el("dl", { class: "card", "aria-busy": String(!overlay) }, ...lines);
}

/** @param {Overlay} overlay @param {Parts} parts acts that need no target; beginning a round has its button at the top */
function actButtons(overlay, { deeds }) {
  const acts = overlay.targets.filter((target) => !target.target && target.act.kind !== ROUND);
  if (!acts.length) return null;
  return el("div", { class: "buttons", role: "group", "aria-label": "Acts" }, ...acts.map((target, i) => actButton(target, i, deeds)));
}

/** @param {Target} target @param {number} place @param {Deeds} deeds */
function actButton({ act, label, legal, why, cost, chance }, place, deeds) {
  const price = [cost ? `${cost} MP` : "", chance[0] < chance[1] && chance[0] > 0 ? percent(chance) : ""].filter(Boolean).join(", ");
  const button = el("button", { type: "button", id: `deed-${place}`, disabled: !legal, title: why, onclick: () => deeds.act(act) }, label, price ? el("small", {}, ` ${price}`) : null);
  return el("div", { class: "deed" }, button, legal ? null : el("p", { class: "why" }, why));
}

/** @param {Token} token @param {Parts} parts */
function turnButtons(token, { moves }) {
  if (token.facing === null || !moves.canMove(token)) return null;
  const button = (/** @type {string} */ id, /** @type {string} */ text, /** @type {1 | -1} */ way) => el("button", { type: "button", id, onclick: () => moves.turn(way) }, text);
  return el("div", { class: "buttons", role: "group", "aria-label": "Turn" }, button("turn-left", "⟲ Turn left", -1), button("turn-right", "Turn right ⟳", 1));
}

/** @param {Replica} replica @param {Overlay} overlay @param {Parts} parts */
function targetList({ scene }, overlay, { store }) {
  const rows = [...targetsByToken(overlay)].map(([id, acts]) => {
    const name = scene.tokens.find((token) => token.id === id)?.name ?? id;
    const best = acts[0];
    const open = () => store.set({ target: id });
    return el("li", {}, el("button", { type: "button", id: `target-${id}`, class: `row-button ${best.legal ? "" : "is-refused"}`, onclick: open }, el("span", {}, name), el("small", {}, best.legal ? `${best.label}, ${percent(best.chance)}` : best.why)));
  });
  return rows.length ? el("section", { "aria-label": "Targets" }, el("h3", {}, "Targets"), el("ul", { class: "plain-list" }, ...rows)) : null;
}
