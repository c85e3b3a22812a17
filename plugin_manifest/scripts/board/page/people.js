/** The people at the table, in the corner of the GM's page: a letter for each, in the color of the units that they play. */

import { hasChanged, isGm } from "../../core/game/store.js";
import { el } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";
import { sideColor } from "./side-color.js";

/** @import {Member, Scene} from "../../../types/contract.js" */
/** @import {TableState} from "../../../types/page.js" */
/** @import {Store} from "../../core/game/store.js" */

/** Of more people the rest is a number. */
const MOST = 4;

/**
 * Keep a button filled with the people at the table.
 * @param {HTMLElement} host hidden while the GM is alone
 * @param {Store} store
 */
export function people(host, store) {
  store.subscribe((state, before) => {
    if (hasChanged(state, before, "players", "replica")) show(host, state);
  });
}

/** @param {HTMLElement} host @param {TableState} state */
function show(host, state) {
  const seated = isGm(state) ? seatedPeople(state) : [];
  const scene = state.replica?.scene;
  host.hidden = !seated.length;
  const label = localize("Players.AtTable", { names: seated.map(nameOf).join(", ") });
  const shown = JSON.stringify([label, seated.map((one) => sideOf(one, scene))]);
  if (host.dataset.shown === shown) return;
  Object.assign(host.dataset, { shown });
  host.setAttribute("aria-label", label);
  host.title = label;
  const more = seated.length - MOST;
  host.replaceChildren(
    ...seated.slice(0, MOST).map((one) => badge(one, sideOf(one, scene))),
    ...(more > 0 ? [el("b", { class: "person" }, `+${more}`)] : []),
  );
}

/** Return those who have a seat besides the GM, players first; of the watchers those who are here. @param {TableState} state @returns {Member[]} */
export const seatedPeople = ({ players }) =>
  (players?.members ?? [])
    .filter(({ seated, role, online }) => seated && (role === "player" || (role === "spectator" && online)))
    .toSorted((a, b) => Number(a.role === "spectator") - Number(b.role === "spectator"));

/** @param {Member} member */
const nameOf = ({ name, role, online }) => {
  const known = name.trim() || localize(`Role.${role}`);
  return online ? known : localize("Players.Away", { name: known });
};

/** Return the index of the side of a member's first unit; -1 for none. @param {Member} member @param {Scene | undefined} scene */
function sideOf({ seat }, scene) {
  const unit = scene?.tokens.find(({ owners }) => owners.includes(seat));
  return scene?.sides.findIndex(({ id }) => id === unit?.side) ?? -1;
}

/** @param {Member} member @param {number} side */
function badge({ name, role, online }, side) {
  const [letter] = (name.trim() || localize(`Role.${role}`)).toUpperCase();
  const element = el("b", { class: `person ${online ? "" : "is-away"}`, "aria-hidden": "true" }, letter);
  if (side >= 0) element.style.setProperty("--person", sideColor(side));
  return element;
}
