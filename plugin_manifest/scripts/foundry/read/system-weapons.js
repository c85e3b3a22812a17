/**
 * The reach, the ranges and the conditions of an actor, which each system keeps in its own way: in weapons and their
 * activities, in traits of strikes, in a text, as statuses or as items. A system that is not here has none.
 */

import { valueAt } from "./hit-points.js";

/** @typedef {{name: string, normal: number, long: number}} Band in feet; `long` is 0 without a second range */

/**
 * @typedef {object} Weapons
 * @property {number} reach of the longest melee attack, in feet; 0 if it is not known
 * @property {Band[]} ranges
 */

const [FEET_OF_METER, FEET_OF_SQUARE] = [10 / 3, 5];
/** The increments of a weapon that pf2e lets fly. */
const INCREMENTS = 6;

/** @type {Record<string, (actor: Foundry.Actor) => Weapons>} */
export const WEAPONS = { dnd5e, pf2e, sf2e: pf2e, swade };

/**
 * Prepared weapons and their activities: a natural weapon has a reach whether or not it strikes in melee, so what an
 * activity says counts; its own range is the long one.
 * @param {Foundry.Actor} actor
 * @returns {Weapons}
 * @source C foundryvtt/dnd5e:module/data/item/weapon.mjs, module/data/activity/attack-data.mjs, base-activity.mjs
 */
function dnd5e(actor) {
  const weapons = actor.items.filter(({ type }) => type === "weapon");
  const kindsOf = (/** @type {Foundry.Item} */ item) =>
    [...(item.system.activities ?? [])]
      .map((activity) => valueAt(activity, "attack.type.value"))
      .filter(Boolean);
  const feet = (/** @type {Foundry.Item} */ { system }) => (system.range?.units === "m" ? FEET_OF_METER : 1);
  const isThrown = (/** @type {Foundry.Item} */ { system }) => Boolean(system.properties?.has?.("thr"));
  const melee = weapons.filter((item) => kindsOf(item).includes("melee"));
  const ranged = weapons.filter((item) => isThrown(item) || kindsOf(item).includes("ranged"));
  return {
    reach: Math.max(0, ...melee.map((item) => numberOf(item.system.range?.reach) * feet(item))),
    ranges: bands(ranged, (item) => ({
      normal: numberOf(item.system.range?.value) * feet(item),
      long: numberOf(item.system.range?.long) * feet(item),
    })),
  };
}

/**
 * Strikes of creatures with traits, weapons of characters with an increment.
 * @param {Foundry.Actor} actor
 * @returns {Weapons}
 * @source C foundryvtt/pf2e:src/module/actor/creature/document.ts getReach; C 7H3LaughingMan/foundry-pf2e:types/pf2e/module/item/melee
 */
function pf2e(actor) {
  const base = numberOf(valueAt(actor.system, "attributes.reach.base")) || FEET_OF_SQUARE;
  const strikes = actor.items.filter(({ type }) => type === "melee" || type === "weapon");
  const traits = (/** @type {Foundry.Item} */ { system }) =>
    /** @type {string[]} */ (system.traits?.value ?? []);
  const numbered = (/** @type {Foundry.Item} */ item, /** @type {string} */ name) =>
    Math.max(
      0,
      ...traits(item).map(
        (trait) => Number(trait.startsWith(`${name}-`) && trait.slice(name.length + 1)) || 0,
      ),
    );
  const reachOf = (/** @type {Foundry.Item} */ item) =>
    numbered(item, "reach") || base + (traits(item).includes("reach") ? FEET_OF_SQUARE : 0);
  return {
    reach: Math.max(base, ...strikes.map(reachOf)),
    ranges: bands(strikes, (item) => {
      const fixed = numbered(item, "range");
      const increment =
        numbered(item, "range-increment") || numbered(item, "thrown") || numberOf(item.system.range);
      return increment ? { normal: increment, long: increment * INCREMENTS } : { normal: fixed, long: 0 };
    }),
  };
}

/**
 * A weapon's range is a text of squares, "12/24/48".
 * @param {Foundry.Actor} actor
 * @returns {Weapons}
 * @source C javierriveracastro/betteroll-swade:scripts
 */
function swade(actor) {
  const weapons = actor.items.filter(({ type }) => type === "weapon");
  const bandOf = (/** @type {Foundry.Item} */ { system }) => {
    const squares = String(system.range ?? "").match(/^\s*\d+(\/\d+)*/)?.[0] ?? "";
    const feet = squares.split("/").map((text) => Number(text) * FEET_OF_SQUARE);
    return { normal: feet[0] ?? 0, long: feet.length > 1 ? feet[feet.length - 1] : 0 };
  };
  return { reach: 0, ranges: bands(weapons, bandOf) };
}

/**
 * @param {Foundry.Item[]} items
 * @param {(item: Foundry.Item) => {normal: number, long: number}} rangeOf
 * @returns {Band[]} of those that have a range
 */
const bands = (items, rangeOf) =>
  items.map((item) => ({ name: item.name, ...rangeOf(item) })).filter(({ normal }) => normal > 0);

/** @param {unknown} value @returns {number} 0 for what is none */
const numberOf = (value) => (typeof value === "number" && Number.isFinite(value) ? Math.max(0, value) : 0);

/**
 * Returns the conditions of an actor, as its system names them: statuses, and in pf2e items.
 * @param {Foundry.Actor} actor
 * @returns {string[]}
 * @source D12 D13 D14 Actor#statuses; C 7H3LaughingMan/foundry-pf2e:types/pf2e/module/actor/conditions
 */
export function conditionsOf(actor) {
  const items = actor.items.filter(({ type }) => type === "condition").map(({ system }) => system.slug);
  return [...new Set([...actor.statuses, ...items])]
    .filter((name) => typeof name === "string" && name)
    .sort();
}
