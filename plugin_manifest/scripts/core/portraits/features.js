/**
 * The features of a portrait: race, weapon, headgear, armor, hair. They come from a unit's name, its profile and its
 * side's name, and where these say nothing, from a hash of its name: the same unit always looks the same.
 */

/** @import {Token} from "../../../types/contract.js" */

/** @typedef {"human" | "elf" | "dwarf" | "halfling" | "gnome" | "goblin" | "orc" | "troll" | "skeleton" | "returned" | "wolf"} Race */
/** @typedef {"sword" | "axe" | "hammer" | "spear" | "bow" | "gun" | "staff" | "dagger" | "lute" | "club" | ""} Weapon */
/** @typedef {"helm" | "horned" | "hood" | "hat" | "cap" | ""} Headgear */

/**
 * @typedef {{race: Race, weapon: Weapon, head: Headgear, armor: "plate" | "leather" | "cloth", hair: string,
 *   hairstyle: "short" | "long" | "curly" | "topknot" | "bald", cloth: string, metal: string, hasBeard: boolean,
 *   hasShield: boolean, hasFur: boolean, isPainted: boolean}} Features
 */

/** The words of each race, in the singular; the first race of which one occurs wins. @type {[Race, string[]][]} */
const RACES = [
  ["skeleton", ["skeleton", "bones", "lich"]],
  ["returned", ["returned", "zombie", "undead", "ghoul", "vampire", "ghost", "wraith", "doomed"]],
  ["wolf", ["wolf", "hound", "dog", "gnoll", "warg", "beast"]],
  ["goblin", ["goblin", "kobold", "imp", "gremlin"]],
  ["orc", ["orc", "ork", "hobgoblin", "uruk"]],
  ["troll", ["troll", "ogre", "giant", "torgwar", "otraak", "beastman", "minotaur", "colossus", "golem"]],
  ["halfling", ["halfling", "hobbit"]],
  ["gnome", ["gnome"]],
  ["dwarf", ["dwarf"]],
  ["elf", ["elf", "fairy"]],
  ["human", ["human", "man", "woman"]],
];

/** @type {[Weapon, string[]][]} */
const WEAPONS = [
  ["gun", ["pistol", "pistoleer", "musket", "musketeer", "rifle", "arquebus", "grenadier", "hunter"]],
  ["bow", ["bow", "longbow", "archer", "bowman", "ranger", "missiles", "crossbow", "crossbowman", "sling"]],
  ["lute", ["bard", "lute"]],
  ["staff", ["mage", "wizard", "staff", "wand", "druid", "sister", "priest", "cleric", "saints", "monk"]],
  ["spear", ["spear", "glaive", "halberd", "halberdier", "pike", "lance", "spearman", "thrower", "javelin"]],
  ["axe", ["axe", "axeman"]],
  ["hammer", ["hammer", "mace", "hammerer", "mauler", "maul"]],
  ["club", ["club", "brute", "claws", "otraak"]],
  ["dagger", ["dagger", "knife", "thief", "rogue", "stabber"]],
  ["sword", ["sword", "blade", "swordsman", "fighter", "captain", "torgwar", "cutlass", "basic"]],
];

/** @type {[Headgear, string[]][]} */
const HEADS = [
  ["hat", ["mage", "wizard", "musketeer", "gnome"]],
  ["hood", ["archer", "ranger", "rogue", "thief", "hunter", "sister", "returned", "skeleton", "grenadier"]],
  ["cap", ["bard", "captain", "halfling"]],
  ["horned", ["brute", "torgwar", "otraak", "hammerer"]],
  ["helm", ["guardsman", "guard", "halberdier", "fighter", "heavy", "knight", "watch"]],
];

/** The words of units without a beard. */
const WOMEN = ["sister", "woman", "lady", "queen", "witch", "priestess", "maiden", "duchess", "nun"];

const HAIR = [
  "#4a2f1c",
  "#6a4322",
  "#2c211a",
  "#b4532a",
  "#d9b660",
  "#8a5224",
  "#3a2a22",
  "#a8682c",
  "#cfcac0",
];
const CLOTHS = ["#6b3b35", "#4f6b3c", "#3a4d86", "#7a3a63", "#8a5a24", "#8e2f35", "#3a4740", "#5a4a34"];
const METALS = ["#9aa5ad", "#8d949a", "#7b7670", "#a39a86"];

