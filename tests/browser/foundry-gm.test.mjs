import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { GM, openGm } from "./foundry/user.mjs";
import { until } from "./harness.mjs";

const [ANNA, GRIM] = ["tokentokenAnna01", "tokentokenGrim01"];
const SCENE = "scenescene000001";

for (const generation of (process.env.GENERATIONS ?? "12 13 14").split(" ").map(Number)) {
  describe(`the GM at a table in Foundry ${generation}`, () => {
    let browser, world, server, gm;

    before(async () => {
      ({ browser, world, server, gm } = await openGm(generation, { system: "dnd5e" }));
    });
    after(async () => {
      await browser?.close();
      await server?.stop();
      await world?.stop();
    });

    const token = (id) => world.find("Token", id, SCENE);
    const actor = (id) => world.find("Actor", id);

    test("decides before an actor changes", async () => {
      const asked = gm.page.locator("#enfilade-proposals .proposals li");
      await asked.filter({ hasText: "Hit points of Anna: 3" }).waitFor();
      assert.equal(actor("actoractor000001").system.attributes.hp.value, 12);
      await gm.page.click("#enfilade-write-all");
      await until(() => actor("actoractor000001").system.attributes.hp.value === 3, "it is written");
      await gm.page.locator("#enfilade-proposals [data-action=close]").click();
    });

    test("has a tool for each layer, which toggles it", async () => {
      const reach = gm.page.locator("[data-tool=enfilade-reach]");
      await gm.page.locator("[data-tool=enfilade-reach][aria-pressed=true]").waitFor();
      await reach.click();
      await gm.page.locator("[data-tool=enfilade-reach][aria-pressed=false]").waitFor();
      await gm.page.locator("[data-tool=enfilade-reach]").click();
      await gm.page.locator("[data-tool=enfilade-reach][aria-pressed=true]").waitFor();
    });

    test("sees the overlay of the selected token", async () => {
      const bare = await picture(gm);
      await gm.click(ANNA);
      await until(async () => (await picture(gm)) !== bare, "there is advice on the map");
    });

    test("moves Anna next to Grim and attacks in two clicks; Grim's wounds are proposed and written once", async () => {
      await gm.drag([750, 750], [850, 750]);
      await gm.do((id) => canvas.scene.tokens.get(id).update({ rotation: 270 }), ANNA); // to the right
      await until(async () => (await server.token(ANNA)).facing === 90, "Anna stands before Grim");
      await gm.target(GRIM);
      await gm.page.locator("[data-tool=enfilade-attack]").click();
      const window = gm.page.locator("#enfilade-attack");
      await window.locator(".chance").first().waitFor();
      await window.locator("#enfilade-dice").fill("6");
      await window.locator("button.primary").first().click();
      await window.locator(".result .die").filter({ hasText: "6" }).waitFor();
      const left = (await server.token(GRIM)).tracks.hp;
      assert.ok(left < 3);
      await gm.page
        .locator("#enfilade-proposals .proposals li")
        .filter({ hasText: `Hit points of Grim: ${left}` })
        .waitFor();
      assert.equal(actor("actoractor000002").system.attributes.hp.value, 3);
      await gm.page.click("#enfilade-write-all");
      await until(() => actor("actoractor000002").system.attributes.hp.value === left, "it is written");
      const { written } = actor("actoractor000002").flags.enfilade;
      assert.equal(written.hitPoints.table, server.table);
    });

    test("the chat has the attack once, with the rolled die", async () => {
      const card = gm.page.locator("#chat .enfilade-card").filter({ hasText: "Anna" });
      await card.first().waitFor();
      assert.equal(await card.count(), 1);
      await gm.page.locator("#chat .dice-roll").filter({ hasText: "1d6 = 6" }).waitFor();
      assert.equal(world.state.ChatMessage.length, 1);
    });

    test("undoes the attack: the healed hit points are proposed", async () => {
      await gm.page.keyboard.press("Shift+KeyY");
      await until(async () => (await server.token(GRIM)).tracks.hp === 3, "Grim is healed at the table");
      await gm.page
        .locator("#enfilade-proposals .proposals li")
        .filter({ hasText: "Hit points of Grim: 3" })
        .waitFor();
      await gm.page.click("#enfilade-write-all");
      await until(() => actor("actoractor000002").system.attributes.hp.value === 3, "it is written");
    });

    test("the page logs no errors", () => assert.deepEqual(gm.errors, []));
  });
}

/** Counts the visible objects of the module's layer. */
const picture = (user) =>
  user.do(() => {
    const count = (node) =>
      1 + (node.visible ? node.children.reduce((sum, child) => sum + count(child), 0) : 0);
    return count(canvas.enfilade);
  });
