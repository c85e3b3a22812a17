// Shows that each strict rule of the room matters: without the extension's guard for it, a test of the room fails.
//
//   node tests/browser/owlbear/mutants.mjs           every guard
//   node tests/browser/owlbear/mutants.mjs patience  the guards named
//
// Each mutant is a change of the built program, in a copy of the plugin's folder. Ends with one line: owlbear-mutants: PASS n
// of n, or owlbear-mutants: FAIL and the names.

import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";

const ROOT = new URL("../../../", import.meta.url).pathname;
/** A guard of the extension: its file, what stands there, what the mutant has, and the tests that must notice. */
const MUTANTS = [
  {
    name: "patience",
    file: "owlbear/host.js",
    from: "if (name === RATE_LIMIT) throw",
    to: "if (name === 'never') throw",
    tests: "asks again as long",
  },
  {
    name: "rest",
    file: "tabletop/bridge.js",
    from: "|| this.#isOnTheWay(scene, token, text)) continue;",
    to: ") continue;",
    also: ["owlbear/tabletop.js", "const REST_MS = 150;", "const REST_MS = 1;"],
    tests: "has a move judged once",
  },
  {
    name: "fresh",
    file: "owlbear/tabletop.js",
    from: "OBR.scene.items.updateItems([id], (drafts)",
    to: "OBR.scene.items.updateItems([{ ...this.items?.[0], id, type: 'PATH', position: {}, metadata: {} }], (drafts)",
    tests: "takes an act back|keeps the overlay",
  },
  {
    name: "leftovers",
    file: "owlbear/local-overlay.js",
    from: "if (gone.length) await ask",
    to: "if (!gone.length) await ask",
    tests: "what is drawn goes",
  },
  {
    name: "layers",
    file: "owlbear/local-overlay.js",
    from: '.layer("DRAWING")',
    to: '.layer("OVERLAY")',
    tests: "shows the reach",
  },
  {
    name: "echo",
    file: "tabletop/bridge.js",
    from: "id.startsWith(FROM_TABLETOP)",
    to: "id === FROM_TABLETOP",
    tests: "writes nothing back",
  },
  {
    name: "put-back",
    file: "tabletop/live-page.js",
    from: "this.writer.putBack(token)",
    to: "Promise.resolve()",
    tests: "puts a token back",
  },
  {
    name: "questions",
    file: "tabletop/write-decisions.js",
    from: 'if (mode === "do") {',
    to: 'if (mode !== "never") {',
    tests: "waits for the GM",
  },
  {
    name: "held",
    file: "tabletop/bridge.js",
    from: "this.#send(this.writer.withHeld(scene))",
    to: "this.#send(scene)",
    tests: "waits for the GM",
  },
  {
    name: "scene",
    file: "owlbear/tabletop.js",
    from: "if (!(await ask(() => OBR.scene.isReady()))) return null;",
    to: "",
    also: ["tabletop/bridge.js", "if (scene && this.lease !== null)", "if (this.lease !== null)"],
    tests: "goes on in another scene",
  },
];

const wanted = process.argv.slice(2);
const chosen = MUTANTS.filter(({ name }) => !wanted.length || wanted.includes(name));
const missed = chosen.filter((mutant) => !isCaught(mutant)).map(({ name }) => name);
const last = missed.length ? `FAIL ${missed.join(", ")}` : `PASS ${chosen.length} of ${chosen.length}`;
console.log(`owlbear-mutants: ${last}`);
process.exitCode = missed.length ? 1 : 0;

/** Tells whether the tests of a mutant fail with it. */
function isCaught({ name, file, from, to, also, tests }) {
  const folder = mkdtempSync(join(tmpdir(), "owlbear-mutant-"));
  try {
    const plugin = join(folder, "plugin_manifest");
    cpSync(join(ROOT, "plugin_manifest"), plugin, { recursive: true });
    for (const [path, before, after] of [[file, from, to], ...(also ? [also] : [])]) {
      const source = join(plugin, "scripts", path);
      const text = readFileSync(source, "utf8");
      if (!text.includes(before)) throw new Error(`${name}: ${path} has no ${before}`);
      writeFileSync(source, text.replace(before, after));
    }
    buildSync({
      ...{
        entryPoints: [join(plugin, "scripts/owlbear/main.js")],
        outfile: join(plugin, "vendor/owlbear.min.js"),
      },
      ...{
        bundle: true,
        format: "esm",
        target: "es2022",
        logLevel: "error",
        nodePaths: [join(ROOT, "node_modules")],
      },
    });
    const env = { ...process.env, ENFILADE_PLUGIN: plugin, TEST_NAMES: tests };
    const run = spawnSync("node", [join(ROOT, "tests/browser/run.mjs"), "owlbear"], {
      cwd: ROOT,
      encoding: "utf8",
      env,
    });
    const isFound = /^e2e: FAIL/m.test(run.stdout);
    console.log(`${isFound ? "caught" : "MISSED"} ${name}`);
    return isFound;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