/**
 * @param {Pick<Token, "name" | "profile">} token
 * @param {string} [side] the name of its side
 * @returns {Features}
 */
export function featuresOf({ name, profile }, side = "") {
  const own = wordsIn([name, ...textsIn(profile, 0)].join(" "));
  const hash = hashOf(name.toLowerCase());
  const pick = (/** @type {any[]} */ all, /** @type {number} */ salt) =>
    all[Math.floor(part(hash, salt) * all.length)];
  const race = find(RACES, own) ?? raceOfProfile(profile) ?? find(RACES, wordsIn(side)) ?? "human";
  const weapon = find(WEAPONS, own) ?? "";
  const isWoman = WOMEN.some((word) => own.has(word));
  const isHeavy = own.has("heavy") || own.has("plate") || own.has("heavy_armor");
  const isWild = race === "orc" || race === "troll" || race === "goblin";
  const guess = /** @type {Headgear} */ (part(hash, 1) < 0.4 ? pick(["helm", "cap", "hood"], 2) : "");
  const head =
    find(HEADS, own) ?? (isHeavy ? "helm" : isWild ? (part(hash, 3) < 0.25 ? "horned" : "") : guess);
  return {
    race,
    weapon,
    head,
    armor: isHeavy ? "plate" : own.has("light") || own.has("leather") || isWild ? "leather" : "cloth",
    hair: isWild ? "#1d1815" : pick(HAIR, 4),
    hairstyle: isWild
      ? race === "goblin"
        ? "bald"
        : "topknot"
      : race === "elf"
        ? "long"
        : own.has("monk")
          ? "bald"
          : isWoman
            ? "long"
            : pick(["short", "short", "curly", "long"], 5),
    cloth: pick(CLOTHS, 6),
    metal: pick(METALS, 7),
    hasBeard: !isWoman && (race === "dwarf" || race === "gnome" || (race === "human" && part(hash, 8) < 0.4)),
    hasShield: own.has("shield") || own.has("buckler"),
    hasFur: race === "orc" || race === "troll",
    isPainted: isWild && part(hash, 9) < 0.5,
  };
}

/** Return the race that the size and role of a profile suggest. @param {Record<string, unknown>} profile @returns {Race | null} */
function raceOfProfile({ short: isShort, size, role }) {
  const isSmall = isShort === true || size === "short";
  if (role === "monster") return isSmall ? "goblin" : "orc";
  return isSmall ? "halfling" : null;
}

/** @template T @param {[T, string[]][]} table @param {Set<string>} found @returns {T | null} */
const find = (table, found) => table.find(([, all]) => all.some((word) => found.has(word)))?.[0] ?? null;

/** Return the words of a text, those in the plural also in the singular. @param {string} text */
function wordsIn(text) {
  const all = text.toLowerCase().split(/[^\p{L}_]+/u);
  return new Set([
    ...all,
    ...all.filter((word) => word.endsWith("s")).map((word) => word.slice(0, -1)),
    ...all.map((word) => PLURALS[word] ?? ""),
  ]);
}

/** @type {Record<string, string>} */
const PLURALS = { elves: "elf", dwarves: "dwarf", wolves: "wolf", men: "man", women: "woman" };

/** @param {unknown} value @param {number} depth @returns {string[]} */
function textsIn(value, depth) {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null || depth > 3) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    one === true || (key === "shield" && one) ? [key] : textsIn(one, depth + 1),
  );
}

/** @param {string} text */
function hashOf(text) {
  let hash = 0x811c9dc5;
  for (const letter of text)
    hash = Math.imul(hash ^ /** @type {number} */ (letter.codePointAt(0)), 0x01000193);
  return hash >>> 0;
}

/** Return a number from 0 to below 1 for a hash. @param {number} hash @param {number} salt */
function part(hash, salt) {
  let value = Math.imul(hash ^ (salt * 0x9e3779b9), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return ((value ^ (value >>> 16)) >>> 0) / 4294967296;
}
