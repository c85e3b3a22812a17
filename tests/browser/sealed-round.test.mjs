// A round of Double Life at three pages: sealed plans with their odds, the reveal, and its replay.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { Player, ROOT, launch, newTable, until } from "./harness.mjs";

const screenshot = async (player, name) => {
  if (process.env.SCREENSHOTS)
    await player.page.screenshot({ path: join(ROOT, "docs", "images", `${name}.png`) });
};

describe("a sealed round of Double Life", () => {
  let table, browser, gm, mia, tom;

  const move = async (id, at, facing, more = {}) => {
    const { body: _, owners: __, ...token } = await table.token(id);
    await table.command("token.place", {
      token: { ...token, at, facing, profile: { ...token.profile, ...more } },
    });
  };
  const stance = (player, text) =>
    player.page.locator(".plan-answer").filter({ hasText: text }).first().locator("input");
  const commit = (player) => player.page.locator(".plan-commit").click();

  before(async () => {
    table = await newTable("double_life");
    browser = await launch();
    gm = await Player.join(browser, table.gm);
    gm.grid = (await table.scene()).grid;
    // Grash attacks so badly, and Aldis defends so well, that a counter-attack follows.
    await move("aldis", [7, 6], 90, { defense: 30 });
    await move("grash", [8, 6], 270, { attack: 1 });
    await move("durin", [7, 7], 90);
    await move("murg", [8, 7], 270);
    mia = await Player.join(browser, await table.seatPlayer("Mia", ["aldis"]));
    tom = await Player.join(browser, await table.seatPlayer("Tom", ["durin"]));
    for (const player of [mia, tom]) player.grid = gm.grid;
    await gm.page.click("#next-round");
  });
  after(async () => {
    await browser?.close();
  });

  test("a player chooses a plan and sees its odds against each stance of each opponent", async () => {
    await mia.page.locator(".plan-token").filter({ hasText: "Aldis" }).click();
    await stance(mia, "Attack Grash").check();
    await mia.sees(".odds", "Grash");
    const row = () =>
      mia.page
        .locator(".odds tbody")
        .filter({ hasText: "Grash" })
        .locator("tr")
        .filter({ hasText: "attacks" });
    await until(async () => /\d+%/.test(await row().innerText()), "the odds of the attack are there");
    const attack = await row().innerText();
    await stance(mia, "Defend the front").check();
    await until(async () => (await row().innerText()) !== attack, "the odds follow the plan");
    await stance(mia, "Attack Grash").check();
    await until(async () => (await row().innerText()) === attack, "the odds are exact: they come again");
    await mia.sees(".odds", "Murg");
    await screenshot(mia, "planner");
  });

  test("a plan is committed, changed and committed again, and no other page shows any of it", async () => {
    const pages = () => Promise.all([gm, tom].map(({ page }) => page.locator("#map").innerText()));
    const unknown = await pages();
    await commit(mia);
    await mia.sees(".plan-token", "Aldis ✓");
    await mia.page.locator(".plan-token").filter({ hasText: "Aldis" }).click();
    assert.equal(await mia.page.locator(".plan-commit").isDisabled(), true);
    await stance(mia, "Defend the front").check();
    await commit(mia);
    await until(async () => {
      const picked = mia.page.locator(".plan-token").filter({ hasText: "Aldis" });
      await picked.click();
      return (
        (await stance(mia, "Defend the front").isChecked()) &&
        (await mia.page.locator(".plan-commit").isDisabled())
      );
    }, "the changed plan is committed");
    assert.deepEqual(await pages(), unknown);
  });

  test("the GM commits for the raiders and closes the round; all pages play the same reveal", async () => {
    await tom.page.locator(".plan-token").filter({ hasText: "Durin" }).click();
    await stance(tom, "Defend the front").check();
    await commit(tom);
    await gm.page.locator(".plan-token").filter({ hasText: "Grash" }).click();
    await stance(gm, "Attack Aldis").check();
    await commit(gm);
    await gm.sees(".plan-token", "Grash ✓");
    await gm.page.click("#close-choices");
    for (const player of [gm, mia, tom]) {
      await player.sees(".log-entry", /All answers are given and sealed/);
      await player.sees(".log-entry", /Aldis counter-attacks Grash/);
      await player.sees(".replay", /\d+\/\d+/);
    }
  });

  test("the reveal is stepped back and forth by keyboard and by pointer, and played again", async () => {
    const bar = mia.page.locator(".replay");
    const position = () => mia.page.locator(".replay-count").innerText();
    await mia.page.click("#replay-first");
    await mia.sees(".replay-text", "Before the reveal");
    const picture = async () => (await mia.page.locator("#board canvas").screenshot()).toString("base64");
    const start = await picture();
    await bar.focus();
    await mia.page.keyboard.press("ArrowRight");
    await mia.sees(".replay-text", /Round 1.*Aldis: defends the front/);
    for (
      let i = 0;
      i < 12 && !/counter-attack/.test(await mia.page.locator(".replay-text").innerText());
      i += 1
    )
      await mia.page.keyboard.press("ArrowRight");
    await mia.sees(".replay-text", "Aldis counter-attacks Grash");
    await screenshot(mia, "reveal");
    assert.notEqual(await picture(), start, "the board shows the step");
    const here = await position();
    await mia.page.click("#replay-back");
    assert.notEqual(await position(), here);
    await mia.page.keyboard.press("Home");
    assert.equal((await position()).split("/")[0], "0");
    await mia.page.click("#replay-play");
    await until(async () => (await position()).split("/")[0] !== "0", "it plays by itself");
    await bar.focus();
    await mia.page.keyboard.press("Escape");
    await bar.waitFor({ state: "detached" });
    await mia.page.locator(".log-replay").last().click();
    await mia.sees(".replay-text", "Before the reveal");
  });

  test("each page verifies the dice and the sealed answers", async () => {
    for (const player of [mia, tom]) {
      await player.page.click("#log-verify");
      await player.sees("#notices", /verified/);
      await player.sees(".log-dice", "✓");
    }
  });

  test("the pages log no errors", () => assert.deepEqual([...gm.errors, ...mia.errors, ...tom.errors], []));
});
