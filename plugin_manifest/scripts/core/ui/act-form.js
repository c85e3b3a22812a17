/** The dialog that asks for the body of an act: what only acts of its kind say, such as an announced intent. */

import { button } from "./controls.js";
import { el } from "./dom.js";
import { localize } from "./i18n.js";
import { profileFields, schemaForm } from "./schema-form.js";

/** @import {Act, Ruleset, Side} from "../../../types/contract.js" */

/**
 * Return an act with its body, which the user fills in if its kind has one. Lists, such as the members of a group and
 * their paths, stay as the act was offered: they are chosen on the map.
 * @param {Ruleset} ruleset
 * @param {Act} act
 * @param {readonly Side[]} sides for a field that names one
 * @returns {Promise<Act | null>} null if the user cancels
 */
export async function fillInAct(ruleset, act, sides) {
  const kind = ruleset.acts.find((one) => one.kind === act.kind);
  if (!kind?.body) return act;
  const asked = Object.entries(profileFields(kind.body)).filter(([, { type }]) => type !== "array");
  if (!asked.length) return act;
  const named = { enum: sides.map(({ id }) => id), names: sides.map(({ name }) => name) };
  const properties = asked.map(([key, field]) => [key, key === "side" ? { ...field, ...named } : field]);
  const schema = { type: "object", properties: Object.fromEntries(properties), $defs: kind.body.$defs };
  const body = await askForBody(kind.label, schema, act.body ?? {});
  return body && { ...act, body: { ...act.body, ...body } };
}

/**
 * @param {string} title
 * @param {Record<string, any>} schema
 * @param {Record<string, unknown>} values the initial values
 * @returns {Promise<Record<string, unknown> | null>} null if the user cancels
 */
function askForBody(title, schema, values) {
  const form = schemaForm(schema, values);
  return new Promise((resolve) => {
    /** @type {Record<string, unknown> | null} */
    let body = null;
    const send = (/** @type {Event} */ event) => {
      event.preventDefault();
      try {
        body = form.read();
      } catch (problem) {
        if (problem instanceof SyntaxError) return; // its field shows the problem
        throw problem;
      }
      dialog.close();
    };
    const onclose = () => {
      dialog.remove();
      resolve(body);
    };
    const buttons = el(
      "div",
      { class: "buttons" },
      el("button", { id: "act-form-send", class: "primary" }, localize("ActForm.Send")),
      button("act-form-cancel", localize("ActForm.Cancel"), () => dialog.close()),
    );
    /** @type {HTMLDialogElement} */
    const dialog = el(
      "dialog",
      { class: "enfilade act-form", "aria-labelledby": "act-form-title", onclose },
      el("h2", { id: "act-form-title" }, title),
      el("form", { onsubmit: send }, form.element, buttons),
    );
    document.body.append(dialog);
    dialog.showModal();
  });
}
