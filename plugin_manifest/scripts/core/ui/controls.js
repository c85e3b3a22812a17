/** The page's controls: each made in one way, with its label. */

import { el } from "./dom.js";

/**
 * A button that does something.
 * @param {string} id
 * @param {string} text
 * @param {() => unknown} does
 * @param {Record<string, any>} [more] further properties
 */
export function button(id, text, does, more = {}) {
  return el("button", { type: "button", id, onclick: does, ...more }, text);
}

/**
 * A button as wide as its list, with a name and a remark.
 * @param {string} id
 * @param {[string, string]} words
 * @param {() => unknown} does
 * @param {string} [state] a further class
 */
export function rowButton(id, [name, remark], does, state = "") {
  const parts = [el("span", {}, name), el("small", {}, remark)];
  return el("button", { type: "button", id, class: `row-button ${state}`, onclick: does }, ...parts);
}

/**
 * A list to choose from.
 * @param {string} id
 * @param {[string, string][]} options each a value and its words
 * @param {string | undefined} chosen the value that is chosen now
 * @param {Record<string, any>} [more] further properties
 */
export function selectField(id, options, chosen, more = {}) {
  const items = options.map(([value, words]) => el("option", { value, selected: value === chosen }, words));
  return el("select", { id, ...more }, ...items);
}

/**
 * A field for a name, which must not be empty.
 * @param {string} id
 * @param {string} value
 * @param {string} [example]
 */
export function nameField(id, value, example = "") {
  return el("input", { id, type: "text", value, required: true, maxLength: 200, placeholder: example });
}

/**
 * A label and its field, on one line.
 * @param {string} text
 * @param {HTMLElement} control
 */
export function field(text, control) {
  return el("p", { class: "field" }, el("label", { htmlFor: control.id }, text), control);
}

/**
 * A box to tick, with what it says.
 * @param {HTMLInputElement} box
 * @param {...(string | Node)} says
 */
export function checkbox(box, ...says) {
  return el("p", { class: "check" }, box, el("label", { htmlFor: box.id }, ...says));
}

/**
 * A part of a panel under a heading.
 * @param {string} title
 * @param {...(Node | null)} children
 */
export function section(title, ...children) {
  return el("section", { "aria-label": title }, el("h3", {}, title), ...children);
}

/** @param {HTMLElement[]} items one to a row */
export function rowList(items) {
  return el("ul", { class: "plain-list" }, ...items.map((item) => el("li", {}, item)));
}

/**
 * Does something instead of what the browser would do with a form.
 * @param {() => unknown} does
 * @returns {(event: Event) => void}
 */
export function submitHandler(does) {
  return (event) => {
    event.preventDefault();
    does();
  };
}
