/**
 * The attacks and the defenses of an actor of dnd5e, as its system has prepared it: bonuses, ranges and damage of attacks,
 * areas with a save, saves, and what exhaustion has taken already.
 */

import { firstValue } from "./actor-profile.js";
import { valueAt } from "./hit-points.js";

/** @typedef {{dice: number, sides: number, bonus: number, type: string}} DamagePart */
/** @typedef {{name: string, kind: "melee" | "ranged" | "both", bonus: number, reach: number, normal: number, long: number, damage: DamagePart[]}} Attack lengths are in feet */
/** @typedef {{name: string, shape: string, size: number, width: number, range: number, save: string, difficulty: number, damage: DamagePart[], half: boolean}} Effect lengths are in feet */

const ABILITIES = ["str", "dex", "con", "int", "wis", "cha"];
const FEET_OF_METER = 10 / 3;
/** The server takes no more. */
const MOST = { attacks: 20, effects: 10, parts: 4, name: 40, feet: 1000, dice: 40, sides: 100, words: 20 };
/** @type {Record<string, string>} the shape of each type of area; a cylinder has the squares of its sphere */
const SHAPES = {
  ...{ sphere: "sphere", circle: "sphere", cylinder: "sphere", radius: "emanation" },
  ...{ cone: "cone", cube: "cube", square: "cube", line: "line", wall: "line" },
};

/**
 * Returns the part of a sheet that only this system's actors tell.
 * @param {Foundry.Actor} actor
 * @source C foundryvtt/dnd5e:module/data/activity/attack-data.mjs, save-data.mjs, base-activity.mjs, module/data/actor/templates/common.mjs, traits.mjs
 */
export function dnd5eActs(actor) {
  const { system } = actor;
  const cover = numberAt(system, "attributes.ac.cover");
  const of = (/** @type {(id: string) => number} */ read) =>
    Object.fromEntries(
      ABILITIES.filter((id) => valueAt(system, `abilities.${id}`)).map((id) => [id, read(id)]),
    );
  const used = actor.items.contents.flatMap((item) =>
    [...(item.system.activities ?? [])].map((activity) => ({ item, activity })),
  );
  return {
    abilities: of((id) => clamp(numberAt(system, `abilities.${id}.value`) || 10, 1, 30)),
    saves: of((id) => clamp(saveOf(system, id) - (id === "dex" ? cover : 0), -10, 30)), // cover is counted here
    proficiency: clamp(numberAt(system, "attributes.prof"), 0, 12),
    attacks: named(used.flatMap(attackOf)).slice(0, MOST.attacks),
    effects: named(used.flatMap(effectOf)).slice(0, MOST.effects),
    ...{
      resistances: words(system, "dr"),
      vulnerabilities: words(system, "dv"),
      immunities: words(system, "di"),
    },
    is_character: actor.type === "character",
    exhaustion: clamp(numberAt(system, "attributes.exhaustion"), 0, 6),
    is_prepared: true,
  };
}

/** @typedef {{item: Foundry.Item, activity: any}} Used */

/** @param {Used} used @returns {Attack[]} none for an activity without an attack that can be read */
function attackOf({ item, activity }) {
  const type = valueAt(activity, "attack.type.value");
  const bonus = Number(activity.labels?.modifier ?? NaN);
  if ((type !== "melee" && type !== "ranged") || !Number.isFinite(bonus)) return [];
  const range = rangeOf({ item, activity });
  const isThrown = type === "melee" && range.normal > 0 && item.system.properties?.has?.("thr") === true;
  const isFar = type === "ranged" || isThrown;
  return [
    {
      name: item.name,
      kind: isThrown ? "both" : type,
      bonus: clamp(bonus, -20, 40),
      reach: type === "melee" ? range.reach || 5 : 0,
      ...{ normal: isFar ? range.normal : 0, long: isFar ? range.long : 0 },
      damage: damageOf(activity),
    },
  ];
}

