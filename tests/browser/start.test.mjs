// The start page: a table without a command line, and the way back to it.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Player, launch, until } from "./harness.mjs";
import { text } from "./text.mjs";

describe("the start page", () => {
  let browser, gm;
  const origin = process.env.ENFILADE_TEST_SERVER;

  before(async () => {
    browser = await launch();
    gm = await Player.open(browser, `${origin}/`);
  });
  after(() => browser?.close());

  test("makes a table with a ready-made battle by keyboard alone, named as wished", async () => {
    await gm.page.locator("#new-game").focus();
    await gm.page.keyboard.press("Tab");
    await gm.page.keyboard.type("Friday's table");
    await gm.page.keyboard.press("Tab");
    await gm.page.keyboard.press("Space");
    await gm.page.keyboard.press("Tab");
    await gm.page.keyboard.press("Enter");
    await gm.sees("#connection", text("Connection.connected"));
    await gm.sees("#table-name", "Friday's table");
    await gm.sees("#tracker", "Bran");
    await gm.page.locator("#undo[aria-disabled=true]").waitFor();
  });

  test("lists it among the tables of this browser, opens it and forgets it", async () => {
    await gm.page.goto(`${origin}/`);
    await gm.page.locator("#mine a", { hasText: "Friday's table" }).click();
    await gm.sees("#connection", text("Connection.connected"));
    const link = gm.page.url();
    await gm.page.goto(`${origin}/`);
    await gm.page.getByRole("button", { name: text("Start.ForgetName", { name: "Friday's table" }) }).click();
    await gm.sees("#mine", text("Start.None"));
    await gm.page.fill("#open-link", "no link");
    await gm.page.click("#open-go");
    await gm.sees("#problem", text("Connect.NoLink"));
    await gm.page.fill("#open-link", link);
    await gm.page.click("#open-go");
    await gm.sees("#tracker", "Bran");
  });

  test("a saved battle that is refused makes no table, and says why", async () => {
    await gm.page.goto(`${origin}/`);
    const asked = [];
    gm.page.on(
      "request",
      (request) => request.method() === "POST" && asked.push(new URL(request.url()).pathname),
    );
    const broken = Buffer.from(JSON.stringify({ version: 1, ruleset: "torn", name: "x", tokens: 5 }));
    await gm.page.setInputFiles("#new-saved", {
      name: "b.json",
      mimeType: "application/json",
      buffer: broken,
    });
    await until(async () => (await gm.page.textContent("#problem")) !== "", "the problem is there");
    assert.deepEqual(asked, ["/api/battles"]);
    assert.equal(new URL(gm.page.url()).pathname, "/");
    await gm.page.goBack();
    await gm.sees("#tracker", "Bran");
  });

  test("a battle runs from the first key to the next round by keyboard alone", async () => {
    const round = async () => gm.page.textContent("#round");
    await gm.press("Space");
    await until(async () => (await round()) === text("Turn.Round", { round: 1 }), "the round has begun");
    await gm.press("n");
    await until(async () => (await gm.page.locator(".unit.is-selected").count()) === 1, "a unit is selected");
    const isRefusal = (error) => /status of 4\d\d/.test(error); // the browser's own note of the saved battle
    assert.deepEqual(
      gm.errors.filter((error) => !isRefusal(error)),
      [],
    );
  });

  test("shows each game as a card with its battle, painted, and its units", async () => {
    const guest = await Player.open(browser, `${origin}/`, { paints: true });
    const { games } = await (await fetch(`${origin}/api/games`)).json();
    for (const { key, title } of games) {
      const card = guest.page.locator(".game-card", { hasText: title });
      await card.locator("image[href^='data:image/']").waitFor({ state: "attached" });
      assert.ok((await card.locator(".portrait").count()) > 0, title);
      assert.match(await card.locator(`#play-${key}`).textContent(), /^Play: ./);
    }
    assert.deepEqual(guest.errors, []);
    await guest.context.close();
  });

  test("four clicks lead from this page to the first attack", async () => {
    await gm.page.goto(`${origin}/`);
    await gm.page.click("#play-coup_de_grace");
    await gm.page.locator("#step", { hasText: text("Turn.StartRound", { round: 1 }) }).click();
    await gm.page.locator("#step", { hasText: /Act with/ }).click();
    await gm.page.locator("#step", { hasText: /Attack/ }).click();
    await gm.answerUntil(async () => /hits|misses/.test(await gm.lastEntry()), "the attack is in the log");
  });
});
