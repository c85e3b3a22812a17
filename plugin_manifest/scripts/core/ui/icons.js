/** The page's icons, drawn as strokes in a box of 24 by 24, and the buttons that have one. */

import { el } from "./dom.js";
import { localize } from "./i18n.js";

const SVG = "http://www.w3.org/2000/svg";

/** @type {Record<string, string>} */
const PATHS = {
  ruler: "M3 16L16 3l5 5L8 21zM7 12l2 2M10 9l3 3M13 6l2 2",
  ping: "M10 12a2 2 0 1 0 4 0a2 2 0 1 0-4 0M12 3a9 9 0 0 1 9 9M12 21a9 9 0 0 1-9-9",
  layers: "M12 3l9 5-9 5-9-5zM3 12.5l9 5 9-5M3 17l9 5 9-5",
  bulb: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.6 10.8c.7.6 1.1 1.4 1.1 2.2h5c0-.8.4-1.6 1.1-2.2A6 6 0 0 0 12 3z",
  branch: "M6 4v16M6 12c8 0 12-2 12-6M16 6a2 2 0 1 0 4 0a2 2 0 1 0-4 0",
  replay: "M4 12a8 8 0 1 0 2.6-5.9M4 4v4.5h4.5M12 8v4.5l3 2",
  undo: "M8 5L4 9l4 4M4 9h10a6 6 0 0 1 0 12h-4",
  redo: "M16 5l4 4-4 4M20 9H10a6 6 0 0 0 0 12h4",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  fit: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  sun: "M12 8a4 4 0 1 0 0 8a4 4 0 0 0 0-8zM12 2v2.5M12 19.5V22M2 12h2.5M19.5 12H22M5 5l1.8 1.8M17.2 17.2L19 19M19 5l-1.8 1.8M6.8 17.2L5 19",
  keys: "M3 7h18v11H3zM7 11h.01M11 11h.01M15 11h.01M18 11h.01M8 15h8",
  menu: "M4 7h16M4 12h16M4 17h16",
  down: "M6 9l6 6 6-6",
  up: "M6 15l6-6 6 6",
  x: "M6 6l12 12M18 6L6 18",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  search: "M11 4a7 7 0 1 0 0 14a7 7 0 0 0 0-14zM16.5 16.5L21 21",
  lock: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3",
  check: "M5 12.5l4.5 4.500L19 7",
  sword: "M20 4l-1 5L9.5 18.5 5.5 14.5 15 5zM4 13l7 7M6.5 17.500L3 21",
  bow: "M8 3c4.5 2 7 5.5 7 9s-2.5 7-7 9M8 3v18M2.5 12H21M18 9l3 3-3 3",
  foot: "M8 3c2.5 0 3.5 2.5 3 5.5-.3 2-.6 3-.6 4.500H6C5.6 11 5 9 5 7c0-2.4 1-4 3-4zM6 16h4.400c0 1.8-.6 3-2.2 3S6 17.8 6 16zM16 6c2 0 3 1.8 3 4 0 2-.6 3.6-1 5.500h-4.300c0-1.5-.4-2.5-.6-4C12.7 8.5 13.7 6 16 6zM13.6 18.500H18c0 1.7-.6 2.5-2.2 2.500s-2.2-1-2.2-2.500z",
  left: "M5 12a7 7 0 1 1 2 5M5 6v6h6",
  right: "M19 12a7 7 0 1 0-2 5M19 6v6h-6",
  shield: "M12 3l8 3v6c0 5-3.5 7.8-8 9-4.5-1.2-8-4-8-9V6z",
  dice: "M5 5h14v14H5zM9 9h.01M15 15h.01M15 9h.01M9 15h.01M12 12h.01",
  flag: "M6 21V4c5-3 7 3 13 0v10c-6 3-8-3-13 0",
  file: "M6 3h8l4 4v14H6zM14 3v4h4",
  back: "M12 5a7 7 0 1 1-7 7M12 2v6L8 5zM12 9v4l3 2",
  pen: "M4 20l1-5L16 4l4 4L9 19zM13 7l4 4",
  note: "M5 4h14v11l-5 5H5zM14 20v-5h5",
  star: "M12 3l2.7 5.8 6.3.8-4.6 4.4 1.2 6.300L12 17.2 6.4 20.3 7.6 14 3 9.600l6.3-.8z",
  eye: "M2 12s3.6-7 10-7 10 7 10 7-3.6 7-10 7S2 12 2 12zM12 9a3 3 0 1 0 0 6a3 3 0 0 0 0-6z",
};

/** The product's mark: a shot from a circle past one square at another. Each part has its color. */
const MARK = [
  ["rect", { x: 1, y: 1, width: 38, height: 38, rx: 11, fill: "#1c2026" }],
  ["path", { d: "M9 30L31 9", stroke: "#f3e7cb", "stroke-width": 2.4, "stroke-dasharray": "4 3.5" }],
  ["circle", { cx: 10, cy: 29, r: 5.5, fill: "#56b4e9" }],
  ["rect", { x: 17.5, y: 17, width: 6.5, height: 6.5, rx: 1.5, fill: "#e8743b", opacity: 0.75 }],
  ["rect", { x: 26, y: 5, width: 10, height: 10, rx: 2.4, fill: "#e8743b" }],
];

/** Build an icon; it is hidden from screen readers. @param {string} name @returns {SVGElement} */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("class", "icon");
  const parts = name === "mark" ? MARK : [["path", { d: PATHS[name] ?? PATHS.more }]];
  svg.setAttribute("viewBox", name === "mark" ? "0 0 40 40" : "0 0 24 24");
  for (const [tag, attributes] of parts) {
    const part = document.createElementNS(SVG, /** @type {string} */ (tag));
    for (const [key, value] of Object.entries(attributes)) part.setAttribute(key, String(value));
    svg.append(part);
  }
  return svg;
}

/**
 * Give the page's buttons their icons: `data-icon` names one, `data-tip` the key of its tooltip's text, which is the
 * button's name too, and `data-key` its key on the board. Call it after the page has its text.
 */
export function fillIcons() {
  for (const button of document.querySelectorAll("[data-icon]")) {
    const { icon: name = "", tip, key } = /** @type {HTMLElement} */ (button).dataset;
    button.prepend(icon(name));
    if (!tip) continue;
    const text = localize(tip);
    if (!button.hasAttribute("aria-label")) button.setAttribute("aria-label", text);
    button.append(tooltip(text, key));
  }
}

/** Build a tooltip: a name and a key. @param {string} text @param {string} [key] */
export const tooltip = (text, key) =>
  el("span", { class: "tip", "aria-hidden": "true" }, text, key ? el("kbd", {}, key) : null);