/** @param {Used} used @returns {Effect[]} none for an activity without an area and a save */
function effectOf({ item, activity }) {
  const difficulty = numberAt(activity, "save.dc.value");
  const { type = "", size = 0, width = 0 } = valueAt(activity, "target.template") ?? {};
  const shape = Object.hasOwn(SHAPES, type) ? SHAPES[type] : "";
  const factor = valueAt(activity, "target.template.units") === "m" ? FEET_OF_METER : 1;
  if (!difficulty || !shape || !(Number(size) > 0)) return [];
  const ability = valueAt(activity, "save.ability");
  const save = typeof ability === "string" ? ability : [...(ability ?? [])][0];
  return [
    {
      ...{
        name: item.name,
        shape,
        size: feet(Number(size) * factor),
        width: feet(Number(width) * factor) || 5,
      },
      range: rangeOf({ item, activity }).normal,
      save: ABILITIES.includes(save) ? save : "dex",
      difficulty: clamp(difficulty, 1, 40),
      damage: damageOf(activity),
      half: valueAt(activity, "damage.onSave") === "half",
    },
  ];
}

/**
 * Returns the reach and the ranges of a weapon as the item has them, because its activity's range is the long one; else
 * those of the activity.
 * @param {Used} used
 */
function rangeOf({ item, activity }) {
  const isOwn = valueAt(activity, "range.override") === true || !item.system.range;
  const range = (isOwn ? activity.range : item.system.range) ?? {};
  const factor = range.units === "m" ? FEET_OF_METER : 1;
  const at = (/** @type {string} */ name) => feet(numberAt(range, name) * factor);
  return { reach: at("reach"), normal: at("value"), long: at("long") };
}

const TERM = /([+-]?)\s*(?:(\d+)d(\d+)|(\d+))/g;

/**
 * Returns the parts of damage that an activity shows: dice and numbers. A formula with anything else is no part.
 * @param {any} activity
 * @returns {DamagePart[]}
 */
function damageOf(activity) {
  const shown = /** @type {any[]} */ (activity.labels?.damage ?? activity.labels?.damages ?? []);
  return shown
    .flatMap(({ formula, damageType }) => partsOf(String(formula ?? ""), String(damageType ?? "")))
    .slice(0, MOST.parts);
}

/** @param {string} formula @param {string} damageType @returns {DamagePart[]} one for each kind of die */
export function partsOf(formula, damageType) {
  const plain = formula.slice(0, 200).replace(/\[[^\]]*\]|\s/g, "");
  if (!plain || plain.replace(TERM, "")) return [];
  const type = damageType.slice(0, MOST.name);
  const parts = /** @type {DamagePart[]} */ ([]);
  let bonus = 0;
  for (const [, sign, count, sides, number] of plain.matchAll(TERM)) {
    if (number) bonus += Number(number) * (sign === "-" ? -1 : 1);
    else
      parts.push({
        dice: Math.min(MOST.dice, Number(count)),
        sides: Math.min(MOST.sides, Number(sides)),
        bonus: 0,
        type,
      });
  }
  if (!parts.length) return [{ dice: 0, sides: 0, bonus: clamp(bonus, -100, 200), type }];
  parts[0].bonus = clamp(bonus, -100, 200);
  return parts;
}

/** Makes names differ, as the server asks for an attack by its name. @template {{name: string}} T @param {T[]} list */
function named(list) {
  const seen = /** @type {Map<string, number>} */ (new Map());
  return list.map((one) => {
    const name = one.name.slice(0, MOST.name - 4) || "?";
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return { ...one, name: count > 1 ? `${name} ${count}` : name };
  });
}

/** A number to 4.2, an object since. @param {any} system @param {string} id */
const saveOf = (system, id) =>
  Number(
    firstValue(system, { path: `abilities.${id}.save.value`, older: [`abilities.${id}.save`] })?.value,
  ) || 0;

/** @param {any} system @param {string} trait @returns {string[]} */
const words = (system, trait) =>
  [...(valueAt(system, `traits.${trait}.value`) ?? [])]
    .filter((one) => typeof one === "string" && one && one.length <= MOST.name)
    .slice(0, MOST.words);

/** @param {any} from @param {string} path @returns {number} 0 for what is none */
const numberAt = (from, path) => {
  const value = Number(valueAt(from, path));
  return Number.isFinite(value) ? value : 0;
};

/** @param {number} value */
const feet = (value) => clamp(Math.round(value * 100) / 100, 0, MOST.feet);

/** @param {number} value @param {number} least @param {number} most */
const clamp = (value, least, most) => Math.min(most, Math.max(least, value));
