/** Foundry's notifications for this user. Some versions read them as HTML, so outside text loses its markup here. */

import { localize } from "../core/ui/i18n.js";
import { TabletopNotices } from "../tabletop/notices.js";
import { SeatWindow } from "./applications/window.js";
import { stripMarkup } from "./documents/conversion.js";

/** @import {OverrideOffer} from "../../types/page.js" */
/** @import {TableClient} from "../core/table/table-client.js" */
/** @import {Missing} from "./applications/missing.js" */
/** @import {Bridge} from "./sync/bridge.js" */

/** Sentences to this user, and a window with the form that lets the GM override the rules. */
export class FoundryNotices extends TabletopNotices {
  /** @type {SeatWindow | null} */
  #window = null;

  /** @param {string} sentence @param {OverrideOffer | null} [offer] */
  error(sentence, offer = null) {
    super.error(sentence, offer);
    if (!offer) return;
    this.#window ??= new SeatWindow("override", "Override.Title", (host) => host.append(this.host));
    this.#window.open();
  }

  dismissOffers() {
    super.dismissOffers();
    if (this.#window?.rendered) this.#window.close();
  }
}

/**
 * Notifies the user each time the connection changes its state. One that never was is no lost one: then the reasons are told.
 * @param {TableClient} client
 * @param {() => Promise<string[]>} why returns why this page cannot connect
 */
export function notifyConnection(client, why) {
  let before = "connecting";
  client.on("connection", async (state, sentence) => {
    if (state === before) return;
    const isFirst = before === "connecting";
    before = state;
    if (isFirst && state === "lost") {
      const [reason] = await why();
      if (reason) return ui.notifications.warn(localize("line.refused", { sentence: stripMarkup(reason) }));
    }
    const text = localize(`line.${state}`, { sentence: stripMarkup(sentence) });
    return state === "connected" ? ui.notifications.info(text) : ui.notifications.warn(text);
  });
}

/** Notifies the GM that this page is the bridge, and of a scene that the table cannot read. @param {Bridge} bridge */
export function notifyBridge(bridge) {
  /** @type {boolean | null} */
  let wasHeld = null;
  bridge.on("lease", (isHeld) => {
    if (isHeld === wasHeld) return;
    wasHeld = isHeld || bridge.isConnected ? isHeld : null;
    if (wasHeld === null) return; // the connection is lost, which says nothing about other pages
    if (isHeld) ui.notifications.info(localize("bridge.held"));
  });
  bridge.on("failed", ({ sentence }) => {
    ui.notifications.error(localize("bridge.failed", { sentence: stripMarkup(sentence) }));
  });
}

/**
 * Notifies the GM of what the table lacks of a scene.
 * @param {Bridge} bridge
 * @param {Missing} missing
 */
export function notifyMissing(bridge, missing) {
  bridge.on("synced", (synced) => {
    for (const text of missing.take(bridge.scene ?? "", synced)) ui.notifications.warn(text);
  });
  bridge.on("results", (tokens) => missing.takeOut(Object.keys(tokens).filter((id) => tokens[id].ok)));
}
