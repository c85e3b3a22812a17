/** The blows of an entry: each attack in it with its dice, its result and the loss. Pure functions. */

import { lossOf, resultText, resultWord } from "../../core/ui/log-entry.js";

/** @import {ActStep, AttackPart, LogEntry, Overlay, Scene, Token} from "../../../types/contract.js" */

/**
 * @typedef {{token: Token, target: Token, weapon: string, chance: number | null, rolls: {die: string, faces: (number | string)[]}[],
 *   needed: number | null, isEach: boolean, result: string, lost: number, isDown: boolean}} Blow
 */

/** The conditions of who has fallen. */
const FALLS = ["downed", "out", "incapacitated"];

/** Return the blows of an entry; none if it is no attack, or on what this page does not show. @param {LogEntry} entry @param {Scene} scene @returns {Blow[]} */
export function blowsOf(entry, scene) {
  if (entry.undoes || !entry.facts) return [];
  /** @type {Told[]} */
  const told = entry.facts.blows ?? [entry.facts];
  return told.filter(isBlow).flatMap((facts) => blowOf(facts, entry, scene));
}

/** An attack is told as a whole by the entry's facts; each of several by its own. @typedef {Partial<AttackPart>} Told */

/**
 * Return the blow that a step of an act tells of; undefined for another step. A pair that meets twice strikes in turn.
 * @param {Blow[]} blows
 * @param {ActStep[]} steps
 * @param {number} index
 */
export function blowOfStep(blows, steps, index) {
  const isSame = (/** @type {ActStep} */ step) =>
    step.token === steps[index].token && step.target === steps[index].target;
  const turn = steps.slice(0, index).filter(isSame).length;
  return blows.filter(({ token, target }) =>
    isSame(/** @type {ActStep} */ ({ token: token.id, target: target.id })),
  )[turn];
}

/** @param {Told} facts */
const isBlow = (facts) => Boolean(facts.target) && resultWord(facts) !== "";

/** @param {Told} facts @param {LogEntry} entry @param {Scene} scene @returns {Blow[]} */
function blowOf(facts, entry, scene) {
  const find = (/** @type {string | undefined} */ id) =>
    withPlace(
      scene.tokens.find((token) => token.id === id),
      entry,
    );
  const [token, target] = [find(facts.token), find(facts.target)];
  if (!token?.at || !target?.at || token.id === target.id) return [];
  return [
    {
      token,
      target,
      weapon: facts.act ?? "",
      chance: facts.chance ? facts.chance[0] / facts.chance[1] : null,
      rolls: (facts.rolls ?? []).map(({ die, faces }) => ({ die, faces })),
      needed: facts.needed ?? null,
      isEach: facts.hits !== undefined,
      result: resultText({ facts }),
      lost: lossOf(facts),
      isDown: entry.events.some(
        (event) =>
          event.type === "condition_set" &&
          event.holder === target.id &&
          FALLS.includes(event.condition) &&
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
 * Return the faces of a six-sided die that would have won, from 1 to 6; null if the odds are not those of each die.
 * @param {Blow} blow
 * @returns {boolean[] | null}
 */
export function winningFaces({ rolls, needed, isEach }) {
  const [one] = rolls;
  const isByDie = rolls.length === 1 && one.die === "d6" && (isEach || one.faces.length === 1);
  if (!isByDie || needed === null) return null;
  return [1, 2, 3, 4, 5, 6].map((face) => face >= needed);
}

/** Return the chance of a blow, as the table or an overlay named it before it was struck; null if none did. @param {Blow} blow @param {Overlay | null} overlay @returns {number | null} 0 to 1 */
export function chanceOf({ token, target, weapon, chance }, overlay) {
  if (chance !== null) return chance;
  if (overlay?.token !== token.id) return null;
  const all = overlay.targets.filter((one) => one.target === target.id && one.legal);
  const found = all.find(({ act }) => act.weapon === weapon) ?? (all.length === 1 ? all[0] : null);
  return found && found.chance[1] ? found.chance[0] / found.chance[1] : null;
}
