import assert from "node:assert/strict";
import { test } from "node:test";
import { gameFor, houseRulesFor } from "../../../plugin_manifest/scripts/foundry/read/system-games.js";

test("a world is offered the game of its own system, else the one for every system", () => {
  const games = ["torn", "any_system", "fifth_edition"];
  assert.equal(gameFor("dnd5e", games), "fifth_edition");
  assert.equal(gameFor("dnd5e", ["torn", "any_system"]), "any_system");
  assert.equal(gameFor("pf2e", games), "any_system");
  assert.equal(gameFor("constructor", games), "any_system");
  assert.equal(gameFor("dnd5e", ["torn"]), "");
});

test("the game for every system is told which system the world has", () => {
  assert.deepEqual(houseRulesFor("sf2e", "any_system"), { "any_system.system": "pf2e" });
  assert.deepEqual(houseRulesFor("lancer", "any_system"), {});
  assert.deepEqual(houseRulesFor("dnd5e", "torn"), {});
});
