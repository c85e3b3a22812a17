// What the board shows of a game with turns of their own: the order with numbers, what a turn has left, conditions.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Player, launch, newTable, until } from "./harness.mjs";

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
    await gm.page.locator(".unit-initiative").nth(1).waitFor();
    assert.deepEqual(await texts(".unit-initiative"), numbers);
    assert.equal(await gm.page.locator(".unit.is-active .unit-name").innerText(), await active());
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
    await until(async () => gm.errors.length === 0, "no errors");
  });
});
