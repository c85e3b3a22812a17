/**
 * Making elements: text goes in as text nodes only, so nothing that a table says can become markup. An element is
 * made in this page and belongs to whichever window it is put into: ask it for its `ownerDocument`.
 */

/**
 * An element with properties, `data-`/`aria-` attributes, listeners (`onclick`) and children.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any>} [given]
 * @param {...(Node | string | null | false | undefined)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, given = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) set(element, name, value);
  element.append(
    ...children
      .filter((child) => child !== null && child !== undefined && child !== false)
      .map((child) => /** @type {Node | string} */ (child)),
  );
  return element;
}

/**
 * @param {HTMLElement} element
 * @param {string} name
 * @param {any} value
 */
function set(element, name, value) {
  if (value === undefined || value === null) return;
  if (name in element && !name.startsWith("aria-")) /** @type {any} */ (element)[name] = value;
  else element.setAttribute(name === "class" ? "class" : name, String(value));
}

/**
 * Replaces what an element holds and puts the focus back on the element with the id that had it.
 * @param {Element} parent
 * @param {...(Node | string)} children
 */
export function replaceContent(parent, ...children) {
  const { ownerDocument: page } = parent;
  const focused = parent.contains(page.activeElement) ? page.activeElement?.id : "";
  parent.replaceChildren(...children);
  if (focused) page.getElementById(focused)?.focus();
}

/**
 * The element with an id that the page is known to have.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no element '${id}'.`);
  return element;
}
