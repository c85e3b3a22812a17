/**
 * Moves that no user has made by hand: those of macros, teleports, mounts and other modules, and what Foundry pastes or
 * takes back. Their places are facts, which the table takes as they are.
 */

/** The methods of a movement that are a user's own acts (13 and later). */
const BY_HAND = new Set(["dragging", "keyboard", "hud", "config"]);

/**
 * Tells whether a program has made a movement (13 and later).
 * @param {Foundry.TokenMovementOperation} movement
 */
export const isDisplacement = ({ method, passed }) =>
  !BY_HAND.has(method) || passed.waypoints.some(({ action }) => isTeleport(action));

/**
 * Tells whether this module has moved the token as its user has asked, which is no program's own doing.
 * @param {Foundry.ChangeOptions} options
 */
export const isByHand = (options) => options.enfilade?.origin === "hand";

/** Tells whether an action of movement leaves out the way, like "blink" and "displace". @param {string | undefined} action */
const isTeleport = (action) =>
  action !== undefined && (CONFIG.Token?.movement?.actions[action]?.teleport ?? false);

/**
 * Tells whether the options of a change name a teleport or an undo. 12 says no more: there a macro's move looks like a
 * user's.
 * @param {Foundry.ChangeOptions} options
 */
export const isMarkedDisplacement = (options) => options.teleport === true || options.isUndo === true;
