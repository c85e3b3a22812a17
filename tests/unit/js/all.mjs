// Runs the tests of all files in one process: a process of its own for each would start 50 times.
import { readdirSync } from "node:fs";

for (const name of readdirSync(new URL(".", import.meta.url)).sort())
  if (name.endsWith(".test.mjs")) await import(`./${name}`);
