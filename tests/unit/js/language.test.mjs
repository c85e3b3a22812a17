import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

const PLUGIN = new URL("../../../plugin_manifest/", import.meta.url);
const read = (path) => readFileSync(new URL(path, PLUGIN), "utf8");
const sources = readdirSync(new URL("scripts/", PLUGIN), { recursive: true })
  .filter((path) => path.endsWith(".js"))
  .map((path) => [path, read(`scripts/${path}`)]);
const page = read("board.html") + read("start.html");
const english = keysOf(JSON.parse(read("lang/en.json")).ENFILADE);

function keysOf(section, above = "") {
  return Object.entries(section).flatMap(([key, value]) =>
    typeof value === "string" ? [`${above}${key}`] : keysOf(value, `${above}${key}.`),
  );
}

/** Command kinds look like keys. */
const COMMANDS = new Set(
  readdirSync(new URL("../schemas/commands/", PLUGIN)).map((name) => name.replace(/\.json$/, "")),
);

/** Returns every quoted key, as `Log.Attack`, `bridge.held` or `ENFILADE.Log.Attack`. */
function keysIn(source) {
  const sections = [...new Set(english.map((key) => key.split(".")[0]))].join("|");
  const literal = new RegExp(`["\`](?:ENFILADE\\.)?((?:${sections})\\.[\\w.$\\{\\}]+)["\`]`, "g");
  return [...source.matchAll(literal)].map(([, key]) => key).filter((key) => !COMMANDS.has(key));
}

/** A key with a computed part stands for all keys that fit it. */
const pattern = (key) =>
  new RegExp(
    `^${key
      .replace(/\$\{[\w.]+\}/g, "*")
      .replace(/\./g, "\\.")
      .replace(/\*/g, "[\\w-]+")}$`,
  );

const withoutComments = (source) => source.replace(/\/\*[\s\S]*?\*\/|(?<![:"'`])\/\/.*$/gm, "");

test("every key that the code and the page use is in the language file", () => {
  const missing = [...sources, ["board.html", page]].flatMap(([path, source]) =>
    keysIn(source)
      .filter((key) => !english.some((known) => pattern(key).test(known)))
      .map((key) => `${path}: ${key}`),
  );
  assert.deepEqual(missing, []);
});

test("every key in the language file is used", () => {
  const used = [...sources.flatMap(([, source]) => keysIn(source)), ...keysIn(page)].map(pattern);
  assert.deepEqual(
    english.filter((key) => !used.some((one) => one.test(key))),
    [],
  );
});

/** Runs alone on node, and repeats the sentences of enfilade.cli.verify. */
const STANDALONE = "core/dice/verify-dice.js";
/** Not shown as text: Socket.IO's reasons, fonts, icons, selectors, markup of chat cards and files, an act's kind, a tracker's key,
 * a word of terrain. */
const NOT_TEXT = [
  /^(?:io \w+ disconnect|ping timeout)$/,
  /system-ui/,
  /^fa-solid /,
  /^(?:[.#[]|input:|button\.|<div |<script )/,
  /^free attack$/,
  /^(?:max health|blocks sight)$/,
];

/** A literal as an element's text, label or placeholder, even if it is a single word. */
const ELEMENT_TEXT =
  /el\("\w+", \{[^{}]*\}, "\w|button\(\s*"[^"]*",\s*"\w|(?:field|section|checkbox)\(\s*"|(?:"aria-label"|title|placeholder): "(?!https)\w/;

test("no sentence for people stands in the code", () => {
  const found = sources
    .filter(([path]) => path !== STANDALONE)
    .flatMap(([path, source]) => {
      const code = withoutComments(source)
        .replace(/^import [^;]*;$/gm, "")
        .replace(/\bclass(?:Name =|:) (?:"[^"]*"|`[^`]*`)/g, "")
        .replace(/(?:new|extends) (?:Range|Type)?Error\((?:"[^"]*"|`[^`]*`)/g, "");
      const literals = [...code.matchAll(/"([^"\n]*)"|`([^`]*)`/g)].map(([, a, b]) => a ?? b);
      return literals
        .filter((text) => /[A-Za-z]{2,}[.,:]? [A-Za-z]{2,}/.test(text.replace(/\$\{[^}]*\}/g, "")))
        .filter((text) => !NOT_TEXT.some((one) => one.test(text)))
        .map((text) => `${path}: ${text}`);
    });
  assert.deepEqual(found, []);
  const labeled = sources.filter(([, source]) => ELEMENT_TEXT.test(withoutComments(source)));
  assert.deepEqual(
    labeled.map(([path]) => path),
    [],
  );
});

test("no text stands in the page itself but the name of the product", () => {
  const texts = [...page.replace(/<!--[\s\S]*?-->|<!doctype html>/g, "").matchAll(/>([^<]+)</g)];
  const found = texts.map(([, text]) => text.trim()).filter(Boolean);
  assert.deepEqual(new Set(found), new Set(["Enfilade"]));
  assert.doesNotMatch(page, / (?:aria-label|placeholder)=/);
});

test("every language has the same keys, with the same fields", () => {
  const fields = (text) => (text.match(/\{\w+\}/g) ?? []).toSorted();
  const values = (section) =>
    Object.values(section).flatMap((value) => (typeof value === "string" ? [fields(value)] : values(value)));
  const first = JSON.parse(read("lang/en.json")).ENFILADE;
  for (const { path } of JSON.parse(read("module.json")).languages) {
    const sections = JSON.parse(read(path)).ENFILADE;
    assert.deepEqual(keysOf(sections), english, path);
    assert.deepEqual(values(sections), values(first), path);
  }
});

test("nothing in the source can turn text into markup or code", () => {
  const sinks =
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|DOMParser|setHTML|\{\{\{|\beval\(|new Function\b|srcdoc|javascript:/;
  const found = sources.filter(([, source]) => sinks.test(source)).map(([path]) => path);
  assert.deepEqual(found, []);
});

test("only the folder foundry uses Foundry's globals", () => {
  const globals = /(?<![\w.$"'`])(?:game|canvas|Hooks|CONFIG|CONST|ui|foundry|ChatMessage|Roll)\.\w/;
  const found = sources
    .filter(([path]) => !path.startsWith("foundry/"))
    .map(([path, source]) => [path, withoutComments(source)])
    .filter(([, code]) => globals.test(code) && !/(?:const|let) canvas\b|\{ canvas\b/.test(code));
  assert.deepEqual(
    found.map(([path]) => path),
    [],
  );
});
