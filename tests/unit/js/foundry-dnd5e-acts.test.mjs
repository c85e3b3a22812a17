import assert from "node:assert/strict";
import { test } from "node:test";
import { dnd5eActs, partsOf } from "../../../plugin_manifest/scripts/foundry/read/dnd5e-acts.js";

/** Returns an actor as the system prepares it, with some values and items. */
const actor = (system = {}, items = [], type = "npc") => ({ type, system, items: { contents: items } });

const sword = (labels, more = {}) => ({
  name: "Sword",
  type: "weapon",
  system: {
    range: { value: null, long: null, reach: 5, units: "ft" },
    activities: [{ attack: { type: { value: "melee" } }, labels }],
    ...more,
  },
});

test("a formula of dice and numbers becomes parts of damage, and any other none", () => {
  assert.deepEqual(partsOf("2d6 + 1d4[fire] - 1", "fire"), [
    { dice: 2, sides: 6, bonus: -1, type: "fire" },
    { dice: 1, sides: 4, bonus: 0, type: "fire" },
  ]);
  assert.deepEqual(partsOf("5", "cold"), [{ dice: 0, sides: 0, bonus: 5, type: "cold" }]);
  for (const formula of ["", "1d6 * 2", "@mod", "(1d4)", "1d6kh", "max(1, 2)"])
    assert.deepEqual(partsOf(formula, "x"), []);
});

test("an attack has the bonus and the damage that the system shows", () => {
  const labels = { modifier: "+5", damage: [{ formula: "1d8 + 3", damageType: "slashing" }] };
  const { attacks } = dnd5eActs(actor({}, [sword(labels), sword({ ...labels, modifier: "-1" }), sword({})]));
  assert.deepEqual(attacks, [
    {
      ...{ name: "Sword", kind: "melee", bonus: 5, reach: 5, normal: 0, long: 0 },
      damage: [{ dice: 1, sides: 8, bonus: 3, type: "slashing" }],
    },
    { ...attacks[0], name: "Sword 2", bonus: -1 },
  ]);
});

test("an activity with a save and an area is an effect, in feet", () => {
  const breath = {
    name: "Fire Breath",
    type: "feat",
    system: {
      activities: [
        {
          ...{ range: { value: 6, units: "m" }, save: { ability: new Set(["dex"]), dc: { value: 21 } } },
          target: { template: { type: "cone", size: "18", units: "m" } },
          damage: { onSave: "half" },
          labels: { damage: [{ formula: "17d6", damageType: "fire" }] },
        },
        { save: { ability: "con", dc: { value: 12 } }, labels: {} },
      ],
    },
  };
  const { effects } = dnd5eActs(actor({}, [breath]));
  assert.deepEqual(effects, [
    {
      ...{ name: "Fire Breath", shape: "cone", size: 60, width: 5, range: 20, save: "dex", difficulty: 21 },
      ...{ damage: [{ dice: 17, sides: 6, bonus: 0, type: "fire" }], half: true },
    },
  ]);
});

test("what the system counts for cover is taken off, and what it counts for exhaustion is told", () => {
  const abilities = { dex: { value: 14, save: { value: 4 } }, con: { value: 40, save: 3 } };
  const attributes = { ac: { cover: 2 }, exhaustion: 2, prof: 2 };
  const traits = { dr: { value: new Set(["fire"]) } };
  const found = dnd5eActs(actor({ abilities, attributes, traits }, [], "character"));
  assert.deepEqual(
    [found.saves, found.abilities],
    [
      { dex: 2, con: 3 },
      { dex: 14, con: 30 },
    ],
  );
  assert.deepEqual(
    [found.exhaustion, found.is_prepared, found.is_character, found.resistances],
    [2, true, true, ["fire"]],
  );
});
