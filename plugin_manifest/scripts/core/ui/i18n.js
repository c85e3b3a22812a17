/**
 * The words that people read, by key. They stand in lang/, one file for each language; whoever shows them says
 * how they are looked up: Foundry by its own means, the board page in the file it has read.
 */

/** @typedef {Record<string, string | number>} Values what goes into the braces of a sentence */

/** @type {(key: string, values: Values) => string} */
let lookUp = (key) => key;

/** @param {typeof lookUp} found how the words for a key are found */
export function setTranslator(found) {
  lookUp = found;
}

/**
 * The words for a key.
 * @param {string} key like "Log.Attack"
 * @param {Values} [values]
 */
export const localize = (key, values = {}) => lookUp(key, values);

/**
 * Looks words up in a language file.
 * @param {any} file as it was read; its sections stand under the module's name
 * @returns {typeof lookUp}
 */
export function translatorFor({ ENFILADE: sections }) {
  return (key, values) => {
    const found = key.split(".").reduce((section, part) => section?.[part], sections);
    return typeof found === "string" ? filled(found, values) : key;
  };
}

/** @param {string} sentence @param {Values} values */
const filled = (sentence, values) =>
  sentence.replace(/\{(\w+)\}/g, (braces, name) => String(values[name] ?? braces));
