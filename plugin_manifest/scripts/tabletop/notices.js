/** Sentences to the user of a tabletop, and a form in the panel that lets the GM override the rules. */

import { el, replaceContent } from "../core/ui/dom.js";
import { overrideForm } from "./override-form.js";

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
    if (offer)
      replaceContent(
        this.host,
        overrideForm(sentence, offer, () => this.dismissOffers()),
      );
  }

  dismissOffers() {
    this.host.replaceChildren();
  }
}
