// Takes pictures of each game's ready-made battle in six states of play, at five sizes, to be looked at side by side:
// REPEATS=100 STATES=folder TEST_NAMES=torn node tests/browser/run.mjs states. Nothing is compared. One game a run, which
// takes about four minutes: REPEATS=100 lets the file run for eight.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fitCamera, toView } from "../../plugin_manifest/scripts/board/page/camera.js";
import { coveredEdges } from "../../plugin_manifest/scripts/board/page/free-area.js";
import { boardSize, center } from "../../plugin_manifest/scripts/core/map/geometry.js";
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
/** A cell of a phone's map is as wide as a finger. */
const FINGER_PX = 44;
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
          if (Math.min(width, height) < 500) await comesCloser({ page: from }, table, [width, height]);
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
          await seeHit();
          await take("deciding");
          const given = page.locator(".prompt button.primary").first();
          await given.click({ timeout: 5_000 }).catch(() => {});
          await settled(page);
        }
      };
      /** Takes the picture of an attack that is shown; an answer ends it. */
      const seeHit = async () => {
        if (await isShown(".moment-plate")) await take("hit");
      };
      /** Takes the next step, and answers what it asks. */
      const step = async () => {
        await page
          .locator("#step")
          .click({ timeout: 5_000 })
          .catch(() => {});
        await settled(page);
        const form = page.locator("dialog.act-form[open] button.primary");
        if (await form.count()) await form.first().click();
        await settled(page);
        await answer();
        await seeHit();
      };
      if (ruleset === "miniatures_combat") await standsTogether(table);
      if (ruleset === "double_life") await plansRound(page, take);
      else await step();
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
        for (let i = 0; i < 6 && !taken.has("hit"); i += 1) {
          await settled(page);
          await seeHit();
          await answer();
        }
      }
      if (ruleset === "coup_de_grace") {
        await standsUp(table);
        await page.locator(".prompt").waitFor();
        await answer();
      }
      if (!taken.has("hit") && ruleset === "miniatures_combat") {
        await shootsVolley(table);
        for (let i = 0; i < 10 && !taken.has("hit"); i += 1) {
          await settled(page);
          await answer();
          await seeHit();
        }
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

/** Has three swords beside the captain, so that they can fight. */
async function standsTogether(table) {
  const { tokens } = await table.scene();
  const borin = tokens.find(({ name }) => name === "Borin");
  const swords = tokens.filter(({ name }) => name.startsWith("Sword")).slice(0, 3);
  for (const [i, { id, facing }] of swords.entries()) {
    const at = [borin.at[0] - 74, borin.at[1] + (i - 1) * 74];
    await table.command("token.move", { token: id, at, facing, path: [], override: "a picture" });
  }
}

/** Has the captain's group end its turn in range of the bows. */
async function shootsVolley(table) {
  const act = (kind, token, body) =>
    table.command("act", { act: { kind, token, target: "", weapon: "", body }, override: "a picture" });
  const { tokens, sides } = await table.scene();
  const borin = tokens.find(({ name }) => name === "Borin");
  for (const { id, name, at } of tokens)
    if (name.startsWith("Sword")) await moveBack(table, id, [at[0] - 400, at[1]]);
  await act("turn", "", { side: sides.find(({ id }) => id === borin.side).id });
  await act("activate", borin.id, { members: [], shifts: [] });
  await act("end", borin.id, null);
}

/** Moves a token against the rules. */
const moveBack = (table, token, at) =>
  table.command("token.move", { token, at, facing: 90, path: [], override: "a picture" });

/** Asks for the plans of a secret round, takes the pictures of a plan and of its reveal, and ends it. */
async function plansRound(page, take) {
  await page.click("#step");
  await page.locator(".planner").waitFor();
  await take("deciding");
  await page.locator(".plan-pick").nth(1).click();
  await page.locator("#pick-bar").waitFor();
  await take("moving");
  await page.keyboard.press("Escape");
  // No one is near enough for a blow before the second round.
  for (let round = 1; round < 4; round += 1) {
    await page.click("#close-choices");
    await page.click("#confirm-yes");
    await page.locator(".replay").waitFor();
    const [, steps] = (await page.locator(".replay-count").innerText()).split("/").map(Number);
    for (let i = 0; i < steps && !(await page.locator(".moment-plate").count()); i += 1) {
      await page.click("#replay-forward");
      await settled(page);
    }
    const isShown = (await page.locator(".moment-plate").count()) > 0;
    if (isShown) await take("hit");
    await page.locator(".replay").focus();
    await page.keyboard.press("Escape");
    if (isShown) return;
    await page.click("#step");
    await page.locator(".planner").waitFor();
  }
}

/** Has a unit that lies recover, whose player is asked which way it turns. */
async function standsUp(table) {
  const { tokens } = await table.scene();
  const { id } = tokens.find(({ at, conditions }) => at && !("active" in conditions));
  const token = tokens.find((one) => one.id === id);
  const lying = { conditions: { ...token.conditions, downed: "" }, tracks: { ...token.tracks, hp: 0 } };
  await table.command("token.place", { token: { ...token, ...lying, facing: null } });
  const act = { kind: "recover", token: id };
  await table.command("act", { act, faces: [6], override: "a picture" });
}

/**
 * Looks at the selected unit as closely as a phone does at first, in the middle of what no panel covers: by one turn of the
 * wheel about the place that brings it there, also if a panel covers that place.
 */
async function comesCloser({ page }, table, size) {
  const { grid, tokens } = await table.scene();
  const found = await page.evaluate(() => {
    const { top } = document.querySelector(".prompt, #attack:not([hidden])")?.getBoundingClientRect() ?? {};
    return {
      name: document.querySelector("#dock h2")?.textContent,
      hasColumn: ["has-log", "has-sheet", "has-advice", "has-plan"].some((name) =>
        document.body.classList.contains(name),
      ),
      top,
    };
  });
  const unit = tokens.find(({ at, name }) => at && (!found.name || name === found.name));
  const covered = coveredEdges(size, found.hasColumn);
  const camera = fitCamera(boardSize(grid), size, covered);
  const [x, y] = toView(camera, center(grid, unit.at));
  const factor = Math.max(1.2, FINGER_PX / 64 / camera.scale);
  const bottom = found.top > size[1] / 3 ? found.top : size[1] - covered.bottom;
  const [left, top] = [
    (covered.left + size[0] - covered.right) / 2,
    (Math.min(covered.top, bottom / 2) + bottom) / 2,
  ];
  await page.evaluate(
    ([clientX, clientY, deltaY]) =>
      document
        .querySelector("#board canvas")
        .dispatchEvent(
          new WheelEvent("wheel", { clientX, clientY, deltaY, bubbles: true, cancelable: true }),
        ),
    [(x * factor - left) / (factor - 1), (y * factor - top) / (factor - 1), -500 * Math.log(factor)],
  );
  await settled(page);
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
