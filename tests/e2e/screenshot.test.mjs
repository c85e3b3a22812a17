// Not a check but the README's picture, made from a battle as anybody can play it. Only with SCREENSHOT=1.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Player, ROOT, Server, launch, miniature } from "./harness.mjs";

const ARMY = [
  ["Anna", "blue", [5, 5], "light", "human", ["sword", "shield"], 0],
  ["Borin", "blue", [5, 7], "heavy", "dwarf", ["hammer", "shield"], 0],
  ["Elwin", "blue", [3, 5], "light", "elf", ["bow"], 90],
  ["Grim", "red", [5, 4], "light", "orc", ["axe", "shield"], 0],
  ["Snag", "red", [7, 5], "unarmoured", "goblin", ["bow"], 270],
  ["Urk", "red", [7, 3], "heavy", "orc", ["axe", "hammer"], 180],
  ["Gnash", "red", [10, 5], "light", "gnoll", ["crossbow", "sword"], 270],
];

test("the picture in the README", { skip: !process.env.SCREENSHOT }, async () => {
  const server = await new Server().start();
  const browser = await launch();
  try {
    const gm = await Player.sitDown(browser, server.gm, { viewport: { width: 1440, height: 900 } });
    await gm.bringMap();
    for (const [name, side, at, armour, race, hands, facing] of ARMY) {
      const { token } = miniature(name, side, at, hands);
      await server.command("token.place", { token: { ...token, facing, profile: { armour, race, hands } } });
    }
    await server.command("act", { act: { kind: "ranged", token: "Elwin", target: "Snag", weapon: "bow" }, faces: [6] });
    await gm.page.click("#tab-token");
    await gm.page.click("#pick-Anna");
    await gm.page.locator("#target-Grim").filter({ hasText: "%" }).waitFor();
    await gm.clickCell([5, 4]);
    await gm.page.locator("#attack").waitFor({ state: "visible" });
    await gm.page.waitForTimeout(4000); // the note of the shot and the toasts are gone by then
    mkdirSync(join(ROOT, "docs", "images"), { recursive: true });
    await gm.page.screenshot({ path: join(ROOT, "docs", "images", "board.png") });
  } finally {
    await browser.close();
    await server.stop();
  }
});
