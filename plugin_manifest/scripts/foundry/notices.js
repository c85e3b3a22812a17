/** Sentences for the person at this page, by Foundry's own notices; some versions of it read them as HTML. */

import { el, replaceContent } from "../core/ui/dom.js";
import { submitHandler } from "../core/ui/controls.js";
import { localize } from "../core/ui/i18n.js";
import { Window } from "./windows/window.js";
import { harmless } from "./writing/card.js";

/** @import {Notices, OverrideOffer} from "../../types/page.js" */

/** @implements {Notices} */
export class FoundryNotices {
  /** @type {Window | null} what is offered against the rules */
  #offer = null;

  /** @param {string} sentence */
  info(sentence) {
    ui.notifications.info(harmless(sentence));
  }

  /** @param {string} sentence @param {OverrideOffer | null} [remedy] */
  error(sentence, remedy = null) {
    ui.notifications.warn(harmless(sentence));
    if (remedy) this.#offerOf(sentence, remedy);
  }

  dismissOffers() {
    if (this.#offer?.rendered) this.#offer.close();
  }

  /** @param {string} sentence @param {OverrideOffer} remedy */
  #offerOf(sentence, { label, override }) {
    this.#offer ??= new Window("remedy", "Override.Title", () => {});
    const reason = el("input", {
      type: "text",
      value: localize("Override.DefaultReason"),
      maxLength: 200,
      required: true,
    });
    const submit = submitHandler(() => {
      this.dismissOffers();
      override(reason.value);
    });
    const go = el("button", { type: "submit", id: "enfilade-remedy" }, label);
    const form = el("form", { onsubmit: submit }, el("label", {}, localize("Override.Reason"), reason), go);
    replaceContent(this.#offer.host, el("p", {}, sentence), form);
    this.#offer.open();
  }
}
