// Takes pictures of each game's ready-made battle in six states of play, at five sizes, to be looked at side by side:
// REPEATS=100 STATES=folder TEST_NAMES=torn node tests/browser/run.mjs states. Nothing is compared. One game a run, which
// takes about four minutes: REPEATS=100 lets the file run for eight.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Player, SHARP, isPainted, launch, newTable, settled } from "./harness.mjs";

const FOLDER = process.env.STATES;
const GAMES = ["coup_de_grace", "torn", "knights_of_valour", "miniatures_combat", "double_life"];
/** The dark ones first: a map is painted again for the other theme. */
const LAYOUTS = [
  ["1440-dark", 1440, 900, "dark"],
  ["1024", 1024, 768, "dark"],
  ["844", 844, 390, "dark"],
  ["390", 390, 844, "light"],
  ["1440-light", 1440, 900, "light"],
];
/** An attack is shown so long that all sizes can be taken. */
const KEEP_ATTACKS = () => {
  const { setTimeout: wait } = globalThis;
  globalThis.setTimeout = (run, ms, ...rest) => wait(run, ms === 2_400 ? 600_000 : ms, ...rest);
};

for (const ruleset of GAMES)
  test(`${ruleset} in six states`, { skip: !FOLDER, timeout: 900_000 }, async () => {
    mkdirSync(FOLDER, { recursive: true });
    const browser = await launch(SHARP);
    const taken = new Set();
    try {
      const table = await newTable(ruleset, { battle: true });
      // Without motion an attack stays as it is until it is taken away.
      const options = { viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" };
      const gm = await Player.open(browser, table.gm, options);
      await gm.page.addInitScript(KEEP_ATTACKS);
      await gm.page.reload();
      await gm.page.locator("#units .unit").first().waitFor();
      const { page } = gm;

      /** Takes the pictures of a state once. */
      const take = async (state, from = page) => {
        if (taken.has(state)) return;
        taken.add(state);
        for (const [name, width, height, colorScheme] of LAYOUTS) {
          await from.setViewportSize({ width, height });
          await from.emulateMedia({ colorScheme });
          await settled(from);
          await from.evaluate(() => document.getElementById("fit")?.click());
          if (from === page && Math.min(width, height) < 500) await comesCloser(gm, table);
          await isPainted(from);
          const path = join(FOLDER, `${ruleset}-${state}-${name}.png`);
          await from.screenshot({ path });
        }
        await from.setViewportSize({ width: 1440, height: 900 });
      };
      const isShown = (selector) => page.locator(selector).first().isVisible();
      /** Answers what is asked by the default, after a picture of the first question. */
      const answer = async () => {
        for (let i = 0; i < 30 && (await isShown(".prompt")); i += 1) {
          await take("deciding");
          const given = page.locator(".prompt button.primary").first();
          await given.click({ timeout: 5_000 }).catch(() => {});
          await settled(page);
        }
      };
      /** Takes the next step, and answers what it asks. */
      const step = async () => {
        await page
          .locator("#step")
          .click({ timeout: 5_000 })
          .catch(() => {});
        await settled(page);
        await answer();
      };
      await step();
      await take("idle");
      // Where all plan in secret no press attacks.
      const turns = ruleset === "double_life" ? 1 : 12;
      for (let turn = 0; turn < turns && !taken.has("hit"); turn += 1) {
        await step();
        const chosen = page.locator("#dock h2");
        await chosen.waitFor({ timeout: 4_000 }).catch(() => page.locator("#units .unit").first().click());
        await chosen.waitFor();
        await settled(page);
        if (!taken.has("moving")) {
          await page.locator("#board").focus();
          await plansMove(gm, table);
          if (await isShown("#move-here")) await take("moving");
          await page.locator("#board").focus();
          if (await isShown("#move-here")) await page.keyboard.press("Escape");
        }
        const attack = page.locator("#dock-attack:not([aria-disabled=true])");
        if (!(await attack.count())) continue;
        await attack.click();
        await page.locator("#attack").waitFor();
        await take("aiming");
        const make = page.locator("#attack button.primary:not(:disabled)");
        if (!(await make.count())) continue; // attacks that are planned with the round
        await make.first().click();
        // An answer ends what is shown, so the picture comes before it.
        for (let i = 0; i < 6; i += 1) {
          await settled(page);
          if (await isShown(".moment-plate")) break;
          await answer();
        }
        if (await isShown(".moment-plate")) await take("hit");
      }
      const { tokens } = await table.scene();
      const guest = await table.seatPlayer("Mia", [tokens.at(-1).id]);
      const player = await Player.open(browser, guest, { viewport: { width: 1440, height: 900 } });
      await player.page.locator("#units .unit").first().waitFor();
      await take("waiting", player.page);
      await player.context.close();
    } finally {
      await browser.close();
    }
    console.log(ruleset, [...taken].join(" "));
  });

/** Looks at the selected unit as closely as a phone does at first. */
async function comesCloser(gm, table) {
  const name = await gm.page.evaluate(() => document.querySelector("#dock h2")?.textContent);
  const { grid, tokens } = await table.scene();
  const unit = tokens.find((token) => token.at && (!name || token.name === name));
  gm.grid = grid;
  await gm.page.mouse.move(...(await gm.at(unit.at)));
  await gm.page.mouse.wheel(0, -400);
  await settled(gm.page);
}

/** Clicks cells around the selected unit until one is the end of a planned move. */
async function plansMove(gm, table) {
  const name = await gm.page.locator("#dock h2").first().textContent();
  const { grid, tokens } = await table.scene();
  const unit = tokens.find((token) => token.name === name);
  if (!unit?.at) return;
  gm.grid = grid;
  await gm.page.click("#fit");
  const far = grid.kind === "gridless" ? 128 : 2;
  for (const [dx, dy] of [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
    [1, 1],
    [-1, -1],
  ]) {
    await gm.page.mouse.click(...(await gm.at([unit.at[0] + dx * far, unit.at[1] + dy * far])));
    await settled(gm.page);
    if (await gm.page.locator("#move-here").isVisible()) return;
    // A click where it cannot go let go of it, or took another unit.
    await gm.page.click(`#pick-${unit.id}`);
    await settled(gm.page);
  }
}
