/** Sentences for the person at this page, by Foundry's own notices; some versions of it read them as HTML. */

import { el, refill } from "../core/ui/dom.js";
import { onSubmit } from "../core/ui/controls.js";
import { words } from "../core/ui/i18n.js";
import { Window } from "./windows/window.js";
import { harmless } from "./writing/card.js";

/** @import {Notices, Remedy} from "../../types/page.js" */

/** @implements {Notices} */
export class FoundryNotices {
  /** @type {Window | null} what is offered against the rules */
  #offer = null;

  /** @param {string} sentence */
  say(sentence) {
    ui.notifications.info(harmless(sentence));
  }

  /** @param {string} sentence @param {Remedy | null} [remedy] */
  problem(sentence, remedy = null) {
    ui.notifications.warn(harmless(sentence));
    if (remedy) this.#offerOf(sentence, remedy);
  }

  withdraw() {
    if (this.#offer?.rendered) this.#offer.close();
  }

  /** @param {string} sentence @param {Remedy} remedy */
  #offerOf(sentence, { label, does }) {
    this.#offer ??= new Window("remedy", "Remedy.Title", () => {});
    const reason = el("input", {
      type: "text",
      value: words("Remedy.Usual"),
      maxLength: 200,
      required: true,
    });
    const submit = onSubmit(() => {
      this.withdraw();
      does(reason.value);
    });
    const go = el("button", { type: "submit", id: "enfilade-remedy" }, label);
    const form = el("form", { onsubmit: submit }, el("label", {}, words("Remedy.Reason"), reason), go);
    refill(this.#offer.host, el("p", {}, sentence), form);
    this.#offer.open();
  }
}
