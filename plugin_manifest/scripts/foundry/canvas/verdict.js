/** What is known of a token under the pointer, seen from the selected one: lines of words, and marks. */

import { cellsOf } from "../../core/bodies.js";
import { percent, signed } from "../../core/dice.js";
import { dashed } from "../../core/draw-board.js";
import { targetsByToken } from "../../core/draw-list.js";
import { radius } from "../../core/draw-tokens.js";
import { CELL, middle } from "../../core/geometry.js";
import { GREY, INK, SKY, WHITE } from "../../core/palette.js";
import { words } from "../../core/words.js";

/** @import {Cell, Mark, Modifier, Overlay, Scene, Target, Token} from "../../../types/contract.js" */

const MOST_ACTS = 3;
const SIZE = 14;
const LINE_HEIGHT = 21.5;
const LETTER = 8.6;

/**
 * The lines that say whether the selected token sees another and what it can do to it.
 * @param {Overlay} overlay of the selected token
 * @param {Token} token the other
 * @returns {string[]} none where the overlay does not speak of it
 */
export function verdictLines(overlay, token) {
  const seen = sightOf(overlay, token);
  const acts = targetsByToken(overlay).get(token.id) ?? [];
  if (!seen && !acts.length) return [];
  const sight = seen ? [seen.isSeen ? words("Verdict.Seen") : words("Verdict.Unseen")] : [];
  return [token.name, ...sight, ...acts.slice(0, MOST_ACTS).flatMap(actLines)];
}

/** @param {Target} target */
function actLines({ legal, label, why, chance, exact, needed, modifiers, defences }) {
  if (!legal) return [words("Verdict.Refused", { label, why })];
  const odds = exact ? percent(chance) : words("Act.About", { chance: percent(chance) });
  const needs = needed === null ? "" : `, ${words("Act.Needs", { needed })}`;
  return [
    `${label}: ${odds}${needs}`,
    ...reasons("Log.Attack", modifiers),
    ...reasons("Log.Defence", defences),
  ];
}

/** @param {string} title @param {Modifier[]} modifiers */
function reasons(title, modifiers) {
  const counted = modifiers.filter(({ counts }) => counts);
  if (!counted.length) return [];
  return [
    `  ${words(title)}: ${counted.map(({ value, reason }) => `${signed(value)} ${reason}`).join(", ")}`,
  ];
}

/**
 * Whether the selected token sees the ground another stands on; null where the overlay does not say.
 * @param {Overlay} overlay
 * @param {Pick<Token, "at" | "body">} token
 * @returns {{isSeen: boolean} | null}
 */
export function sightOf({ areas }, { at, body }) {
  const own = new Set((body?.cells ?? (at ? [at] : [])).map(String));
  const covers = (/** @type {string} */ layer) =>
    areas.some((area) => area.layer === layer && cellsOf(area).some((cell) => own.has(String(cell))));
  if (covers("sight")) return { isSeen: true };
  return covers("blind") ? { isSeen: false } : null;
}

/**
 * The line from the selected token to the other, broken where it does not see it, and a plate with the verdict.
 * @param {Scene} scene
 * @param {Overlay} overlay
 * @param {string} id the token under the pointer
 * @returns {Mark[]}
 */
export function verdictMarks(scene, overlay, id) {
  const [from, to] = [overlay.token, id].map((one) => scene.tokens.find((token) => token.id === one));
  if (!from?.at || !to?.at || from === to) return [];
  const lines = verdictLines(overlay, to);
  if (!lines.length) return [];
  const ends = [middle(scene.grid, from, from.at), middle(scene.grid, to, to.at)];
  return [...lineMarks(ends, sightOf(overlay, to)), ...plate(ends[1], radius(to), lines)];
}

/** @param {Cell[]} ends @param {{isSeen: boolean} | null} seen @returns {Mark[]} */
function lineMarks([from, to], seen) {
  if (!seen) return [];
  const points = seen.isSeen ? [...from, ...to] : dashed([...from, ...to]);
  return [
    { kind: "lines", points, style: { colour: INK, line: 0.8, width: 7 } },
    { kind: "lines", points, style: { colour: seen.isSeen ? SKY : GREY, line: 1, width: 3 } },
  ];
}

/** @param {Cell} at @param {number} size how far the token goes from there @param {string[]} lines @returns {Mark[]} */
function plate([x, y], size, lines) {
  const wide = (Math.max(...lines.map((line) => line.length)) * LETTER) / 2 + CELL / 8;
  const high = (lines.length * LINE_HEIGHT) / 2 + CELL / 8;
  const middleY = y - size - high - CELL / 2 > 0 ? y - size - high - CELL / 2 : y + size + high + CELL / 8;
  const [left, right, top, bottom] = [x - wide, x + wide, middleY - high, middleY + high];
  const style = { colour: INK, fill: 0.85, pattern: /** @type {const} */ ("solid"), line: 1, width: 1 };
  return [
    { kind: "polygon", points: [left, top, right, top, right, bottom, left, bottom], style },
    { kind: "text", at: [x, middleY], text: lines.join("\n"), size: SIZE, colour: WHITE },
  ];
}
