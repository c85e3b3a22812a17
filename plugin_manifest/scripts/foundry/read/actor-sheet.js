/**
 * An actor's sheet in one shape for all systems, and the profile that a ruleset takes of it: the fields that both have by
 * the same name. The server makes profiles of exported actors in the same way (rules/sheets.py).
 */

import { firstValue } from "./actor-profile.js";
import { dnd5eActs } from "./dnd5e-acts.js";
import { SYSTEM_PLACES } from "./system-places.js";
import { WEAPONS, conditionsOf } from "./system-weapons.js";

/** @import {Schema} from "./actor-profile.js" */
/** @import {Band} from "./system-weapons.js" */

/**
 * An actor's values; lengths are in feet. What is 0 or empty is not known.
 * @typedef {object} Sheet
 * @property {string} size
 * @property {Record<string, number>} speeds
 * @property {Record<string, number>} senses
 * @property {number} reach
 * @property {Band[]} ranges
 * @property {number} armor_class
 * @property {number} hit_points
 * @property {string[]} conditions
 * A system whose actors tell more adds it by the names of the server's sheets.
 */

const [FEET_OF_METER, METERS_OF_FOOT] = [10 / 3, 0.3];
const METERS = /^m(et(er|re)s?)?\.?$/i;
/** The fields of a sheet that are lengths. */
const LENGTHS = new Set(["speeds", "senses", "reach", "ranges"]);
/** The server takes no more. */
const MOST = { ranges: 40, conditions: 60, name: 60, length: 10_000 };

/**
 * Returns an actor's sheet; null in a system that is not known.
 * @param {Foundry.Actor} actor
 * @param {string} system its ID
 * @returns {Sheet | null}
 */
export function sheetOf(actor, system) {
  const places = Object.hasOwn(SYSTEM_PLACES, system) ? SYSTEM_PLACES[system] : null;
  if (!places) return null;
  const at = (/** @type {string[]} */ [path = "", ...older]) =>
    firstValue(actor.system, { path, older })?.value;
  const number = (/** @type {string[]} */ paths) => Number(at(paths)) || 0;
  const units = places.units ? at([places.units]) : "";
  const feet = (places.feet ?? 1) * (METERS.test(String(units)) ? FEET_OF_METER : 1);
  const lengths = (/** @type {Record<string, string[]>} */ of) =>
    Object.fromEntries(
      Object.entries(of).flatMap(([name, paths]) =>
        number(paths) > 0 ? [[name, number(paths) * feet]] : [],
      ),
    );
  const cover = places.cover ? number([places.cover]) : 0;
  const weapons = WEAPONS[system]?.(actor) ?? { reach: 0, ranges: [] };
  return {
    size: places.sizes[String(at(places.size))] ?? "medium",
    speeds: lengths(places.speeds),
    senses: lengths(places.senses ?? {}),
    ...{ reach: weapons.reach, ranges: weapons.ranges.map(shortNamed) },
    armor_class: Math.max(0, Math.floor(number(places.armorClass) - cover)),
    hit_points: Math.max(0, Math.floor(number(places.hitPoints))),
    conditions: conditionsOf(actor)
      .filter(({ length }) => length <= MOST.name)
      .slice(0, MOST.conditions),
    ...(system === "dnd5e" ? dnd5eActs(actor) : {}),
  };
}

/** @param {Band} band */
const shortNamed = (band) => ({ ...band, name: band.name.slice(0, MOST.name) || "?" });

/**
 * Returns the profile that a ruleset takes of a sheet, in the units of a map.
 * @param {Sheet} sheet
 * @param {Record<string, Schema>} fields of the ruleset's profile
 * @param {string} units of the scene's grid
 * @returns {Record<string, unknown>}
 */
export function sheetProfile(sheet, fields, units) {
  const factor = METERS.test(units.trim()) ? METERS_OF_FOOT : 1;
  const known = Object.entries({ ...sheet, ranges: sheet.ranges.slice(0, MOST.ranges) });
  const taken = known.filter(([name, value]) => Object.hasOwn(fields, name) && !isEmpty(value));
  return Object.fromEntries(
    taken.map(([name, value]) => [name, LENGTHS.has(name) ? scaled(value, factor) : value]),
  );
}

/** @param {unknown} value */
const isEmpty = (value) => !value || (typeof value === "object" && Object.keys(value).length === 0);

/** @param {any} value with lengths in it @param {number} factor @returns {any} */
function scaled(value, factor) {
  if (typeof value === "number") return Math.min(MOST.length, Math.round(value * factor * 100) / 100);
  if (Array.isArray(value)) return value.map((one) => scaled(one, factor));
  if (typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, scaled(one, factor)]));
}
