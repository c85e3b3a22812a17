/**
 * Builds elements. Text becomes text nodes only, so nothing from a table can turn into markup. An element may be
 * moved to another window: use its `ownerDocument`.
 */

import { localize } from "./i18n.js";

/**
 * Build an element with properties, `data-` and `aria-` attributes, listeners (`onclick`) and children.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any>} [properties]
 * @param {...(Node | string | null | false | undefined)} children null, false and undefined are left out
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) setProperty(element, name, value);
  element.append(
    ...children
      .filter((child) => child !== null && child !== undefined && child !== false)
      .map((child) => /** @type {Node | string} */ (child)),
  );
  return element;
}

/** @param {HTMLElement} element @param {string} name @param {any} value */
function setProperty(element, name, value) {
  if (value === undefined || value === null) return;
  if (name in element && !name.startsWith("aria-")) /** @type {any} */ (element)[name] = value;
  else element.setAttribute(name, String(value));
}

/**
 * Replace an element's content. The focus returns to the new element with the same id, and a text that is being typed
 * stays. If there is none that takes the focus, the page gets the event "focuslost", so that it can lead the keys to a
 * place where they mean something.
 * @param {Element} parent
 * @param {...(Node | string)} children
 */
export function replaceContent(parent, ...children) {
  const { ownerDocument: page } = parent;
  const focused = parent.contains(page.activeElement) ? page.activeElement : null;
  const isTyped = focused !== null && focused === typedIn; // before the field leaves the page, which can end the entry
  parent.replaceChildren(...children);
  if (!focused?.id) return;
  const next = page.getElementById(focused.id);
  if (isTyped && next) keepText(/** @type {HTMLInputElement} */ (focused), next);
  next?.focus();
  if (page.activeElement === page.body) page.dispatchEvent(new Event("focuslost"));
}

/** @type {EventTarget | null} the field in which a person has typed what is not entered yet */
let typedIn = null;
globalThis.document?.addEventListener("input", ({ target }) => (typedIn = target), true);
globalThis.document?.addEventListener("change", () => (typedIn = null), true);

/** Move a text that is not entered yet, and the cursor in it, to the field that replaces another. @param {HTMLInputElement} from @param {HTMLElement} to */
function keepText(from, to) {
  if (from === to || !(to instanceof HTMLInputElement) || from.type !== "text" || to.type !== "text") return;
  to.value = from.value;
  to.setSelectionRange(from.selectionStart, from.selectionEnd);
  typedIn = to;
}

/**
 * Carry what a person has changed in a form, and has not sent yet, over to the form that replaces it: a field with the
 * same ID, unless its value has changed at the table as well.
 * @param {HTMLElement} form
 * @returns {(next: HTMLElement) => void} carries it over
 */
export function keepChanges(form) {
  const initial = new Map(fieldsOf(form).map((field) => [field.id, valueOf(field)]));
  return (next) => {
    for (const field of fieldsOf(next)) {
      const before = /** @type {Field | null} */ (form.querySelector(`#${CSS.escape(field.id)}`));
      if (!before || valueOf(before) === initial.get(field.id)) continue;
      if (valueOf(field) !== initial.get(field.id)) continue;
      if (field instanceof HTMLInputElement && field.type === "checkbox") field.checked = !field.checked;
      else if (!(field instanceof HTMLSelectElement) || hasOption(field, before.value))
        field.value = before.value;
    }
  };
}

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Field */

/** @param {HTMLElement} form @returns {Field[]} */
const fieldsOf = (form) =>
  /** @type {Field[]} */ ([...form.querySelectorAll("input[id]:not([type=file]), select[id], textarea[id]")]);

/** @param {Field} field */
const valueOf = (field) =>
  field.type === "checkbox" ? String(/** @type {any} */ (field).checked) : field.value;

/** @param {HTMLSelectElement} list @param {string} value */
const hasOption = (list, value) => [...list.options].some((option) => option.value === value);

/**
 * Call a function with each change of the state while a panel shows, and when it opens ("panelopen") with all changes
 * since the last call: a closed panel costs nothing.
 * @template T
 * @param {HTMLElement} panel
 * @param {{state: T, initial: T, subscribe: (subscriber: (state: T) => void) => void}} store
 * @param {(state: T, before: T) => void} show `before` is the state of the last call
 */
export function whileOpen(panel, store, show) {
  let shown = store.initial;
  const update = () => {
    if (panel.hidden || store.state === shown) return;
    const before = shown;
    shown = store.state;
    show(shown, before);
  };
  store.subscribe(update);
  panel.addEventListener("panelopen", update);
}

/**
 * Return the element with an id that the page is known to have.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no element '${id}'.`);
  return element;
}

/**
 * Fill in the page's static text: `data-i18n` names the key of an element's text, `data-i18n-label` that of its
 * aria-label.
 */
export function localizePage() {
  for (const element of document.querySelectorAll("[data-i18n]"))
    element.textContent = localize(element.getAttribute("data-i18n") ?? "");
  for (const element of document.querySelectorAll("[data-i18n-label]"))
    element.setAttribute("aria-label", localize(element.getAttribute("data-i18n-label") ?? ""));
}
