/** The language that a page speaks: what this browser has chosen, else the first that it wants and a file has. */

import { setTranslator, translatorFor } from "./i18n.js";

/** The languages that have a file, in lang/. */
export const LANGUAGES = ["en", "de"];

/**
 * @param {string} chosen a language's code, or anything else for the browser's own
 * @param {readonly string[]} wanted the browser's languages, such as de-AT, the best first
 * @returns {string} the code of a language that has a file
 */
export function pickLanguage(chosen, wanted) {
  const asked = [chosen, ...wanted].map((code) => code.toLowerCase().split("-")[0]);
  return asked.find((code) => LANGUAGES.includes(code)) ?? LANGUAGES[0];
}

/**
 * Load the texts of a language, English for those that it lacks.
 * @param {string} language
 * @returns {Promise<any>} in the shape of a language file
 */
export async function loadTexts(language) {
  const files = [...new Set([LANGUAGES[0], language])].map((code) => fetch(`/plugin/lang/${code}.json`));
  const [english, other] = await Promise.all(files.map(async (file) => (await file).json()));
  return other ? merged(english, other) : english;
}

/** @param {any} below @param {any} above @returns {any} both texts or sections; those above where both have one */
function merged(below, above) {
  if (above === undefined) return below;
  if (typeof below !== "object" || typeof above !== "object") return above;
  const keys = [...new Set([...Object.keys(below), ...Object.keys(above)])];
  return Object.fromEntries(keys.map((key) => [key, merged(below[key], above[key])]));
}

/** Have the page speak its language. @param {string} [chosen] */
export async function speak(chosen = "") {
  const language = pickLanguage(chosen, navigator.languages);
  const texts = await loadTexts(language);
  document.documentElement.lang = language;
  setTranslator(translatorFor(texts, language));
}
