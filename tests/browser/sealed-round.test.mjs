// A round of Double Life at three pages: sealed plans with their odds, the reveal, and its replay.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Player, launch, newTable, until } from "./harness.mjs";
import { takePicture } from "./pictures.mjs";
import { text } from "./text.mjs";

/** The reveal plays by itself only for who wants motion. */
const MOVING = { reducedMotion: "no-preference" };

describe("a sealed round of Double Life", () => {
  let table, browser, gm, mia, tom;

  const sword = { name: "Sword", dice: 1, sides: 6 };
  const character = (name, side, at, facing, profile) =>
    table.command("token.place", {
      token: { id: name.toLowerCase(), name, side, at, facing, profile: { weapons: [sword], ...profile } },
    });
  const stance = (player, answer) =>
    player.page.locator(".plan-answer").filter({ hasText: answer }).first().locator("input");
  const commit = (player) => player.page.locator(".plan-commit").click();

  before(async () => {
    table = await (await newTable("double_life")).clear();
    browser = await launch();
    gm = await Player.join(browser, table.gm, MOVING);
    gm.grid = (await table.scene()).grid;
    // Grash attacks so badly, and Aldis defends so well, that a counter-attack follows.
    await character("Aldis", "blue", [6, 4], 90, { race: "human", defense: 30, attack: 11 });
    await character("Durin", "blue", [6, 5], 90, { race: "dwarf", defense: 11 });
    await character("Grash", "red", [7, 4], 270, { race: "orc", attack: 1, health: 30 });
    await character("Murg", "red", [7, 5], 270, { race: "orc", attack: 10 });
    mia = await Player.join(browser, await table.seatPlayer("Mia", ["aldis"]), MOVING);
    tom = await Player.join(browser, await table.seatPlayer("Tom", ["durin"]), MOVING);
    for (const player of [mia, tom]) player.grid = gm.grid;
    await gm.page.click("#step");
  });
  after(async () => {
    await browser?.close();
  });

  test("a player chooses a plan and sees its odds against each stance of each opponent", async () => {
    await mia.page.locator(".plan-token").filter({ hasText: "Aldis" }).click();
    await stance(mia, "Attack Grash").check();
    await mia.sees(".odds", "Grash");
    const heads = await mia.page.locator(".odds thead tr").last().locator("th").allInnerTexts();
    assert.ok(heads.length && heads.every(Boolean), "each column of the odds has a name");
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
    await takePicture(mia.page, "planner");
  });

  test("a plan is drawn on the map of its own page, and on no other", async () => {
    const others = () => Promise.all([gm, tom].map((player) => player.mapPicture()));
    const unknown = await others();
    const attack = await mia.mapPicture();
    await mia.sees("#layer-chip", text("Layer.Chip.planning"));
    await stance(mia, "Defend the front").check();
    await until(async () => (await mia.mapPicture()) !== attack, "no ring is round the one attacked");
    await stance(mia, "Attack Grash").check();
    await until(async () => (await mia.mapPicture()) === attack, "the ring is there again");
    for (const player of [gm, tom]) await player.hasAll(table);
    const isAsBefore = async () => String(await others()) === String(unknown);
    await until(isAsBefore, "no other map shows any of it, once the place pointed at has faded");
  });

  test("a plan is committed, changed and committed again, and no other page shows any of it", async () => {
    const textOf = () =>
      [...document.querySelectorAll("#map > :not(#log), #tracker")].map((part) => part.innerText).join();
    const pages = () => Promise.all([gm, tom].map(({ page }) => page.evaluate(textOf)));
    for (const player of [gm, tom]) await player.sees(".odds", /\d+%/); // their own plans are worked out
    const unknown = await pages();
    await commit(mia);
    await mia.sees(".plan-token", "Aldis ✓");
    await mia.page.locator(".plan-token").filter({ hasText: "Aldis" }).click();
    await mia.page.locator(".plan-commit:disabled").waitFor();
    await stance(mia, "Defend the front").check();
    await commit(mia);
    await until(async () => {
      const picked = mia.page.locator(".plan-token").filter({ hasText: "Aldis" });
      await picked.click();
      return (
        (await stance(mia, "Defend the front").isChecked()) &&
        (await mia.page.locator(".plan-commit:disabled").count()) === 1
      );
    }, "the changed plan is committed");
    for (const player of [gm, tom]) await player.hasAll(table);
    assert.deepEqual(await pages(), unknown);
    for (const { page } of [gm, tom])
      assert.doesNotMatch(await page.locator("#log-list").innerText(), /Defend the front|Attack Grash/);
  });

  test("a target is picked on the map, by pointer and by keys, and the receipt is there to be read", async () => {
    const attackPick = tom.page.locator(".plan-pick").first();
    await attackPick.click();
    await tom.page.locator("#pick-bar").waitFor({ state: "visible" });
    assert.equal(await tom.page.locator(".prompt").isVisible(), false, "the map is free");
    await tom.page.click("#fit");
    await tom.page.mouse.move(...(await tom.at([7, 5])), { steps: 3 });
    await tom.sees("#pick-bar", "Murg");
    await tom.page.mouse.click(...(await tom.at([7, 5])));
    await until(() => stance(tom, "Attack Murg").isChecked(), "the click has chosen the target");
    assert.equal(await tom.page.locator(".prompt").isVisible(), true);
    await attackPick.press("Enter");
    await tom.page.keyboard.press("Escape");
    await tom.page.locator("#pick-bar").waitFor({ state: "hidden" });
    assert.ok(await stance(tom, "Attack Murg").isChecked(), "Escape changes nothing");
    await tom.page.keyboard.press("Enter");
    for (let i = 0; i < 6 && !(await tom.page.innerText("#pick-bar")).includes("Grash"); i += 1)
      await tom.page.keyboard.press("n");
    await tom.page.keyboard.press("Enter");
    await until(() => stance(tom, /Grash/).isChecked(), "the keys have chosen another");
    await mia.page.locator(".receipts summary").click();
    await mia.sees(".receipts code", /^[0-9a-f]{64}$/);
  });

  test("the GM commits for the raiders and closes the round; all pages play the same reveal", async () => {
    await tom.page.locator(".plan-token").filter({ hasText: "Durin" }).click();
    await stance(tom, "Defend the front").check();
    await commit(tom);
    await tom.page.locator(".plan-commit:disabled").waitFor(); // the table has the changed plan
    await gm.page.locator(".plan-token").filter({ hasText: "Grash" }).click();
    await stance(gm, "Attack Aldis").check();
    await commit(gm);
    await gm.sees(".plan-token", "Grash ✓");
    await gm.page.dblclick("#close-choices");
    await gm.page.dblclick("#confirm-yes");
    // The log shows only the rows in view; this one may be above them.
    await until(
      async () => (await table.log()).some(({ text: said }) => /All answers are given and sealed/.test(said)),
      "the round is sealed",
    );
    for (const player of [gm, mia, tom]) {
      await player.sees(".log-entry", /Aldis counter-attacks Grash/);
      await player.sees(".replay", /\d+\/\d+/);
    }
    assert.deepEqual(await gm.page.locator("#notices .is-error").allInnerTexts(), []);
  });

  test("the reveal is stepped back and forth by keyboard and by pointer, and played again", async () => {
    const bar = mia.page.locator(".replay");
    const position = () => mia.page.locator(".replay-count").innerText();
    await mia.page.click("#replay-first");
    await mia.sees(".replay-text", "Before the reveal");
    const picture = () => mia.mapPicture();
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
    await takePicture(mia.page, "reveal");
    await mia.page.keyboard.press("ArrowLeft");
    const struck = mia.page.waitForFunction(() => {
      const moment = document.querySelector(".moment-plate");
      if (!/Aldis\s*→\s*Grash/.test(moment?.innerText ?? "")) return null;
      const count = (parts) => moment.querySelectorAll(parts).length;
      return { rows: count(".moment-row"), dice: count(".is-rolled"), bars: count(".moment-bar") };
    });
    await mia.page.keyboard.press("ArrowRight");
    const { rows, dice, bars } = await (await struck).jsonValue();
    assert.deepEqual([rows, bars], [1, 1], "the step's own blow alone, with its chance");
    assert.ok(dice >= 1, "the dice of the blow");
    await until(async () => (await picture()) !== start, "the board shows the step");
    const here = await position();
    await mia.page.click("#replay-back");
    await until(async () => (await position()) !== here, "one step back");
    await mia.page.keyboard.press("Home");
    await until(async () => (await position()).split("/")[0] === "0", "the first step");
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
      await player.openLogTools();
      await player.page.evaluate(() => (document.querySelector(".log-more").open = true));
      await player.page.click("#log-verify");
      await player.sees("#notices", /verified/);
      await player.sees(".log-dice", "✓");
    }
  });

  test("the log shows each commitment, and that the player's receipt is the same", async () => {
    await mia.page.evaluate(() =>
      document.querySelectorAll(".log-line[aria-expanded=false]").forEach((line) => line.click()),
    );
    await mia.page.locator("details.sealed summary").first().waitFor();
    await mia.page.evaluate(() =>
      document.querySelectorAll("details.sealed").forEach((table) => (table.open = true)),
    );
    const rowOf = (name, answer) =>
      mia.page
        .locator(".sealed tr")
        .filter({ has: mia.page.locator("th", { hasText: name }) })
        .filter({ hasText: answer })
        .last()
        .innerText();
    // The page computes the hash of its receipt in the background.
    await until(
      async () =>
        /Defend the front\s+[0-9a-f]{64}\s+✓ the same/.test(await rowOf("Aldis", "Defend the front")),
      "the receipt is the same",
    );
    assert.ok(
      !(await rowOf("Durin", "Defend the front")).includes("✓"),
      "no page has a receipt of another's answer",
    );
    assert.match(await rowOf("Grash", "Attack"), /Attack Aldis with Sword/, "an answer is in words");
  });

  test("the GM has an absent player's questions answered, and that page is not asked", async () => {
    await gm.openTab("players");
    const automatic = gm.page.locator("[id^=automatic-]").first();
    const name = (await automatic.innerText()).includes("Mia") ? "aldis" : "durin";
    await automatic.click();
    await until(async () => "automatic" in (await table.token(name)).conditions, "the switch is on");
    await gm.page.locator("[id^=automatic-][aria-pressed=true]").waitFor();
    await gm.openTab("token");
    await gm.page.click(`#pick-${name}`);
    await gm.page.locator("#token-automatic[aria-pressed=true]").waitFor();
    await gm.page.click("#step");
    const [away, here] = name === "aldis" ? [mia, tom] : [tom, mia];
    await here.page.locator(".planner").waitFor();
    await away.hasAll(table);
    assert.equal(await away.page.locator(".planner").count(), 0, "the absent player is not waited for");
    await gm.page.click("#close-choices");
    await gm.page.click("#confirm-no");
    await gm.page.locator(".planner").waitFor(); // all can still choose
    await gm.page.click("#close-choices");
    await gm.page.click("#confirm-yes");
    await gm.seesNo("#prompts", text("Planner.Title"));
    await gm.page.click("#token-automatic");
    await until(async () => !("automatic" in (await table.token(name)).conditions), "it is off again");
  });

  test("the second click of a double click commits no other character's plan", async () => {
    const [soon, later] = await gm.page.evaluate(async () => {
      const from = (path) => import(`/plugin/scripts/core/ui/${path}`);
      const [{ planner }, { setTranslator }] = [await from("planner.js"), await from("i18n.js")];
      setTranslator((key) => key);
      const committed = [];
      const formOf = (token) => {
        const options = [{ key: "guard", label: "Guard" }];
        const choice = { id: token, token, question: "Stance", options, default: "guard", given: "" };
        const commit = () => committed.push(token);
        const form = planner([choice], { commit, matchups: async () => null, nameOf: () => token });
        document.body.append(form);
        return form;
      };
      const press = (form) => form.querySelector(".plan-commit").click();
      const forms = [formOf("Grash"), formOf("Murg")];
      forms.forEach(press);
      const soon = [...committed];
      await new Promise((resolve) => setTimeout(resolve, 600));
      press(forms[1]);
      forms.forEach((form) => form.remove());
      return [soon, committed];
    });
    assert.deepEqual([soon, later], [["Grash"], ["Grash", "Murg"]]);
  });

  test("the pages log no errors", () => assert.deepEqual([...gm.errors, ...mia.errors, ...tom.errors], []));
});
