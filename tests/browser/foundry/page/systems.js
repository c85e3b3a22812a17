// Actors as game systems prepare them: values that no source holds, values behind fields, and values that are getters of a
// class. Written from the systems' public code; a generation's world has the version of its time: dnd5e 4 and pf2e 6 in
// Foundry 12, dnd5e 5 and pf2e 7 in 13, dnd5e 6 and pf2e 8 in 14. Synthetic: only what a profile may be read from.

const FEET_A_SQUARE = 5;
const MODES = ["walk", "burrow", "climb", "fly", "swim"];
const SENSES = ["darkvision", "blindsight", "tremorsense", "truesight"];

/** Prepares the data of an actor, with what its effects add: what the module reads as `actor.system`. */
export function preparedSystem(system, { source, items, generation }) {
  const data = withEffects(structuredClone(source.system ?? {}), source.effects ?? []);
  const prepare = PREPARED[system];
  return prepare ? prepare(data, { source, items, generation }) : data;
}

/** Adds the changes of effects, which 14 keeps in the effect's `system`: D12 D13 ActiveEffectData, D14 EffectChangeData. */
function withEffects(data, effects) {
  for (const { key, value } of effects.flatMap((one) => one.system?.changes ?? one.changes ?? [])) {
    const steps = key.split(".").slice(1);
    const last = steps.pop();
    const holder = steps.reduce((at, step) => (at[step] ??= {}), data);
    holder[last] = (holder[last] ?? 0) + Number(value);
  }
  return data;
}

/** Prepares the data of an item. */
export function preparedItem(system, { source, generation }) {
  const data = structuredClone(source.system ?? {});
  const Model = ITEMS[system]?.[source.type];
  return Model ? new Model(data, generation) : data;
}

/** Warns as a moved place does: C dnd5e:module/data/shared/senses-field.mjs, I foundryvtt/pf2e#20834. */
function moved(holder, key, get) {
  const warned = () => {
    (window.host.warned ??= []).push(key);
    console.warn(`${key} has moved`);
    return get();
  };
  Object.defineProperty(holder, key, { get: warned, enumerable: true, configurable: true });
}

const COVER = { coverHalf: 2, coverThreeQuarters: 5 };
/** The bonus of a status of cover to armor class and Dexterity saves, since 4.1. */
const coverOf = ({ statuses = [] }) => Math.max(0, ...statuses.map((id) => COVER[id] ?? 0));
const modifier = (score) => Math.floor(((score ?? 10) - 10) / 2);
/** A formula of one number, as most speeds are. */
const simplified = (formula) => Math.max(0, Number(formula) || 0);

// dnd5e: C dnd5e:module/data/actor/templates/attributes.mjs, common.mjs, module/data/actor/character.mjs, npc.mjs

class Dnd5eCreature {
  constructor(data) {
    Object.assign(this, data);
  }

  /** A getter of the class, as systems have many: never an own value. */
  get isCreature() {
    return true;
  }
}

function dnd5e(data, { source, items, generation }) {
  if (source.type === "group") return data; // no creature: C module/data/actor/group.mjs
  const stored = data.abilities ?? {};
  const system = new Dnd5eCreature(data);
  const isCharacter = source.type === "character";
  const ofType = (type) => items.filter((item) => item.type === type);
  const level = ofType("class").reduce((sum, item) => sum + (item.system.levels ?? 0), 0);
  const details = (system.details = { ...data.details });
  if (isCharacter) {
    details.level = level; // never in the source: C character.mjs
    // The source has the item's ID; the value is the item: C dnd5e:module/data/fields/local-document-field.mjs.
    const id = data.details?.race;
    const race = () => items.find((item) => item.id === id) ?? id ?? null;
    Object.defineProperty(details, "race", { get: race, enumerable: true });
  }
  const attributes = (system.attributes = { ...data.attributes });
  attributes.prof = Math.floor(((isCharacter ? level : (data.details?.cr ?? 0)) + 7) / 4);
  system.abilities = dnd5eAbilities(stored, attributes.prof, generation, coverOf(source));
  dnd5eHitPoints(system, { isCharacter, level });
  dnd5eArmor(system, items, coverOf(source));
  dnd5eMovement(attributes, generation);
  dnd5eSenses(attributes, generation);
  system.traits = { size: "med", ...data.traits };
  return system;
}

