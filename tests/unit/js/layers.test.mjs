/** The page's folders build on each other: the map's geometry on nothing, the game on no drawing. */

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

const CORE = new URL("../../../plugin_manifest/scripts/core/", import.meta.url);

/** The folders of `core` that the files of one folder import from. */
function foldersUsedBy(folder) {
  const files = readdirSync(new URL(`${folder}/`, CORE)).filter((name) => name.endsWith(".js"));
  const texts = files.map((name) => readFileSync(new URL(`${folder}/${name}`, CORE), "utf8"));
  const paths = texts.flatMap((text) => [...text.matchAll(/from "\.\.\/(\w+)\//g)]);
  return new Set(paths.map(([, used]) => used));
}

test("the map's geometry imports from no other folder", () => {
  assert.deepEqual([...foldersUsedBy("map")], []);
});

test("the game imports its geometry from the map, and nothing that draws", () => {
  const used = foldersUsedBy("game");
  assert.ok(used.has("map"));
  assert.ok(!used.has("draw"));
});
