/** Looks up text by key. The host sets the translator: Foundry uses its own, the board page a language file. */

/** @typedef {Record<string, string | number>} Values the values of a text's {named} fields */

/** @type {(key: string, values: Values) => string} */
let translate = (key) => key;

/** @param {typeof translate} translator */
export function setTranslator(translator) {
  translate = translator;
}

/**
 * Return the text for a key.
 * @param {string} key like "Log.Attack"
 * @param {Values} [values]
 */
export const localize = (key, values = {}) => translate(key, values);

/**
 * Build a translator from a language file. A key that the file lacks stands for itself.
 * @param {any} file the parsed JSON
 * @returns {typeof translate}
 */
export function translatorFor({ ENFILADE: sections }) {
  return (key, values) => {
    const text = key.split(".").reduce((section, part) => section?.[part], sections);
    return typeof text === "string" ? format(text, values) : key;
  };
}

/** @param {string} text @param {Values} values */
const format = (text, values) => text.replace(/\{(\w+)\}/g, (field, name) => String(values[name] ?? field));
