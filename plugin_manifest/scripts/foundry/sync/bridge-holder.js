/**
 * The GM whose page sends the world to the table. Each page that gets the server's lease writes the lease's number into
 * its own user's flags, which needs no permission: the greatest number of a connected GM is the newest.
 */

import { localize } from "../../core/ui/i18n.js";
import { guarded, onHook } from "../boundary.js";
import { stripMarkup } from "../documents/conversion.js";
import { MODULE } from "../settings.js";

/** @import {ConnectionManager} from "../connection-manager.js" */
/** @import {Bridge} from "./bridge.js" */

const FLAG = "bridge";

/** @param {Foundry.User} user @returns {number} of the newest lease of the user's pages; 0 without one */
const leaseOf = (user) => {
  const number = user.getFlag(MODULE, FLAG);
  return Number.isSafeInteger(number) ? number : 0;
};

/** @returns {Foundry.User | null} the connected GM whose page has the lease, as far as the world knows */
export function bridgeHolder() {
  const holders = game.users.filter((user) => user.isGM && user.active && leaseOf(user) > 0);
  return holders.sort((a, b) => leaseOf(b) - leaseOf(a))[0] ?? null;
}

/** Writes down that this page has got the lease, or that it has given it up. @param {Bridge} bridge */
export function announceLease(bridge) {
  let announced = 0;
  const write = guarded("socket", (/** @type {number} */ number) => game.user.setFlag(MODULE, FLAG, number));
  bridge.on("lease", (isHeld) => {
    const number = isHeld ? (bridge.lease ?? 0) : 0;
    // The lease of another page of this user has another number, which must stay.
    if (number || leaseOf(game.user) === announced) write(number);
    announced = number;
  });
}

/**
 * Tells a GM once whose page sends the world, and why this one does not.
 * @param {ConnectionManager} manager
 */
export function registerHolderNotice(manager) {
  let last = "";
  const tell = guarded("hook", () => {
    const holder = bridgeHolder();
    const isHere = (manager.bridge?.lease ?? null) !== null;
    if (!game.user.isGM || isHere || !holder) {
      last = isHere ? "" : last;
      return;
    }
    const why = manager.bridge ? "bridge.waits" : "bridge.noLink";
    if (last === `${holder.id} ${why}`) return;
    last = `${holder.id} ${why}`;
    const who = holder.isSelf ? localize("bridge.ownPage") : localize("bridge.pageOf", { name: holder.name });
    ui.notifications.info(localize(why, { page: stripMarkup(who) }));
  });
  onHook("updateUser", tell);
  onHook("userConnected", tell);
  manager.onConnect(({ bridge }) => bridge?.on("lease", (isHeld) => !isHeld && bridge.isConnected && tell()));
  tell();
}
