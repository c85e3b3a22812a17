// The way in, counted: from the module enabled to the legal moves of a selected token, by a user's hands alone.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { dnd5eNpc } from "./foundry/actors.mjs";
import { GM, FoundryUser, sceneSource, startWorld, tokenSource } from "./foundry/user.mjs";
import { launch, newTable, until } from "./harness.mjs";

const [GOBLIN, TOKEN] = ["actoractorGob001", "tokentokenGob001"];
const MOST_STEPS = 5;

for (const generation of (process.env.GENERATIONS ?? "12 13 14").split(" ").map(Number))
  describe(`the way in, in Foundry ${generation}`, () => {
    let browser, world, server, gm;
    const steps = [];

    before(async () => {
      browser = await launch();
      const scores = { str: 8, dex: 14, con: 10 };
      const goblin = { id: GOBLIN, name: "Goblin", scores, hp: 7, walk: 30 };
      const place = { x: 900, y: 800 };
      const token = tokenSource(generation, TOKEN, "Goblin", GOBLIN, place, -1, {
        flags: {},
        actorLink: false,
      });
      world = await startWorld(generation, {
        ...{ system: "dnd5e", actors: [dnd5eNpc(generation, goblin)] },
        scenes: [{ ...sceneSource(generation), tokens: [token] }],
      });
      server = await newTable("knights_of_valour");
      world.state.settings["enfilade.server"] = server.origin;
      gm = await FoundryUser.open(browser, world, GM);
    });
    after(async () => {
      await browser?.close();
      await server?.stop();
      await world?.stop();
    });

    const step = async (name, act) => {
      steps.push(name);
      await act();
    };
    const reach = async () => (await gm.kept("overlay"))?.reach?.cells.length ?? 0;

    test("five steps at most, and no form, lead to the legal moves of a token whose actor is mapped", async () => {
      await step("press the tool", () => gm.page.locator("[data-tool=enfilade-table]").click());
      await step("paste the link", () => gm.page.locator("#enfilade-link").fill(server.gm));
      await step("connect", () => gm.page.locator("#enfilade-connect-go").click());
      await gm.page.locator("#enfilade-diagnosis").filter({ hasText: "Connected." }).waitFor();
      await until(async () => (await server.token(TOKEN))?.at, "the goblin is at the table");
      await step("close the window", () => gm.page.locator("#enfilade-connect [data-action=close]").click());
      await step("select the token", () => gm.click(TOKEN));
      await until(async () => (await reach()) > 1, "its legal moves are shown");
      assert.ok(steps.length <= MOST_STEPS, steps.join(", "));
    });

    test("without a link: four steps, no form, from the module enabled to what a token of the world's system may do", async () => {
      await gm.page.locator("[data-tool=enfilade-turn]").waitFor();
      await gm.do(() => window.enfilade.leave());
      await gm.do((id) => canvas.tokens.get(id).release(), TOKEN);
      await gm.page.locator("[data-tool=enfilade-connect]").waitFor();
      steps.length = 0;
      await step("press the tool", () => gm.page.locator("[data-tool=enfilade-table]").click());
      await step("make the table", () => gm.page.locator("#enfilade-new-table").click());
      await until(
        () => gm.do(() => window.enfilade.client?.state === "connected"),
        "the page is at the new table",
      );
      const { table, key } = await gm.do(() => window.enfilade.client.link);
      assert.notEqual(table, server.table);
      server.seat({ ...server, table, key });
      await until(async () => (await server.token(TOKEN))?.at, "the goblin is at the new table");
      await step("close the window", () => gm.page.locator("#enfilade-connect [data-action=close]").click());
      await step("select the token", () => gm.click(TOKEN));
      await until(async () => (await reach()) > 1, "its legal moves are shown");
      assert.ok(steps.length <= MOST_STEPS, steps.join(", "));
      const { house_rules: rules } = await server.scene();
      assert.equal(rules["fifth_edition.play"], "assistant");
      const { profile } = await server.token(TOKEN);
      assert.deepEqual([profile.speeds, profile.armor_class, profile.hit_points], [{ walk: 30 }, 12, 7]);
      await gm.do(
        (id) => canvas.scene.tokens.get(id).actor.toggleStatusEffect("prone", { active: true }),
        TOKEN,
      );
      await until(
        async () => (await server.token(TOKEN)).profile.conditions?.includes("prone"),
        "the condition of the actor is at the table",
      );
    });

    test("the page logs no errors", () => assert.deepEqual(gm.errors, []));
  });
