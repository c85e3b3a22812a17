/**
 * A form made from a ruleset's JSON Schema of a unit profile, and the profile read back from it. It knows what
 * msgspec writes: objects, lists, choices of words, numbers within bounds, and references. What is more nested
 * than a form can show is written as JSON.
 */

import { selectField } from "./controls.js";
import { el } from "./dom.js";
import { localize } from "./i18n.js";

/** @typedef {Record<string, any>} Schema */
/** @typedef {{element: HTMLElement, read: () => any}} Control what the reader types, and its value; a SyntaxError says what is wrong */
/** @typedef {Control & {complain: (problems: Record<string, string[]>) => void}} Form `complain` says at each field what is wrong there */

/**
 * @param {Schema} root
 * @param {Record<string, unknown>} profile what the fields begin with
 * @returns {Form}
 */
export function schemaForm(root, profile) {
  const schema = resolved(root, root);
  const fields = Object.entries(schema.properties ?? {}).map(([key, raw]) => {
    const part = resolved(root, /** @type {Schema} */ (raw));
    const value = profile[key] ?? part.default;
    return { key, isKnown: key in profile, part, control: controlFor(root, part, value, key) };
  });
  const rows = fields.map(({ key, part, control }) => row(key, part, control));
  return {
    element: el("div", { class: "schema-form" }, ...rows),
    read: () => readAll(fields),
    complain: (problems) =>
      fields.forEach((field, i) => complaint(field, rows[i], problems[field.key] ?? [])),
  };
}

/** @param {Field} field @param {HTMLElement} line @param {string[]} says what is wrong there; nothing takes it back */
function complaint({ control: { element } }, line, says) {
  const id = `${element.id}-wrong`;
  line.querySelector(`#${id}`)?.remove();
  element.toggleAttribute("aria-invalid", says.length > 0);
  element.setAttribute("aria-describedby", says.length ? id : "");
  if (says.length) line.append(el("strong", { id, class: "wrong" }, says.join(" ")));
}

/** @typedef {{key: string, isKnown: boolean, part: Schema, control: Control}} Field */

/** @param {Field[]} fields @returns {Record<string, unknown>} what differs from its default or was told before */
function readAll(fields) {
  /** @type {Record<string, unknown>} */
  const profile = {};
  for (const { key, isKnown, part, control } of fields) {
    const value = control.read();
    const isUsual = JSON.stringify(value) === JSON.stringify(part.default);
    if (value !== undefined && (isKnown || !isUsual)) profile[key] = value;
  }
  return profile;
}

/** @param {string} key @param {Schema} part @param {Control} control */
function row(key, part, { element }) {
  const title = part.title ?? key;
  const hint = part.description ? el("small", { class: "quiet" }, part.description) : null;
  return el("p", { class: "field" }, el("label", { htmlFor: element.id }, title), element, hint);
}

/** @param {Schema} root @param {Schema} schema @returns {Schema} with its references looked up */
export function resolved(root, schema) {
  if (!schema.$ref) return schema;
  const found = schema.$ref
    .slice(2)
    .split("/")
    .reduce((/** @type {any} */ at, /** @type {string} */ step) => at?.[step], root);
  const { $ref: _, ...own } = schema;
  return { ...found, ...own };
}

/** @param {Schema} root @param {Schema} part @param {any} value @param {string} key @returns {Control} */
function controlFor(root, part, value, key) {
  const id = `profile-${key}`;
  if (part.enum) return oneOf(part, value, id);
  if (part.type === "boolean") return yesOrNo(value, id);
  if (part.type === "integer" || part.type === "number") return number(part, value, id);
  if (part.type === "string") return text(part, value, id);
  const items = part.type === "array" && part.items ? resolved(root, part.items) : null;
  return items?.enum ? someOf(items.enum, part, value ?? [], id) : json(value, id, part.title ?? key);
}

/** @param {Schema} part @param {unknown} value @param {string} id @returns {Control} */
function oneOf(part, value, id) {
  const options = part.enum.map((/** @type {unknown} */ one, /** @type {number} */ i) => [
    String(i),
    String(one),
  ]);
  const list = selectField(id, options, String(part.enum.indexOf(value)));
  return { element: list, read: () => part.enum[Number(list.value)] };
}

/** @param {unknown} value @param {string} id @returns {Control} */
function yesOrNo(value, id) {
  const box = el("input", { id, type: "checkbox", checked: value === true });
  return { element: box, read: () => box.checked };
}

/** @param {Schema} part @param {unknown} value @param {string} id @returns {Control} */
function number(part, value, id) {
  const step = part.type === "integer" ? 1 : "any";
  const field = el("input", {
    id,
    type: "number",
    min: part.minimum,
    max: part.maximum,
    step,
    value: value ?? "",
  });
  return { element: field, read: () => (field.value === "" ? undefined : Number(field.value)) };
}

/** @param {Schema} part @param {unknown} value @param {string} id @returns {Control} */
function text(part, value, id) {
  const field = el("input", { id, type: "text", value: value ?? "", maxLength: part.maxLength ?? 200 });
  return { element: field, read: () => field.value };
}

/** @param {unknown[]} options @param {Schema} part @param {unknown[]} value @param {string} id @returns {Control} */
function someOf(options, part, value, id) {
  const most = Math.min(part.maxItems ?? options.length, 6);
  const lists = Array.from({ length: most }, (_, i) => {
    const items = options.map((one, n) => /** @type {[string, string]} */ ([String(n), String(one)]));
    return selectField(`${id}-${i}`, [["", "–"], ...items], String(options.indexOf(value[i])));
  });
  const read = () => lists.filter((list) => list.value !== "").map((list) => options[Number(list.value)]);
  return { element: el("span", { id, class: "lists" }, ...lists), read };
}

/** @param {unknown} value @param {string} id @param {string} title @returns {Control} */
function json(value, id, title) {
  const area = el("textarea", {
    id,
    rows: 4,
    spellcheck: false,
    value: JSON.stringify(value ?? null, null, 1),
  });
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
