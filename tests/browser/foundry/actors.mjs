// Synthetic actors, as each version of a system writes them down: what the system prepares is not in them.

const BASE = { statuses: [], items: [], effects: [], ownership: { default: 0 }, flags: {} };

const prototypeToken = (name, more) => ({
  ...{ name, width: 1, height: 1, elevation: 0, rotation: 0, hidden: false, disposition: -1 },
  ...{ texture: { src: null }, bar1: { attribute: "attributes.hp" }, actorLink: false, flags: {}, ...more },
});

/** Returns the speeds of a dnd5e actor: numbers in 4, formulas in 5, and in a place of their own in 6. */
function speeds(generation, walk) {
  if (generation < 13) return { walk, units: "ft" };
  const formulas = { walk: String(walk) };
  return generation < 14 ? { ...formulas, units: "ft" } : { speeds: formulas, units: "ft" };
}

const abilities = (scores) =>
  Object.fromEntries(Object.entries(scores).map(([id, value]) => [id, { value }]));

/** A creature of dnd5e 4, 5 or 6. */
export const dnd5eNpc = (generation, { id, name, scores, hp, walk, items = [], token = {} }) => ({
  ...structuredClone(BASE),
  ...{ _id: id, name, type: "npc", items, prototypeToken: prototypeToken(name, token) },
  system: {
    abilities: abilities(scores),
    attributes: { hp: { value: hp, max: hp }, ac: { calc: "default" }, movement: speeds(generation, walk) },
    details: { cr: 0.25, type: { value: "humanoid" } },
    traits: { size: "med" },
  },
});

/** A character of dnd5e 4, 5 or 6: its greatest hit points come of its class, its race is an item. */
export const dnd5eCharacter = (generation, { id, name, scores, walk, levels, race, items = [], owner }) => ({
  ...structuredClone(BASE),
  ...{ _id: id, name, type: "character", prototypeToken: prototypeToken(name, { actorLink: true }) },
  items: [
    { _id: "itemitemclass001", name: "Fighter", type: "class", system: { levels } },
    { _id: "itemitemrace0001", name: race, type: "race", system: {} },
    ...items,
  ],
  system: {
    abilities: abilities(scores),
    attributes: { hp: { value: 7, max: null }, ac: { calc: "default" }, movement: speeds(generation, walk) },
    details: { race: "itemitemrace0001" },
    traits: { size: "med" },
  },
  ownership: { default: 0, ...(owner ? { [owner]: 3 } : {}) },
});

/** A creature of pf2e 6, 7 or 8. */
export const pf2eNpc = (_generation, { id, name, mods, hp, land, level, items = [], token = {} }) => ({
  ...structuredClone(BASE),
  ...{ _id: id, name, type: "npc", items, prototypeToken: prototypeToken(name, token) },
  system: {
    abilities: Object.fromEntries(Object.entries(mods).map(([key, mod]) => [key, { mod }])),
    attributes: { hp: { value: hp, max: hp }, ac: { value: 16 }, speed: { value: land, otherSpeeds: [] } },
    details: { level: { value: level } },
    traits: { value: ["goblin"], size: { value: "sm" } },
  },
});

/** A character of swade. */
export const swadeCharacter = (_generation, { id, name, dice, wounds, pace, items = [], token = {} }) => ({
  ...structuredClone(BASE),
  ...{ _id: id, name, type: "character", items, prototypeToken: prototypeToken(name, token) },
  system: {
    attributes: Object.fromEntries(Object.entries(dice).map(([key, sides]) => [key, { die: { sides } }])),
    wounds: { value: 0, max: wounds },
    stats: { speed: { value: pace }, size: 0, parry: { value: 5 } },
    pace: { ground: pace },
  },
});
