import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { GM, PAT, FoundryUser, openGm } from "./foundry/user.mjs";
import { ROOT, becomes, until } from "./harness.mjs";

const [ANNA, GRIM] = ["tokentokenAnna01", "tokentokenGrim01"];
const RULE = "table.advice_for_players";

for (const generation of (process.env.GENERATIONS ?? "12 13 14").split(" ").map(Number)) {
  describe(`advice in Foundry ${generation}`, () => {
    let browser, world, server, gm, pat;
    const panel = (user) => user.page.locator("#enfilade-advice");
    /** Has Pat's page open a window by a later key: an earlier key would have opened its own by then. */
    const opensLog = async () => {
      await pat.page.keyboard.press("Shift+KeyL");
      await pat.page.locator("#enfilade-log").waitFor();
      await pat.page.locator("#enfilade-log [data-action=close]").first().dispatchEvent("click");
      await pat.page.locator("#enfilade-log").waitFor({ state: "detached" });
    };
    const hasMap = (user) =>
      until(async () => (await user.kept("decision"))?.token === ANNA, "the map has come");

    before(async () => {
      ({ browser, world, server, gm } = await openGm(generation, { system: "dnd5e" }));
      await until(async () => (await server.token(ANNA)) !== undefined, "Anna is at the table");
      await gm.click(ANNA);
      await gm.page.locator("[data-tool=enfilade-advice]").waitFor();
    });
    after(async () => {
      await browser?.close();
      await server?.stop();
      await world?.stop();
    });

    test("a tool opens it: the best places in words with reasons, and colors on the canvas", async () => {
      const without = await drawn(gm);
      await gm.page.locator("[data-tool=enfilade-advice]").click();
      await panel(gm).getByRole("heading", { name: "Where Anna could go if its turn began now" }).waitFor();
      assert.match(
        await gm.page.locator("#advice-1").innerText(),
        /^To [A-Z]+\d+, facing [a-z-]+: [+−]?[\d.]+/,
      );
      await until(async () => (await drawn(gm)) > without, "the heat map is on the canvas");
    });

    test("the pointer over a place shows one number, then everything behind it", async () => {
      await gm.page.mouse.move(...(await gm.at([850, 750])), { steps: 3 });
      await becomes(() => gm.kept("pointed"), [4, 4], "the place is pointed at");
      const place = panel(gm).locator(".advice-place");
      await place.getByText("E5").first().waitFor();
      await place.getByText("Grim: ").first().waitFor();
      for (const wanted of [/At Grim: .*, \d+ %, \d.* expected damage/, /Grim: (sees|does not see) it/])
        await until(async () => wanted.test(await place.innerText()), `it says ${wanted}`);
      if (process.env.SCREENSHOT && generation === 13)
        await gm.page.screenshot({ path: join(ROOT, "docs", "images", "foundry-advice.png") });
    });

    test("a press on advice shows the token there, a second one moves it", async () => {
      const { at, facing } = (await gm.kept("decision")).advice[0].cell;
      await gm.page.locator("#advice-1").click();
      await becomes(async () => (await gm.kept("ghost"))?.at, at, "the token is shown there");
      assert.deepEqual((await server.token(ANNA)).at, [3, 4]);
      await gm.page.locator("#advice-move").click();
      await until(async () => {
        const token = await server.token(ANNA);
        return `${token.at} ${token.facing}` === `${at} ${facing}`;
      }, "Anna is at the advised place and faces as advised");
      await becomes(() => gm.kept("ghost"), null, "the picture of the plan is gone");
    });

    test("keys alone open it, choose any place and move there", async () => {
      await gm.page.locator("#enfilade-advice").getByText("Stay: ").waitFor();
      await gm.do(() => window.enfilade.seatUi.context.windows.close());
      await panel(gm).waitFor({ state: "detached" });
      await gm.do(() => document.activeElement?.blur());
      await gm.page.keyboard.press("Shift+KeyV");
      const list = gm.page.locator("#advice-places");
      await list.waitFor();
      await list.focus();
      await gm.page.keyboard.press("ArrowDown");
      await gm.page.locator("#advice-move").waitFor();
      const { at } = await gm.kept("ghost");
      const place = panel(gm).locator(".advice-place");
      await place.locator("strong").first().waitFor();
      await gm.page.locator("#advice-move").focus();
      await gm.page.keyboard.press("Enter");
      await until(async () => String((await server.token(ANNA)).at) === String(at), "Anna is there");
    });

    test("says how likely attackers together bring a target down", async () => {
      // A press while the places above it change may miss it: the map of the new place comes, and the move's button goes.
      const { at } = await server.token(ANNA);
      await becomes(
        async () => String((await gm.kept("decision"))?.here?.cell.at),
        String(at),
        "the map is that of the new place",
      );
      await gm.page.locator("#advice-move").waitFor({ state: "detached" });
      await panel(gm).getByText("Attack together").click();
      await gm.page.selectOption("#focus-target", GRIM);
      await gm.page.check(`#focus-${ANNA}`);
      const answer = panel(gm).locator(".focus-answer");
      await answer.getByText(/Grim is down in/).waitFor();
      assert.match(await answer.innerText(), /Anna, .*: down by then in .*%|Anna: no attack as it stands/);
      assert.match(await answer.innerText(), /No order is better\.|Better order: /);
      if (process.env.SCREENSHOT && generation === 13)
        await panel(gm).screenshot({ path: join(ROOT, "docs", "images", "foundry-focus.png") });
    });

    test("a player without a seat of the own gets advice about the own token through the GM's page", async () => {
      pat = await FoundryUser.open(browser, world, PAT);
      await until(() => pat.do(() => window.enfilade.client.replica !== null), "Pat is there");
      await pat.click(ANNA);
      await pat.page.locator("[data-tool=enfilade-advice]").click();
      await hasMap(pat);
      await panel(pat).locator("#advice-1").waitFor();
    });

    test("a player without a key of the own has no tool for branches, which need one", async () => {
      assert.equal(await pat.page.locator("[data-tool=enfilade-branch]").count(), 0);
      await pat.page.keyboard.press("Shift+KeyH");
      await opensLog();
      assert.equal(await pat.page.locator("#enfilade-branch").count(), 0);
    });

    test("players have none as soon as the GM forbids it", async () => {
      await server.command("rules.set", { house_rules: { [RULE]: false }, enforcement: "advise" });
      await panel(pat).waitFor({ state: "detached" });
      await until(async () => (await pat.kept("decision")) === null, "its map is gone");
      await until(
        async () => (await pat.page.locator("[data-tool=enfilade-advice]").count()) === 0,
        "the tool is gone",
      );
      await pat.page.keyboard.press("Shift+KeyV");
      await opensLog();
      assert.equal(await panel(pat).count(), 0);
      assert.equal(await gm.page.locator("[data-tool=enfilade-advice]").count(), 1);
    });

    test("closing the window takes the colors off the canvas", async () => {
      await hasMap(gm);
      await gm.page.locator("[data-tool=enfilade-advice]").click();
      await panel(gm).waitFor({ state: "detached" });
      await until(async () => (await gm.kept("decision")) === null, "the map is gone");
      assert.deepEqual(gm.errors, []);
      assert.deepEqual(pat.errors, []);
    });
  });
}

/** Counts the visible objects of the module's layer. */
const drawn = (user) =>
  user.do(() => {
    const count = (node) =>
      1 + (node.visible ? node.children.reduce((sum, child) => sum + count(child), 0) : 0);
    return count(canvas.enfilade);
  });
