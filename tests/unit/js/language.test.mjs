import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { pluralForm, translatorFor } from "../../../plugin_manifest/scripts/core/ui/i18n.js";
import { LANGUAGES, loadTexts, pickLanguage } from "../../../plugin_manifest/scripts/core/ui/language.js";

const PLUGIN = new URL("../../../plugin_manifest/", import.meta.url);
const read = (path) => readFileSync(new URL(path, PLUGIN), "utf8");
const sources = readdirSync(new URL("scripts/", PLUGIN), { recursive: true })
  .filter((path) => path.endsWith(".js"))
  .map((path) => [path, read(`scripts/${path}`)]);
const page = read("board.html") + read("start.html");
const FORMS = new Set(["zero", "one", "two", "few", "many", "other"]);
const english = keysOf(JSON.parse(read("lang/en.json")).ENFILADE);

/** A text may have several forms. */
function isPlural(section) {
  return typeof section.other === "string" && Object.keys(section).every((form) => FORMS.has(form));
}

function keysOf(section, above = "") {
  return Object.entries(section).flatMap(([key, value]) =>
    typeof value === "string" || isPlural(value) ? [`${above}${key}`] : keysOf(value, `${above}${key}.`),
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

/**
 * Parts a source into its code and the markup of its templates (html`...`); an expression in a template is code.
 * @returns {{code: string, markup: string}}
 */
function partTemplates(source) {
  let [code, markup] = ["", ""];
  /** "html" or "plain" template, or the depth of braces in an expression. */
  const within = [];
  for (let i = 0; i < source.length; i += 1) {
    const [top, sign] = [within.at(-1), source[i]];
    const isCode = top === undefined || typeof top === "number";
    if (isCode && source.startsWith("html`", i)) (within.push("html"), (i += 4));
    else if (sign === "`" && isCode) (within.push("plain"), (code += sign));
    else if (sign === "`") (within.pop(), (code += top === "plain" ? sign : " "));
    else if (!isCode && source.startsWith("${", i)) {
      within.push(0);
      i += 1;
      code += top === "plain" ? "${" : " ";
    } else if (isCode && top !== undefined && sign === "}" && top === 0) {
      within.pop();
      code += within.at(-1) === "plain" ? "}" : " ";
    } else {
      if (typeof top === "number") within[within.length - 1] += sign === "{" ? 1 : sign === "}" ? -1 : 0;
      if (top === "html") markup += sign;
      else code += sign;
    }
  }
  return { code, markup };
}

test("no sentence for people stands in a template", () => {
  const found = sources.flatMap(([path, source]) => {
    const { markup } = partTemplates(withoutComments(source));
    const shown = markup.replace(/<[^>]*>/g, " ").match(/[A-Za-z]{2,}[^<]*/g) ?? [];
    const named = markup.match(/ (?:aria-label|title|placeholder|alt)="?[A-Za-z][^>]*/g) ?? [];
    return [...shown, ...named].map((text) => `${path}: ${text.trim()}`);
  });
  assert.deepEqual(found, []);
  const sample = partTemplates('a(html`<p title="Hello you">Good ${b ? html`<i>day ${c}</i>` : d} all</p>`)');
  assert.deepEqual(sample.markup.replace(/\s+/g, " "), '<p title="Hello you">Good <i>day </i> all</p>');
});

test("no sentence for people stands in the code", () => {
  const found = sources
    .filter(([path]) => path !== STANDALONE)
    .flatMap(([path, source]) => {
      const code = partTemplates(withoutComments(source))
        .code.replace(/^import [^;]*;$/gm, "")
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

// tests/style/translations.py compares the languages with English, and names what each lacks.
test("Foundry and the page offer the languages that have a file, each under its own name", () => {
  const { languages } = JSON.parse(read("module.json"));
  const files = readdirSync(new URL("lang/", PLUGIN)).map((name) => name.replace(".json", ""));
  assert.deepEqual(LANGUAGES.toSorted(), files.toSorted());
  assert.deepEqual(
    languages.map(({ lang, path }) => [lang, path]),
    LANGUAGES.map((code) => [code, `lang/${code}.json`]),
  );
  for (const code of LANGUAGES) {
    const { Display } = JSON.parse(read(`lang/${code}.json`)).ENFILADE;
    for (const { lang, name } of languages) assert.equal(Display.language[lang], name);
  }
});

test("a page speaks what was chosen, else the first language that the browser wants and a file has", () => {
  assert.equal(pickLanguage("browser", ["de-AT", "en"]), "de");
  assert.equal(pickLanguage("browser", ["fr", "de", "en"]), "de");
  assert.equal(pickLanguage("en", ["de"]), "en");
  assert.equal(pickLanguage("de", ["en-US"]), "de");
  assert.equal(pickLanguage("", ["fr-FR"]), "en");
  assert.equal(pickLanguage("xx", []), "en");
});

test("the count chooses a text's form by the rules of the language", () => {
  const file = {
    ENFILADE: { Dice: { one: "{count} Würfel!", other: "{count} Würfel" }, Name: "Wer {name}?" },
  };
  const german = translatorFor(file, "de");
  assert.equal(german("Dice", { count: 1 }), "1 Würfel!");
  assert.equal(german("Dice", { count: 0 }), "0 Würfel");
  assert.equal(german("Name", { name: "Mia", count: 1 }), "Wer Mia?");
  assert.equal(german("Dice.other", {}), "{count} Würfel");
  assert.equal(german("Missing.Key", {}), "Missing.Key");
  assert.equal(pluralForm("pl")({ count: 3 }), "few");
});

test("a text that a language lacks is read in English", async () => {
  const files = {
    "/plugin/lang/en.json": { ENFILADE: { A: "a", B: { C: "c", D: { one: "1", other: "2" } } } },
    "/plugin/lang/de.json": { ENFILADE: { B: { C: "C" } } },
  };
  const fetched = [];
  globalThis.fetch = async (path) => (fetched.push(path), { json: async () => files[path] });
  assert.deepEqual(await loadTexts("de"), {
    ENFILADE: { A: "a", B: { C: "C", D: { one: "1", other: "2" } } },
  });
  assert.deepEqual(await loadTexts("en"), files["/plugin/lang/en.json"]);
  assert.deepEqual(fetched, ["/plugin/lang/en.json", "/plugin/lang/de.json", "/plugin/lang/en.json"]);
  delete globalThis.fetch;
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
