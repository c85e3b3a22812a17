// Copies the three libraries that the page and the module load, as they are, into plugin_manifest/vendor/.
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = dirname(fileURLToPath(import.meta.url));
const VENDOR = join(ROOT, "plugin_manifest", "vendor");
const FILES = [
  "socket.io-client/dist/socket.io.esm.min.js",
  "pixi.js/dist/pixi.min.js",
  "@pixi/unsafe-eval/dist/unsafe-eval.min.js", // PIXI's shaders without eval, which the page's CSP forbids
];

mkdirSync(VENDOR, { recursive: true });
for (const file of FILES)
  copyFileSync(join(ROOT, "node_modules", file), join(VENDOR, file.split("/").pop() ?? ""));
// Its types, for the checker, which would else read the minified file.
writeFileSync(join(VENDOR, "socket.io.esm.min.d.ts"), 'export * from "socket.io-client";\n');
console.log(`vendor: ${FILES.length} files copied`);
