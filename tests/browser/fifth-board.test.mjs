// What the board shows of a game with turns of their own: the order with numbers, what a turn has left, conditions.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Player, becomes, launch, newTable, until } from "./harness.mjs";

const BALL = {
  ...{ name: "Fireball", shape: "sphere", size: 10, range: 60, save: "dex", difficulty: 13 },
  damage: [{ dice: 1, sides: 6, bonus: 0, type: "fire" }],
};

const creature = (id, side, at, more = {}) => ({
  token: { id, name: id, side, at, profile: { hit_points: 20, speeds: { walk: 30 } }, ...more },
});

describe("a turn of the fifth edition on the board", () => {
  let server, browser, gm;

  before(async () => {
    server = await (await newTable("fifth_edition")).clear();
    browser = await launch();
    gm = await Player.join(browser, server.gm);
    gm.grid = (await server.scene()).grid;
    await server.command("token.place", creature("Ann", "blue", [2, 5]));
    await server.command("token.place", creature("Bo", "red", [8, 5]));
    await server.command("act", { act: { kind: "begin" } });
    await gm.answerUntil(async () => (await server.scene()).tracks.round === 1, "the battle has begun");
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  const active = async () => (await server.scene()).conditions.turn;
  const texts = (place) => gm.page.locator(place).allInnerTexts();

  test("the tracker has the order with each creature's number, the one that acts first", async () => {
    const { tokens } = await server.scene();
    const numbers = tokens
      .map(({ tracks }) => tracks.initiative)
      .toSorted((a, b) => b - a)
      .map(String);
    await becomes(() => texts(".unit-initiative"), numbers, "each has its number, in order");
    await becomes(() => texts(".unit.is-active .unit-name"), [await active()], "one acts");
  });

  test("pips show what the turn has left, and go out as it is spent", async () => {
    const one = await active();
    await gm.page.click(`#pick-${one}`);
    await gm.openTab("token");
    await gm.page.locator("#panel-token .budgets").waitFor();
    assert.equal(await gm.page.locator(".budget.is-spent").count(), 0);
    await server.command("act", { act: { kind: "dodge", token: one } });
    await gm.page.locator(".budget.is-spent").first().waitFor();
    assert.match((await texts(".budget.is-spent")).join(), /Action/);
    const chips = await texts(".chip.is-condition");
    assert.ok(!chips.some((text) => /acted/i.test(text)), `no condition that only the rules need: ${chips}`);
  });

  test("a condition has its sign, its source and its end", async () => {
    const one = await active();
    const other = one === "Ann" ? "Bo" : "Ann";
    const token = await server.token(one);
    const conditions = { ...token.conditions, frightened: `${other}; end ${other}; by Fear` };
    await server.command("token.place", { token: { ...token, conditions } });
    const chip = gm.page.locator(".chip.is-condition").filter({ hasText: "rightened" });
    await chip.waitFor();
    const text = (await chip.innerText()).replace(/\s+/g, " ");
    assert.match(text, new RegExp(`^‼ Frightened: ${other} Fear, until the end of ${other}'s turn$`, "i"));
    assert.deepEqual(gm.errors, []);
  });
});

describe("acts of the fifth edition that the board begins and aims", () => {
  let server, browser, gm;
  const shown = (place) => gm.page.locator(place).innerText();

  before(async () => {
    server = await (await newTable("fifth_edition")).clear();
    browser = await launch();
    gm = await Player.join(browser, server.gm);
    gm.grid = (await server.scene()).grid;
    const caster = creature("Ann", "blue", [2, 5]);
    caster.token.profile.effects = [BALL];
    await server.command("token.place", caster);
    for (const [id, at] of [
      ["Bo", [8, 5]],
      ["Cy", [9, 5]],
      ["Di", [8, 11]],
    ])
      await server.command("token.place", creature(id, "red", at));
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  test("with no unit selected the dock has the step that rolls initiative", async () => {
    await gm.page.locator("#step:visible").waitFor();
    assert.match(await shown("#step"), /Roll Initiative/);
    await gm.page.click("#step");
    await gm.answerUntil(async () => (await server.scene()).tracks.round === 1, "the battle has begun");
  });

  test("an area is aimed at any square, shows who is in it, and strikes them there", async () => {
    for (let turns = 0; turns < 4 && (await server.scene()).conditions.turn !== "Ann"; turns++) {
      const token = (await server.scene()).conditions.turn;
      await server.command("act", { act: { kind: "end", token } });
    }
    await gm.page.click("#pick-Ann");
    await gm.page.locator("#dock-place-0").waitFor();
    await gm.page.click("#dock-place-0");
    await gm.page.locator("#pick-bar:visible").waitFor();
    await gm.page.mouse.move(...(await gm.at([8, 6])));
    await until(async () => (await shown("#pick-bar")).includes("In it: Bo, Cy"), "who is in it");
    if (process.env.SCREENSHOT_TO) await gm.page.screenshot({ path: process.env.SCREENSHOT_TO });
    await gm.page.mouse.move(...(await gm.at([8, 12])));
    await until(async () => (await shown("#pick-bar")).includes("In it: Di"), "who is in it elsewhere");
    await gm.clickCell([8, 6]);
    await gm.page.click("#act-form-send"); // with the slot of its level
    const hurt = async () =>
      (await server.scene()).tokens.filter(({ tracks }) => tracks.hp < 20).map(({ id }) => id);
    await gm.answerUntil(async () => (await hurt()).length > 0, "someone is hurt");
    assert.ok((await hurt()).every((id) => ["Bo", "Cy"].includes(id)));
    await gm.page.locator("#pick-bar").waitFor({ state: "hidden" });
  });

  test("where the tabletop's system attacks, the board shows the odds and no button to attack", async () => {
    await gm.has(
      await server.command("rules.set", {
        house_rules: { "fifth_edition.play": "assistant" },
        enforcement: "enforce",
      }),
    );
    await gm.page.click("#pick-Ann");
    await gm.clickCell([8, 5]);
    const panel = gm.page.locator("#attack");
    await panel.locator(".act").first().waitFor();
    await until(
      async () => /the tabletop's system does this/.test(await panel.innerText()),
      "the panel says who attacks",
    );
    assert.equal(await panel.locator("button.primary").count(), 0);
    assert.deepEqual(gm.errors, []);
  });
});
