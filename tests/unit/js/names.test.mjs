import assert from "node:assert/strict";
import { test } from "node:test";
import { facingName } from "../../../plugin_manifest/scripts/core/ui/names.js";

test("a facing is a direction in words, and degrees where no word fits", () => {
  assert.deepEqual([0, 90, 225, 270, 315].map(facingName), [
    "north",
    "east",
    "south-west",
    "west",
    "north-west",
  ]);
  assert.equal(facingName(30), "30°");
});
