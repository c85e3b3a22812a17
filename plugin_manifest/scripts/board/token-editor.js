/** A token's particulars, for the GM to change: name, side, facing, hidden; and taking it away. */

import { el } from "../core/dom.js";
import { facings } from "../core/geometry.js";
import { button, check, choices, field, nameField, onSubmit } from "../core/controls.js";

/** @import {Replica, Scene, Token} from "../../types/contract.js" */
/** @import {Deeds} from "../core/deeds.js" */

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
