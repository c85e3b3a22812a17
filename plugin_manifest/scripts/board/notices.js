/** Sentences for the person at the page: a toast to see and a polite live region to hear. */

import { el } from "../core/dom.js";

/** @typedef {{label: string, does: () => void}} Remedy */

const SHOWN_MS = 6000;
const MOST_SHOWN = 3;

/** Shows sentences in one place. */
export class Notices {
  /** @param {HTMLElement} region an element with role "status" */
  constructor(region) {
    this.region = region;
  }

  /** @param {string} sentence */
  say(sentence) {
    this.#show(sentence, "notice");
  }

  /**
   * @param {string} sentence something was refused or went wrong
   * @param {Remedy | null} [remedy] what can be done about it; such a notice stays until it is dismissed
   */
  problem(sentence, remedy = null) {
    this.#show(sentence, "notice is-problem", remedy);
  }

  /** @param {string} sentence @param {string} classes @param {Remedy | null} [remedy] */
  #show(sentence, classes, remedy = null) {
    const button =
      remedy &&
      el(
        "button",
        { type: "button", class: "remedy", onclick: () => (note.remove(), remedy.does()) },
        remedy.label,
      );
    const close = el(
      "button",
      { type: "button", class: "plain", "aria-label": "Dismiss", onclick: () => note.remove() },
      "×",
    );
    const note = el("div", { class: classes }, el("p", {}, sentence), button, close);
    this.region.append(note);
    while (this.region.children.length > MOST_SHOWN) this.region.firstElementChild?.remove();
    if (!remedy) setTimeout(() => note.remove(), SHOWN_MS);
  }
}
