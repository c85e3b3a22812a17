// Runs the browser tests and ends with one line: e2e: PASS n, or e2e: FAIL ...
//
//   node tests/browser/run.mjs                  every file
//   node tests/browser/run.mjs relay grids      the files whose names contain one of these
//
// WORKERS (2) files run at a time. Each worker has one process, one browser and one server for all its files; a file takes
// a fresh table and fresh browser contexts. GENERATIONS="13" narrows the Foundry versions; SHORT=1 takes the newest one
// alone, except in the file that checks what differs between versions, and leaves out what files.tsv leaves to `make e2e`;
// VERBOSE=1 prints each test; TEST_NAMES="dice" runs the tests whose names match this pattern; BUSY=2 runs that many busy
// loops beside the tests.

import { fork, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { startForks } from "./server-process.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
const VERSIONS = process.env.GENERATIONS?.split(" ") ?? ["12", "13", "14"];
/** Files that run in all versions, in a short run as well. */
const EVERY_VERSION = ["foundry-breaks.test.mjs"];
/**
 * All files, the longest first, so that none is left alone at the end: whether `make test` runs them, and why if it does
 * not. tests/unit/test_browser_files.py checks the list.
 */
const LISTED = readFileSync(join(HERE, "files.tsv"), "utf8")
  .trimEnd()
  .split("\n")
  .slice(1)
  .map((line) => line.split("\t"))
  .map(([name, runsIn]) => ({ name, isShort: runsIn === "test" }));
/** A worker whose file takes longer is ended. */
const FILE_MS = 720_000 * Math.max(1, Number(process.env.REPEATS ?? 1) / 50);
const wanted = process.argv.slice(2);
const files = LISTED.filter(({ isShort }) => isShort || !process.env.SHORT)
  .map(({ name }) => name)
  .filter((name) => !wanted.length || wanted.some((part) => name.includes(part)));
const queue = [...files];
const results = [];
const began = Date.now();

/** Returns the Foundry versions that a file runs in. */
function versions(name) {
  return process.env.SHORT && !EVERY_VERSION.includes(name) ? VERSIONS.slice(-1) : VERSIONS;
}

const seconds = (ms) => `${(ms / 1000).toFixed(1).padStart(6)} s`;

function report(result) {
  results.push(result);
  const state = result.failed.length ? `FAIL ${result.failed.length}` : `${result.passed} passed`;
  console.log(
    `[${results.length}/${files.length}] ${seconds(result.ms)}  ${result.name.padEnd(32)} ${state}`,
  );
  if (result.failed.length || process.env.VERBOSE) console.log(result.output);
}

/** The options of a worker: its own reporter, and the tests alone whose names match. */
const TEST_OPTIONS = [`--test-reporter=${join(HERE, "reporter.mjs")}`, "--test-reporter-destination=stdout"];
if (process.env.TEST_NAMES) TEST_OPTIONS.push(`--test-name-pattern=${process.env.TEST_NAMES}`);

/** Gives a worker one file after another until none is left. */
function work() {
  return new Promise((resolve) => {
    const worker = fork(join(HERE, "worker.mjs"), {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
      execArgv: TEST_OPTIONS,
    });
    let [current, timer] = [null, null];
    const next = () => {
      clearTimeout(timer);
      current = queue.shift() ?? null;
      if (current) timer = setTimeout(() => worker.kill("SIGKILL"), FILE_MS);
      worker.send({ file: current && join(HERE, current), generations: current && versions(current) });
    };
    worker.on("message", (message) => {
      if (message.result) report({ name: current, ...message.result });
      next();
    });
    worker.on("exit", (code) => {
      clearTimeout(timer);
      const failed = [`${current}: the worker died`];
      if (current) report({ name: current, ms: 0, passed: 0, failed, output: "" });
      if (code && !current)
        results.push({ name: "worker", ms: 0, passed: 0, failed: ["a worker did not start"] });
      // Another worker takes the files that are left.
      resolve(current && queue.length ? work() : undefined);
    });
  });
}

const busy = Array.from({ length: Number(process.env.BUSY ?? 0) }, () =>
  spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }),
);
const workers = Math.min(Number(process.env.WORKERS ?? 2), files.length);
console.log(`e2e: ${files.length} files, ${workers} at a time`);
const folder = mkdtempSync(join(tmpdir(), "enfilade-e2e-"));
const endForks = await startForks(folder);
await Promise.all(Array.from({ length: workers }, work));
await endForks();
rmSync(folder, { recursive: true });
for (const loop of busy) loop.kill();

console.log("\nTime of each file:");
for (const { name, ms, passed } of results.toSorted((a, b) => b.ms - a.ms))
  console.log(`${seconds(ms)}  ${name} (${passed})`);
console.log(`${seconds(Date.now() - began)}  in all, with ${workers} workers`);

const failed = results.flatMap((result) => result.failed);
const passed = results.reduce((sum, result) => sum + result.passed, 0);
process.exitCode = failed.length || !passed || queue.length ? 1 : 0;
console.log(process.exitCode ? `e2e: FAIL ${failed.join("; ") || "nothing ran"}` : `e2e: PASS ${passed}`);
