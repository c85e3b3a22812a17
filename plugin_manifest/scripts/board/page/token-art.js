/** The picture of a unit: its portrait, and initials that tell units of one kind apart. */

import { lettersOf } from "../../core/draw/token-names.js";
import { portraitSvg } from "../../core/portraits/portrait.js";

/** @import {Side, Token} from "../../../types/contract.js" */

/**
 * Build a unit's portrait in the frame of its side: its picture, else a face with its gear.
 * @param {Token} token
 * @param {number} side the index of its side
 * @param {Pick<Side, "name">[]} sides
 */
export const portrait = (token, side, sides) => portraitSvg(token, side, sides[side]?.name ?? "");

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
