/** The game of a server that fits a world, and what it is told of the world's system. */

const EVERY_SYSTEM = "any_system";

/** @type {Record<string, string>} the game of a system's own rules, by system ID */
const OWN = { dnd5e: "fifth_edition" };

/**
 * Returns the game to offer in a world: that of its system's rules, which then only shows and judges, else the one without
 * turns and dice; "" if the server has none that fits.
 * @param {string[]} games of the server
 * @param {string} system the world's
 */
export const gameFor = (games, system) =>
  [Object.hasOwn(OWN, system) ? OWN[system] : "", EVERY_SYSTEM].find((game) => games.includes(game)) ?? "";

/** @type {Record<string, string>} a system's name among the settings of the game for every system, by system ID */
const NAMES = { dnd5e: "dnd5e", pf2e: "pf2e", sf2e: "pf2e", swade: "swade" };

/**
 * Returns the house rules that a game's new table gets for a world; none where the game has no choice of systems. Beside its
 * own system a game shows and judges, and leaves dice and damage to that system.
 * @param {string} system the world's
 * @param {string} game
 * @returns {Record<string, string>}
 */
export function houseRulesFor(system, game) {
  if (Object.hasOwn(OWN, system) && OWN[system] === game) return { [`${game}.play`]: "assistant" };
  return game === EVERY_SYSTEM && Object.hasOwn(NAMES, system)
    ? { [`${EVERY_SYSTEM}.system`]: NAMES[system] }
    : {};
}