/** The modifier is prepared; the save is a number to 4.2 and an object since: C common.mjs at 4.0.0, 4.4.4. */
function dnd5eAbilities(stored, prof, generation, cover) {
  const one = ({ value = 10, proficient = 0 } = {}, bonus = 0) => {
    const save = modifier(value) + proficient * prof + bonus;
    return { value, proficient, mod: modifier(value), save: generation < 13 ? save : { value: save } };
  };
  return Object.fromEntries(
    ["str", "dex", "con", "int", "wis", "cha"].map((id) => [id, one(stored[id], id === "dex" ? cover : 0)]),
  );
}

/** The greatest number of a character is null in the source: C attributes.mjs prepareHitPoints. */
function dnd5eHitPoints({ attributes, abilities }, { isCharacter, level }) {
  const { value = 0, max = null, temp = null } = attributes.hp ?? {};
  const whole = max ?? (isCharacter ? level * (5 + abilities.con.mod) : 0);
  attributes.hp = { value, max: whole, temp, effectiveMax: whole };
}

/** Armor class exists at run time only: C attributes.mjs prepareArmorClass. */
function dnd5eArmor({ attributes, abilities }, items, ofStatus) {
  const { calc = "default", flat = 10 } = attributes.ac ?? {};
  // A status of cover counts since 4.1, but not for a flat number: C module/documents/actor/actor.mjs coverBonus.
  const cover = calc === "flat" ? 0 : ofStatus;
  const worn = items.find((item) => item.type === "equipment" && item.system.equipped);
  const value = calc === "flat" ? flat : (worn?.system.armor?.value ?? 10) + abilities.dex.mod;
  attributes.ac = { calc, flat, cover, value: value + cover };
}

/** A number to 5.1, a formula in the source since; `speeds` in 6, the old place warns: I foundryvtt/dnd5e#7201. */
function dnd5eMovement(attributes, generation) {
  const source = attributes.movement ?? {};
  const stored = generation >= 14 ? (source.speeds ?? {}) : source;
  const speeds = Object.fromEntries(MODES.map((mode) => [mode, simplified(stored[mode])]));
  const movement = (attributes.movement = { units: source.units ?? "ft", hover: source.hover ?? false });
  if (generation < 14) Object.assign(movement, speeds);
  else {
    movement.speeds = speeds;
    for (const mode of MODES) moved(movement, mode, () => speeds[mode]);
  }
}

/** `ranges` since 5.3, the old place warns: C senses-field.mjs. */
function dnd5eSenses(attributes, generation) {
  const source = attributes.senses ?? {};
  const of = generation >= 13 ? (source.ranges ?? {}) : source;
  const ranges = Object.fromEntries(SENSES.map((sense) => [sense, of[sense] ?? null]));
  const senses = (attributes.senses = { units: source.units ?? "ft", special: source.special ?? "" });
  if (generation < 13) Object.assign(senses, ranges);
  else {
    senses.ranges = ranges;
    for (const sense of SENSES) moved(senses, sense, () => ranges[sense]);
  }
}

/** A weapon: C dnd5e:module/data/item/weapon.mjs. Whether it is for melee is a getter of its class. */
class Dnd5eWeapon {
  constructor(data) {
    Object.assign(this, { properties: [], range: {}, type: {} }, data);
    this.properties = new Set(this.properties);
    const { value = null, long = null, reach = null, units = "ft" } = this.range;
    const isRanged = this.attackType === "ranged";
    const near = reach ?? (this.properties.has("rch") ? 2 : 1) * FEET_A_SQUARE;
    this.range = { value, long: value ? long : null, reach: isRanged ? null : near, units };
    this.activities = collectionOf((data.activities ?? []).map((one) => new Dnd5eActivity(one, this)));
  }

  /** Null for natural and improvised weapons: C weapon.mjs, config.mjs weaponTypeMap. */
  get attackType() {
    return (
      { simpleM: "melee", martialM: "melee", simpleR: "ranged", martialR: "ranged" }[this.type.value] ?? null
    );
  }
}

/** An activity of a weapon: C dnd5e:module/data/activity/attack-data.mjs. */
class Dnd5eActivity {
  #weapon;

