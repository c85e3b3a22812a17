/** The full hit points of tokens: from the table, and for a saved log from its entries. */

/** @import {LogEntry, Scene} from "../../../types/contract.js" */

/**
 * Return the full hit points of each token, as the table states them: they do not depend on how long a page is open.
 * @param {Record<string, {most: number}>} bars
 * @returns {Record<string, number>}
 */
export const fullHitPoints = (bars) =>
  Object.fromEntries(Object.entries(bars).map(([id, { most }]) => [id, most]));

/**
 * Return the greatest hit points that each token is known to have had, from the scene and the log.
 * @param {Scene} scene
 * @param {LogEntry[]} log
 * @returns {Record<string, number>}
 */
export function maxHitPoints(scene, log) {
  /** @type {Record<string, number>} */
  const found = {};
  const note = (/** @type {string} */ id, /** @type {number} */ points) =>
    (found[id] = Math.max(found[id] ?? 0, points));
  for (const token of scene.tokens) note(token.id, token.tracks.hp ?? 0);
  for (const { facts } of log) if (facts.target && facts.hit_points) note(facts.target, facts.hit_points[0]);
  for (const event of log.flatMap((entry) => entry.events)) {
    if (event.type === "token_placed") note(event.token.id, event.token.tracks.hp ?? 0);
    if (event.type === "track_set" && event.track === "hp") note(event.holder, event.value ?? 0);
    if (event.type === "track_set" && event.track === "hp" && "was" in event)
      note(event.holder, Number(event.was));
  }
  return found;
}
