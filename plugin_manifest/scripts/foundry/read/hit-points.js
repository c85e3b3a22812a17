/** Hit points: where a game system keeps them, and what a changed value means at the table. */

/** @import {Replica, Token} from "../../../types/contract.js" */

/** Systems whose number counts wounds taken, not hit points left. */
const SYSTEMS_WITH_WOUNDS_TAKEN = new Set(["swade"]);
/** @type {Record<string, string>} paths by system ID; the settings hold those of other systems */
const SYSTEM_PATHS = {
  dnd5e: "attributes.hp",
  pf1: "attributes.hp",
  pf2e: "attributes.hp",
  sfrpg: "attributes.hp",
  swade: "wounds",
  worldbuilding: "health",
};

/**
 * Returns the path to hit points inside an actor's `system`.
 * @param {string} system the system's ID
 * @param {string} setting the path in the settings, or ""
 * @param {string} bar the attribute of the token's first bar, or ""
 */
export const hitPointsPath = (system, setting, bar) => setting.trim() || SYSTEM_PATHS[system] || bar;

/**
 * Tells whether a system's number counts what was taken.
 * @param {string} system the system's ID
 * @param {string} setting "left", "taken", or "auto" for the table of known systems
 */
export const countsTaken = (system, setting) =>
  setting === "auto" ? SYSTEMS_WITH_WOUNDS_TAKEN.has(system) : setting === "taken";

/**
 * Returns an actor's hit points left; null if the path leads to none.
 * @param {Record<string, any> | null | undefined} system the actor's data
 * @param {string} path
 * @param {boolean} [isTaken] whether the number counts wounds taken; then it needs a maximum
 * @returns {{value: number, max: number | null} | null}
 */
export function hitPointsAt(system, path, isTaken = false) {
  const found = path ? valueAt(system, path) : null;
  const { value, max } = typeof found === "number" ? { value: found, max: null } : (found ?? {});
  if (typeof value !== "number" || !Number.isFinite(value)) return null;
  const most = typeof max === "number" && Number.isFinite(max) ? max : null;
  if (!isTaken) return { value, max: most };
  return most === null ? null : { value: Math.max(0, most - value), max: most };
}

/**
 * Returns a table's token with other hit points; null if nothing changes or the rules do not have that number.
 * @param {Replica} replica
 * @param {string} id
 * @param {number} value
 * @returns {Token | null}
 */
export function withHitPoints({ bars, scene }, id, value) {
  const bar = bars[id];
  const token = scene.tokens.find((one) => one.id === id);
  if (!bar || !token || token.tracks[bar.track] === value) return null;
  if (!Number.isInteger(value) || value < 0 || value > bar.most) return null;
  const { body: _, ...sent } = token;
  return { ...sent, tracks: { ...token.tracks, [bar.track]: value } };
}

/**
 * Returns the value at a path inside an actor's data; undefined if there is none.
 * @param {Record<string, any> | null | undefined} system
 * @param {string} path steps with dots between them
 * @returns {any}
 */
export const valueAt = (system, path) =>
  path.split(".").reduce((at, step) => ownValue(at, step), /** @type {any} */ (system));

/**
 * Returns a holder's own value, or what a getter of its class gives: systems keep prepared values there. A path from the
 * settings reaches no other inherited value.
 * @param {any} holder
 * @param {string} key
 */
function ownValue(holder, key) {
  if (typeof holder !== "object" || holder === null) return undefined;
  if (Object.hasOwn(holder, key)) return holder[key];
  for (
    let at = Object.getPrototypeOf(holder);
    at && at !== Object.prototype;
    at = Object.getPrototypeOf(at)
  ) {
    const described = Object.getOwnPropertyDescriptor(at, key);
    if (described) return described.get ? holder[key] : undefined;
  }
  return undefined;
}
