/** Setting the table up: the map, the sides, placing units, doors, where the log is posted. For the GM. */

import { el, refill } from "../core/dom.js";
import { mapImport } from "./map-import.js";
import { placeUnit } from "./place-unit.js";
import { choices, field, nameField, onSubmit, rows, section } from "../core/controls.js";
import { changed, isGm } from "../core/store.js";
import { webhookPanel } from "./webhook-panel.js";

/** @import {Replica, Side, Wall} from "../../types/contract.js" */
/** @import {Deeds} from "../core/deeds.js" */
/** @import {Notices} from "./notices.js" */
/** @import {Session} from "../core/session.js" */
/** @import {Store} from "../core/store.js" */

/** @typedef {{store: Store, session: Session, deeds: Deeds, notices: Notices}} Parts */

/** @type {[string, string][]} */
const DOOR_STATES = ["closed", "open", "locked"].map((word) => [word, word]);

/**
 * Keeps an element filled with the set-up of the table.
 * @param {HTMLElement} host
 * @param {Parts} parts
 */
export function setupPanel(host, parts) {
  const upload = mapImport(parts);
  const webhook = webhookPanel(parts);
  parts.store.watch((state, before) => {
    const isOther =
      state.replica?.scene.sides !== before.replica?.scene.sides ||
      state.replica?.scene.walls !== before.replica?.scene.walls ||
      state.replica?.ruleset !== before.replica?.ruleset;
    if (state.replica && isGm(state) && (isOther || changed(state, before, "placing")))
      refill(
        host,
        upload,
        sides(state.replica, parts),
        placeUnit(state.replica, parts.store),
        doors(state.replica, parts),
        webhook,
      );
  });
}

/** @param {Replica} replica @param {Parts} parts */
function sides({ scene }, { deeds }) {
  const name = nameField("side-name", "", "Orcs");
  const add = onSubmit(() => deeds.setSides([...scene.sides, newSide(scene.sides, name.value.trim())]));
  const listed = scene.sides.map((side) =>
    el("li", {}, side.team ? `${side.name} (${side.team})` : side.name),
  );
  const submit = el("button", { type: "submit", id: "side-add" }, "Add");
  return section(
    "Sides",
    el("ul", { class: "sides" }, ...listed),
    el("form", { class: "form inline", onsubmit: add }, field("New side", name), submit),
  );
}

/** @param {Side[]} sides @param {string} name @returns {Side} */
function newSide(sides, name) {
  let number = sides.length + 1;
  while (sides.some((side) => side.id === `side-${number}`)) number += 1;
  return { id: `side-${number}`, name, team: "", tracks: {}, conditions: {} };
}

/** @param {Replica} replica @param {Parts} parts */
function doors({ scene }, { deeds }) {
  const found = scene.walls.filter((wall) => wall.door !== "none");
  const none = el("p", { class: "quiet" }, "This map has no doors.");
  return section("Doors", found.length ? rows(found.map((door, i) => doorRow(door, i, deeds))) : none);
}

/** @param {Wall} door @param {number} place @param {Deeds} deeds */
function doorRow(door, place, deeds) {
  const state = choices(`door-${door.id}`, DOOR_STATES, door.state);
  state.onchange = () => deeds.setDoor(door.id, /** @type {Wall["state"]} */ (state.value));
  return field(`Door ${place + 1}${door.door === "secret" ? " (secret)" : ""}`, state);
}
