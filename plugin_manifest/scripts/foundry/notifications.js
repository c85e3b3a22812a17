/** Foundry's notifications for this user. Some versions read them as HTML, so outside text loses its markup here. */

import { localize } from "../core/ui/i18n.js";
import { TabletopNotices } from "../tabletop/notices.js";
import { FarWalls } from "./applications/far-walls-window.js";
import { SeatWindow } from "./applications/window.js";
import { Remarks } from "./applications/remarks.js";
import { stripMarkup } from "./documents/conversion.js";

/** @import {OverrideOffer} from "../../types/page.js" */
/** @import {TableClient} from "../core/table/table-client.js" */
/** @import {Bridge} from "./sync/bridge.js" */

/** A notification names so many tokens. */
const SHOWN_NAMES = 5;

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

/** Notifies the user each time the connection changes its state. @param {TableClient} client */
export function notifyConnection(client) {
  let before = "connecting";
  client.on("connection", (state, sentence) => {
    if (state === before) return;
    before = state;
    const text = localize(`line.${state}`, { sentence: stripMarkup(sentence) });
    if (state === "connected") ui.notifications.info(text);
    else ui.notifications.warn(text);
  });
}

/** Notifies the GM that this page is the bridge, and what the table could not read. @param {Bridge} bridge */
export function notifyBridge(bridge) {
  const missing = new Remarks();
  /** @type {boolean | null} */
  let wasHeld = null;
  bridge.on("lease", (isHeld) => {
    if (isHeld === wasHeld) return;
    wasHeld = isHeld || bridge.isConnected ? isHeld : null;
    if (wasHeld === null) return; // the connection is lost, which says nothing about other pages
    if (isHeld) ui.notifications.info(localize("bridge.held"));
  });
  const farWalls = new FarWalls();
  let oddCount = 0;
  bridge.on("synced", ({ unfit, far, odd }) => {
    if (odd > oddCount) ui.notifications.warn(localize("bridge.oddWalls", { count: odd }));
    oddCount = odd;
    if (bridge.scene) farWalls.tell(bridge.scene, far);
    const isNew = missing.tell(bridge.scene ?? "", unfit);
    const names = unfit.map(({ name }) => stripMarkup(name));
    const some = names.slice(0, SHOWN_NAMES).join(", ");
    const text =
      names.length > SHOWN_NAMES ? localize("bridge.andMore", { names: some, count: names.length }) : some;
    if (isNew) ui.notifications.warn(localize("bridge.unfit", { names: text }));
  });
  bridge.on("failed", ({ sentence }) => {
    ui.notifications.error(localize("bridge.failed", { sentence: stripMarkup(sentence) }));
  });
}
