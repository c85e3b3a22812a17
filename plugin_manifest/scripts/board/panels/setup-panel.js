/** Table setup: map, sides, placing units, doors, webhook. GM only. */

import { CELL } from "../../core/map/geometry.js";
import { hasChanged, isGm } from "../../core/game/store.js";
import {
  button,
  checkbox,
  field,
  nameField,
  rowList,
  section,
  selectField,
  submitHandler,
} from "../../core/ui/controls.js";
import { el, replaceContent, whileOpen } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";
import { battleFile } from "./battle-file.js";
import { deleteTable } from "./delete-table.js";
import { drawPanel } from "./draw-panel.js";
import { mapImport } from "./map-import.js";
import { unitCatalog } from "./unit-catalog.js";
import { webhookPanel } from "./webhook-panel.js";

/** @import {Cell, Grid, Replica, Side, Wall} from "../../../types/contract.js" */
/** @import {Notices, Placing} from "../../../types/page.js" */
/** @import {GmCommands} from "../../core/game/gm-commands.js" */
/** @import {Session} from "../../core/game/session.js" */
/** @import {Store} from "../../core/game/store.js" */
/** @import {Board, Page} from "../page/page-state.js" */

/** @typedef {{store: Store, page: Page, board: Board, session: Session, commands: GmCommands, notices: Notices, tools: import("../input/map-tools.js").MapTools}} Parts */

/** @type {Wall["state"][]} */
const DOOR_STATES = ["closed", "open", "locked"];

/**
 * Keep an element filled with the table's setup.
 * @param {HTMLElement} host
 * @param {Parts} parts
 */
export function setupPanel(host, parts) {
  const upload = mapImport(parts);
  const webhook = webhookPanel(parts);
  /** The values of the fields for placing, kept while no unit is being placed. @type {Partial<Placing>} */
  const chosen = {};
  whileOpen(host, parts.board, (state, before) => {
    const isNew =
      state.replica?.scene.sides !== before.replica?.scene.sides ||
      state.replica?.scene.walls !== before.replica?.scene.walls ||
      state.replica?.scene.terrain !== before.replica?.scene.terrain ||
      state.replica?.scene.units !== before.replica?.scene.units ||
      state.replica?.ruleset !== before.replica?.ruleset;
    if (state.replica && isGm(state) && (isNew || hasChanged(state, before, "placing", "tool", "edited")))
      replaceContent(
        host,
        upload,
        drawPanel(state, parts),
        sides(state.replica, parts),
        placeUnit(state.replica, parts.page, chosen),
        unitCatalog(state.replica, parts),
        doors(state.replica, parts),
        battleFile(parts),
        deleteTable(parts),
        webhook,
      );
  });
}

/** @param {Replica} replica @param {Parts} parts */
function sides({ scene }, { commands }) {
  const name = nameField("side-name", "", localize("Setup.SideExample"));
  const add = submitHandler(() => {
    const called = name.value.trim();
    return commands.setSides((now) => [...now, newSide(now, called)]);
  });
  const items = scene.sides.map((side) => el("li", {}, sideRow(side, scene, commands)));
  const submit = el("button", { type: "submit", id: "side-add" }, localize("Setup.AddSide"));
  return section(
    localize("Setup.Sides"),
    el("ul", { class: "sides" }, ...items),
    el("form", { class: "form inline", onsubmit: add }, field(localize("Setup.NewSide"), name), submit),
  );
}

/**
 * Build the fields that rename a side and set its team. A side without units can be removed.
 * @param {Side} side
 * @param {Replica["scene"]} scene
 * @param {GmCommands} commands
 */
