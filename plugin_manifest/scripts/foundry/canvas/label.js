/** Labels over or under tokens, as marks. Apart from the layer, so that tests run without Foundry. */

import { CELL } from "../../core/draw/geometry.js";
import { INK, WHITE } from "../../core/draw/palette.js";

/** @import {Cell, Mark} from "../../../types/contract.js" */

const [LABEL_SIZE, LINE_HEIGHT, LETTER_WIDTH, MAX_LINE] = [14, 21.5, 8.6, 46];

/**
 * Returns a label on a dark box, above a token, or below it at the board's top.
 * @param {{at: Cell, radius: number}} place the token's center, and the distance to its edge
 * @param {string[]} lines
 * @returns {Mark[]}
 */
export function labelMarks({ at: [x, y], radius }, lines) {
  const wrapped = lines.flatMap(wrapLine);
  const wide = (Math.max(...wrapped.map((line) => line.length)) * LETTER_WIDTH) / 2 + CELL / 8;
  const high = (wrapped.length * LINE_HEIGHT) / 2 + CELL / 8;
  const middleY =
    y - radius - high - CELL / 2 > 0 ? y - radius - high - CELL / 2 : y + radius + high + CELL / 8;
  const [left, right, top, bottom] = [x - wide, x + wide, middleY - high, middleY + high];
  const style = { color: INK, fill: 0.85, pattern: /** @type {const} */ ("solid"), line: 1, width: 1 };
  return [
    { kind: "polygon", points: [left, top, right, top, right, bottom, left, bottom], style },
    { kind: "text", at: [x, middleY], text: wrapped.join("\n"), size: LABEL_SIZE, color: WHITE },
  ];
}

/** @param {string} line @returns {string[]} broken between words; continuation lines are indented */
export function wrapLine(line) {
  if (line.length <= MAX_LINE) return [line];
  const cut = line.lastIndexOf(" ", MAX_LINE);
  if (cut < 0 || !line.slice(0, cut).trim()) return [line];
  return [line.slice(0, cut), ...wrapLine(`  ${line.slice(cut + 1)}`)];
}
