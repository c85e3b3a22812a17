/** Numbers as a player reads them: chances, signs, and the faces of real dice typed in. */

import { el } from "../ui/dom.js";
import { localize } from "../ui/i18n.js";

/** @import {Chance} from "../../../types/contract.js" */

/** @param {Chance} chance a fraction as whole per cent; never 0 % or 100 % where it is neither */
export function formatChance([part, whole]) {
  if (part <= 0 || whole <= 0) return "0 %";
  if (part >= whole) return "100 %";
  const rounded = Math.round((100 * part) / whole);
  return `${Math.min(99, Math.max(1, rounded))} %`;
}

/** @param {number} value a modifier with its sign, minus as a minus */
export const formatModifier = (value) => (value < 0 ? `−${-value}` : `+${value}`);

/**
 * The faces in a line of text; none in an empty one. Faces of one letter may be written together.
 * @param {string} text
 * @param {string[]} [names] of faces, where dice show words; upper or lower case
 * @returns {(number | string)[]}
 * @throws {SyntaxError} where something in it is neither a whole number from 1 to 1000 nor such a name
 */
export function parseFaces(text, names = []) {
  const written = text.split(/[\s,;]+/).filter(Boolean);
  return written.flatMap((word) => {
    const found = facesOfWord(word, names);
    if (found) return found;
    const [key, faces] = names.length ? ["Dice.NoNamedFace", names.join(" ")] : ["Dice.NoFace", ""];
    throw new SyntaxError(localize(key, { word, faces }));
  });
}

/** @param {string} word @param {string[]} names @returns {(number | string)[] | null} */
function facesOfWord(word, names) {
  const number = Number(word);
  if (Number.isInteger(number) && number >= 1 && number <= 1000) return [number];
  const named = (/** @type {string} */ part) =>
    names.find((name) => name.toLowerCase() === part.toLowerCase());
  const parts = named(word) ? [word] : [...word];
  const faces = parts.map(named).filter((face) => face !== undefined);
  return faces.length === parts.length ? faces : null;
}

/**
 * A field for the faces of real dice.
 * @param {string} id
 * @param {string} hint what happens when nothing is written
 * @returns {HTMLInputElement}
 */
export function diceField(id, hint) {
  return el("input", { id, type: "text", autocomplete: "off", placeholder: hint });
}

/**
 * Tells a field for real dice which faces there are.
 * @param {HTMLInputElement} field
 * @param {string[]} names
 */
export function setFaceHint(field, names) {
  field.inputMode = names.length ? "text" : "numeric";
  field.title = names.length
    ? localize("Dice.NamedFaces", { faces: names.join(" ") })
    : localize("Dice.WholeNumbers");
}
