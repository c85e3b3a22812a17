// The page of the board as `npm run vendor` writes it: it names the files that the first map needs.

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const VENDOR = fileURLToPath(new URL("../../../plugin_manifest/vendor/", import.meta.url));
const read = (name) => readFileSync(VENDOR + name, "utf8");
const importsOf = (name) => [...read(name).matchAll(/from"\.\/([^"]+)"/g)].map(([, file]) => file);
const named = [...read("board.html").matchAll(/rel="modulepreload" href="\/plugin\/vendor\/([^"]+)"/g)].map(
  ([, name]) => name,
);
const drawing = readdirSync(VENDOR).find((name) => name.startsWith("board-drawing-"));

test("the page names each file that its program and the map's canvas import", () => {
  const needed = new Set([drawing, ...importsOf("board.min.js"), ...importsOf(drawing)]);
  assert.ok(needed.size > 2);
  assert.deepEqual(new Set(named), needed);
});

test("each file that the page names is there", () => {
  assert.deepEqual(
    named.filter((name) => !existsSync(VENDOR + name)),
    [],
  );
});
