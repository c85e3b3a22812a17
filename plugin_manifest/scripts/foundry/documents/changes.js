/** Changes of values in Foundry's documents, wherever they come from. */

import { hitPointsAt, valueAt } from "../read/hit-points.js";
import { hitPointsLocation } from "../read/live-scene.js";

/**
 * Returns the change of a token's actor that gives it so many hit points; null if its system keeps none.
 * @param {Foundry.TokenDocument | null} token
 * @param {number} value those left
 * @returns {Record<string, number> | null}
 */
export function hitPointChanges(token, value) {
  const { actor, path, isTaken } = hitPointsLocation(token);
  const points = hitPointsAt(actor?.system, path, isTaken);
  if (!points) return null;
  const key = typeof valueAt(actor?.system, path) === "number" ? path : `${path}.value`;
  return { [`system.${key}`]: isTaken ? Math.max(0, (points.max ?? 0) - value) : value };
}

/**
 * Gives an actor Foundry's status of the defeated, or takes it away.
 * @param {Foundry.Actor} actor
 * @param {boolean} isOn
 * @returns {Promise<boolean>} whether the system has taken it
 */
export async function markDefeated(actor, isOn) {
  const status = CONFIG.specialStatusEffects.DEFEATED;
  await actor.toggleStatusEffect(status, { active: isOn, overlay: true });
  return actor.statuses.has(status) === isOn;
}
