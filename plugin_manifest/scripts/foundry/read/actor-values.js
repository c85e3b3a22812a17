/**
 * A table of the values in game systems that fill a unit's profile, as paths inside an actor's `system`. The GM's
 * own paths, in the world's settings, come before these.
 */

/**
 * The value at a path, less a number and divided by another. `older` are its places in earlier versions of the system,
 * the newest first: they are asked only if the value is nowhere newer, because a moved place warns.
 * @typedef {{path: string, older?: string[], less?: number, by?: number}} ActorValue
 */

/** @typedef {"strength" | "agility" | "health" | "hitPoints" | "speed" | "level" | "race"} ValueName */

/** A square of swade is 5 feet. */
const FEET = 1 / 5;

/** A system's die as a modifier: a d4 is 0, a d6 is 1. @param {string} name @returns {ActorValue} */
const die = (name) => ({ path: `attributes.${name}.die.sides`, less: 4, by: 2 });

/**
 * @type {Record<string, Partial<Record<ValueName, ActorValue>>>} by system ID
 * @source C foundryvtt/dnd5e:module/data/actor/templates/attributes.mjs, common.mjs, details.mjs, I foundryvtt/dnd5e#7201
 *   (speeds of 6), module/data/actor/character.mjs (a race is an item); C farling42/fvtt-pdf-pager:systems/pf2e.mjs, C
 *   foundryvtt/pf2e:src/module/actor/creature/document.ts, I foundryvtt/pf2e#20176 (speeds of 7.5); C betterrolls-swade2 and
 *   swade sheets (attributes' dice, pace); C worldbuilding:template.json
 */
export const SYSTEM_VALUES = {
  dnd5e: {
    strength: { path: "abilities.str.mod" },
    agility: { path: "abilities.dex.mod" },
    health: { path: "abilities.con.mod" },
    hitPoints: { path: "attributes.hp.max" },
    speed: { path: "attributes.movement.speeds.walk", older: ["attributes.movement.walk"] },
    level: { path: "details.level", older: ["details.cr"] },
    race: {
      path: "details.race.name",
      older: ["details.race", "details.type.subtype", "details.type.value"],
    },
  },
  pf2e: {
    strength: { path: "abilities.str.mod" },
    agility: { path: "abilities.dex.mod" },
    health: { path: "abilities.con.mod" },
    hitPoints: { path: "attributes.hp.max" },
    speed: { path: "movement.speeds.land.value", older: ["attributes.speed.total"] },
    level: { path: "details.level.value" },
    race: { path: "details.ancestry.name" },
  },
  swade: {
    strength: die("strength"),
    agility: die("agility"),
    health: die("vigor"),
    hitPoints: { path: "wounds.max" },
    speed: { path: "pace.ground", older: ["stats.speed.adjusted", "stats.speed.value"], by: FEET },
  },
  worldbuilding: {
    strength: { path: "attributes.strength.value" },
    agility: { path: "attributes.agility.value" },
    hitPoints: { path: "health.max" },
  },
};

/**
 * The value that fills each field of a ruleset's profile, and what it is divided by.
 * @type {Record<string, Record<string, {value: ValueName, by?: number}>>} by ruleset and field
 */
export const PROFILE_VALUES = {
  coup_de_grace: { race: { value: "race" } },
  double_life: { race: { value: "race" } },
  knights_of_valour: {
    strength: { value: "strength" },
    agility: { value: "agility" },
    health: { value: "health" },
    damage_points: { value: "hitPoints" },
    movement: { value: "speed" },
  },
  miniatures_combat: { level: { value: "level", by: 4 } },
  torn: { agility: { value: "agility" }, wounds: { value: "hitPoints", by: 10 } },
};
