// Fills plugin_manifest/vendor/: the libraries that the page and the module load, as they are, with the licenses of
// all packages that went into them, and the programs of the Foundry module, the extension for Owlbear Rodeo and the board page in one file each
// (docs/decisions/0033-module-bundle.md).
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

const ROOT = dirname(fileURLToPath(import.meta.url));
const PLUGIN = join(ROOT, "plugin_manifest");
const VENDOR = join(PLUGIN, "vendor");
const SOCKETS = "socket.io.esm.min.js";
const FILES = [
  `socket.io-client/dist/${SOCKETS}`,
  "pixi.js/dist/pixi.min.js",
  "@pixi/unsafe-eval/dist/unsafe-eval.min.js", // PIXI's shaders without eval, which the page's CSP forbids
];
/** The page's fonts: those of the interface, and of names and numbers that matter. */
const FONTS = {
  "inter.woff2": "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2",
  "alegreya.woff2": "@fontsource/alegreya/files/alegreya-latin-700-normal.woff2",
};
const FOLDERS = ["scripts/core", "scripts/foundry", "scripts/tabletop"];

/** Returns a hash of the module's sources, as enfilade.transport.http.module_package works it out. */
function hashSources() {
  const names = FOLDERS.flatMap((folder) =>
    readdirSync(join(PLUGIN, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".js"))
      .map((name) => `${folder}/${name.replaceAll("\\", "/")}`),
  );
  const hash = createHash("sha256");
  for (const name of [...names, `vendor/${SOCKETS}`, "vendor/lit-html.min.js"].sort())
    hash
      .update(`${name}\0`)
      .update(readFileSync(join(PLUGIN, name)))
      .update("\0");
  return hash.digest("hex");
}

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

/**
 * Writes the board's page with the names of the files that its program imports: the browser fetches them beside the program,
 * not one after the other as it finds them in it.
 * @param {[string, import("esbuild").Metafile["outputs"][string]][]} outputs
 */
function writeBoardPage(outputs) {
  const nameOf = (path) => path.split("/").pop() ?? "";
  const importsOf = new Map(
    outputs.map(([path, { imports }]) => [
      nameOf(path),
      imports.filter(({ kind }) => kind === "import-statement").map((one) => nameOf(one.path)),
    ]),
  );
  const program = "board.min.js";
  /** Returns the files that a file imports, and those that they import. @returns {string[]} */
  const importsUnder = (name) => (importsOf.get(name) ?? []).flatMap((one) => [one, ...importsUnder(one)]);
  const files = new Set(importsUnder(program));
  files.delete("first-ticket.js"); // the page names it as a script
  const links = [...files].map((name) => `    <link rel="modulepreload" href="/plugin/vendor/${name}" />\n`);
  const page = readFileSync(join(PLUGIN, "board.html"), "utf8");
  const written = page.replace(/^.*"\/plugin\/vendor\/board\.min\.js".*\n/m, (line) => line + links.join(""));
  if (written === page) throw new Error(`board.html does not load ${program}.`);
  writeFileSync(join(VENDOR, "board.html"), written);
}

/** A program that a page loads as a module, and one that is a single script. */
const MODULE = /** @type {const} */ ({
  bundle: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  logLevel: "warning",
});
const SCRIPT = /** @type {const} */ ({ ...MODULE, format: "iife" });

mkdirSync(VENDOR, { recursive: true });
for (const file of FILES)
  copyFileSync(join(ROOT, "node_modules", file), join(VENDOR, file.split("/").pop() ?? ""));
for (const [name, file] of Object.entries(FONTS))
  copyFileSync(join(ROOT, "node_modules", file), join(VENDOR, name));
