/** A token's particulars, for the GM to change: name, side, facing, hidden; and taking it away. */

import { el } from "../core/dom.js";
import { turnStep } from "../core/geometry.js";

/** @import {Replica, Token} from "../../types/contract.js" */
/** @import {Deeds} from "./deeds.js" */

const COMPASS = ["up", "right", "down", "left"];

/**
 * @param {Replica} replica
 * @param {Token} token
 * @param {Deeds} deeds
 * @returns {HTMLElement}
 */
export function tokenEditor({ scene }, token, deeds) {
  const name = el("input", { id: "edit-name", type: "text", value: token.name, required: true, maxLength: 200 });
  const side = el("select", { id: "edit-side" }, ...scene.sides.map((one) => el("option", { value: one.id, selected: one.id === token.side }, one.name)));
  const facing = el("select", { id: "edit-facing", disabled: token.facing === null }, ...facings(turnStep(scene.grid), token.facing));
  const hidden = el("input", { id: "edit-hidden", type: "checkbox", checked: token.hidden });
  const save = (/** @type {Event} */ event) => {
    event.preventDefault();
    deeds.edit({ ...token, name: name.value.trim(), side: side.value, facing: token.facing === null ? null : Number(facing.value), hidden: hidden.checked });
  };
  const form = el("form", { class: "form", onsubmit: save }, field("Name", name), field("Side", side), field("Facing", facing), el("p", { class: "check" }, hidden, el("label", { htmlFor: "edit-hidden" }, "Hidden from players")), el("div", { class: "buttons" }, el("button", { type: "submit", id: "edit-save" }, "Save"), el("button", { type: "button", id: "edit-remove", class: "danger", onclick: () => deeds.remove(token.id) }, "Remove")));
  return el("details", { class: "editor" }, el("summary", { id: "edit-open" }, "Edit token"), form);
}

/**
 * A label and its field, on one line.
 * @param {string} text
 * @param {HTMLElement} control
 */
export function field(text, control) {
  return el("p", { class: "field" }, el("label", { htmlFor: control.id }, text), control);
}

/** @param {number} step @param {number | null} current */
function facings(step, current) {
  const all = Array.from({ length: 360 / step }, (_, i) => i * step);
  const listed = current === null || all.includes(current) ? all : [...all, current];
  return listed.map((degrees) => el("option", { value: String(degrees), selected: degrees === current }, degrees % 90 ? `${degrees}°` : `${COMPASS[degrees / 90]} (${degrees}°)`));
}
