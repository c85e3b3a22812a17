/** Sentences for the person at the page: a toast to see and a polite live region to hear. */

import { el } from "../core/dom.js";

/** @import {Remedy} from "../../types/page.js" */

const SHOWN_MS = 6000;
const MOST_SHOWN = 3;
const USUAL_REASON = "The GM decides";
const LONGEST_REASON = 200;

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

  /** Takes back what was offered against the rules: the table has gone on. */
  withdraw() {
    for (const form of this.region.querySelectorAll(".remedy")) form.closest(".notice")?.remove();
  }

  /** @param {string} sentence @param {string} classes @param {Remedy | null} [remedy] */
  #show(sentence, classes, remedy = null) {
    const close = el(
      "button",
      { type: "button", class: "plain", "aria-label": "Dismiss", onclick: () => note.remove() },
      "×",
    );
    const note = el("div", { class: classes }, el("p", {}, sentence), close);
    if (remedy) note.append(remedyForm(remedy, () => note.remove()));
    else setTimeout(() => note.remove(), SHOWN_MS);
    this.region.append(note);
    while (this.region.children.length > MOST_SHOWN) this.region.firstElementChild?.remove();
  }
}

/** @param {Remedy} remedy @param {() => void} close */
function remedyForm({ label, does }, close) {
  const reason = el("input", {
    type: "text",
    value: USUAL_REASON,
    maxLength: LONGEST_REASON,
    required: true,
    "aria-label": "Reason",
  });
  const onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    close();
    does(reason.value);
  };
  return el("form", { class: "remedy", onsubmit }, reason, el("button", { type: "submit" }, label));
}
