/** The letters that stand for a token's name on a map. */

/** @type {Intl.Segmenter | null} made for the first name that needs it: few do, and it takes milliseconds */
let graphemes = null;
/** Characters that may form one letter with their neighbors; only a text with one is worth the time to split it. */
const JOINED = /[\u{10000}-\u{10ffff}\u200d\ufe0f\p{M}]/u;

/** Split a text into what a reader takes for its letters: an emoji of several parts is one. @param {string} text */
export function lettersOf(text) {
  if (!JOINED.test(text)) return [...text];
  graphemes ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

/**
 * Abbreviate a name: two initials at most, and two digits of its number.
 * @param {string} name
 */
export function initials(name) {
  const number = name.match(/(\d+)\s*$/)?.[1] ?? "";
  const parts = name
    .replace(/\d+\s*$/, "")
    .split(/[\s-]+/)
    .filter(Boolean);
  const letters = parts.slice(0, 2).map((part) => lettersOf(part)[0].toUpperCase());
  return letters.join("") + number.slice(-2);
}
