// The module's windows: profiles, house rules, the log.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { GM, PAT, FoundryUser, tokenSource, startWorld, seatAt } from "./foundry/user.mjs";
import { launch, newTable, until } from "./harness.mjs";

const [ANNA, GRIM, ODO] = ["tokentokenAnna01", "tokentokenGrim01", "tokentokenOdo001"];
const SCENE = "scenescene000001";

describe("the module's windows", () => {
  let browser, world, server, gm, pat;

  before(async () => {
    browser = await launch();
    world = await startWorld(13, { system: "dnd5e" });
    const odo = tokenSource(13, ODO, "Odo", null, { x: 1200, y: 700 }, -1, { flags: {} });
    world.state.Scene[0].tokens.push(odo);
    server = await newTable();
    Object.assign(world.state.settings, {
      "enfilade.server": server.origin,
      "enfilade.write.hitPoints": "never",
    });
    gm = await FoundryUser.open(browser, world, GM, { seat: seatAt(server) });
    await until(async () => (await server.token(ANNA)) !== undefined, "Anna is at the table");
    pat = await FoundryUser.open(browser, world, PAT);
    await until(() => pat.do(() => window.enfilade.client.replica !== null), "Pat is there");
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
    await world?.stop();
  });

  const open = (user, name) => user.do((which) => window.enfilade.seatUi.context.windows.open(which), name);
  const control = (user, id) => user.do((token) => canvas.tokens.get(token).control(), id);
  const press = (user, selector) => user.page.locator(selector).first().dispatchEvent("click");
  const profileOf = (id) => world.find("Token", id, SCENE).flags.enfilade?.profile;
  const shows = (user, window, text) =>
    user.page.locator(`#enfilade-${window}`).filter({ hasText: text }).waitFor({ state: "attached" });

  test("a token without a profile is named and gets one from the catalog", async () => {
    await gm.seesNotice("before Enfilade can use them: Odo");
    await open(gm, "profile");
    await shows(gm, "profile", "Select one of your tokens");
    await open(gm, "turn");
    await shows(gm, "turn", "Select a token to see what it can do");
    await control(gm, ODO);
    await shows(gm, "turn", "Odo is not at the table yet: give it a unit profile");
    await shows(gm, "profile", "Odo");
    await gm.page.selectOption("#enfilade-unit", { index: 1 });
    await press(gm, "#enfilade-unit-use");
    await until(async () => (await server.token(ODO)) !== undefined, "Odo is at the table");
    const unit = await gm.do(() => window.enfilade.client.replica.ruleset.catalog[0]);
    assert.deepEqual(profileOf(ODO), unit.profile);
    await gm.page.locator("#enfilade-turn").filter({ hasNotText: "not at the table" }).waitFor();
  });

  test("a profile from the form is saved with the token and reaches the table", async () => {
    await control(gm, ANNA);
    await shows(gm, "profile", "Anna");
    await gm.page.selectOption("#profile-armor", { label: "heavy" });
    await press(gm, "#enfilade-profile-save");
    await until(async () => (await server.token(ANNA)).profile.armor === "heavy", "the table knows");
    assert.equal(profileOf(ANNA).armor, "heavy");
  });

  test("an invalid value shows its error at its field until it is corrected", async () => {
    await gm.do((id) => canvas.scene.tokens.get(id).setFlag("enfilade", "profile", { armor: "paper" }), ANNA);
    await gm.seesNotice("Anna: ");
    const wrong = gm.page.locator("#profile-armor-error");
    await wrong.filter({ hasText: "paper" }).waitFor({ state: "attached" });
    assert.equal(await gm.page.getAttribute("#profile-armor", "aria-describedby"), "profile-armor-error");
    await gm.page.selectOption("#profile-armor", { label: "light" });
    await press(gm, "#enfilade-profile-save");
    await until(async () => (await server.token(ANNA)).profile.armor === "light", "the table knows");
    await wrong.waitFor({ state: "detached" });
  });

  test("the form keeps what the user chooses while it is being saved", async () => {
    await gm.do(
      (choices) => {
        const list = document.querySelector("#profile-armor");
        const choose = (label) => (list.value = [...list.options].find(({ text }) => text === label).value);
        choose(choices[0]);
        document.querySelector("#enfilade-profile-save").click();
        choose(choices[1]);
      },
      ["unarmored", "heavy"],
    );
    const known = () =>
      gm.do((id) => window.enfilade.client.replica.scene.tokens.find((t) => t.id === id).profile.armor, ANNA);
    await until(async () => (await known()) === "unarmored", "the page knows what was saved");
    assert.equal(await gm.page.locator("#profile-armor option:checked").innerText(), "heavy");
    assert.equal(profileOf(ANNA).armor, "unarmored");
  });

  test("the last of two saves at once counts, and the form keeps what is chosen after it", async () => {
    await gm.do(() => {
      const list = document.querySelector("#profile-armor");
      const choose = (label) => (list.value = [...list.options].find(({ text }) => text === label).value);
      for (const label of ["heavy", "light"]) {
        choose(label);
        document.querySelector("#enfilade-profile-save").click();
      }
      choose("unarmored");
    });
    await until(async () => (await server.token(ANNA)).profile.armor === "light", "the table has the last");
    await gm.settles();
    assert.equal(profileOf(ANNA).armor, "light");
    assert.equal(await gm.page.locator("#profile-armor option:checked").innerText(), "unarmored");
  });

  test("a change at the table keeps what the user has not saved", async () => {
    await gm.page.selectOption("#profile-armor", { label: "heavy" });
    await gm.do((id) => canvas.scene.tokens.get(id).update({ elevation: 2 }), ANNA);
    await until(
      () =>
        gm.do((id) => window.enfilade.client.replica.scene.tokens.find((t) => t.id === id).elevation, ANNA),
      "the page knows the new elevation",
    );
    const chosen = (field) => gm.page.locator(`#profile-${field} option:checked`).innerText();
    assert.equal(await chosen("armor"), "heavy");
    // Another user saves another field of the same profile.
    const race = (await chosen("race")) === "elf" ? "dwarf" : "elf";
    await pat.do(
      ([id, to]) => canvas.scene.tokens.get(id).setFlag("enfilade", "profile", { race: to }),
      [ANNA, race],
    );
    await until(async () => (await chosen("race")) === race, "the form shows what the other saved");
    assert.equal(await chosen("armor"), "heavy");
  });

  test("a player edits the profile of their own token and sees no other", async () => {
    await open(pat, "profile");
    await control(pat, GRIM);
    await shows(pat, "profile", "Select one of your tokens");
    assert.equal(await pat.page.locator("#enfilade-profile-save").count(), 0);
    await control(pat, ANNA);
    await shows(pat, "profile", "Anna");
    await pat.page.selectOption("#profile-armor", { label: "heavy" });
    await press(pat, "#enfilade-profile-save");
    await until(async () => (await server.token(ANNA)).profile.armor === "heavy", "the table knows");
  });

  test("only the GM sets house rules", async () => {
    await open(pat, "turn");
    assert.equal(await pat.page.locator("#enfilade-open-rules").count(), 0);
    await open(gm, "rules");
    const rule = gm.page.locator("#enfilade-rules input[type=checkbox]").first();
    const was = await rule.isChecked();
    const key = (await rule.getAttribute("id")).replace("rule-", "");
    await rule.dispatchEvent("click");
    await press(gm, "#rules-save");
    await until(async () => (await server.scene()).house_rules[key] === !was, "the rule is set");
  });

  test("the log can be searched, and only the GM exports it", async () => {
    await open(gm, "log");
    await gm.page.locator("#enfilade-log .log-entry").first().waitFor({ state: "attached" });
    const all = await gm.page.locator("#enfilade-log .log-entry").count();
    await gm.page.fill("#log-search", "Odo");
    await until(async () => {
      const count = await gm.page.locator("#enfilade-log .log-entry").count();
      return count > 0 && count < all;
    }, "fewer are shown");
    const file = gm.page.waitForEvent("download");
    await press(gm, "#log-export");
    assert.match((await file).suggestedFilename(), new RegExp(`^enfilade-${server.table}`));
    await open(pat, "log");
    assert.equal(await pat.page.locator("#log-export:not([hidden])").count(), 0);
  });

  test("the page logs no errors", () => assert.deepEqual([...gm.errors, ...pat.errors], []));
});
