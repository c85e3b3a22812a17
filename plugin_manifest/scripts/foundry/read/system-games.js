/** The games of a server that fit a world: its system's own, else the one for every system. */

/** @type {Record<string, string>} the game that has a system's rules, by system ID */
const OWN_GAMES = { dnd5e: "fifth_edition" };
const EVERY_SYSTEM = "any_system";

/**
 * Returns the game to offer in a world; "" if the server has none that fits.
 * @param {string} system the world's
 * @param {string[]} games of the server
 */
export function gameFor(system, games) {
  const own = Object.hasOwn(OWN_GAMES, system) ? OWN_GAMES[system] : "";
  return [own, EVERY_SYSTEM].find((game) => games.includes(game)) ?? "";
}

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
