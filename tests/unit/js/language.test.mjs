import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

const PLUGIN = new URL("../../../plugin_manifest/", import.meta.url);
const read = (path) => readFileSync(new URL(path, PLUGIN), "utf8");
const sources = readdirSync(new URL("scripts/", PLUGIN), { recursive: true })
  .filter((path) => path.endsWith(".js"))
  .map((path) => [path, read(`scripts/${path}`)]);
const inFoundry = sources.filter(([path]) => !path.startsWith("board/"));
const english = keysOf(JSON.parse(read("lang/en.json")).ENFILADE);

function keysOf(section, above = "") {
  return Object.entries(section).flatMap(([key, value]) =>
    typeof value === "string" ? [`${above}${key}`] : keysOf(value, `${above}${key}.`),
  );
}

/** Kinds of command look like keys and are none. */
const COMMANDS = new Set(
  readdirSync(new URL("../schemas/commands/", PLUGIN)).map((name) => name.replace(/\.json$/, "")),
);

/** Every text in quotes or backticks that names a key, as `Log.Attack`, `bridge.held` or `ENFILADE.Log.Attack`. */
function namedIn(source) {
  const sections = [...new Set(english.map((key) => key.split(".")[0]))].join("|");
  const literal = new RegExp(`["\`](?:ENFILADE\\.)?((?:${sections})\\.[\\w.$\\{\\}]+)["\`]`, "g");
  return [...source.matchAll(literal)].map(([, key]) => key).filter((key) => !COMMANDS.has(key));
}

/** A key with a part that is worked out stands for all that fit it. */
const fits = (named) => new RegExp(`^${named.replace(/\./g, "\\.").replace(/\$\{\w+\}/g, "[\\w-]+")}$`);

test("every word that the module asks for is in English", () => {
  const missing = inFoundry.flatMap(([path, source]) =>
    namedIn(source)
      .filter((named) => !english.some((key) => fits(named).test(key)))
      .map((named) => `${path}: ${named}`),
  );
  assert.deepEqual(missing, []);
});

test("every English word is asked for somewhere", () => {
  const named = sources.flatMap(([, source]) => namedIn(source)).map(fits);
  assert.deepEqual(
    english.filter((key) => !named.some((pattern) => pattern.test(key))),
    [],
  );
});

test("every language has the same words, with the same values in braces", () => {
  const braces = (text) => (text.match(/\{\w+\}/g) ?? []).toSorted();
  const values = (section) =>
    Object.values(section).flatMap((value) => (typeof value === "string" ? [braces(value)] : values(value)));
  const first = JSON.parse(read("lang/en.json")).ENFILADE;
  for (const { path } of JSON.parse(read("module.json")).languages) {
    const sections = JSON.parse(read(path)).ENFILADE;
    assert.deepEqual(keysOf(sections), english, path);
    assert.deepEqual(values(sections), values(first), path);
  }
});

test("nothing in the module's source can turn text into markup or code", () => {
  const sinks =
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|DOMParser|setHTML|\{\{\{|\beval\(|new Function\b|srcdoc|javascript:/;
  const found = sources.filter(([, source]) => sinks.test(source)).map(([path]) => path);
  assert.deepEqual(found, []);
});

test("only the folder foundry names a global of Foundry", () => {
  const globals = /(?<![\w.$"'`])(?:game|canvas|Hooks|CONFIG|CONST|ui|foundry|ChatMessage|Roll)\.\w/;
  const code = (source) => source.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
  const outside = sources.filter(([path]) => path.startsWith("core/"));
  const found = outside.filter(
    ([, source]) => globals.test(code(source)) && !/(?:const|let) canvas\b|\{ canvas\b/.test(source),
  );
  assert.deepEqual(
    found.map(([path]) => path),
    [],
  );
});
