// The page and the module in German: the language is the browser's or the chosen one, and no text bursts its place.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { translatorFor } from "../../plugin_manifest/scripts/core/ui/i18n.js";
import { SMALL, openGm } from "./foundry/user.mjs";
import { Player, ROOT, SHARP, becomes, startSkirmish } from "./harness.mjs";

const FILE = new URL("../../plugin_manifest/lang/de.json", import.meta.url);
const text = translatorFor(JSON.parse(readFileSync(FILE, "utf8")), "de");
const german = (key, values = {}) => text(key, values);
const SCREENS = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];
/** Off the screen or cut on purpose: for screen readers, and the dot of the connection. */
const UNSEEN = ".skip, .visually-hidden, #connection";
const TOLERANCE_PX = 2;

/** Returns each place that a text has burst: what it hides, pushes off the screen or makes scroll sideways. */
function burst([tolerance, unseen]) {
  const view = document.documentElement.clientWidth;
  const found = [];
  const isShown = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    element.getBoundingClientRect().width > 1;
  const name = (element) => `${element.tagName} ${element.id || element.className}`;
  for (const element of [
    document.documentElement,
    ...document.body.querySelectorAll("*:not(canvas, svg, svg *)"),
  ]) {
    if (!isShown(element) || element.closest(unseen)) continue;
    const { overflowX, textOverflow, display } = getComputedStyle(element);
    const words = element.textContent.trim().replace(/\s+/g, " ").slice(0, 60);
    if (!words || display === "inline" || textOverflow === "ellipsis") continue;
    if (element.scrollWidth > element.clientWidth + tolerance && element.clientWidth)
      found.push(
        `${name(element)} (${overflowX}): ${element.scrollWidth} in ${element.clientWidth}: ${words}`,
      );
    const { left, right } = element.getBoundingClientRect();
    if (right > view + tolerance || left < -tolerance)
      found.push(`${name(element)}: ${left} to ${right}: ${words}`);
  }
  return found;
}

describe("the page in German", () => {
  let server, browser, gm;
  const speaks = (code) => gm.page.locator(`html[lang=${code}]`).waitFor({ state: "attached" });

  before(async () => {
    ({ server, browser } = await startSkirmish(null, SHARP));
    gm = await Player.open(browser, server.gm, { locale: "de-DE" });
    await gm.sees("#connection", german("Connection.connected"));
    await gm.page.locator("#board[data-painted]").waitFor();
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  test("a German browser gets German, without being asked", async () => {
    await speaks("de");
    await becomes(
      () => gm.page.locator("#tab-token").textContent(),
      german("Tab.Token"),
      "the tab is German",
    );
    await gm.openTab("log");
    await gm.sees("#log-fold", german("Log.Title"));
  });

  test("what was chosen goes before the browser's language, and stays", async () => {
    for (const [code, title] of [
      ["en", "Unit"],
      ["de", german("Tab.Token")],
    ]) {
      await gm.page.evaluate(() => document.querySelector("#display-language").closest("dialog").showModal());
      await gm.page.selectOption("#display-language", code);
      await speaks(code);
      await gm.page.locator("#tab-token", { hasText: title }).waitFor({ state: "attached" });
    }
    await gm.page.reload();
    await speaks("de");
    await gm.sees("#connection", german("Connection.connected"));
  });

  test("no key of a text is shown instead of it", async () => {
    for (const tab of ["token", "setup", "rules", "players"]) {
      await gm.openTab(tab);
      await gm.page.locator(`#panel-${tab} > *`).first().waitFor({ state: "attached" });
      const shown = await gm.page.evaluate(() => document.body.innerText);
      assert.deepEqual(shown.match(/\b[A-Z]\w+\.[A-Z]\w+\b/g), null);
    }
  });

  for (const screen of SCREENS)
    test(`no text bursts its place on a screen of ${screen.width}`, async () => {
      await gm.page.setViewportSize(screen);
      // What was there before the screen had its size, or slides in, is looked at again.
      const look = (name) => becomes(() => gm.page.evaluate(burst, [TOLERANCE_PX, UNSEEN]), [], name);
      await gm.page.locator("#tracker button").first().click();
      await look("unit");
      for (const tab of ["token", "setup", "rules", "players"]) {
        await gm.openTab(tab);
        await gm.page.locator(`#panel-${tab} > *`).first().waitFor({ state: "attached" });
        await look(tab);
      }
      await gm.openTab("log");
      await look("log");
      await gm.page.evaluate(() => document.querySelector("#display-language").closest("dialog").showModal());
      await look("display");
      await gm.page.keyboard.press("Escape");
    });

  test("the start page speaks German, has the picker, and nothing bursts", async () => {
    await gm.page.goto(new URL("/", server.gm).href);
    await gm.sees("p", german("Start.About"));
    await gm.sees("#language", german("Display.language.Title"));
    await gm.page.locator(".game-card:last-child svg").first().waitFor({ state: "attached" });
    for (const screen of SCREENS) {
      await gm.page.setViewportSize(screen);
      await becomes(() => gm.page.evaluate(burst, [TOLERANCE_PX, UNSEEN]), [], "the start page");
    }
    await gm.page.selectOption("#display-language", "en");
    await speaks("en");
  });

  test("nothing of this is an error of the page", () => assert.deepEqual(gm.errors, []));
});

describe("the module in a German Foundry", () => {
  let browser, world, server, gm;

  before(async () => {
    const generation = Number((process.env.GENERATIONS ?? "14").split(" ").at(-1));
    ({ browser, world, server, gm } = await openGm(generation, {
      viewport: SMALL,
      language: "de",
      module: join(ROOT, "plugin_manifest"), // whose parts can be asked for a text
    }));
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
    await world?.stop();
  });

  test("its texts follow Foundry's setting, with the forms of numbers", async () => {
    const shown = (key, values) =>
      gm.do(
        async ([wanted, data]) => {
          const { localize } = await import("/modules/enfilade/scripts/core/ui/i18n.js");
          return localize(wanted, data);
        },
        [key, values],
      );
    assert.equal(await shown("Turn.Undo", {}), german("Turn.Undo"));
    for (const count of [1, 2]) {
      assert.equal(await shown("Log.RollsVerified", { count }), german("Log.RollsVerified", { count }));
      assert.equal(await shown("Attack.More", { count }), german("Attack.More", { count }));
    }
  });

  test("nothing of this is an error of the page", () => assert.deepEqual(gm.errors, []));
});
