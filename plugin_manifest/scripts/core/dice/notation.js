/** Chances, modifiers and die faces as text, and the field for the faces of physical dice. */

import { el } from "../ui/dom.js";
import { localize } from "../ui/i18n.js";

/** @import {Chance, Target} from "../../../types/contract.js" */

const MAX_FACE = 1000;

/**
 * Format a chance in whole percent. Only an impossible chance is "0 %", only a certain one "100 %".
 * @param {Chance} chance a fraction
 */
export function formatChance([part, whole]) {
  if (part <= 0 || whole <= 0) return "0 %";
  if (part >= whole) return "100 %";
  const rounded = Math.round((100 * part) / whole);
  return `${Math.min(99, Math.max(1, rounded))} %`;
}

/**
 * Format the chance of an act in few characters: "61–66 %" if it is known in part, "?" if not at all.
 * @param {Pick<Target, "chance" | "up_to" | "no_odds">} target
 */
export function formatOdds({ chance, up_to: most = null, no_odds: why = "" }) {
  if (!most) return why ? "?" : formatChance(chance);
  return `${formatChance(chance).replace(" %", "")}–${formatChance(most)}`;
}

/**
 * Format the chance of an act in words: "about 64 %" from samples, "at least 61 %, at most 66 %" if known in part.
 * @param {Pick<Target, "chance" | "up_to" | "no_odds" | "exact">} target
 */
export function oddsText({ chance, up_to: most = null, no_odds: why = "", exact }) {
  const least = formatChance(chance);
  if (most) return localize("Act.Between", { least, most: formatChance(most) });
  if (why) return "?";
  return exact ? least : localize("Act.About", { chance: least });
}

/** Format a modifier with its sign. @param {number} value */
export const formatModifier = (value) => (value < 0 ? `−${-value}` : `+${value}`);

/**
 * Parse the typed faces of physical dice. One-letter faces may be written without spaces.
 * @param {string} text
 * @param {string[]} [names] the named faces of the ruleset's dice, in any case
 * @returns {(number | string)[]}
 * @throws {SyntaxError} if a word is neither a whole number from 1 to 1000 nor a named face
 */
export function parseFaces(text, names = []) {
  const parts = text.split(/[\s,;]+/).filter(Boolean);
  return parts.flatMap((word) => {
    const faces = parseWord(word, names);
    if (faces) return faces;
    const key = names.length ? "Dice.NotANamedFace" : "Dice.NotAFace";
    throw new SyntaxError(localize(key, { word, faces: names.join(" ") }));
  });
}

/** @param {string} word @param {string[]} names @returns {(number | string)[] | null} */
function parseWord(word, names) {
  const number = Number(word);
  if (Number.isInteger(number) && number >= 1 && number <= MAX_FACE) return [number];
  const findName = (/** @type {string} */ part) =>
    names.find((name) => name.toLowerCase() === part.toLowerCase());
  const parts = findName(word) ? [word] : [...word];
  const faces = parts.map(findName).filter((face) => face !== undefined);
  return faces.length === parts.length ? faces : null;
}

/**
 * Build a field for the faces of physical dice.
 * @param {string} id
 * @param {string} placeholder tells the effect of an empty field
 * @returns {HTMLInputElement}
 */
export function diceField(id, placeholder) {
  return el("input", { id, type: "text", autocomplete: "off", placeholder });
}

/**
 * Set a dice field's tooltip and keyboard for the ruleset's faces.
 * @param {HTMLInputElement} field
 * @param {string[]} names
 */
export function setFaceHint(field, names) {
  field.inputMode = names.length ? "text" : "numeric";
  field.title = names.length
    ? localize("Dice.NamedFaces", { faces: names.join(" ") })
    : localize("Dice.Numbers");
}
