// Tokens of all sizes, shapes and grids keep their place between Foundry and the table; `make foundry-positions` takes
// 20,000 of them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { roundTrips } from "./foundry/positions.mjs";

test("tokens go to the server and back within a pixel, on every grid and in every generation", () => {
  const { tokens, wrong } = roundTrips(3600, 7);
  assert.deepEqual(wrong, []);
  assert.ok(tokens > 3000);
});
