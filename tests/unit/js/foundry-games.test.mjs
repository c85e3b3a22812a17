import assert from "node:assert/strict";
import { test } from "node:test";
import { gameFor, houseRulesFor } from "../../../plugin_manifest/scripts/foundry/read/system-games.js";

test("a world of dnd5e is offered the fifth edition, every other the game without turns and dice", () => {
  assert.equal(gameFor(["any_system", "torn", "fifth_edition"], "dnd5e"), "fifth_edition");
  assert.equal(gameFor(["torn", "any_system", "fifth_edition"], "pf2e"), "any_system");
  assert.equal(gameFor(["torn", "any_system"], "dnd5e"), "any_system");
  assert.equal(gameFor(["torn", "fifth_edition"], "constructor"), "");
});

test("a game is told which system the world has, and the fifth edition that the world's system rolls and applies", () => {
  assert.deepEqual(houseRulesFor("dnd5e", "fifth_edition"), { "fifth_edition.play": "assistant" });
  assert.deepEqual(houseRulesFor("pf2e", "fifth_edition"), {});
  assert.deepEqual(houseRulesFor("sf2e", "any_system"), { "any_system.system": "pf2e" });
  assert.deepEqual(houseRulesFor("dnd5e", "any_system"), { "any_system.system": "dnd5e" });
  assert.deepEqual(houseRulesFor("lancer", "any_system"), {});
  assert.deepEqual(houseRulesFor("dnd5e", "torn"), {});
});
