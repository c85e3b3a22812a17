/** The sounds of dice, a hit, a fall and the own turn, and the entries that they belong to. Pure functions and a table, no audio. */

/** @import {LogEntry} from "../../../types/contract.js" */
/** @import {Blow} from "./blows.js" */

/** @typedef {"dice" | "hit" | "fall" | "turn"} SoundName */

/**
 * A part of a sound: when it starts, how long it lasts, its pitch at the start and the end, its volume of 0 to 1, and
 * its source: a tone, or noise through a filter of that pitch.
 * @typedef {{at: number, seconds: number, hz: [number, number], volume: number, source: "tone" | "noise"}} Part
 */

/** @param {number} at @param {number} hz @returns {Part} */
const clack = (at, hz) => ({ at, seconds: 0.035, hz: [hz, hz * 0.8], volume: 0.5, source: "noise" });

/** The sounds: dice rattle and come to rest, a hit thuds, a fall sinks, the own turn rings twice. @type {Record<SoundName, Part[]>} */
export const SOUNDS = {
  dice: [clack(0, 2600), clack(0.07, 3100), clack(0.13, 2300), clack(0.22, 2800), clack(0.34, 1900)],
  hit: [
    { at: 0, seconds: 0.12, hz: [190, 60], volume: 0.9, source: "tone" },
    { at: 0, seconds: 0.06, hz: [900, 500], volume: 0.6, source: "noise" },
  ],
  fall: [
    { at: 0, seconds: 0.5, hz: [240, 55], volume: 0.5, source: "tone" },
    { at: 0.42, seconds: 0.16, hz: [300, 120], volume: 0.7, source: "noise" },
  ],
  turn: [
    { at: 0, seconds: 0.18, hz: [660, 660], volume: 0.4, source: "tone" },
    { at: 0.16, seconds: 0.3, hz: [880, 880], volume: 0.4, source: "tone" },
  ],
};

/** A hit sounds when the dice have come to rest, and a fall after the hit, in seconds. */
const [HIT_AT, FALL_AT] = [0.45, 0.65];

/**
 * Return the sounds of some entries that have just come, with their times in seconds.
 * @param {LogEntry[]} entries
 * @param {Blow[]} blows the attack among them that the page shows
 * @returns {{name: SoundName, at: number}[]}
 */
export function soundsOf(entries, blows) {
  const isRolled = entries.some(({ facts, undoes }) => !undoes && (facts?.rolls?.length ?? 0) > 0);
  return [
    ...(isRolled ? [{ name: /** @type {const} */ ("dice"), at: 0 }] : []),
    ...(blows.some(({ lost }) => lost > 0) ? [{ name: /** @type {const} */ ("hit"), at: HIT_AT }] : []),
    ...(blows.some(({ isDown }) => isDown) ? [{ name: /** @type {const} */ ("fall"), at: FALL_AT }] : []),
  ];
}
