import assert from "node:assert/strict";
import { test } from "node:test";
import { NAME_GROWTH, textGrowth } from "../../../plugin_manifest/scripts/core/draw/text-size.js";

test("a text that can be read has its own size", () => {
  assert.equal(textGrowth(15, 1), 1);
  assert.equal(textGrowth(20, 0.5), 1);
});

test("a name of the ground grows less, and is gone before it would cover what it names", () => {
  assert.ok(textGrowth(15, 0.5, NAME_GROWTH) > 1);
  assert.equal(textGrowth(15, 0.4, NAME_GROWTH), 0);
  assert.ok(textGrowth(15, 0.4) > 1, "another text of this size is there");
});

test("a text that is too small grows until it can be read", () => {
  assert.equal(textGrowth(20, 0.25) * 20 * 0.25, 10);
  assert.equal(textGrowth(13, 0.3) * 13 * 0.3, 10);
});

test("a text that would have to hide the board is left out", () => {
  assert.equal(textGrowth(13, 0.1), 0);
});
