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
