/** The picture of a unit: its portrait, and initials that tell units of one kind apart. */

import { lettersOf } from "../../core/draw/token-names.js";
import { PORTRAIT_PX, portraitCanvas, portraitSvg } from "../../core/portraits/portrait.js";
import { whenIdle } from "../../core/ui/idle-work.js";

/** @import {Side, Token} from "../../../types/contract.js" */

/** The largest face beside the map, the dock's, in CSS pixels: a browser scales a canvas down by half at most with smooth edges. */
const FACE_PX = 64;

/** The portraits of a view: an element for each token, built anew when the token looks otherwise. */
export class Portraits {
  /** @type {Map<string, {key: string, picture: Element}>} */
  #known = new Map();

  /** @param {Token} token @param {number} side the index of its side @param {Side[]} sides */
  of(token, side, sides) {
    const name = sides[side]?.name ?? "";
    const key = JSON.stringify([token.name, token.image, token.profile, side, name]);
    const known = this.#known.get(token.id);
    if (known?.key === key) return known.picture;
    const picture = token.image.startsWith("/api/")
      ? portraitSvg(token, side, name)
      : face(token, side, name);
    this.#known.set(token.id, { key, picture });
    return picture;
  }
}

/**
 * Build the face that the map shows, as one element: an SVG of it has forty, each with a style. It is drawn when the map is
 * there.
 * @param {Token} token
 * @param {number} side
 * @param {string} sideName
 */
function face(token, side, sideName) {
  const canvas = document.createElement("canvas");
  const size = Math.min(PORTRAIT_PX, Math.round(FACE_PX * window.devicePixelRatio));
  canvas.width = canvas.height = size;
  canvas.className = "portrait";
  canvas.setAttribute("aria-hidden", "true");
  whenIdle(() => {
    const drawn = portraitCanvas(token, { side, sideName, isDown: false, picture: null });
    const context = canvas.getContext("2d");
    if (!context) return;
    context.imageSmoothingQuality = "high";
    context.drawImage(drawn.canvas, 0, 0, size, size);
  });
  return canvas;
}

/** @param {string} tag @param {Record<string, string | number>} attributes */
export function shape(tag, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

/**
 * Return short names that differ: two letters of the name, and the digits of its number. Equal ones take later
 * letters.
 * @param {Pick<Token, "id" | "name">[]} tokens
 * @returns {Map<string, string>}
 */
export function initialsOf(tokens) {
  const used = new Set();
  return new Map(
    tokens.map(({ id, name }) => {
      const label = candidates(name).find((one) => !used.has(one)) ?? candidates(name)[0];
      used.add(label);
      return [id, label];
    }),
  );
}

/** @param {string} name @returns {string[]} */
function candidates(name) {
  const number = name.match(/(\d+)\s*$/)?.[1].slice(-2) ?? "";
  const parts = name
    .replace(/\d+\s*$/, "")
    .split(/[\s-]+/)
    .filter(Boolean);
  if (!parts.length) return [number || "?"];
  const [first, ...later] = lettersOf(parts[0]);
  const initial = first.toUpperCase();
  const letters = [...parts.slice(1).map((part) => lettersOf(part)[0].toUpperCase()), ...later];
  const labels = [...(number ? [initial] : []), ...letters.map((letter) => initial + letter)];
  return labels.length ? labels.map((label) => label + number) : [initial];
}
