/** Where a game system keeps an actor's hit points, how many there are, and what that means for the table. */

/** @import {Replica, Token} from "../../../types/contract.js" */

/** @type {Record<string, string>} by the system's id; others are asked for in the settings */
const USUAL = {
  dnd5e: "attributes.hp",
  pf1: "attributes.hp",
  pf2e: "attributes.hp",
  sfrpg: "attributes.hp",
  swade: "wounds",
  worldbuilding: "health",
};

/**
 * The path to hit points inside an actor's `system`.
 * @param {string} system the system's id
 * @param {string} chosen the path in the settings, empty for none
 * @param {string} bar what the token's first bar shows, empty for nothing
 */
export const hitPointsPathOf = (system, chosen, bar) => chosen.trim() || USUAL[system] || bar;

/**
 * An actor's hit points; null where there are none at that path.
 * @param {Record<string, any> | null | undefined} system the actor's data
 * @param {string} path
 * @returns {{value: number, max: number | null} | null}
 */
export function hitPointsAt(system, path) {
  const found = path
    ? path.split(".").reduce((at, step) => own(at, step), /** @type {any} */ (system))
    : null;
  const { value, max } = typeof found === "number" ? { value: found, max: null } : (found ?? {});
  if (typeof value !== "number" || !Number.isFinite(value)) return null;
  return { value, max: typeof max === "number" && Number.isFinite(max) ? max : null };
}

/**
 * A token of the table as hit points that were changed by hand in Foundry leave it; null where they are none of
 * the table's: no change, or a number that its rules do not have.
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
  const { body: _, ...told } = token;
  return { ...told, tracks: { ...token.tracks, [bar.track]: value } };
}

/** @param {any} holder @param {string} key its own alone: a path from the settings reaches nothing inherited */
const own = (holder, key) =>
  typeof holder === "object" && holder !== null && Object.hasOwn(holder, key) ? holder[key] : undefined;
