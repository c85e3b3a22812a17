// Copies the three libraries that the page and the module load, as they are, into plugin_manifest/vendor/, with the
// licenses of all packages that went into them.
import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = dirname(fileURLToPath(import.meta.url));
const VENDOR = join(ROOT, "plugin_manifest", "vendor");
const FILES = [
  "socket.io-client/dist/socket.io.esm.min.js",
  "pixi.js/dist/pixi.min.js",
  "@pixi/unsafe-eval/dist/unsafe-eval.min.js", // PIXI's shaders without eval, which the page's CSP forbids
];

/** Returns the license of each package behind the libraries; packages of one text stand together. */
function licenses() {
  const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
  const groups = new Map();
  for (const [path, { version, license, dev }] of Object.entries(packages)) {
    if (!path || dev) continue;
    const file = readdirSync(join(ROOT, path)).find((name) => /^licen[cs]e/i.test(name));
    const text = file ? readFileSync(join(ROOT, path, file), "utf8") : `License: ${license}\n`;
    const lines = text.split("\n").map((line) => line.trim());
    const isOwner = (line) => /^\W*Copyright\b/.test(line);
    const terms = lines
      .filter((line) => !isOwner(line))
      .join("\n")
      .trim();
    const key = terms.replace(/\s+/g, " ");
    if (!groups.has(key)) groups.set(key, { terms, names: [] });
    const name = `${path.replace("node_modules/", "")} ${version}`;
    groups.get(key).names.push([name, ...lines.filter(isOwner)].join("\n  "));
  }
  return [...groups.values()]
    .map(({ terms, names }) => `${names.join("\n")}\n\n${terms}\n`)
    .join(`\n${"-".repeat(80)}\n\n`);
}

mkdirSync(VENDOR, { recursive: true });
for (const file of FILES)
  copyFileSync(join(ROOT, "node_modules", file), join(VENDOR, file.split("/").pop() ?? ""));
// Its types, for the checker, which would else read the minified file.
writeFileSync(join(VENDOR, "socket.io.esm.min.d.ts"), 'export * from "socket.io-client";\n');
writeFileSync(join(VENDOR, "LICENSES.txt"), licenses());
console.log(`vendor: ${FILES.length} files copied`);
