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
 * Build a translator from a language file. A key that the file lacks stands for itself. A text may have several
 * forms, such as {one, other}: the field `count` chooses by the rules of the language.
 * @param {any} file the parsed JSON
 * @param {string} [language] its code
 * @returns {typeof translate}
 */
export function translatorFor({ ENFILADE: sections }, language = "en") {
  const formOf = pluralForm(language);
  return (key, values) => {
    const found = key.split(".").reduce((section, part) => section?.[part], sections);
    const text = found?.other ? (found[formOf(values)] ?? found.other) : found;
    return typeof text === "string" ? format(text, values) : key;
  };
}

/**
 * @param {string} language
 * @returns {(values: Values) => string} the form of a text for its values, such as "one"
 */
export function pluralForm(language) {
  const rules = new Intl.PluralRules(language);
  return ({ count }) => rules.select(Number(count));
}

/** @param {string} text @param {Values} values */
const format = (text, values) => text.replace(/\{(\w+)\}/g, (field, name) => String(values[name] ?? field));
