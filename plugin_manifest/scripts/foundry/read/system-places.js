/**
 * The places of an actor's values in game systems: paths inside its prepared `system`, the newest place first, because a
 * moved place warns and then goes. The server reads exported actors by the same places (importers/actors/systems.py).
 */

/** @typedef {"walk" | "climb" | "swim" | "fly" | "burrow"} Mode */

/**
 * @typedef {object} SystemPlaces
 * @property {Partial<Record<Mode, string[]>>} speeds
 * @property {string[]} hitPoints the greatest number
 * @property {string[]} armorClass
 * @property {string} [cover] the place of the bonus that the system counts in the armor class for cover
 * @property {string[]} size
 * @property {Record<string, string>} sizes the size of each of the system's words
 * @property {Record<string, string[]>} [senses]
 * @property {string} [units] the place of the units of speeds and senses; without one they are feet
 * @property {number} [feet] the feet of one of the system's lengths
 */

const MODES = /** @type {const} */ (["walk", "climb", "swim", "fly", "burrow"]);
const SENSES = ["darkvision", "blindsight", "tremorsense", "truesight"];
const SIZES = { tiny: "tiny", sm: "small", med: "medium", lg: "large", huge: "huge", grg: "gargantuan" };

/** @param {readonly string[]} names @param {(name: string) => string[]} places */
const each = (names, places) => Object.fromEntries(names.map((name) => [name, places(name)]));

/** @type {SystemPlaces} */
const PF2E = {
  speeds: {
    walk: ["movement.speeds.land.value", "attributes.speed.total"],
    ...each(MODES.slice(1), (mode) => [`movement.speeds.${mode}.value`]),
  },
  hitPoints: ["attributes.hp.max"],
  armorClass: ["attributes.ac.value"],
  size: ["traits.size.value"],
  sizes: SIZES,
};

/**
 * @type {Record<string, SystemPlaces>} by system ID
 * @source C foundryvtt/dnd5e:module/data/actor/templates/attributes.mjs, traits.mjs, module/data/shared/senses-field.mjs at
 *   release-4.0.4 to 5.3.3, I foundryvtt/dnd5e#7201 (speeds of 6); C foundryvtt/pf2e:src/module/actor/creature/document.ts, I
 *   foundryvtt/pf2e#20176 (speeds of 7.5); C javierriveracastro/betteroll-swade:scripts; C worldbuilding:template.json
 */
export const SYSTEM_PLACES = {
  dnd5e: {
    speeds: each(MODES, (mode) => [`attributes.movement.speeds.${mode}`, `attributes.movement.${mode}`]),
    hitPoints: ["attributes.hp.effectiveMax", "attributes.hp.max"],
    armorClass: ["attributes.ac.value"],
    cover: "attributes.ac.cover",
    size: ["traits.size"],
    sizes: SIZES,
    senses: each(SENSES, (sense) => [`attributes.senses.ranges.${sense}`, `attributes.senses.${sense}`]),
    units: "attributes.movement.units",
  },
  pf2e: PF2E,
  sf2e: PF2E,
  swade: {
    speeds: {
      walk: ["pace.ground", "stats.speed.adjusted", "stats.speed.value"],
      ...each(MODES.slice(2), (mode) => [`pace.${mode}`]),
    },
    hitPoints: ["wounds.max"],
    armorClass: ["stats.parry.value"],
    size: [],
    sizes: {},
    feet: 5,
  },
  worldbuilding: {
    speeds: { walk: ["attributes.speed.value"] },
    hitPoints: ["health.max"],
    armorClass: ["attributes.armor.value", "attributes.ac.value"],
    size: [],
    sizes: {},
  },
};
