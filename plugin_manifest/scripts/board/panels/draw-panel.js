/** Drawing on the map: the GM's tools for walls, doors and terrain, and the fields of what is chosen. */

import { changedPart } from "../../core/draw/wall-edits.js";
import { newTerrain } from "../input/map-tools.js";
import { button, checkbox, field, section, selectField } from "../../core/ui/controls.js";
import { el } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";

/** @import {Scene, Terrain, Wall} from "../../../types/contract.js" */
/** @import {BoardState, Tool} from "../../../types/page.js" */
/** @import {GmCommands} from "../../core/game/gm-commands.js" */
/** @import {MapTools} from "../input/map-tools.js" */

/** @type {Tool[]} */
const TOOLS = ["wall", "door", "secret", "window", "terrain", "erase", "edit"];

/**
 * Build the section with the tools.
 * @param {BoardState} state
 * @param {{commands: GmCommands, tools: MapTools}} parts
 */
export function drawPanel({ tool, edited, replica }, { commands, tools }) {
  const buttons = TOOLS.map((one) =>
    button(`draw-${one}`, localize(`Draw.${one}`), () => tools.take(one), {
      "aria-pressed": String(tool === one),
    }),
  );
  const scene = replica?.scene;
  const wall = scene?.walls.find(({ id }) => id === edited);
  const patch = scene?.terrain.find(({ id }) => id === edited);
  const hint = tool && TOOLS.includes(tool) ? localize(`Draw.Hint.${tool}`) : "";
  return section(
    localize("Draw.Title"),
    el("div", { class: "tool-buttons", role: "group", "aria-label": localize("Draw.Title") }, ...buttons),
    el("p", { class: "quiet", id: "draw-hint" }, hint),
    tool === "terrain"
      ? terrainFields(newTerrain, scene, (change) => Object.assign(newTerrain, change))
      : null,
    wall ? wallFields(wall, commands) : null,
    patch
      ? terrainFields(patch, scene, (change) =>
          commands.editMap((now) => changedPart(now, "terrain", patch.id, () => change)),
        )
      : null,
    wall || patch
      ? button(
          "draw-remove",
          localize("Draw.Remove"),
          () => commands.editMap(() => ({ remove: [String(edited)] })),
          {
            class: "danger",
          },
        )
      : null,
  );
}

/** @param {Wall} wall @param {GmCommands} commands */
function wallFields(wall, commands) {
  const change = (/** @type {Partial<Wall>} */ to) =>
    commands.editMap((now) => changedPart(now, "walls", wall.id, () => to));
  const choice = (/** @type {keyof Wall} */ key, /** @type {string[]} */ values) => {
    const options = values.map(
      (value) => /** @type {[string, string]} */ ([value, localize(`Wall.${key}.${value}`)]),
    );
    const list = selectField(`wall-${key}`, options, String(wall[key]));
    list.onchange = () => change({ [key]: list.value });
    return field(localize(`Wall.${key}.Title`), list);
  };
  return el(
    "div",
    { class: "form" },
    choice("door", ["none", "door", "secret"]),
    choice("move", ["normal", "none"]),
    choice("sight", ["normal", "none", "limited", "proximity", "distance"]),
    choice("one_way", ["both", "left", "right"]),
  );
}

/**
 * @param {Pick<Terrain, "name" | "cost" | "blocks_sight" | "hidden" | "kind">} patch
 * @param {Scene | undefined} scene
 * @param {(change: Partial<Terrain>) => unknown} change
 */
function terrainFields(patch, scene, change) {
  const text = (/** @type {"name" | "kind"} */ key, /** @type {number} */ maxLength) => {
    const input = el("input", { id: `terrain-${key}`, type: "text", maxLength, value: patch[key] });
    input.onchange = () => change({ [key]: input.value.trim() });
    return input;
  };
  const costs = Array.from({ length: 11 }, (_, cost) => String(cost));
  const options = costs.map(
    (cost) =>
      /** @type {[string, string]} */ ([cost, cost === "0" ? localize("Mark.Impassable") : `×${cost}`]),
  );
  const cost = selectField("terrain-cost", options, String(patch.cost));
  cost.onchange = () => change({ cost: Number(cost.value) });
  const box = (/** @type {"blocks_sight" | "hidden"} */ key) => {
    const input = el("input", { id: `terrain-${key}`, type: "checkbox", checked: patch[key] });
    input.onchange = () => change({ [key]: input.checked });
    return checkbox(input, localize(`Terrain.${key}`));
  };
  const kind = text("kind", 40);
  kind.setAttribute("list", "terrain-kinds");
  const kinds = [...new Set(scene?.terrain.map((one) => one.kind).filter(Boolean))];
  return el(
    "div",
    { class: "form" },
    field(localize("Terrain.name"), text("name", 200)),
    field(localize("Terrain.cost"), cost),
    box("blocks_sight"),
    box("hidden"),
    field(localize("Terrain.kind"), kind),
    el("datalist", { id: "terrain-kinds" }, ...kinds.map((one) => el("option", { value: one }))),
  );
}
