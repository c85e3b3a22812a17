/** The GM's form to edit a token: its name, side, facing, picture, tracks and conditions. */

import { facings } from "../../core/map/geometry.js";
import { button, checkbox, field, nameField, selectField, submitHandler } from "../../core/ui/controls.js";
import { el, keepChanges } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";
import { conditionName, facingName, trackName } from "../../core/ui/names.js";
import { pictureField } from "./picture-field.js";
import { editUnit } from "./unit-catalog.js";

/** @import {Bar, Replica, Ruleset, Scene, Side, Token} from "../../../types/contract.js" */
/** @import {Parts} from "./token-panel.js" */

/** @typedef {(replica: Replica, token: Token) => HTMLElement} Editor */

/**
 * Rebuild the editor only if the token has changed. It stays open then, with what the GM has changed and not saved.
 * @param {Parts} parts
 * @returns {Editor}
 */
export function cachedEditor(parts) {
  /** @type {{token: Token, sides: Side[], element: HTMLDetailsElement, keep: (next: HTMLElement) => void} | null} */
  let cached = null;
  return (replica, token) => {
    const { sides } = replica.scene;
    if (cached?.token === token && cached.sides === sides) return cached.element;
    const element = tokenEditor(replica, token, parts);
    const next = { token, sides, element, keep: keepChanges(element) };
    if (cached?.token.id === token.id) {
      element.open = cached.element.open;
      cached.keep(element);
    }
    cached = next;
    return element;
  };
}

/**
 * Build the form to edit a token, collapsed.
 * @param {Replica} replica
 * @param {Token} token
 * @param {Parts} parts
 * @returns {HTMLDetailsElement}
 */
function tokenEditor({ scene, ruleset, bars }, token, parts) {
  const { commands } = parts;
  const picture = pictureField("edit-picture", token.image, parts, (image) =>
    commands.setImage(token.id, image),
  );
  const keep = () => {
    const own = { key: "", name: token.name, profile: token.profile, image: token.image };
    editUnit(own, ruleset, parts);
  };
  const sides = scene.sides.map(({ id, name }) => /** @type {[string, string]} */ ([id, name]));
  const name = nameField("edit-name", token.name);
  const side = selectField("edit-side", sides, token.side);
  const facing = facingField(scene, token);
  const hidden = el("input", { id: "edit-hidden", type: "checkbox", checked: token.hidden });
  const tracks = trackFields(token, bars[token.id]);
  const conditions = conditionFields(token, ruleset);
  const save = submitHandler(() => {
    editor.open = false;
    summary.focus();
    return commands.edit({
      ...token,
      tracks: tracks.read(),
      conditions: conditions.read(),
      name: name.value.trim(),
      side: side.value,
      facing: token.facing === null ? null : Number(facing.value),
      hidden: hidden.checked,
    });
  });
  const remove = () => commands.remove(token.id);
  const buttons = el(
    "div",
    { class: "buttons" },
    el("button", { type: "submit", id: "edit-save" }, localize("Token.Save")),
    button("edit-keep", localize("Units.Keep"), keep),
    button("edit-remove", localize("Token.Remove"), remove, { class: "danger" }),
  );
  const form = el(
    "form",
    { class: "form", onsubmit: save },
    field(localize("Token.Name"), name),
    field(localize("Token.Side"), side),
    field(localize("Token.Facing"), facing),
    checkbox(hidden, localize("Token.HiddenFromPlayers")),
    ...tracks.rows,
    ...conditions.rows,
    buttons,
  );
  const summary = el("summary", { id: "edit-open" }, localize("Token.Edit"));
  const editor = el("details", { class: "editor" }, summary, picture.row, form);
  return editor;
}

/**
 * Build a number field for each track of a token, and for its hit points.
 * @param {Token} token
 * @param {Bar | undefined} bar
 */
function trackFields(token, bar) {
  const values = { ...(bar ? { [bar.track]: bar.most } : {}), ...token.tracks };
  const inputs = Object.entries(values).map(([name, value]) => {
    const properties = { id: `edit-track-${slug(name)}`, type: "number", step: 1, required: true, value };
    return { name, input: el("input", properties) };
  });
  return {
    rows: inputs.map(({ name, input }) => field(trackName(name), input)),
    read: () => Object.fromEntries(inputs.map(({ name, input }) => [name, Math.trunc(Number(input.value))])),
  };
}

/**
 * Build a checkbox for each condition of a token, and a list from which the GM adds one.
 * @param {Token} token
 * @param {Ruleset} ruleset
 */
function conditionFields(token, ruleset) {
  const boxes = Object.entries(token.conditions).map(([name, note]) => {
    const box = el("input", { id: `edit-condition-${slug(name)}`, type: "checkbox", checked: true });
    return { name, note, box };
  });
  const others = Object.keys(ruleset.conditions).filter((name) => !(name in token.conditions));
  const options = others.map((name) => /** @type {[string, string]} */ ([name, conditionName(name)]));
  const added = selectField("edit-condition", [["", localize("Token.NoCondition")], ...options], "");
  return {
    rows: [
      ...boxes.map(({ name, box }) => checkbox(box, conditionName(name))),
      field(localize("Token.AddCondition"), added),
    ],
    read: () => ({
      ...Object.fromEntries(boxes.filter(({ box }) => box.checked).map(({ name, note }) => [name, note])),
      ...(added.value ? { [added.value]: "" } : {}),
    }),
  };
}

/** @param {string} name */
const slug = (name) => name.replace(/\W+/g, "-");

/**
 * Build the list of facings, with the token's own even if no turn leads to it.
 * @param {Scene} scene
 * @param {Token} token
 */
function facingField({ grid }, { facing }) {
  const regular = facings(grid);
  const all = facing === null || regular.includes(facing) ? regular : [...regular, facing];
  const options = all.map(
    (degrees) => /** @type {[string, string]} */ ([String(degrees), facingName(degrees)]),
  );
  return selectField("edit-facing", options, String(facing), { disabled: facing === null });
}
