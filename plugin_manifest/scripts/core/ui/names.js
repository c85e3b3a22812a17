/** Names of tracks and conditions for people: from the language file, else the game's own word, capitalized. */

import { localize } from "./i18n.js";

/** Return a track's name, such as "Hit points". @param {string} track as in the scene */
export function trackName(track) {
  const word = keyOf(track);
  return named(`Track.${word}`, track);
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
