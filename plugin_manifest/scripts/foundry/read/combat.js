/** Foundry's combat tracker, plainly: the round, whose turn it is, and who stands in which order. */

/**
 * @typedef {object} Order
 * @property {number} round 0 before the first
 * @property {string | null} token whose turn it is
 * @property {{id: string, token: string | null, initiative: number | null, isDefeated: boolean}[]} turns
 */

/**
 * The tracker of a combat on a scene; null where there is none, or one elsewhere.
 * @param {Foundry.Combat | null} combat
 * @param {string} scene the scene's id
 * @returns {Order | null}
 */
export function readCombat(combat, scene) {
  if (!combat || (combat.scene && combat.scene.id !== scene)) return null;
  return {
    round: combat.round,
    token: combat.combatant?.tokenId ?? null,
    turns: combat.turns.map(({ id, tokenId, initiative, isDefeated }) => ({
      id,
      token: tokenId,
      initiative,
      isDefeated,
    })),
  };
}
