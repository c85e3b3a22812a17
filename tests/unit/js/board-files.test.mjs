// The page of the board as `npm run vendor` writes it: it names the files that its program needs.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const VENDOR = fileURLToPath(new URL("../../../plugin_manifest/vendor/", import.meta.url));
const read = (name) => readFileSync(VENDOR + name, "utf8");
const importsOf = (name) => [...read(name).matchAll(/from"\.\/([^"]+)"/g)].map(([, file]) => file);
/** The files that the page names beside its program: those to load early, and the program that asks for the ticket. */
const named = [
  ...read("board.html").matchAll(/(?:rel="modulepreload" href|src)="\/plugin\/vendor\/([^"]+)"/g),
]
  .map(([, name]) => name)
  .filter((name) => name !== "board.min.js");

/** Returns the files that a file imports, and those that they import. */
const importsUnder = (name) => importsOf(name).flatMap((one) => [one, ...importsUnder(one)]);

test("the page names each file that its program imports", () => {
  const needed = new Set(importsUnder("board.min.js"));
  assert.ok(needed.size > 1);
  assert.deepEqual(new Set(named), needed);
});

test("each file that the page names is there", () => {
  assert.deepEqual(
    named.filter((name) => !existsSync(VENDOR + name)),
    [],
  );
});
