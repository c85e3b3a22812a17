import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { factsPage } from "../../browser/foundry/facts.mjs";
import { declaredMembers, declaredSurface } from "../../browser/foundry/surface.mjs";

const SCRIPTS = new URL("../../../plugin_manifest/scripts/", import.meta.url);
const GLOBALS =
  /(?<![\w.#"'`-])(game|Hooks|CONFIG|CONST|ChatMessage|foundry|canvas\.(scene|tokens|grid))\b(?=\.|\[)/;

test("the declarations are read by member, with inherited and optional ones", () => {
  const surface = declaredSurface(14);
  assert.equal(surface.Game.socket, "always");
  assert.equal(surface.TokenDocument.getFlag, "always");
  assert.equal(surface.TokenDocument.level, "sometimes");
  assert.equal(surface.Users.activeGM, "always");
  assert.equal(surface.Users.get, "always");
  for (const [name, members] of Object.entries(surface))
    assert.ok(Object.keys(members).length > 0, `${name} has no members`);
});

test("every declared member names its public source, and its generations", () => {
  for (const { owner, name, source } of declaredMembers())
    assert.match(source, /D1[234]|I#\d+|C \w+\/|issue |PIXI/, `${owner}.${name}`);
  assert.equal(declaredSurface(12).TokenDocument.level, "absent");
  assert.equal(declaredSurface(12).RegionDocument.polygons, "absent");
  assert.equal(declaredSurface(13).RegionDocument.polygons, "sometimes");
  assert.equal(declaredSurface(12).TokenDocument.move, "absent");
});

test("docs/foundry-api.md is what the declarations print", () => {
  const page = readFileSync(new URL("../../../docs/foundry-api.md", import.meta.url), "utf8");
  assert.equal(page, factsPage(), "run make foundry-facts");
});

test("generic, readonly and multi-line members are read", () => {
  const text =
    "  interface A<T> extends B {\n    one: number;\n    readonly two?(x: {\n      three: 1;\n    }): T;\n  }\n";
  assert.deepEqual(declaredSurface(13, text), { A: { one: "always", two: "sometimes" } });
});

test("no module outside scripts/foundry uses a Foundry global", () => {
  for (const folder of ["core", "board"])
    for (const file of readdirSync(new URL(`${folder}/`, SCRIPTS), { recursive: true })) {
      if (!file.endsWith(".js")) continue;
      const code = readFileSync(new URL(`${folder}/${file}`, SCRIPTS), "utf8").replace(
        /\/\*[^]*?\*\/|\/\/.*/g,
        "",
      );
      assert.doesNotMatch(code, GLOBALS, `${folder}/${file}`);
    }
});
