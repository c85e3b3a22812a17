/** A ruleset's conditions as Foundry's status effects: by name where there is one, else by one of our own. */

/**
 * What rulesets and Foundry's systems call the same thing.
 * @type {Record<string, string[]>}
 */
const ALIASES = {
  downed: ["prone", "unconscious"],
  stunned: ["stunned", "stun"],
  burning: ["burning"],
  bleeding: ["bleeding"],
  poisoned: ["poisoned", "poison"],
  slowed: ["slowed", "slow"],
  panic: ["frightened", "fear"],
  unseen: ["invisible"],
  entangled: ["restrain", "restrained"],
};
const ICON = "icons/svg/aura.svg";

/**
 * The status effect for a condition; null where there is none yet.
 * @param {string} condition
 * @param {Foundry.StatusEffect[]} effects
 * @returns {string | null}
 */
export function statusFor(condition, effects) {
  const ids = new Set(effects.map(({ id }) => id));
  return [condition, ...(ALIASES[condition] ?? []), ourStatus(condition)].find((id) => ids.has(id)) ?? null;
}

/** @param {string} condition @returns {Foundry.StatusEffect} */
export const newStatus = (condition) => ({ id: ourStatus(condition), name: condition, img: ICON });

/** @param {string} condition */
const ourStatus = (condition) => `enfilade-${condition.replace(/\W+/g, "-")}`;
