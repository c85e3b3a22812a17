// Portraits: the features of a unit by its name, profile and side, their shapes, and the size of drawn tokens.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { tokenMarks } from "../../../plugin_manifest/scripts/core/draw/token-marks.js";
import {
  LEAST_PX,
  growthAt,
  setTokenGrowth,
  tokenRadius,
} from "../../../plugin_manifest/scripts/core/draw/token-size.js";
import { featuresOf } from "../../../plugin_manifest/scripts/core/portraits/features.js";
import { framePath, portraitShapes } from "../../../plugin_manifest/scripts/core/portraits/portrait.js";
import { scene, token } from "./scenes.mjs";

const features = (name, profile = {}, side = "") => featuresOf({ name, profile }, side);
afterEach(() => setTokenGrowth(1));

test("race and gear come from the profile and the name, and the race else from the side", () => {
  const bran = features("Bran", { race: "dwarf", armor: "heavy", hands: ["hammer", "shield"] });
  assert.deepEqual(
    [bran.race, bran.weapon, bran.armor, bran.hasShield, bran.hasBeard],
    ["dwarf", "hammer", "plate", true, true],
  );
  assert.equal(features("Sword 3", { weapon: "basic" }, "Orcs").race, "orc");
  assert.equal(features("Lia", {}, "The Elves").race, "elf");
  assert.equal(features("Wren", { hands: ["Short sword"] }).race, "human"); // no halfling by its sword
  assert.equal(features("Mell", { short: true }).race, "halfling");
  assert.equal(features("Returned 2").race, "returned");
  assert.deepEqual([features("Mirel", { role: "wizard" }).head, features("Otraak").race], ["hat", "troll"]);
});

test("a unit looks the same each time, and units of other names differ", () => {
  assert.deepEqual(features("Anna"), features("Anna"));
  const looks = ["Anna", "Ben", "Cora", "Dirk", "Eva", "Finn"].map((name) => JSON.stringify(features(name)));
  assert.ok(new Set(looks).size >= 5);
});

test("hostile names and profiles make a portrait as well", () => {
  const deep = { a: { b: { c: { d: { e: "axe" } } } } };
  for (const [name, profile] of [
    ["", {}],
    ["👩‍👩‍👧 9", { race: 7, hands: null }],
    ["x".repeat(500), deep],
  ])
    assert.ok(portraitShapes(features(name, profile)).every(({ d }) => !d.includes("NaN")));
});

test("every race and headgear has shapes, all with finite numbers", () => {
  for (const race of [
    "human",
    "elf",
    "dwarf",
    "halfling",
    "gnome",
    "goblin",
    "orc",
    "troll",
    "skeleton",
    "returned",
    "wolf",
  ])
    for (const head of ["", "helm", "horned", "hood", "hat", "cap"]) {
      const shapes = portraitShapes({ ...features("Anna", { race }), head, weapon: "sword" });
      assert.ok(shapes.length > 10, race);
      assert.ok(
        shapes.every(({ d, fill, line }) => !/NaN|undefined/.test(d) && (fill || line)),
        `${race} ${head}`,
      );
    }
});

test("each side's frame has a shape of its own", () => {
  assert.equal(new Set([0, 1, 2, 3, 4, 5].map((side) => framePath(side, 40))).size, 6);
});

test("a drawn token is at least 40 pixels wide, unless it would hide its neighbors", () => {
  const width = (kind, scale) => {
    setTokenGrowth(growthAt({ kind }, scale));
    return 2 * tokenRadius(token("a")) * scale;
  };
  for (const scale of [2, 1, 0.6]) assert.ok(width("square", scale) >= LEAST_PX, `${scale}`);
  assert.ok(width("gridless", 0.34) >= LEAST_PX);
  assert.ok(width("square", 0.1) < LEAST_PX);
  setTokenGrowth(1);
  const plain = tokenRadius(token("a"));
  setTokenGrowth(growthAt({ kind: "square" }, 4));
  assert.equal(tokenRadius(token("a")), plain);
});

test("without a grid the true base stays a thin ring under a token that is drawn larger", () => {
  setTokenGrowth(2);
  const grid = { kind: "gridless", columns: 20, rows: 20, distance: 1, units: "" };
  const marks = tokenMarks(scene({ grid, tokens: [token("a", { at: [320, 320] })] }), {
    selected: null,
    maxHitPoints: {},
  });
  const rings = marks.filter(({ kind, radius }) => kind === "circle" && radius === 32);
  assert.ok(rings.some(({ style }) => style.width <= 2));
});

test("of a name a token with a portrait shows the number alone", () => {
  const lookOf = ({ name }) => ({ label: name, portrait: { key: "p", canvas: {} } });
  const textsOf = (name) =>
    tokenMarks(scene({ tokens: [token("a", { name })] }), { selected: null, maxHitPoints: {}, lookOf })
      .filter(({ kind }) => kind === "text")
      .map(({ text }) => text);
  assert.deepEqual([textsOf("G12"), textsOf("An")], [["12"], []]);
});

test("a token shows its portrait, gray on its side when down, framed in dashes when hidden", () => {
  const portrait = { key: "p", canvas: {} };
  const marks = (more, look) =>
    tokenMarks(scene({ tokens: [token("a", more)] }), {
      selected: null,
      maxHitPoints: {},
      lookOf: () => ({ label: "A", portrait, ...look }),
    });
  const picture = (more) => marks(more).find(({ kind }) => kind === "picture");
  assert.equal(picture({}).turn, undefined);
  assert.ok(picture({ conditions: { downed: "" } }).turn > 45);
  assert.ok(picture({ hidden: true }).alpha < 0.6);
  const dashes = (list) => list.filter(({ kind, points }) => kind === "lines" && points.length > 100).length;
  assert.equal(dashes(marks({})), 0);
  assert.equal(dashes(marks({ hidden: true })), 2);
  assert.equal(dashes(marks({}, { isReady: true })), 2);
  setTokenGrowth(2);
  assert.equal(dashes(marks({}, { isReady: true })), 0);
});
