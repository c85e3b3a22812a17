/**
 * What Foundry's notices say of the line and the bridge. Some versions read them as HTML: what comes from outside
 * is made harmless.
 */

import { localize } from "../core/ui/i18n.js";
import { harmless } from "./writing/card.js";

/** @import {TableClient} from "../core/table/table-client.js" */
/** @import {Bridge} from "./bridge/bridge.js" */

/** @param {TableClient} line */
export function tellOfLine(line) {
  let before = "connecting";
  line.on("connection", (state, sentence) => {
    if (state === before) return;
    before = state;
    const said = localize(`line.${state}`, { sentence: harmless(sentence) });
    if (state === "connected") ui.notifications.info(said);
    else ui.notifications.warn(said);
  });
}

/** @param {Bridge} bridge */
export function tellOfBridge(bridge) {
  /** @type {boolean | null} */
  let wasHeld = null;
  bridge.on("held", (isHeld) => {
    if (isHeld === wasHeld) return;
    wasHeld = isHeld;
    ui.notifications.info(localize(isHeld ? "bridge.held" : "bridge.elsewhere"));
  });
  bridge.on("synced", ({ unfit }) => {
    const names = unfit.map(({ name }) => harmless(name)).join(", ");
    if (names) ui.notifications.warn(localize("bridge.unfit", { names }));
  });
  bridge.on("failed", ({ sentence }) => {
    ui.notifications.error(localize("bridge.failed", { sentence: harmless(sentence) }));
  });
}
