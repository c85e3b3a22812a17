/** A verdict of one token on another: its lines of text, and the line of sight as marks. */

import { formatModifier, oddsText } from "../dice/notation.js";
import { cellMarks, dashed } from "./board-marks.js";
import { tokenRadius } from "./token-size.js";
import { tokenCenter, toPlane } from "../map/geometry.js";
import { GRAY, INK, SKY, VERMILLION } from "./palette.js";
import { localize } from "../ui/i18n.js";

/** @import {Blocker, Cell, Mark, Modifier, Scene, Sight, Target, Verdict} from "../../../types/contract.js" */

const MAX_ACTS = 3;
const CROSS_RADIUS = 11;

/**
 * Return a verdict as lines: what is seen and why, then the likeliest acts with every modifier.
 * @param {Verdict} verdict
 * @param {string} name of the target
 * @returns {string[]}
 */
export function verdictLines({ sentence, acts }, name) {
  const rank = (/** @type {Target} */ { legal, chance: [part, whole] }) => (legal ? 1 + part / whole : 0);
  const best = [...acts].sort((a, b) => rank(b) - rank(a)).slice(0, MAX_ACTS);
  return [...(sentence ? [sentence] : [name]), ...best.flatMap(actLines)];
}

/** @param {Target} target */
function actLines(target) {
  const { legal, label, why, needed, modifiers, defenses, area, no_odds: noOdds = "" } = target;
  if (!legal) return [localize("Verdict.Illegal", { label, why })];
  if (noOdds) return [`${label}: ${oddsText(target)}`, `  ${noOdds}`];
  const odds = oddsText(target);
  const needs = needed === null ? "" : `, ${localize("Act.Needs", { needed })}`;
  return [
    `${label}: ${odds}${needs}`,
    ...(area ? [`  ${area.text}`] : []),
    ...reasons("Log.Attack", modifiers),
    ...reasons("Log.Defense", defenses),
  ];
}

/** @param {string} title @param {Modifier[]} modifiers */
function reasons(title, modifiers) {
  const counted = modifiers.filter(({ counts }) => counts);
  if (!counted.length) return [];
  return [
    `  ${localize(title)}: ${counted.map(({ value, reason }) => `${formatModifier(value)} ${reason}`).join(", ")}`,
  ];
}

/**
 * Draw the line of sight, solid if clear, dashed if blocked, and the thing that blocks it.
 * @param {Scene} scene
 * @param {Verdict} verdict
 * @returns {Mark[]}
 */
export function sightMarks(scene, { sight }) {
  if (!sight.line) return [];
  const points = toPlane(scene.grid, sight.line);
  const drawn = sight.is_seen ? [...points] : dashed([...points], 14);
  return [
    ...(sight.blocker ? blockerMarks(scene, sight.blocker) : []),
    { kind: "lines", points: drawn, style: { color: INK, line: 0.8, width: 7 } },
    { kind: "lines", points: drawn, style: { color: sight.is_seen ? SKY : GRAY, line: 1, width: 3 } },
    ...crossMarks(scene, sight),
  ];
}

/**
 * Draw a cross at the point where the line is blocked.
 * @param {Scene} scene
 * @param {Sight} sight
 * @returns {Mark[]}
 */
function crossMarks({ grid }, { at }) {
  if (!at) return [];
  const [x, y] = toPlane(grid, [...at, ...at]);
  const [left, right, top, bottom] = [x - CROSS_RADIUS, x + CROSS_RADIUS, y - CROSS_RADIUS, y + CROSS_RADIUS];
  const points = [left, top, right, bottom, left, bottom, right, top];
  return [
    { kind: "lines", points, style: { color: INK, line: 0.9, width: 10 } },
    { kind: "lines", points, style: { color: VERMILLION, line: 1, width: 5 } },
  ];
}

/** Draw the blocker in red. @param {Scene} scene @param {Blocker} blocker @returns {Mark[]} */
function blockerMarks({ grid, tokens, walls, terrain }, { kind, id }) {
  const style = { color: VERMILLION, line: 1, width: 6 };
  const wall = kind === "wall" || kind === "door" ? walls.find((one) => one.id === id) : null;
  if (wall) return [{ kind: "lines", points: toPlane(grid, wall.line), style }];
  const area = kind === "terrain" ? terrain.find((one) => one.id === id) : null;
  if (area) return cellMarks(grid, area.cells, style);
  const token = kind === "token" ? tokens.find((one) => one.id === id) : null;
  if (!token?.at) return [];
  return [{ kind: "circle", at: tokenCenter(grid, token, token.at), radius: tokenRadius(token) + 6, style }];
}

/**
 * Return a token's center and radius, to place text beside it.
 * @param {Scene} scene
 * @param {string} id
 * @returns {{at: Cell, radius: number} | null} null if it is off the board
 */
export function tokenPlace({ grid, tokens }, id) {
  const token = tokens.find((one) => one.id === id);
  return token?.at ? { at: tokenCenter(grid, token, token.at), radius: tokenRadius(token) } : null;
}
