/** Sentences for the person at the page: a toast to see and a polite live region to hear. */

import { el } from "../core/dom.js";

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

  /** @param {string} sentence something was refused or went wrong */
  problem(sentence) {
    this.#show(sentence, "notice is-problem");
  }

  /** @param {string} sentence @param {string} classes */
  #show(sentence, classes) {
    const close = el("button", { type: "button", class: "plain", "aria-label": "Dismiss", onclick: () => note.remove() }, "×");
    const note = el("div", { class: classes }, el("p", {}, sentence), close);
    this.region.append(note);
    while (this.region.children.length > MOST_SHOWN) this.region.firstElementChild?.remove();
    setTimeout(() => note.remove(), SHOWN_MS);
  }
}
