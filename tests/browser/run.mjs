// Runs every end-to-end test, one file after the other (a browser without a graphics card takes two cores), and ends with one line:
// e2e: PASS n, or e2e: FAIL ...
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const files = readdirSync(here)
  .filter((name) => name.endsWith(".test.mjs"))
  .map((name) => join(here, name));
const failed = [];
let passed = 0;

// A file is reported as a test of its own, and a describe as a suite: neither counts.
const isTest = ({ name, details }) => details.type !== "suite" && !files.includes(name);

const results = run({ files, concurrency: 1, timeout: 240_000 });
results.on("test:pass", (test) => (passed += isTest(test) && !test.skip ? 1 : 0));
results.on("test:fail", (test) => failed.push(test.name));
results.compose(new spec()).pipe(process.stdout);
results.on("end", () => {
  process.exitCode = failed.length || !passed ? 1 : 0;
  setImmediate(() =>
    console.log(process.exitCode ? `e2e: FAIL ${failed.join("; ") || "nothing ran"}` : `e2e: PASS ${passed}`),
  );
});