  constructor(data, weapon) {
    Object.assign(this, data);
    this.#weapon = weapon;
    // Prepared of the item where the source leaves it empty.
    const value = data.attack?.type?.value || (weapon.attackType ?? "melee");
    this.attack = { ...data.attack, type: { value, classification: "weapon" } };
    // Since 5.3 the long range or the reach stands in the activity's own range.
    this.range = { value: weapon.range.long ?? weapon.range.value ?? weapon.range.reach };
    const bonus = data.attack?.bonus ?? 0;
    this.labels = {
      modifier: `${bonus < 0 ? "-" : "+"}${Math.abs(bonus)}`,
      damage: (weapon.damage?.base ? [weapon.damage.base] : []).map((base) => ({
        formula: base.formula,
        damageType: base.damageType,
      })),
    };
  }

  get ability() {
    return this.#weapon.properties.has("fin") ? "dex" : "str";
  }

  get actionType() {
    return `${this.attack.type.value === "melee" ? "m" : "r"}wak`;
  }
}

/** An embedded collection iterates over its values. */
function collectionOf(values) {
  const map = new Map(values.map((one) => [one._id, one]));
  map[Symbol.iterator] = () => map.values();
  return map;
}

// pf2e: C foundryvtt/pf2e:src/module/actor/creature/document.ts, 7H3LaughingMan/foundry-pf2e types

function pf2e(data, { items, generation }) {
  const attributes = { ...data.attributes };
  const system = { ...data, attributes };
  system.abilities = Object.fromEntries(
    Object.entries(data.abilities ?? {}).map(([id, { mod }]) => [id, { mod }]),
  );
  attributes.hp = { temp: 0, ...attributes.hp };
  attributes.hp.max ??= attributes.hp.value;
  const land = simplified(attributes.speed?.value);
  const others = (attributes.speed?.otherSpeeds ?? []).map(({ type, value }) => ({
    type,
    total: simplified(value),
  }));
  pf2eSpeeds(system, { land, others, generation });
  const sizes = { tiny: 2.5, sm: 5, med: 5, lg: 10, huge: 15, grg: 20 };
  const size = data.traits?.size?.value ?? "med";
  system.traits = {
    value: [],
    ...data.traits,
    size: { value: size, length: sizes[size], width: sizes[size] },
  };
  attributes.reach = { base: attributes.reach?.base ?? FEET_A_SQUARE };
  // Strikes exist at run time only.
  system.actions = items
    .filter((item) => item.type === "melee" || item.type === "weapon")
    .map((item) => ({
      slug: item.name.toLowerCase(),
      label: item.name,
      ready: true,
      totalModifier: item.system.bonus?.value ?? 0,
      item,
    }));
  return system;
}

/** `movement.speeds` since 7.5; in 7 the old place warns, in 8 it is gone: I foundryvtt/pf2e#20176. */
function pf2eSpeeds(system, { land, others, generation }) {
  const speed = { value: land, total: land, otherSpeeds: others };
  if (generation < 13) return Object.assign(system.attributes, { speed });
  const speeds = Object.fromEntries(
    ["climb", "fly", "swim", "burrow"].map((mode) => [mode, others.find(({ type }) => type === mode)]),
  );
  const valueOf = (found) => (found ? { value: found.total, base: found.total, source: null } : null);
  system.movement = {
    speeds: {
      land: { value: land, base: land, source: null },
      ...Object.fromEntries(Object.entries(speeds).map(([mode, found]) => [mode, valueOf(found)])),
      travel: { value: land, base: land, source: null },
    },
  };
  delete system.attributes.speed;
  if (generation < 14) moved(system.attributes, "speed", () => speed);
  return system;
}

/** A strike of a creature: its reach, range and kind are getters: C 7H3LaughingMan/foundry-pf2e:types/pf2e/module/item/melee. */
class Pf2eStrike {
  constructor(data) {
    Object.assign(this, { traits: { value: [] } }, data);
  }
}

// swade: C javierriveracastro/betteroll-swade:scripts

function swade(data, { generation }) {
  const system = { ...data, stats: { ...data.stats } };
  const speed = data.stats?.speed?.value ?? 6;
  if (generation < 14) system.stats.speed = { ...data.stats?.speed, value: speed, adjusted: speed };
  else {
    delete system.stats.speed;
    system.pace = { ground: data.pace?.ground ?? speed, fly: data.pace?.fly ?? null };
  }
  system.stats.toughness = { value: 2 + Math.floor((data.attributes?.vigor?.die?.sides ?? 4) / 2) };
  return system;
}

const PREPARED = { dnd5e, pf2e, swade };
const ITEMS = { dnd5e: { weapon: Dnd5eWeapon }, pf2e: { melee: Pf2eStrike } };
