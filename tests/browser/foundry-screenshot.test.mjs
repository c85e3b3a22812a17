// Takes the pictures in docs/foundry.md on the stand-in host. Only with SCREENSHOT=1.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { GM, PAT, FoundryUser, startWorld, seatAt } from "./foundry/user.mjs";
import { ROOT, Server, launch, until } from "./harness.mjs";

const [ANNA, GRIM] = ["tokentokenAnna01", "tokentokenGrim01"];
const IMAGES = join(ROOT, "docs", "images");

test("the pictures in docs/foundry.md", { skip: !process.env.SCREENSHOT }, async () => {
  const browser = await launch();
  const world = await startWorld(13, { system: "dnd5e" });
  const server = await new Server({ ENFILADE_ORIGINS: world.origin }).start();
  Object.assign(world.state.settings, {
    "enfilade.server": server.origin,
    "enfilade.write.hitPoints": "do",
  });
  mkdirSync(IMAGES, { recursive: true });
  try {
    const gm = await FoundryUser.open(browser, world, GM, { seat: seatAt(server) });
    await until(async () => (await server.token(ANNA)) !== undefined, "Anna is at the table");
    await gm.do((id) => window.host.drag(id, { x: 800, rotation: 270 }), ANNA);
    await until(async () => (await server.token(ANNA)).facing === 90, "Anna stands before Grim");
    const pat = await FoundryUser.open(browser, world, PAT);
    await until(() => pat.do(() => window.enfilade.client.replica !== null), "Pat is there");
    await attackPicture(gm, "foundry-gm.png");
    await hudPicture(gm);
    await attackPicture(pat, "foundry-player.png");
    await gm.context.close();
    const light = await FoundryUser.open(browser, world, GM, { seat: seatAt(server), theme: "light" });
    await until(() => light.do(() => window.enfilade.client.replica !== null), "the GM is back");
    await light.do(() => window.enfilade.seatUi.context.windows.open("log"));
    await light.do(() =>
      Object.assign(document.getElementById("enfilade-log").style, { left: "58%", top: "2%" }),
    );
    await attackPicture(light, "foundry-light.png", true);
  } finally {
    await browser.close();
    await server.stop();
    await world.stop();
  }
});

/** The HUD of a token, and the acts that its button opens. */
async function hudPicture(gm) {
  await gm.do(() => window.enfilade.seatUi.context.windows.close());
  await gm.page.mouse.move(5, 500);
  await gm.page.mouse.click(...(await gm.placeOf(ANNA)), { button: "right" });
  await gm.page.locator("#token-hud .enfilade-hud").click();
  await gm.page.locator("#enfilade-turn").waitFor();
  await gm.do(() =>
    Object.assign(document.getElementById("enfilade-turn").style, { left: "58%", top: "2%" }),
  );
  await gm.page.mouse.move(5, 500);
  await gm.page.screenshot({ path: join(IMAGES, "foundry-hud.png") });
  await gm.do(() => document.getElementById("token-hud").remove());
}

/** Anna's attack on Grim, with the pointer over Grim or away. */
async function attackPicture(user, name, isAway = false) {
  await user.click(ANNA);
  await user.target(GRIM);
  await user.do((id) => window.enfilade.seatUi.context.windows.openAttack(id), GRIM);
  await user.page.locator("#enfilade-attack .chance").first().waitFor();
  await user.do(() => {
    const window = document.getElementById("enfilade-attack");
    Object.assign(window.style, { left: "58%", top: "68%" });
    document.getElementById("notifications").replaceChildren();
  });
  if (isAway) await user.page.mouse.move(5, 500);
  await user.page.screenshot({ path: join(IMAGES, name) });
}
