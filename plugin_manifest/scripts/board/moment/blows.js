/** The blows of an entry: each attack in it with its dice, its result and the loss. Pure functions. */

import { lossOf, resultText, resultWord } from "../../core/ui/log-entry.js";

/** @import {Facts, LogEntry, Overlay, Scene, Token} from "../../../types/contract.js" */

/**
 * @typedef {{token: Token, target: Token, weapon: string, rolls: {die: string, faces: (number | string)[]}[],
 *   needed: number | null, result: string, lost: number, isDown: boolean}} Blow
 */

/** Return the blows of an entry; none if it is no attack, or on what this page does not show. @param {LogEntry} entry @param {Scene} scene @returns {Blow[]} */
export function blowsOf(entry, scene) {
  if (entry.undoes || !entry.facts) return [];
  const parts = entry.events.flatMap((event) =>
    event.type === "explained" && isBlow(/** @type {Facts} */ (event.facts))
      ? [/** @type {Facts} */ (event.facts)]
      : [],
  );
  const targets = new Set(parts.map(({ target }) => target));
  // An attack on one target is told as a whole by the entry's facts; on several, each by its own.
  const isSplit = targets.size > 1 || !entry.facts.target;
  const all = isSplit ? parts : isBlow(entry.facts) ? [entry.facts] : [];
  return all.flatMap((facts) => blowOf({ ...facts, token: facts.token || entry.facts.token }, entry, scene));
}

/** @param {Facts} facts */
const isBlow = (facts) => Boolean(facts.target) && resultWord(facts) !== "";

/** @param {Facts} facts @param {LogEntry} entry @param {Scene} scene @returns {Blow[]} */
function blowOf(facts, entry, scene) {
  const find = (/** @type {string | undefined} */ id) =>
    withPlace(
      scene.tokens.find((token) => token.id === id),
      entry,
    );
  const [token, target] = [find(facts.token), find(facts.target)];
  if (!token?.at || !target?.at || token === target) return [];
  return [
    {
      token,
      target,
      weapon: facts.act ?? "",
      rolls: (facts.rolls ?? []).map(({ die, faces }) => ({ die, faces })),
      needed: facts.needed ?? null,
      result: resultText({ facts }),
      lost: lossOf(facts),
      isDown: entry.events.some(
        (event) =>
          event.type === "condition_set" &&
          event.holder === target.id &&
          ["downed", "out"].includes(event.condition) &&
          event.note !== null,
      ),
    },
  ];
}

/**
 * Return a token where the entry's events left it: one that the blow put off the board, where it stood.
 * @param {Token | undefined} token
 * @param {LogEntry} entry
 * @returns {Token | undefined}
 */
function withPlace(token, { events }) {
  if (!token || token.at) return token;
  const places = events.flatMap((event) => {
    if (event.type === "token_moved" && event.token === token.id) return [event.was_at];
    return event.type === "token_placed" && event.token.id === token.id ? [event.was?.at] : [];
  });
  const at = places.findLast((place) => place);
  return at ? { ...token, at } : token;
}

/**
 * Return the faces of one six-sided die that would have won, from 1 to 6; null if the odds are not those of one die.
 * @param {Blow} blow
 * @returns {boolean[] | null}
 */
export function winningFaces({ rolls, needed }) {
  const [one] = rolls;
  const isOneDie = rolls.length === 1 && one.die === "d6" && one.faces.length === 1;
  if (!isOneDie || needed === null) return null;
  return [1, 2, 3, 4, 5, 6].map((face) => face >= needed);
}

/** Return the chance that an overlay named for a blow before it was struck; null if it named none. @param {Blow} blow @param {Overlay | null} overlay @returns {number | null} 0 to 1 */
export function chanceOf({ token, target, weapon }, overlay) {
  if (overlay?.token !== token.id) return null;
  const all = overlay.targets.filter((one) => one.target === target.id && one.legal);
  const found = all.find(({ act }) => act.weapon === weapon) ?? (all.length === 1 ? all[0] : null);
  return found && found.chance[1] ? found.chance[0] / found.chance[1] : null;
}
