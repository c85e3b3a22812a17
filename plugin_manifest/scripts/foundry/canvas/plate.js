/** Words on a dark plate over or under a token, as marks. */

import { CELL } from "../../core/draw/geometry.js";
import { INK, WHITE } from "../../core/draw/palette.js";

/** @import {Cell, Mark} from "../../../types/contract.js" */

const SIZE = 14;
const LINE_HEIGHT = 21.5;
const LETTER = 8.6;
const LONGEST = 46;

/**
 * @param {{at: Cell, radius: number}} place the middle of the token, and how far it goes from there
 * @param {string[]} lines
 * @returns {Mark[]}
 */
export function plateMarks({ at: [x, y], radius }, lines) {
  const wrapped = lines.flatMap(folded);
  const wide = (Math.max(...wrapped.map((line) => line.length)) * LETTER) / 2 + CELL / 8;
  const high = (wrapped.length * LINE_HEIGHT) / 2 + CELL / 8;
  const middleY =
    y - radius - high - CELL / 2 > 0 ? y - radius - high - CELL / 2 : y + radius + high + CELL / 8;
  const [left, right, top, bottom] = [x - wide, x + wide, middleY - high, middleY + high];
  const style = { color: INK, fill: 0.85, pattern: /** @type {const} */ ("solid"), line: 1, width: 1 };
  return [
    { kind: "polygon", points: [left, top, right, top, right, bottom, left, bottom], style },
    { kind: "text", at: [x, middleY], text: wrapped.join("\n"), size: SIZE, color: WHITE },
  ];
}

/** @param {string} line @returns {string[]} broken between words where it is long; what follows stands in a little */
export function folded(line) {
  if (line.length <= LONGEST) return [line];
  const cut = line.lastIndexOf(" ", LONGEST);
  if (cut < 0 || !line.slice(0, cut).trim()) return [line];
  return [line.slice(0, cut), ...folded(`  ${line.slice(cut + 1)}`)];
}
