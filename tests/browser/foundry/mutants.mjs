// Shows that each strict rule of the stand-in matters: the module from before the rules fails each of them.
//
//   node tests/browser/foundry/mutants.mjs             every rule
//   node tests/browser/foundry/mutants.mjs controls    the rules named
//
// Takes the older module from the repository's history, so it needs a full clone. A rule runs alone in the strictest
// generation that has it: the tests whose names carry the rule must fail with the older module and hold with today's.
// Ends with one line: foundry-mutants: PASS n of n, or foundry-mutants: FAIL ...

import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RULES } from "./rules.mjs";

const ROOT = new URL("../../../", import.meta.url).pathname;
/** The last commit before the module learned the strict rules that name no other. */
const BEFORE = "ff46a2b0ecb2";
const RUNNER = join(ROOT, "tests", "browser", "run.mjs");

const wanted = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "older-module-"));
try {
  const rules = RULES.filter(({ name }) => !wanted.length || wanted.includes(name));
  const missed = rules
    .filter((rule) => !isCaught(rule, olderModule(rule.before ?? BEFORE)))
    .map(({ name }) => name);
  const caught = rules.length - missed.length;
  console.log(
    missed.length
      ? `foundry-mutants: FAIL ${missed.join(", ")}`
      : `foundry-mutants: PASS ${caught} of ${rules.length}`,
  );
  process.exitCode = missed.length ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true });
}

/** Returns the folder of the module of a commit, with the libraries of today's. */
function olderModule(commit) {
  const home = join(folder, commit);
  const older = join(home, "plugin_manifest");
  if (existsSync(older)) return older;
  mkdirSync(home);
  const archive = execFileSync("git", ["archive", commit, "plugin_manifest"], {
    cwd: ROOT,
    maxBuffer: 1 << 26,
  });
  execFileSync("tar", ["-x", "-C", home], { input: archive });
  cpSync(join(ROOT, "plugin_manifest", "vendor"), join(older, "vendor"), { recursive: true });
  return older;
}

/** Tells whether a rule's tests fail with the older module and hold with today's. */
function isCaught({ name, generations, file = "foundry-breaks" }, older) {
  const generation = generations.at(-1);
  const only = { GENERATIONS: String(generation), TEST_NAMES: String.raw`(^|, )${name}[:,]` };
  const now = failuresOf(name, file, only);
  const alone = { ...only, ENFILADE_TEST_MODULE: older, ENFILADE_TEST_RULES: name };
  const before = failuresOf(name, file, alone);
  const isRight = now.length === 0 && before.length > 0;
  console.log(`${isRight ? "caught" : "MISSED"} ${name} in ${generation}: ${before[0] ?? "nothing failed"}`);
  for (const failure of now) console.log(`  today's module fails: ${failure}`);
  return isRight;
}

/** Runs a file and returns the failures that carry a rule's name, or that stop the file before its tests. */
function failuresOf(rule, file, env) {
  const run = spawnSync("node", [RUNNER, file], {
    cwd: ROOT,
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
  const last = run.stdout.trim().split("\n").at(-1);
  if (!/^e2e: (PASS|FAIL)/.test(last)) throw new Error(`the browser tests did not end: ${run.stderr}`);
  const failures = last.startsWith("e2e: FAIL ") ? last.slice("e2e: FAIL ".length).split("; ") : [];
  return failures.filter((line) => {
    const title = line.slice(line.indexOf(": ") + 2);
    return title.split(": ")[0].split(", ").includes(rule);
  });
}
