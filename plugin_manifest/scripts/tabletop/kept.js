/** Small values that one browser keeps for this page, as JSON. A browser may keep nothing: then they last as long as the page. */

/** The values of this page. @type {Map<string, unknown>} */
const here = new Map();

/** @param {string} name @returns {any} the value; null if there is none */
export function readKept(name) {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "null") ?? here.get(name) ?? null;
  } catch {
    return here.get(name) ?? null;
  }
}

/** @param {string} name @param {unknown} value */
export function keep(name, value) {
  here.set(name, value);
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // The page's own memory has it.
  }
}
