// Takes the pictures in the README and in the docs from the page itself: `make pictures`. Runs only with SCREENSHOT=1.

import { join } from "node:path";
import { test } from "node:test";
import { Player, Server, launch, miniature, newTable, settled } from "./harness.mjs";
import { takePicture } from "./pictures.mjs";

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
    await gm.openTab("token");
    await gm.page.locator("#target-Urk").filter({ hasText: "%" }).click();
    await gm.closeDrawer();
    await gm.page.locator("#attack").waitFor({ state: "visible" });
    await takePicture(gm.page, "board");
    gm.grid = (await server.scene()).grid;
    await looksAround(gm);
    await takePicture(gm.page, "verdict");
    await getsAdvice(gm);
    await takePicture(gm.page, "advice");
  } finally {
    await browser.close();
    await server.stop();
  }
});

test("the picture of the start page", { skip: !process.env.SCREENSHOT }, async () => {
  const browser = await launch();
  try {
    const viewport = { width: 1440, height: 900 };
    const guest = await Player.open(browser, `${process.env.ENFILADE_TEST_SERVER}/`, { viewport });
    await guest.page.locator(".game-card:last-child image").waitFor({ state: "attached" });
    await takePicture(guest.page, "start");
  } finally {
    await browser.close();
  }
});

const GAMES = ["coup_de_grace", "torn", "knights_of_valour", "miniatures_combat", "double_life"];
const SIZES = [
  [1440, 900],
  [1024, 768],
  [390, 844],
];

test(
  "the pictures of each game at three sizes in both themes",
  { skip: !process.env.SCREENSHOT },
  async () => {
    const browser = await launch();
    try {
      for (const ruleset of GAMES) {
        const table = await newTable(ruleset, { battle: true });
        // Miniatures combat begins with a group of a side, not with a round.
        if (ruleset !== "miniatures_combat") await table.command("act", { act: { kind: "round" } });
        for (const [width, height] of SIZES)
          for (const colorScheme of ["dark", "light"]) {
            const isPhone = width < 500;
            const options = {
              viewport: { width, height },
              colorScheme,
              isMobile: isPhone,
              hasTouch: isPhone,
            };
            const gm = await Player.open(browser, table.gm, options);
            await gm.page.locator("#units .unit").first().waitFor();
            await gm.page.locator("#units .unit").nth(1).click();
            await gm.page.locator("#panel-token .card[aria-busy=false]").waitFor({ state: "attached" });
            await settled(gm.page);
            await takePicture(gm.page, join("games", `${ruleset}-${width}-${colorScheme}`));
            await gm.context.close();
          }
      }
    } finally {
      await browser.close();
    }
  },
);

/** Asks where the selected token should go, and rests the pointer on a place. */
async function getsAdvice(gm) {
  await showsLayers(gm, ["threat"], []);
  await gm.page.click("#advice-open");
  await gm.page.locator("#advice-3").waitFor();
  await gm.page.mouse.move(...(await gm.at([9, 4])), { steps: 3 });
  await gm.page.locator(".advice-outlook").first().waitFor();
}

/** Shows the layers threat and engagement, and rests the pointer on a token behind a wall. */
async function looksAround(gm) {
  await gm.press("Escape", "Escape");
  await gm.page.click("#pick-Anna");
  await showsLayers(gm, ["reach", "arc", "targets"], ["threat"]);
  await gm.page.click("#fit");
  await gm.page.mouse.move(...(await gm.at([3, 2])), { steps: 3 });
  await gm.sees("#verdict", "Snag");
}

/** Hides and shows layers by hand. */
async function showsLayers(gm, hidden, shown) {
  await gm.page.click("#layers-open");
  for (const layer of hidden) await gm.page.uncheck(`#layer-${layer}`);
  for (const layer of shown) await gm.page.check(`#layer-${layer}`);
  await gm.page.click("#layers-open");
}
