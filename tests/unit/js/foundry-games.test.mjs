import assert from "node:assert/strict";
import { test } from "node:test";
import { gameFor } from "../../../plugin_manifest/scripts/foundry/read/system-games.js";

test("a world is offered the game of its own system, else the one for every system", () => {
  const games = ["torn", "any_system", "fifth_edition"];
  assert.equal(gameFor("dnd5e", games), "fifth_edition");
  assert.equal(gameFor("dnd5e", ["torn", "any_system"]), "any_system");
  assert.equal(gameFor("pf2e", games), "any_system");
  assert.equal(gameFor("constructor", games), "any_system");
  assert.equal(gameFor("dnd5e", ["torn"]), "");
});
