// Takes the pictures in the README and in docs/playing.md from an ordinary battle. Runs only with SCREENSHOT=1.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Player, ROOT, Server, launch, miniature } from "./harness.mjs";

const IMAGES = join(ROOT, "docs", "images");
const ARMY = [
  ["Anna", "blue", [8, 4], "light", "human", ["sword", "shield"], 0],
  ["Borin", "blue", [12, 6], "heavy", "dwarf", ["hammer", "shield"], 0],
  ["Elwin", "blue", [9, 7], "light", "elf", ["bow"], 0],
  ["Grim", "red", [8, 3], "light", "orc", ["axe", "shield"], 180],
  ["Snag", "red", [3, 2], "unarmored", "goblin", ["bow"], 90],
  ["Urk", "red", [12, 3], "heavy", "orc", ["axe", "hammer"], 180],
];

test("the pictures of the board", { skip: !process.env.SCREENSHOT }, async () => {
  const server = await (await new Server().start()).clear();
  const browser = await launch();
  try {
    const gm = await Player.join(browser, server.gm, { viewport: { width: 1440, height: 900 } });
    for (const [name, side, at, armor, race, hands, facing] of ARMY) {
      const { token } = miniature(name, side, at, hands);
      await server.command("token.place", { token: { ...token, facing, profile: { armor, race, hands } } });
    }
    await server.command("act", { act: { kind: "round" }, faces: [6, 1] });
    await server.command("act", { act: { kind: "activate", token: "Elwin" } });
    await gm.page.click("#pick-Elwin");
    await gm.page.locator("#target-Urk").filter({ hasText: "%" }).click();
    await gm.page.locator("#attack").waitFor({ state: "visible" });
    mkdirSync(IMAGES, { recursive: true });
    await gm.page.screenshot({ path: join(IMAGES, "board.png") });
    gm.grid = (await server.scene()).grid;
    await looksAround(gm);
    await gm.page.screenshot({ path: join(IMAGES, "verdict.png") });
    await getsAdvice(gm);
    await gm.page.screenshot({ path: join(IMAGES, "advice.png") });
  } finally {
    await browser.close();
    await server.stop();
  }
});

/** Asks where the selected token should go, and rests the pointer on a place. */
async function getsAdvice(gm) {
  await gm.page.uncheck("#layer-threat");
  await gm.page.click("#advice-open");
  await gm.page.locator("#advice-3").waitFor();
  await gm.page.mouse.move(...(await gm.at([9, 4])), { steps: 3 });
  await gm.page.locator(".advice-outlook").first().waitFor();
}

/** Shows the layers threat and engagement, and rests the pointer on a token behind a wall. */
async function looksAround(gm) {
  await gm.press("Escape", "Escape");
  await gm.page.click("#pick-Anna");
  for (const layer of ["reach", "arc", "targets"]) await gm.page.uncheck(`#layer-${layer}`);
  await gm.page.check("#layer-threat");
  await gm.page.click("#fit");
  await gm.page.mouse.move(...(await gm.at([3, 2])), { steps: 3 });
  await gm.sees("#verdict", "Snag");
}
