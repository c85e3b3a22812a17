import assert from "node:assert/strict";
import { test } from "node:test";
import { gameFor, houseRulesFor } from "../../../plugin_manifest/scripts/foundry/read/system-games.js";

test("a world is offered the game for every system, though the server has one that rolls by itself", () => {
  assert.equal(gameFor(["torn", "any_system", "fifth_edition"]), "any_system");
  assert.equal(gameFor(["torn", "fifth_edition"]), "");
});

test("the game for every system is told which system the world has", () => {
  assert.deepEqual(houseRulesFor("sf2e", "any_system"), { "any_system.system": "pf2e" });
  assert.deepEqual(houseRulesFor("lancer", "any_system"), {});
  assert.deepEqual(houseRulesFor("dnd5e", "torn"), {});
});
