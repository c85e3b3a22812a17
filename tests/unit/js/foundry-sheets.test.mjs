import assert from "node:assert/strict";
import { test } from "node:test";
import { sheetOf, sheetProfile } from "../../../plugin_manifest/scripts/foundry/read/actor-sheet.js";
import { dnd5eNpc, pf2eNpc, swadeCharacter } from "../../browser/foundry/actors.mjs";
import { preparedItem, preparedSystem } from "../../browser/foundry/page/systems.js";

const GENERATIONS = [12, 13, 14];
const FIELDS = ["speeds", "reach", "ranges", "size", "senses", "armor_class", "hit_points", "conditions"];

/** Returns an actor as the stand-in of a generation prepares it. */
function prepared(system, generation, source, statuses = []) {
  const made = source.items.map((item) => ({
    ...{ id: item._id, name: item.name, type: item.type },
    system: preparedItem(system, { source: item, generation }),
  }));
  const items = Object.assign([...made], { contents: made });
  return {
    system: preparedSystem(system, { source, items: made, generation }),
    items,
    statuses: new Set(statuses),
  };
}

const weapon = (name, type, range, more = {}) => ({
  ...{ _id: `item-${name}`, name, type: "weapon" },
  system: {
    type: { value: type },
    range,
    activities: [{ _id: "a", attack: { type: { value: "" } } }],
    ...more,
  },
});

for (const generation of GENERATIONS) {
  test(`a creature of dnd5e in the shape of Foundry ${generation}: speeds, reach, ranges, senses, armor class`, () => {
    const scores = { str: 8, dex: 14, con: 10 };
    const source = dnd5eNpc(generation, {
      ...{ id: "g", name: "Goblin", scores, hp: 7, walk: 30 },
      items: [
        weapon("Glaive", "martialM", {}, { properties: ["rch"] }),
        weapon("Shortbow", "simpleR", { value: 80, long: 320, units: "ft" }),
        weapon("Handaxe", "simpleM", { value: 20, long: 60, units: "ft" }, { properties: ["thr"] }),
        { _id: "i", name: "Potion", type: "consumable", system: {} },
      ],
    });
    const sees = generation < 13 ? { darkvision: 60 } : { ranges: { darkvision: 60 } };
    source.system.attributes.senses = sees;
    const sheet = sheetOf(prepared("dnd5e", generation, source, ["prone"]), "dnd5e");
    const { abilities, saves, attacks, ...rest } = sheet;
    assert.deepEqual(
      attacks.map(({ name, kind, reach, normal, long }) => [name, kind, reach, normal, long]),
      [
        ["Glaive", "melee", 10, 0, 0],
        ["Shortbow", "ranged", 0, 80, 320],
        ["Handaxe", "both", 5, 20, 60],
      ],
    );
    assert.deepEqual([abilities.dex, saves.dex, saves.str], [14, 2, -1]);
    assert.deepEqual(rest, {
      ...{ proficiency: 1, effects: [], resistances: [], vulnerabilities: [], immunities: [] },
      ...{ is_character: false, exhaustion: 0, is_prepared: true },
      ...{ size: "medium", speeds: { walk: 30 }, senses: { darkvision: 60 }, reach: 10 },
      ranges: [
        { name: "Shortbow", normal: 80, long: 320 },
        { name: "Handaxe", normal: 20, long: 60 },
      ],
      ...{ armor_class: 12, hit_points: 7, conditions: ["prone"] },
    });
  });

  test(`a natural weapon of dnd5e with a range strikes from afar in Foundry ${generation}, whatever reach it has`, () => {
    const source = dnd5eNpc(generation, {
      ...{ id: "m", name: "Manticore", scores: {}, hp: 68, walk: 30 },
      items: [
        weapon(
          "Tail spike",
          "natural",
          { value: 100, long: 200, units: "ft" },
          {
            activities: [{ _id: "a", attack: { type: { value: "ranged" } } }],
          },
        ),
      ],
    });
    const { reach, ranges } = sheetOf(prepared("dnd5e", generation, source), "dnd5e");
    assert.deepEqual([reach, ranges], [0, [{ name: "Tail spike", normal: 100, long: 200 }]]);
  });

  test(`a creature of pf2e in the shape of Foundry ${generation}: traits of strikes, conditions that are items`, () => {
    const strike = (name, traits) => ({
      _id: name,
      name,
      type: "melee",
      system: { traits: { value: traits } },
    });
    const source = pf2eNpc(generation, {
      ...{ id: "g", name: "Goblin", mods: { str: 1 }, hp: 6, land: 25, level: -1 },
      items: [
        strike("Whip", ["reach-10"]),
        strike("Shortbow", ["range-increment-60"]),
        { _id: "c", name: "Frightened", type: "condition", system: { slug: "frightened" } },
      ],
    });
    const sheet = sheetOf(prepared("pf2e", generation, source), "pf2e");
    assert.deepEqual(sheet, {
      ...{ size: "small", speeds: { walk: 25 }, senses: {}, reach: 10 },
      ranges: [{ name: "Shortbow", normal: 60, long: 360 }],
      ...{ armor_class: 16, hit_points: 6, conditions: ["frightened"] },
    });
  });

  test(`a character of swade in the shape of Foundry ${generation}: squares become feet`, () => {
    const source = swadeCharacter(generation, {
      ...{ id: "b", name: "Brute", dice: { vigor: 8 }, wounds: 3, pace: 6 },
      items: [{ _id: "p", name: "Pistol", type: "weapon", system: { range: "12/24/48" } }],
    });
    const { speeds, ranges, armor_class: parry } = sheetOf(prepared("swade", generation, source), "swade");
    assert.deepEqual([speeds, ranges, parry], [{ walk: 30 }, [{ name: "Pistol", normal: 60, long: 240 }], 5]);
  });
}

test("a profile has the fields of the ruleset that the sheet tells, in the units of the map", () => {
  const sheet = {
    ...{
      size: "large",
      speeds: { walk: 30, fly: 60 },
      senses: {},
      reach: 10,
      armor_class: 13,
      hit_points: 0,
    },
    ...{ ranges: [{ name: "Bow", normal: 80, long: 320 }], conditions: [] },
  };
  const fields = Object.fromEntries(FIELDS.map((name) => [name, {}]));
  assert.deepEqual(sheetProfile(sheet, fields, "ft"), {
    ...{ size: "large", speeds: { walk: 30, fly: 60 }, reach: 10, armor_class: 13 },
    ranges: [{ name: "Bow", normal: 80, long: 320 }],
  });
  assert.deepEqual(sheetProfile(sheet, { speeds: {}, ranges: {} }, "m"), {
    speeds: { walk: 9, fly: 18 },
    ranges: [{ name: "Bow", normal: 24, long: 96 }],
  });
  assert.deepEqual(sheetProfile(sheet, { strength: {} }, "ft"), {});
});

test("a system that is not known has no sheet", () => {
  for (const system of ["lancer", "constructor", "__proto__"])
    assert.equal(sheetOf({ system: {}, items: [], statuses: new Set() }, system), null);
});
