/** Names for people: of tracks and conditions from the language file, else the game's own word; and units by name. */

import { localize } from "./i18n.js";

/** Return a track's name, such as "Hit points". @param {string} track as in the scene */
export function trackName(track) {
  const word = keyOf(track);
  return named(`Track.${word}`, track);
}

/** The directions of a facing, from up on, clockwise. */
const COMPASS = ["North", "NorthEast", "East", "SouthEast", "South", "SouthWest", "West", "NorthWest"];

/** Return a facing in words; in degrees where no word fits. @param {number} degrees clockwise from up */
export function facingName(degrees) {
  const direction = COMPASS[degrees / 45];
  return direction ? localize(`Facing.${direction}`) : `${degrees}°`;
}

/** Return a condition's name. @param {string} condition as in the scene */
export function conditionName(condition) {
  const word = keyOf(condition);
  return named(`Condition.${word}`, condition);
}

/** @param {string} name */
const keyOf = (name) => name.replace(/\W+/g, "_");

/** @param {string} key @param {string} name */
function named(key, name) {
  const text = localize(key);
  return text === key ? name.charAt(0).toUpperCase() + name.slice(1) : text;
}

const byNumber = new Intl.Collator("en", { numeric: true });

/**
 * Return units in the order of their names, "Orc 2" before "Orc 10".
 * @template {{id: string, name: string}} T
 * @param {T[]} tokens
 * @returns {T[]}
 */
export const inNameOrder = (tokens) =>
  tokens.toSorted((a, b) => byNumber.compare(a.name, b.name) || byNumber.compare(a.id, b.id));
