/** Setting the table up: the map, the sides, placing units, doors. For the GM. */

import { el, refill } from "../core/dom.js";
import { mapImport } from "./map-import.js";
import { field } from "./token-editor.js";
import { changed, isGm } from "./store.js";

/** @import {Replica, Side, Wall} from "../../types/contract.js" */
/** @import {PageState} from "../../types/page.js" */
/** @import {Deeds} from "./deeds.js" */
/** @import {Notices} from "./notices.js" */
/** @import {Session} from "./session.js" */
/** @import {Store} from "./store.js" */

/** @typedef {{store: Store, session: Session, deeds: Deeds, notices: Notices}} Parts */

/**
 * Keeps an element filled with the set-up of the table.
 * @param {HTMLElement} host
 * @param {Parts} parts
 */
export function setupPanel(host, parts) {
  const upload = mapImport(parts);
  parts.store.watch((state, before) => {
    const isOther = state.replica?.scene.sides !== before.replica?.scene.sides || state.replica?.scene.walls !== before.replica?.scene.walls || state.replica?.ruleset !== before.replica?.ruleset;
    if (state.replica && isGm(state) && (isOther || changed(state, before, "placing"))) refill(host, upload, sides(state.replica, parts), placing(state, parts), doors(state.replica, parts));
  });
}

/** @param {Replica} replica @param {Parts} parts */
function sides({ scene }, { deeds }) {
  const name = el("input", { id: "side-name", type: "text", required: true, maxLength: 200, placeholder: "Orcs" });
  const add = (/** @type {Event} */ event) => {
    event.preventDefault();
    deeds.setSides([...scene.sides, newSide(scene.sides, name.value.trim())]);
  };
  const rows = scene.sides.map((side) => el("li", {}, el("span", {}, side.name, side.team ? el("small", {}, ` team ${side.team}`) : null)));
  return el("section", { "aria-label": "Sides" }, el("h3", {}, "Sides"), el("ul", { class: "plain-list sides" }, ...rows), el("form", { class: "form inline", onsubmit: add }, field("New side", name), el("button", { type: "submit", id: "side-add" }, "Add")));
}

/** @param {Side[]} sides @param {string} name @returns {Side} */
function newSide(sides, name) {
  let number = sides.length + 1;
  while (sides.some((side) => side.id === `side-${number}`)) number += 1;
  return { id: `side-${number}`, name, team: "", tracks: {}, conditions: {} };
}

/** @param {PageState} state @param {Parts} parts */
function placing(state, { store }) {
  const { scene, ruleset } = /** @type {Replica} */ (state.replica);
  const unit = el("select", { id: "place-unit" }, ...ruleset.catalogue.map((one) => el("option", { value: one.key, selected: one.key === state.placing?.unit }, one.name)));
  const side = el("select", { id: "place-side" }, ...scene.sides.map((one) => el("option", { value: one.id, selected: one.id === state.placing?.side }, one.name)));
  const choose = () => store.set({ placing: { unit: unit.value, side: side.value }, cursor: store.state.cursor ?? middleCell(store.state) });
  const stop = () => store.set({ placing: null, cursor: null });
  unit.onchange = side.onchange = () => store.state.placing && choose();
  const button = state.placing
    ? el("button", { type: "button", id: "place-go", onclick: stop }, "Done placing")
    : el("button", { type: "button", id: "place-go", class: "primary", disabled: !scene.sides.length, onclick: choose }, "Place");
  const hint = state.placing ? "Click a cell, or move the frame with the arrows and press Enter on the board." : scene.sides.length ? "" : "Add a side first.";
  return el("section", { "aria-label": "Place a unit" }, el("h3", {}, "Place a unit"), field("Unit", unit), field("Side", side), button, el("p", { class: "quiet" }, hint));
}

/** @param {PageState} state @returns {[number, number]} */
function middleCell({ replica }) {
  const { columns, rows, kind } = /** @type {Replica} */ (replica).scene.grid;
  const unit = kind === "gridless" ? 64 : 1;
  return [Math.floor(columns / 2) * unit, Math.floor(rows / 2) * unit];
}

/** @param {Replica} replica @param {Parts} parts */
function doors({ scene }, { deeds }) {
  const rows = scene.walls.filter((wall) => wall.door !== "none").map((door, i) => doorRow(door, i, deeds));
  return el("section", { "aria-label": "Doors" }, el("h3", {}, "Doors"), rows.length ? el("ul", { class: "plain-list" }, ...rows) : el("p", { class: "quiet" }, "This map has no doors."));
}

/** @param {Wall} door @param {number} place @param {Deeds} deeds */
function doorRow(door, place, deeds) {
  const states = /** @type {const} */ (["closed", "open", "locked"]);
  const state = el("select", { id: `door-${door.id}` }, ...states.map((word) => el("option", { value: word, selected: word === door.state }, word)));
  state.onchange = () => deeds.setDoor(door.id, /** @type {Wall["state"]} */ (state.value));
  return el("li", {}, field(`Door ${place + 1}${door.door === "secret" ? " (secret)" : ""}`, state));
}