function sideRow(side, scene, commands) {
  const change = (/** @type {Partial<Side>} */ to) =>
    commands.setSides((now) => now.map((one) => (one.id === side.id ? { ...one, ...to } : one)));
  const name = nameField(`side-name-${side.id}`, side.name);
  name.setAttribute("aria-label", localize("Setup.SideName", { name: side.name }));
  name.onchange = () => name.value.trim() && change({ name: name.value.trim() });
  const team = el("input", { id: `side-team-${side.id}`, type: "text", value: side.team, maxLength: 200 });
  team.placeholder = localize("Setup.Team");
  team.setAttribute("aria-label", localize("Setup.TeamOf", { name: side.name }));
  team.onchange = () => change({ team: team.value.trim() });
  const isUsed = scene.tokens.some((token) => token.side === side.id);
  const remove = button(
    `side-remove-${side.id}`,
    "×",
    () => commands.setSides((now) => now.filter(({ id }) => id !== side.id)),
    {
      disabled: isUsed || scene.sides.length < 2,
      "aria-label": localize("Setup.RemoveSide", { name: side.name }),
      title: isUsed ? localize("Setup.SideUsed") : localize("Setup.RemoveSide", { name: side.name }),
    },
  );
  return el("div", { class: "side-row" }, name, team, remove);
}

/** @param {Side[]} sides @param {string} name @returns {Side} */
function newSide(sides, name) {
  let number = sides.length + 1;
  while (sides.some((side) => side.id === `side-${number}`)) number += 1;
  return { id: `side-${number}`, name, team: "", tracks: {}, conditions: {} };
}

/**
 * Build the section that starts and stops placing units.
 * @param {Replica} replica
 * @param {Page} page
 * @param {Partial<Placing>} chosen
 */
function placeUnit({ scene, ruleset }, page, chosen) {
  const { placing } = page.state;
  const own = scene.units.map(({ key, name }) => /** @type {[string, string]} */ ([`own:${key}`, name]));
  const ready = ruleset.catalog.map(({ key, name }) => /** @type {[string, string]} */ ([key, name]));
  const units = [...own, ...ready];
  const sides = scene.sides.map(({ id, name }) => /** @type {[string, string]} */ ([id, name]));
  const unitField = selectField("place-unit", units, chosen.unit);
  const sideField = selectField("place-side", sides, chosen.side);
  const hidden = el("input", { id: "place-hidden", type: "checkbox", checked: chosen.hidden ?? false });
  const read = () => ({ unit: unitField.value, side: sideField.value, hidden: hidden.checked });
  const start = () => {
    const cursor = page.state.cursor ?? middleCell(scene.grid);
    page.set({ tool: null, edited: null, placing: read(), cursor });
  };
  const stop = () => page.set({ placing: null, cursor: null });
  unitField.onchange =
    sideField.onchange =
    hidden.onchange =
      () => {
        Object.assign(chosen, read());
        if (page.state.placing) start();
      };
  const toggle = placing
    ? button("place-toggle", localize("Place.Stop"), stop)
    : button("place-toggle", localize("Place.Start"), start, { class: "primary", disabled: !sides.length });
  const hint = placing ? localize("Place.Hint") : sides.length ? "" : localize("Place.NoSide");
  return section(
    localize("Place.Title"),
    field(localize("Place.Unit"), unitField),
    field(localize("Place.Side"), sideField),
    checkbox(hidden, localize("Place.Hidden")),
    toggle,
    el("p", { class: "quiet" }, hint),
  );
}

/** @param {Grid} grid @returns {Cell} */
function middleCell({ columns, rows, kind }) {
  const size = kind === "gridless" ? CELL : 1;
  return [Math.floor(columns / 2) * size, Math.floor(rows / 2) * size];
}

/** @param {Replica} replica @param {Parts} parts */
function doors({ scene }, { commands }) {
  const states = DOOR_STATES.map(
    (state) => /** @type {[string, string]} */ ([state, localize(`Door.${state}`)]),
  );
  const rows = scene.walls
    .filter((wall) => wall.door !== "none")
    .map((door, i) => {
      const list = selectField(`door-${door.id}`, states, door.state);
      list.onchange = () => commands.setDoor(door.id, /** @type {Wall["state"]} */ (list.value));
      const key = door.door === "secret" ? "Door.SecretName" : "Door.Name";
      return field(localize(key, { number: i + 1 }), list);
    });
  const none = el("p", { class: "quiet" }, localize("Door.None"));
  return section(localize("Door.Title"), rows.length ? rowList(rows) : none);
}
