/** Dice as drawn on a plate: the faces that were rolled, and those of one six-sided die that win. */

const SVG = "http://www.w3.org/2000/svg";
/** The places of a die's pips in a grid of 3 by 3, row by row, by the face. */
const PIPS = [[], [4], [0, 8], [0, 4, 8], [0, 2, 6, 8], [0, 2, 4, 6, 8], [0, 2, 3, 5, 6, 8]];
/** A face with a longer name than this is written smaller, and cut at the second length. */
const [SHORT, LONGEST] = [2, 6];

/** @param {string} tag @param {Record<string, string | number>} attributes */
function shape(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

/**
 * Build a die: pips for 1 to 6, else its number or the name of its face.
 * @param {number | string} face
 * @param {string} classes what style sheets call it
 * @returns {Element}
 */
export function dieFace(face, classes) {
  const svg = shape("svg", { class: `die-face ${classes}`, viewBox: "0 0 40 40", "aria-hidden": "true" });
  svg.append(shape("rect", { x: 2, y: 2, width: 36, height: 36, rx: 8 }));
  const pips = typeof face === "number" ? PIPS[face] : undefined;
  if (pips?.length)
    svg.append(
      ...pips.map((place) =>
        shape("circle", { cx: 10 + (place % 3) * 10, cy: 10 + Math.floor(place / 3) * 10, r: 3.6 }),
      ),
    );
  else {
    const size = String(face).length > SHORT ? 11 : 18;
    const text = shape("text", { x: 20, y: 26, "text-anchor": "middle", "font-size": size });
    text.textContent = String(face).slice(0, LONGEST);
    svg.append(text);
  }
  return svg;
}

/**
 * Return which faces of one six-sided die win, from 1 to 6; null unless a chance is that of `needed` or more on it.
 * @param {number | null} needed
 * @param {readonly [number, number]} chance part and whole
 * @returns {boolean[] | null}
 */
export function winningFaces(needed, [part, whole]) {
  if (needed === null || !whole) return null;
  const wins = [1, 2, 3, 4, 5, 6].map((face) => face >= needed);
  return wins.filter(Boolean).length * whole === part * 6 ? wins : null;
}

/**
 * Build a chance as a picture: the faces of one die where it decides, else a bar.
 * @param {{needed: number | null, chance: [number, number]}} odds
 * @returns {HTMLElement}
 */
export function oddsPicture({ needed, chance }) {
  const picture = document.createElement("div");
  picture.setAttribute("aria-hidden", "true"); // the number beside it says the same
  const wins = winningFaces(needed, chance);
  picture.className = wins ? "odds-dice" : "odds-bar";
  if (wins) picture.append(...wins.map((isWin, i) => dieFace(i + 1, isWin ? "is-win" : "is-loss")));
  else picture.style.setProperty("--chance", `${chance[1] ? (chance[0] / chance[1]) * 100 : 0}%`);
  return picture;
}