copyFileSync(join(ROOT, "LICENSE"), join(VENDOR, "LICENSE"));
// Its types, for the checker, which would else read the minified file.
writeFileSync(join(VENDOR, "socket.io.esm.min.d.ts"), 'export * from "socket.io-client";\n');
writeFileSync(join(VENDOR, "LICENSES.txt"), licenses());
// The templates of the panels and the directive for lists, in one file: the sources load it without a build.
const TEMPLATES = 'export * from "lit-html";\nexport { repeat } from "lit-html/directives/repeat.js";\n';
buildSync({
  ...MODULE,
  stdin: { contents: TEMPLATES, resolveDir: ROOT },
  outfile: join(VENDOR, "lit-html.min.js"),
  minify: true,
});
writeFileSync(join(VENDOR, "lit-html.min.d.ts"), TEMPLATES);
buildSync({
  ...MODULE,
  entryPoints: [join(PLUGIN, "scripts/foundry/main.js")],
  outfile: join(VENDOR, "foundry.min.js"),
  minify: true,
  keepNames: true, // of functions and classes: a GM sends a stack trace with a diagnosis
  banner: { js: `// Enfilade. Sources: ${hashSources()}` },
});
// The extension for Owlbear Rodeo: both of its pages in one file.
buildSync({
  ...MODULE,
  entryPoints: [join(PLUGIN, "scripts/owlbear/main.js")],
  outfile: join(VENDOR, "owlbear.min.js"),
  minify: true, // players load it in each room
});
// The mod for PlanarAlly: its page imports one file, from a folder of its own server.
buildSync({
  ...MODULE,
  entryPoints: [join(PLUGIN, "scripts/planarally/main.js")],
  outfile: join(VENDOR, "planarally.min.js"),
  minifyWhitespace: true,
  minifySyntax: true,
});
// The board's first request, which the browser runs while it still reads the board's program: one file under its own name,
// which the program imports.
buildSync({
  ...MODULE,
  entryPoints: [join(PLUGIN, "scripts/board/page/first-ticket.js")],
  outdir: VENDOR,
  minify: true,
});
// The board loads the map's canvas and some panels later, so they are files of their own, named by their content.
for (const name of readdirSync(VENDOR).filter((name) => /^board-.*\.js$/.test(name)))
  rmSync(join(VENDOR, name));
const { metafile } = buildSync({
  ...MODULE,
  entryPoints: { "board.min": join(PLUGIN, "scripts/board/page/main.js") },
  outdir: VENDOR,
  chunkNames: "board-[name]-[hash].min",
  splitting: true,
  external: ["./first-ticket.js"],
  minifyWhitespace: true,
  minifySyntax: true,
  minifyIdentifiers: true, // 400 kB compressed are the goal for the page with its fonts
  metafile: true,
});
writeBoardPage(Object.entries(metafile.outputs));
// The board's styles, which the browser awaits before it shows anything: one file, not six.
const STYLES = ["tokens", "chrome", "sketch", "panels", "dialogs", "moment"];
buildSync({
  stdin: {
    contents: STYLES.map((name) => `@import "./styles/${name}.css";\n`).join(""),
    resolveDir: PLUGIN,
    loader: "css",
  },
  outfile: join(VENDOR, "board.min.css"),
  bundle: true,
  external: ["*.woff2"],
  charset: "utf8",
  minify: true,
  logLevel: "warning",
});
// The map painter runs in a thread of its own, so it is a program of its own.
buildSync({
  ...SCRIPT,
  entryPoints: [join(PLUGIN, "scripts/board/painter/worker.js")],
  outfile: join(VENDOR, "map-painter.min.js"),
  minifyWhitespace: true,
  minifySyntax: true,
  minifyIdentifiers: true,
});
// The program of the log that the board saves as a page: one script, which needs no server.
buildSync({
  ...SCRIPT,
  entryPoints: [join(PLUGIN, "scripts/board/saved/main.js")],
  outfile: join(VENDOR, "saved-log.min.js"),
  minifyWhitespace: true,
  minifySyntax: true,
});
console.log(
  `vendor: ${FILES.length} libraries copied, the programs of the module, the extension, the mod and the board built`,
);
