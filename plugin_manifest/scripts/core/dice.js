/** Numbers as a player reads them: chances, signs, and the faces of real dice typed in. */

/** @import {Chance} from "../../types/contract.js" */

/** @param {Chance} chance a fraction as whole per cent; never 0 % or 100 % where it is neither */
export function percent([part, whole]) {
  if (part <= 0 || whole <= 0) return "0 %";
  if (part >= whole) return "100 %";
  const rounded = Math.round((100 * part) / whole);
  return `${Math.min(99, Math.max(1, rounded))} %`;
}

/** @param {number} value a modifier with its sign, minus as a minus */
export const signed = (value) => (value < 0 ? `−${-value}` : `+${value}`);

/**
 * The faces in a line of text; none in an empty one.
 * @param {string} text
 * @returns {number[]}
 * @throws {SyntaxError} where something in it is no whole number from 1 to 1000
 */
export function facesIn(text) {
  const words = text.split(/[\s,;]+/).filter(Boolean);
  const faces = words.map(Number);
  const wrong = words.find((_, i) => !Number.isInteger(faces[i]) || faces[i] < 1 || faces[i] > 1000);
  if (wrong !== undefined)
    throw new SyntaxError(`'${wrong}' is not the face of a die: write whole numbers, like 4 2 6.`);
  return faces;
}
