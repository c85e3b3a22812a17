/** The signs on and beside a token: its label, whose it is, its turn, its conditions, and its hit points. */

import { tokenCenter } from "../map/geometry.js";
import { INK, IVORY, PURPLE, WHITE } from "./palette.js";
import { tokenRadius } from "./token-size.js";
import { localize } from "../ui/i18n.js";

/** @import {Cell, Grid, Mark, Token} from "../../../types/contract.js" */
/** @import {TokenLook} from "./token-shape.js" */

const MAX_PIPS = 8;

/** @param {Cell} at @param {string} text @param {number} size @param {number} [color] @returns {Mark} */
const textMark = (at, text, size, color = WHITE) => ({ kind: "text", at, text, size, color, grows: true });

/**
 * Draw what tells a token apart: beside its portrait its number, if its name has one, else its letters in the middle;
 * and that it is hidden.
 * @param {Cell} at its center
 * @param {Token} token
 * @param {TokenLook} look
 * @param {number} ink the color of letters on the shape
 * @returns {Mark[]}
 */
export function labelMarks([x, y], token, { label, portrait }, ink) {
  const size = (token.body ? 30 : 20 * Math.min(...token.size)) * fitting(label);
  const name = portrait
    ? numberMarks([x, y], token, label)
    : [textMark([x, token.hidden ? y - 5 : y], label, size, token.hidden ? WHITE : ink)];
  return token.hidden ? [...name, textMark([x, y + 12], localize("Mark.Hidden"), 11)] : name;
}

/** Faces of one kind look alike: those that are numbered have their number at a corner. @param {Cell} at @param {Token} token @param {string} label @returns {Mark[]} */
function numberMarks([x, y], token, label) {
  const number = label.match(/\d+$/)?.[0];
  if (!number) return [];
  const radius = tokenRadius(token);
  const at = /** @type {Cell} */ ([x - radius * 0.78, y - radius * 0.78]);
  return [
    { kind: "circle", at, radius: radius * 0.32, style: { color: INK, fill: 0.9, line: 1, width: 1 } },
    { kind: "text", at, text: number, size: radius * 0.46, color: IVORY },
  ];
}

/** A label longer than two letters is smaller, so that it stays on its shape. @param {string} label */
const fitting = (label) => Math.min(1, 2.2 / Math.max(1, label.length));

/**
 * Draw signs beside a token: a star for a player's own, a check mark after its turn, and a badge with the number of
 * its conditions.
 * @param {Grid} grid
 * @param {Token} token
 * @param {TokenLook} look
 * @returns {Mark[]}
 */
export function signMarks(grid, token, { isOwn, isDone, conditions = 0 }) {
  const [x, y] = tokenCenter(grid, token, token.at ?? [0, 0]);
  const far = tokenRadius(token) * 0.9;
  const badge = /** @type {Cell} */ ([x + far * 0.85, y - far * 0.85]);
  return [
    ...(isOwn ? [textMark([x + far, y - far], "★", 16)] : []),
    ...(isDone ? [textMark([x + far, y + far], "✓", 16)] : []),
    ...(conditions && !isOwn
      ? [
          /** @type {Mark} */ ({
            kind: "circle",
            at: badge,
            radius: 9,
            style: { color: INK, fill: 0.9, line: 1, width: 1 },
          }),
          /** @type {Mark} */ ({
            kind: "circle",
            at: badge,
            radius: 9,
            style: { color: IVORY, line: 0.9, width: 1.5 },
          }),
          textMark(badge, String(conditions), 11),
        ]
      : []),
  ];
}

/**
 * Draw hit points as dots below the token (above, if its notch points down), filled for those left; as numbers if
 * they are many.
 * @param {Grid} grid
 * @param {Token} token
 * @param {number} max
 * @returns {Mark[]}
 */
export function pips(grid, token, max) {
  const left = token.tracks.hp;
  if (left === undefined || max <= 0) return [];
  const [x, y] = tokenCenter(grid, token, token.at ?? [0, 0]);
  const facesDown = token.facing !== null && Math.abs(token.facing - 180) <= 45;
  const below = y + (tokenRadius(token) + 1) * (facesDown ? -1 : 1);
  if (max > MAX_PIPS) return [textMark([x, below], `${left}/${max}`, 13)];
  return Array.from({ length: max }, (_, i) => {
    const style = {
      color: i < left ? WHITE : PURPLE,
      fill: i < left ? 1 : 0,
      pattern: /** @type {const} */ ("solid"),
      line: 1,
      width: 1.5,
    };
    const at = /** @type {Cell} */ ([x + (i - (max - 1) / 2) * 10, below]);
    return /** @type {Mark[]} */ ([
      { kind: "circle", at, radius: 5, style: { color: INK, fill: 1, pattern: "solid" } },
      { kind: "circle", at, radius: 3, style },
    ]);
  }).flat();
}
