/**
 * Drawn pictures of units: what a unit carries or is, as an icon in a few strokes, and initials that tell units
 * of one kind apart. Icons are paths in a box of 24 by 24.
 */

import { lettersOf } from "../../core/draw/token-names.js";
import { portraitSvg } from "../../core/portraits/portrait.js";

/** @import {Side, Token} from "../../../types/contract.js" */

/** @type {Record<string, string>} */
const ICONS = {
  sword: "M12 2l2 3v9h3v2h-4v5h-2v-5H7v-2h3V5z",
  axe: "M10 3h2v3c3-2 6-2 8-1 1 3 0 6-3 8-2-2-3-3-5-3v12h-2z",
  hammer: "M6 4h12v5h-5v13h-2V9H6z",
  bow: "M7 2c8 3 8 17 0 20l-.7-1.8C9 18 10.5 15 10.5 12.8H4v-1.6h6.5C10.5 9 9 6 6.3 3.8zM15 12l-3-3h2l4 3-4 3h-2z",
  crossbow: "M11 3h2v4c4 0 7 2 8 5l-2 .5c-1-2-3-3-6-3V21h-2V9.5c-3 0-5 1-6 3L3 12c1-3 4-5 8-5z",
  pistol: "M3 7h15l2 2v3h-9l-1 3H8l-1 5H3l2-9H3z",
  spear: "M12 1l3 6-2 1v15h-2V8L9 7z",
  staff: "M12 2a4 4 0 1 1-1 7.9V22h2V10zM12 4a2 2 0 1 0 .01 0z",
  dagger: "M12 3l2 4v6h2v2h-3v6h-2v-6H8v-2h2V7z",
  fist: "M6 8h2V5h3v3h1V4h3v4h1V6h3v9l-3 6H9l-4-7z",
  banner: "M5 2h2v2h12l-3 4 3 4H7v10H5z",
  prayer: "M11 2h2v5h5v2h-5v13h-2V9H6V7h5z",
  skull:
    "M12 2c5 0 8 3 8 8 0 3-1 4-3 5v4h-2v-2h-2v2h-2v-2H9v2H7v-4c-2-1-3-2-3-5 0-5 3-8 8-8zM8.5 8.5a2 2 0 1 0 .01 0zM15.5 8.5a2 2 0 1 0 .01 0z",
  wolf: "M3 4l5 3h8l5-3-1 9-5 5-1 3h-4l-1-3-5-5zM8.5 10l1 2 2-1zM15.5 10l-1 2-2-1z",
  claw: "M4 3c4 5 4 11 2 18 4-4 6-11 5-18zM11 3c4 5 3 11 1 18 5-4 6-11 5-18zM18 5c2 4 1 9-1 14 4-3 5-9 4-14z",
  beast: "M4 5l4 2c2-1 6-1 8 0l4-2v7l-3 2-1 6H8l-1-6-3-2zM8 11h3v2H8zM13 11h3v2h-3z",
  bat: "M12 7l2-2 1 3c3-2 6-2 8 0-3 2-3 5-2 8-3-2-5-1-6 2l-3-2-3 2c-1-3-3-4-6-2 1-3 1-6-2-8 2-2 5-2 8 0l1-3z",
  lute: "M17 2l3 3-4 4c2 4 0 8-4 10s-7 1-8-1 0-6 2-8 6-4 8-3zM9 12a2 2 0 1 0 .01 0z",
  crown: "M3 7l5 4 4-7 4 7 5-4-2 12H5z",
  shield: "M4 4l8-2 8 2c0 9-2 14-8 18C6 18 4 13 4 4z",
};

/**
 * The icons, each with the words in a unit's name and profile that it shows; the first that occurs wins.
 * @type {Record<string, string[]>}
 */
const WORDS = {
  skull: ["skeleton", "zombie", "returned", "undead"],
  bat: ["vampire"],
  wolf: ["wolf", "hound", "gnoll"],
  beast: ["troll", "beastman", "construct", "colossus", "dragon", "otraak", "torgwar", "faceless", "ogre"],
  claw: ["spider", "lizardman", "noctis", "claw"],
  banner: ["standard", "banner"],
  crown: ["captain", "leader", "king"],
  lute: ["bard", "lute"],
  prayer: ["priest", "cleric", "saints", "sister"],
  staff: ["mage", "wizard", "staff", "wand", "storm", "druid"],
  pistol: ["pistol", "pistoleer", "musket", "musketeer", "grenadier", "rifle"],
  crossbow: ["crossbow", "crossbowman"],
  bow: ["bow", "longbow", "archer", "bowman", "ranger", "missiles"],
  spear: ["spear", "glaive", "halberd", "halberdier", "pike", "lance", "spearman", "knight"],
  axe: ["axe", "axeman"],
  hammer: ["hammer", "mace", "club", "hammerer", "mauler", "brute"],
  dagger: ["dagger", "knife", "thief", "rogue", "sneak", "stabber"],
  fist: ["fist", "monk", "brawler"],
  sword: ["sword", "blade", "swordsman", "duellist", "fighter"],
  shield: ["shield", "guardsman"],
};

/**
 * Return the key of the icon for a unit; "" if nothing about it is known.
 * @param {Pick<Token, "name" | "profile">} token
 */
export function iconOf({ name, profile }) {
  const text = [name, ...textsIn(profile, 0)].join(" ").toLowerCase();
  const found = new Set(text.split(/[^a-z]+/));
  return Object.entries(WORDS).find(([, all]) => all.some((word) => found.has(word)))?.[0] ?? "";
}

/** @param {unknown} value @param {number} depth @returns {string[]} */
function textsIn(value, depth) {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null || depth > 3) return [];
  return Object.entries(value).flatMap(([key, one]) => (one === true ? [key] : textsIn(one, depth + 1)));
}

/** Return the path of an icon; "" without one. @param {string} icon */
export const iconPath = (icon) => ICONS[icon] ?? "";

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
