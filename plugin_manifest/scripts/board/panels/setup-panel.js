/** Setting the table up: the map, the sides, placing units, doors, where the log is posted. For the GM. */

import { el, replaceContent } from "../../core/ui/dom.js";
import { mapImport } from "./map-import.js";
import {
  button,
  selectField,
  field,
  nameField,
  submitHandler,
  rowList,
  section,
} from "../../core/ui/controls.js";
import { hasChanged, isGm } from "../../core/game/store.js";
import { webhookPanel } from "./webhook-panel.js";
import { CELL } from "../../core/draw/geometry.js";

/** @import {Cell, Grid, Replica, Side, Wall} from "../../../types/contract.js" */
/** @import {GmCommands} from "../../core/game/gm-commands.js" */
/** @import {Notices} from "../page/notices.js" */
/** @import {Session} from "../../core/game/session.js" */
/** @import {Store} from "../../core/game/store.js" */

/** @typedef {{store: Store, session: Session, commands: GmCommands, notices: Notices}} Parts */

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
  parts.store.subscribe((state, before) => {
    const isOther =
      state.replica?.scene.sides !== before.replica?.scene.sides ||
      state.replica?.scene.walls !== before.replica?.scene.walls ||
      state.replica?.ruleset !== before.replica?.ruleset;
    if (state.replica && isGm(state) && (isOther || hasChanged(state, before, "placing")))
      replaceContent(
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
function sides({ scene }, { commands }) {
  const name = nameField("side-name", "", "Orcs");
  const add = submitHandler(() =>
    commands.setSides([...scene.sides, newSide(scene.sides, name.value.trim())]),
  );
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
function doors({ scene }, { commands }) {
  const found = scene.walls.filter((wall) => wall.door !== "none");
  const none = el("p", { class: "quiet" }, "This map has no doors.");
  return section("Doors", found.length ? rowList(found.map((door, i) => doorRow(door, i, commands))) : none);
}

/** @param {Wall} door @param {number} place @param {GmCommands} commands */
function doorRow(door, place, commands) {
  const state = selectField(`door-${door.id}`, DOOR_STATES, door.state);
  state.onchange = () => commands.setDoor(door.id, /** @type {Wall["state"]} */ (state.value));
  return field(`Door ${place + 1}${door.door === "secret" ? " (secret)" : ""}`, state);
}

/**
 * The section that starts and ends placing.
 * @param {Replica} replica
 * @param {Store} store
 */
export function placeUnit({ scene, ruleset }, store) {
  const now = store.state.placing;
  const units = ruleset.catalogue.map(({ key, name }) => /** @type {[string, string]} */ ([key, name]));
  const sides = scene.sides.map(({ id, name }) => /** @type {[string, string]} */ ([id, name]));
  const unit = selectField("place-unit", units, now?.unit);
  const side = selectField("place-side", sides, now?.side);
  const choose = () => {
    const cursor = store.state.cursor ?? middleOf(scene.grid);
    store.set({ placing: { unit: unit.value, side: side.value }, cursor });
  };
  unit.onchange = side.onchange = () => store.state.placing && choose();
  const hint = el("p", { class: "quiet" }, hintFor(now !== null, sides.length > 0));
  const go = now ? stopButton(store) : startButton(choose, sides.length > 0);
  return section("Place a unit", field("Unit", unit), field("Side", side), go, hint);
}

/** @param {() => void} choose @param {boolean} isReady */
const startButton = (choose, isReady) =>
  button("place-go", "Place", choose, { class: "primary", disabled: !isReady });

/** @param {Store} store */
const stopButton = (store) =>
  button("place-go", "Done placing", () => store.set({ placing: null, cursor: null }));

/** @param {boolean} isPlacing @param {boolean} isReady */
function hintFor(isPlacing, isReady) {
  if (isPlacing) return "Click a cell, or move the frame with the arrows and press Enter on the board.";
  return isReady ? "" : "Add a side first.";
}

/** @param {Grid} grid @returns {Cell} */
function middleOf({ columns, rows, kind }) {
  const unit = kind === "gridless" ? CELL : 1;
  return [Math.floor(columns / 2) * unit, Math.floor(rows / 2) * unit];
}
