/**
 * A form for a ruleset's unit profile, built from its JSON Schema, and the profile read back from it. It supports
 * what msgspec writes: objects, lists, enums, numbers within bounds, and references. Deeper nesting is edited as JSON.
 */

import { selectField } from "./controls.js";
import { el } from "./dom.js";
import { localize } from "./i18n.js";

/** @typedef {Record<string, any>} Schema */
/** @typedef {{element: HTMLElement, read: () => any}} Control `read` throws SyntaxError if the value is invalid */
/** @typedef {Control & {showErrors: (errors: Record<string, string[]>) => void}} Form `showErrors` shows errors at their fields */
/** @typedef {{key: string, isGiven: boolean, schema: Schema, control: Control}} Field */

const MAX_LISTS = 6;

/**
 * @param {Schema} root
 * @param {Record<string, unknown>} profile the initial values
 * @returns {Form}
 */
export function schemaForm(root, profile) {
  const fields = Object.entries(profileFields(root)).map(([key, schema]) => {
    const control = controlFor(root, schema, profile[key] ?? schema.default, key);
    return { key, isGiven: key in profile, schema, control };
  });
  const rows = fields.map(fieldRow);
  return {
    element: el("div", { class: "schema-form" }, ...rows),
    read: () => readProfile(fields),
    showErrors: (errors) => fields.forEach((field, i) => showError(field, rows[i], errors[field.key] ?? [])),
  };
}

/**
 * Return the schema of each field of a profile, without references.
 * @param {Schema} root
 * @returns {Record<string, Schema>}
 */
export function profileFields(root) {
  const properties = Object.entries(resolveRef(root, root).properties ?? {});
  return Object.fromEntries(
    properties.map(([key, raw]) => [key, resolveRef(root, /** @type {Schema} */ (raw))]),
  );
}

/** @param {Field} field */
function fieldRow({ key, schema, control: { element } }) {
  const hint = schema.description ? el("small", { class: "quiet" }, schema.description) : null;
  return el(
    "p",
    { class: "field" },
    el("label", { htmlFor: element.id }, schema.title ?? key),
    element,
    hint,
  );
}

/** @param {Field} field @param {HTMLElement} row @param {string[]} errors none removes the error shown */
function showError({ control: { element } }, row, errors) {
  const id = `${element.id}-error`;
  row.querySelector(`#${id}`)?.remove();
  element.toggleAttribute("aria-invalid", errors.length > 0);
  element.setAttribute("aria-describedby", errors.length ? id : "");
  if (errors.length) row.append(el("strong", { id, class: "wrong" }, errors.join(" ")));
}

/** Return the values that were given before or differ from their default. @param {Field[]} fields */
function readProfile(fields) {
  /** @type {Record<string, unknown>} */
  const profile = {};
  for (const { key, isGiven, schema, control } of fields) {
    const value = control.read();
    const isDefault = JSON.stringify(value) === JSON.stringify(schema.default);
    if (value !== undefined && (isGiven || !isDefault)) profile[key] = value;
  }
  return profile;
}

/** Return a schema with its `$ref` resolved. @param {Schema} root @param {Schema} schema @returns {Schema} */
function resolveRef(root, schema) {
  if (!schema.$ref) return schema;
  const path = schema.$ref.slice(2).split("/");
  const found = path.reduce((/** @type {any} */ at, /** @type {string} */ step) => at?.[step], root);
  const { $ref: _, ...own } = schema;
  return { ...found, ...own };
}

/** @param {Schema} root @param {Schema} schema @param {any} value @param {string} key @returns {Control} */
function controlFor(root, schema, value, key) {
  const id = `profile-${key}`;
  if (schema.enum) return enumControl(schema, value, id);
  if (schema.type === "boolean") {
    const box = el("input", { id, type: "checkbox", checked: value === true });
    return { element: box, read: () => box.checked };
  }
  if (schema.type === "integer" || schema.type === "number") return numberControl(schema, value, id);
  if (schema.type === "string") {
    const input = el("input", { id, type: "text", value: value ?? "", maxLength: schema.maxLength ?? 200 });
    return { element: input, read: () => input.value };
  }
  const items = schema.type === "array" && schema.items ? resolveRef(root, schema.items) : null;
  if (items?.enum) return enumListControl(items.enum, { title: key, ...schema }, value ?? [], id);
  return jsonControl(value, id, schema.title ?? key);
}

/** @param {Schema} schema @param {unknown} value @param {string} id @returns {Control} */
function enumControl(schema, value, id) {
  const options = schema.enum.map((/** @type {unknown} */ option, /** @type {number} */ i) => [
    String(i),
    String(schema.names?.[i] ?? option),
  ]);
  const list = selectField(id, options, String(Math.max(0, schema.enum.indexOf(value))));
  return { element: list, read: () => schema.enum[Number(list.value)] };
}

/** @param {Schema} schema @param {unknown} value @param {string} id @returns {Control} */
function numberControl({ type, minimum: min, maximum: max }, value, id) {
  const step = type === "integer" ? 1 : "any";
  const input = el("input", { id, type: "number", min, max, step, value: value ?? "" });
  return { element: input, read: () => (input.value === "" ? undefined : Number(input.value)) };
}

/**
 * @param {unknown[]} options
 * @param {Schema} schema
 * @param {unknown[]} value
 * @param {string} id
 * @returns {Control}
 */
function enumListControl(options, schema, value, id) {
  const count = Math.min(schema.maxItems ?? options.length, MAX_LISTS);
  const items = options.map((option, i) => /** @type {[string, string]} */ ([String(i), String(option)]));
  const lists = Array.from({ length: count }, (_, i) =>
    selectField(`${id}-${i}`, [["", "–"], ...items], String(options.indexOf(value[i])), {
      "aria-label": `${schema.title} ${i + 1}`,
    }),
  );
  const read = () => lists.filter((list) => list.value !== "").map((list) => options[Number(list.value)]);
  return {
    element: el("span", { id, class: "lists", role: "group", "aria-label": schema.title }, ...lists),
    read,
  };
}

/** @param {unknown} value @param {string} id @param {string} title @returns {Control} */
function jsonControl(value, id, title) {
  const text = JSON.stringify(value ?? null, null, 1);
  const area = el("textarea", { id, rows: 4, spellcheck: false, value: text });
  const read = () => {
    try {
      return JSON.parse(area.value);
    } catch {
      const sentence = localize("Profile.NotJson", { title });
      area.setCustomValidity(sentence);
      area.reportValidity();
      throw new SyntaxError(sentence);
    }
  };
  area.oninput = () => area.setCustomValidity("");
  return { element: area, read };
}
