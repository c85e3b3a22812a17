// The steps of docs/first-battle.md, one after the other, from the server's address to the log. With SCREENSHOT=1 it
// takes the page's pictures.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { Player, ROOT, launch, until } from "./harness.mjs";
import { takePicture } from "./pictures.mjs";
import { text } from "./text.mjs";

const DOCS = join(ROOT, "docs");
const FIVE_MINUTES_MS = 5 * 60 * 1000;
/** A unit of each side of the ready-made battle. */
const UNITS = { watch: "ilvane", other: "goblin-1" };

describe("the first battle, as its page tells it", () => {
  const origin = process.env.ENFILADE_TEST_SERVER;
  const began = Date.now();
  let browser, gm, own, enemy;
  const picture = (name) => takePicture(gm.page, `first-${name}`);
  const scene = async () => {
    const [, table, key] = gm.page.url().match(/table=([^&]+)&key=([^&]+)/);
    const headers = { Authorization: `Bearer ${key}` };
    return (await fetch(`${origin}/api/tables/${table}/scene`, { headers })).json();
  };

  before(async () => {
    browser = await launch();
    gm = await Player.open(browser, `${origin}/`, { viewport: { width: 1440, height: 900 } });
  });
  after(() => browser?.close());

  test("1. the first game's card opens its battle", async () => {
    await gm.page.click("#play-coup_de_grace");
    await gm.sees("#connection", text("Connection.connected"));
    await gm.page.locator("#pick-ilvane").waitFor();
  });

  test("2. the filled button starts the round, and the log says who is first", async () => {
    await gm.page.click("#step");
    await gm.sees("#round", text("Turn.Round", { round: 1 }));
    await gm.sees(".log-entry", "Round 1 begins");
    await picture("round");
  });

  test("3. a unit of that side is active by the same button, with its reach and its chances", async () => {
    const isWatch = (await scene()).conditions.priority === "watch";
    [own, enemy] = isWatch ? [UNITS.watch, UNITS.other] : [UNITS.other, UNITS.watch];
    await gm.page.click(`#pick-${own}`);
    await gm.page.click("#step");
    await until(async () => (await scene()).conditions.active === own, "the unit is active");
    await gm.page.locator("#dock-attack").filter({ hasText: "%" }).waitFor();
    await picture("unit");
  });

  test("5. an enemy's panel lists the attacks, and one is made", async () => {
    await gm.page.click("#dock-attack");
    await gm.page.locator("#act-0").waitFor();
    await picture("attack");
    await gm.page.click("#act-0");
    await gm.answerUntil(async () => /hits|misses/.test(await gm.lastEntry()), "the attack is in the log");
    assert.ok(enemy);
  });

  test("6. its entry in the log unfolds the dice and the modifiers, and undo takes it back", async () => {
    const entry = gm.page.locator(".log-entry", { hasText: /hits|misses/ }).last();
    const unfolds = entry.locator(".log-line");
    if ((await unfolds.getAttribute("aria-expanded")) !== "true") await unfolds.click();
    await gm.sees(".log-entry", "Defense");
    await picture("log");
    await gm.page.click("#undo");
    await until(
      async () => (await gm.page.getAttribute("#redo", "aria-disabled")) === "false",
      "the attack is taken back",
    );
  });

  test("the page shows a picture of each, and all of it fits into five minutes", () => {
    const shown = readFileSync(join(DOCS, "first-battle.md"), "utf8").match(/images\/[\w-]+\.(?:png|jpg)/g);
    assert.equal(shown.length, 5);
    for (const one of shown) assert.ok(readFileSync(join(DOCS, one)).length > 10_000, one);
    assert.ok(Date.now() - began < FIVE_MINUTES_MS);
    assert.deepEqual(gm.errors, []);
  });
});
