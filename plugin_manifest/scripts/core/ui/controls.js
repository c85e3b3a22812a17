/** Labelled form controls and lists, built the same way everywhere. */

import { el } from "./dom.js";
import { localize } from "./i18n.js";

/**
 * Build a button.
 * @param {string} id
 * @param {string} text
 * @param {(event: MouseEvent) => unknown} onClick
 * @param {Record<string, any>} [properties]
 */
export function button(id, text, onClick, properties = {}) {
  return el("button", { type: "button", id, onclick: onClick, ...properties }, text);
}

/**
 * Return a listener that leaves out the second click of a double click: by then another button can stand under the
 * pointer.
 * @param {() => unknown} run
 * @returns {(event: MouseEvent) => void}
 */
export function firstClick(run) {
  return ({ detail }) => {
    if (detail < 2) run();
  };
}

/**
 * Build a button as wide as its list, with a name and a remark.
 * @param {string} id
 * @param {[string, string]} texts
 * @param {() => unknown} onClick
 * @param {string} [state] another CSS class
 */
export function rowButton(id, [name, remark], onClick, state = "") {
  const parts = [el("span", {}, name), el("small", {}, remark)];
  return el("button", { type: "button", id, class: `row-button ${state}`, onclick: onClick }, ...parts);
}

/**
 * Build a drop-down list.
 * @param {string} id
 * @param {[string, string][]} options value and text of each
 * @param {string | undefined} selected the current value
 * @param {Record<string, any>} [properties]
 */
export function selectField(id, options, selected, properties = {}) {
  const items = options.map(([value, text]) => el("option", { value, selected: value === selected }, text));
  return el("select", { id, ...properties }, ...items);
}

/**
 * Build a required text field for a name.
 * @param {string} id
 * @param {string} value
 * @param {string} [placeholder]
 */
export function nameField(id, value, placeholder = "") {
  return el("input", { id, type: "text", value, required: true, maxLength: 200, placeholder });
}

/**
 * Build a row with a label and its control.
 * @param {string} text
 * @param {HTMLElement} control
 */
export function field(text, control) {
  return el("p", { class: "field" }, el("label", { htmlFor: control.id }, text), control);
}

/**
 * Build a row with a checkbox and its label.
 * @param {HTMLInputElement} box
 * @param {...(string | Node)} label
 */
export function checkbox(box, ...label) {
  return el("p", { class: "check" }, box, el("label", { htmlFor: box.id }, ...label));
}

/**
 * Build a section of a panel with a heading.
 * @param {string} title
 * @param {...(Node | null)} children
 */
export function section(title, ...children) {
  return el("section", { "aria-label": title }, el("h3", {}, title), ...children);
}

/** Build a list with one item a row. @param {HTMLElement[]} items */
export function rowList(items) {
  return el("ul", { class: "plain-list" }, ...items.map((item) => el("li", {}, item)));
}

/**
 * Return a listener that handles a form's submit event in the page.
 * @param {() => unknown} submit
 * @returns {(event: Event) => void}
 */
export function submitHandler(submit) {
  return (event) => {
    event.preventDefault();
    submit();
  };
}

/**
 * Ask before something that cannot be undone. The answer that keeps everything has the focus.
 * @param {string} question
 * @param {string} answer the button that goes on
 * @param {() => unknown} go
 */
export function confirmDialog(question, answer, go) {
  const keep = el(
    "button",
    { type: "submit", id: "confirm-no", autofocus: true },
    localize("ActForm.Cancel"),
  );
  const yes = () => {
    dialog.close();
    go();
  };
  const dialog = el(
    "dialog",
    { class: "help", "aria-labelledby": "confirm-question", onclose: () => dialog.remove() },
    el("p", { id: "confirm-question" }, question),
    el(
      "form",
      { method: "dialog", class: "buttons" },
      keep,
      el("button", { type: "button", id: "confirm-yes", class: "danger", onclick: yes }, answer),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}
