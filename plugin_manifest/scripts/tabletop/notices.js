/** Sentences to the user of a tabletop, and a form in the panel that lets the GM override the rules. */

import { submitHandler } from "../core/ui/controls.js";
import { el, replaceContent } from "../core/ui/dom.js";
import { localize } from "../core/ui/i18n.js";

/** @import {Notices, OverrideOffer} from "../../types/page.js" */
/** @import {Tabletop} from "./tabletop.js" */

/** @implements {Notices} */
export class TabletopNotices {
  /** The place of the form; empty without an offer. */
  host = el("div", { class: "enfilade-offer" });

  /** @param {Pick<Tabletop, "notify">} tabletop */
  constructor(tabletop) {
    this.tabletop = tabletop;
  }

  /** @param {string} sentence */
  info(sentence) {
    this.tabletop.notify(sentence, "info");
  }

  /** @param {string} sentence @param {OverrideOffer | null} [offer] */
  error(sentence, offer = null) {
    this.tabletop.notify(sentence, "error");
    if (offer) this.#show(sentence, offer);
  }

  dismissOffers() {
    this.host.replaceChildren();
  }

  /** @param {string} sentence @param {OverrideOffer} offer */
  #show(sentence, { label, override }) {
    const value = localize("Override.DefaultReason");
    const reason = el("input", {
      type: "text",
      id: "enfilade-reason",
      value,
      maxLength: 200,
      required: true,
    });
    const onsubmit = submitHandler(() => {
      this.dismissOffers();
      override(reason.value);
    });
    replaceContent(
      this.host,
      el(
        "form",
        { class: "form", onsubmit },
        el("p", { role: "alert" }, sentence),
        el("label", {}, localize("Override.Reason"), reason),
        el("button", { type: "submit", id: "enfilade-override-submit" }, label),
      ),
    );
  }
}
