/** The game of a server that fits any world, and what it is told of the world's system. */

const EVERY_SYSTEM = "any_system";

/**
 * Returns the game to offer in a world; "" if the server has none that fits. In a world of dnd5e too it is the game
 * without turns and dice: the fifth edition of the server rolls and applies itself, as the world's system does already.
 * @param {string[]} games of the server
 */
export const gameFor = (games) => (games.includes(EVERY_SYSTEM) ? EVERY_SYSTEM : "");

/** @type {Record<string, string>} a system's name among the settings of the game for every system, by system ID */
const NAMES = { dnd5e: "dnd5e", pf2e: "pf2e", sf2e: "pf2e", swade: "swade" };

/**
 * Returns the house rules that a game's new table gets for a world; none where the game has no choice of systems.
 * @param {string} system the world's
 * @param {string} game
 * @returns {Record<string, string>}
 */
export const houseRulesFor = (system, game) =>
  game === EVERY_SYSTEM && Object.hasOwn(NAMES, system) ? { [`${EVERY_SYSTEM}.system`]: NAMES[system] } : {};
