/** The table's own units: built from the ruleset's profile form, kept with the table, placed like ready-made ones. */

import { button, field, nameField, rowList, section, submitHandler } from "../../core/ui/controls.js";
import { el } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";
import { schemaForm } from "../../core/ui/schema-form.js";
import { pictureField } from "./picture-field.js";

/** @import {OwnUnit, Replica} from "../../../types/contract.js" */
/** @import {Notices} from "../../../types/page.js" */
/** @import {GmCommands} from "../../core/game/gm-commands.js" */
/** @import {Session} from "../../core/game/session.js" */

/** @typedef {{session: Session, commands: GmCommands, notices: Notices}} Parts */

/** @param {Replica} replica @param {Parts} parts */
export function unitCatalog({ scene, ruleset }, parts) {
  const { units } = scene;
  const rows = units.map((unit) => {
    const remove = () => parts.commands.setUnits((now) => now.filter(({ key }) => key !== unit.key));
    return el(
      "div",
      { class: "unit-row" },
      button(`own-unit-${unit.key}`, unit.name, () => editUnit(unit, ruleset, parts)),
      button(`own-unit-remove-${unit.key}`, "×", remove, {
        "aria-label": localize("Setup.RemoveSide", { name: unit.name }),
      }),
    );
  });
  const first = ruleset.catalog[0]?.profile ?? {};
  const make = () => editUnit({ key: "", name: "", profile: first, image: "" }, ruleset, parts);
  return section(
    localize("Units.Title"),
    rows.length ? rowList(rows) : el("p", { class: "quiet" }, localize("Units.None")),
    button("own-unit-new", localize("Units.New"), make),
  );
}

/**
 * Edit a unit in a dialog; one without a key is new.
 * @param {OwnUnit} unit
 * @param {Replica["ruleset"]} ruleset
 * @param {Parts} parts
 */
export function editUnit(unit, ruleset, parts) {
  const name = nameField("own-unit-name", unit.name);
  const form = schemaForm(ruleset.profile_schema, unit.profile);
  const picture = pictureField("own-unit-picture", unit.image, parts);
  const save = async () => {
    try {
      const profile = /** @type {Record<string, unknown>} */ (form.read());
      const made = { name: name.value.trim(), profile, image: picture.read() };
      if (await parts.commands.setUnits((units) => withUnit(units, unit.key, made))) dialog.close();
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      parts.notices.error(error.message);
    }
  };
  /** @type {HTMLDialogElement} */
  const dialog = el(
    "dialog",
    { class: "help unit-form", "aria-labelledby": "own-unit-title", onclose: () => dialog.remove() },
    el("h2", { id: "own-unit-title" }, localize(unit.key ? "Units.Edit" : "Units.New")),
    el(
      "form",
      { class: "form", onsubmit: submitHandler(save) },
      field(localize("Token.Name"), name),
      picture.row,
      form.element,
      el(
        "div",
        { class: "buttons" },
        el("button", { type: "submit", id: "own-unit-save", class: "primary" }, localize("Token.Save")),
        button("own-unit-cancel", localize("ActForm.Cancel"), () => dialog.close()),
      ),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}

/**
 * Return the units with one in the place of that of a key, or as the last.
 * @param {OwnUnit[]} units
 * @param {string} key "" adds it
 * @param {Omit<OwnUnit, "key">} made
 */
function withUnit(units, key, made) {
  const unit = { ...made, key: key || freeKey(units, made.name) };
  const isThere = units.some((other) => other.key === unit.key);
  return isThere ? units.map((other) => (other.key === unit.key ? unit : other)) : [...units, unit];
}

/** @param {OwnUnit[]} units @param {string} name */
function freeKey(units, name) {
  const slug =
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, 40) || "unit";
  let number = 1;
  while (units.some(({ key }) => key === `${slug}-${number}`)) number += 1;
  return `${slug}-${number}`;
}
