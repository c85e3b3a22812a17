import assert from "node:assert/strict";
import { test } from "node:test";
import {
  actorValues,
  filledProfile,
  readActorValue,
} from "../../../plugin_manifest/scripts/foundry/read/actor-profile.js";

const NUMBER = { type: "integer", minimum: 0, maximum: 10 };
const DND = {
  abilities: { str: { mod: 3 }, dex: { mod: 12 } },
  attributes: { hp: { max: 44 }, movement: { walk: 30 } },
  details: { race: "High Elf", level: 9 },
};

const read = (system, from, schema = NUMBER) => readActorValue(system, from, schema);

test("a number is read at its path, changed, rounded down, and kept within its bounds", () => {
  assert.deepEqual(read(DND, { path: "abilities.str.mod" }), { value: 3 });
  assert.deepEqual(read(DND, { path: "abilities.dex.mod" }), { value: 10 });
  assert.deepEqual(read(DND, { path: "details.level", less: 2, by: 2 }), { value: 3 });
  assert.deepEqual(read({ n: "7" }, { path: "n" }), { value: 7 });
  assert.deepEqual(read({ n: -4 }, { path: "n" }), { value: 0 });
});

test("a value is read at its newest place, and an older place is asked only without it", () => {
  const asked = [];
  const older = {
    get speed() {
      asked.push("speed");
      return 25;
    },
  };
  const from = { path: "speeds.walk", older: ["speed"] };
  const wide = { type: "integer" };
  assert.deepEqual(read(Object.assign(Object.create(older), { speeds: { walk: 30 } }), from, wide), {
    value: 30,
  });
  assert.deepEqual(asked, []);
  assert.deepEqual(read(older, from, wide), { value: 25 });
});

test("what is no number, is missing or inherited is told, and never read", () => {
  assert.deepEqual(read(DND, { path: "details.race" }), { problem: "NoNumber" });
  for (const path of ["", "details.size", "abilities.str.mod.more", "__proto__.x", "constructor.length"])
    assert.deepEqual(read(DND, { path }), { problem: "None" }, path);
  assert.deepEqual(read(null, { path: "a" }), { problem: "None" });
  assert.deepEqual(read(DND, { path: "a.".repeat(200) }), { problem: "None" });
  assert.deepEqual(read({ n: Infinity }, { path: "n" }), { problem: "NoNumber" });
});

test("a value that a system prepares in a getter of its class is read, and no other inherited one", () => {
  class Armor {
    get value() {
      return 7;
    }
    roll() {}
  }
  class Prepared extends Armor {}
  const system = { ac: new Prepared() };
  assert.deepEqual(read(system, { path: "ac.value" }), { value: 7 });
  for (const path of ["ac.roll", "ac.constructor", "ac.toString", "ac.__proto__.value"])
    assert.deepEqual(read(system, { path }), { problem: "None" }, path);
});

test("a text names an option, whole or in part; yes and no are read", () => {
  const races = { enum: ["", "dwarf", "elf", "human"] };
  assert.deepEqual(read(DND, { path: "details.race" }, races), { value: "elf" });
  assert.deepEqual(read({ race: "Tabaxi" }, { path: "race" }, races), { problem: "NoOption" });
  assert.deepEqual(read({ race: { name: "elf" } }, { path: "race" }, races), { problem: "NoOption" });
  assert.deepEqual(read({ rides: true }, { path: "rides" }, { type: "boolean" }), { value: true });
});

test("a system's own values fill a profile; the GM's paths come before them", () => {
  const fields = {
    strength: NUMBER,
    agility: NUMBER,
    damage_points: { type: "integer" },
    name: { type: "string" },
  };
  const values = actorValues("dnd5e", "knights_of_valour", {
    agility: { path: "" },
    name: { path: "details.race" },
  });
  const { profile, filled } = filledProfile(fields, values, DND, { role: "fighter", agility: 1 });
  assert.deepEqual(profile, { role: "fighter", agility: 1, strength: 3, damage_points: 44 });
  assert.deepEqual(filled, ["strength", "damage_points"]);
});

test("savage dice become modifiers, and an unknown system or ruleset fills nothing", () => {
  const values = actorValues("swade", "knights_of_valour", {});
  const swade = { attributes: { agility: { die: { sides: 8 } } }, wounds: { max: 3 } };
  assert.deepEqual(read(swade, values.agility), { value: 2 });
  assert.equal(actorValues("dnd5e", "double_life", {}).race.path, "details.race.name");
  assert.deepEqual(actorValues("constructor", "knights_of_valour", {}), {});
  assert.deepEqual(actorValues("dnd5e", "__proto__", {}), {});
});
