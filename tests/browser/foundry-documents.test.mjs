// Writes into Foundry: each once, and only as the GM allows.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { GM, SMALL, FoundryUser, startWorld, seatAt, isOutage } from "./foundry/user.mjs";
import { Server, launch, until } from "./harness.mjs";

const [ANNA, GRIM] = ["tokentokenAnna01", "tokentokenGrim01"];
const [ANNAS, GRIMS] = ["actoractor000001", "actoractor000002"];
const SCENE = "scenescene000001";
const COMBAT = "combatcombat0001";
const ATTACK = { kind: "melee", token: ANNA, target: GRIM, weapon: "sword", at: null, facing: null };

const combatant = (id, tokenId, actorId, initiative) => ({
  ...{ _id: id, tokenId, actorId, initiative, sceneId: SCENE },
  ...{ hidden: false, defeated: false, flags: {} },
});
const aCombat = () => ({
  ...{ _id: COMBAT, scene: SCENE, round: 0, turn: null, active: true, flags: {} },
  combatants: [
    combatant("combatantGrim001", GRIM, GRIMS, 15),
    combatant("combatantAnna001", ANNA, ANNAS, 10),
  ],
});

for (const generation of (process.env.GENERATIONS ?? "12 13 14").split(" ").map(Number)) {
  describe(`writes into Foundry ${generation}`, () => {
    let browser, world, server, gm;

    before(async () => {
      browser = await launch();
      world = await startWorld(generation, { system: "dnd5e", combats: [aCombat()] });
      server = await new Server({ ENFILADE_ORIGINS: world.origin }).start();
      Object.assign(world.state.settings, {
        "enfilade.server": server.origin,
        "enfilade.write.hitPoints": "ask",
        "enfilade.write.conditions": "ask",
        "enfilade.write.defeated": "do",
      });
      gm = await FoundryUser.open(browser, world, GM, { seat: seatAt(server), viewport: SMALL });
      await until(async () => (await server.token(ANNA)) !== undefined, "Anna is at the table");
    });
    after(async () => {
      await browser?.close();
      await server?.stop();
      await world?.stop();
    });

    const combat = () => world.find("Combat", COMBAT);
    const fighter = (id) => world.find("Combatant", id, COMBAT);
    const actor = (id) => world.find("Actor", id);
    const isProposed = (text) =>
      gm.page
        .locator("#enfilade-proposals .proposals li")
        .filter({ hasText: text })
        .waitFor({ state: "attached" });
    const proposals = () => gm.page.locator("#enfilade-proposals .proposals li").count();
    const press = (selector) => gm.page.locator(selector).first().dispatchEvent("click");
    const set = (kind, leave) =>
      gm.do(([key, value]) => game.settings.set("enfilade", key, value), [`write.${kind}`, leave]);
    const comeBack = async () => {
      await server.kill();
      await gm.seesNotice("connection to the table lost");
      await gm.do(() => document.getElementById("notifications").replaceChildren());
      await server.start();
      await gm.seesNotice("this page sends");
    };

    test("declined hit points stay declined after a reconnect and are proposed again when they change", async () => {
      await isProposed("Hit points of Anna: 3");
      await press("#enfilade-write-none");
      await until(() => actor(ANNAS).flags.enfilade?.declined?.hitPoints, "the no is kept with the actor");
      await comeBack();
      await until(async () => (await server.token(ANNA)) !== undefined, "the table is there");
      await gm.settles();
      assert.equal(await proposals(), 0);
      const anna = await server.token(ANNA);
      await server.command("token.place", { token: { ...anna, tracks: { ...anna.tracks, hp: 2 } } });
      await isProposed("Hit points of Anna: 2");
      assert.equal(await proposals(), 1);
      await press("#enfilade-write-all");
      await until(() => actor(ANNAS).system.attributes.hp.value === 2, "it is written");
    });

    test("a downed token gets Foundry's own status effect, and loses it by undo", async () => {
      await gm.do((id) => window.host.drag(id, { x: 800, rotation: 270 }), ANNA);
      await until(async () => (await server.token(ANNA)).facing === 90, "Anna stands before Grim");
      const grim = await server.token(GRIM);
      await server.command("token.place", { token: { ...grim, tracks: { ...grim.tracks, hp: 1 } } });
      await server.command("act", { act: ATTACK, faces: [6] });
      await isProposed("Grim is downed");
      assert.deepEqual(actor(GRIMS).statuses, []);
      await press("#enfilade-write-all");
      await until(() => actor(GRIMS).statuses.includes("prone"), "Grim lies");
      await gm.page.keyboard.press("Shift+KeyY");
      await isProposed("Grim is no longer downed");
      await press("#enfilade-write-all");
      await until(() => !actor(GRIMS).statuses.includes("prone"), "Grim stands");
    });

    test("a condition unknown to Foundry gets its own status effect", async () => {
      await set("conditions", "do");
      const grim = await server.token(GRIM);
      await server.command("token.place", {
        token: { ...grim, conditions: { ...grim.conditions, warded: "" } },
      });
      await until(() => actor(GRIMS).statuses.includes("enfilade-warded"), "Grim has the sign");
      const known = await gm.do(() =>
        Object.values(CONFIG.statusEffects).some(({ id }) => id === "enfilade-warded"),
      );
      assert.ok(known);
      const warded = await server.token(GRIM);
      await server.command("token.place", { token: { ...warded, conditions: {} } });
      await until(() => !actor(GRIMS).statuses.includes("enfilade-warded"), "the sign is gone");
    });

    test("a token that is out is defeated in the tracker and by status effect until undo", async () => {
      const grim = await server.token(GRIM);
      await server.command("token.place", { token: { ...grim, conditions: { out: "" } } });
      await until(() => fighter("combatantGrim001").defeated, "Grim is defeated in the tracker");
      await until(() => actor(GRIMS).statuses.includes("dead"), "Grim has the sign");
      await gm.page.keyboard.press("Shift+KeyY");
      await until(() => !fighter("combatantGrim001").defeated, "Grim is back in the tracker");
      await until(() => !actor(GRIMS).statuses.includes("dead"), "and without the sign");
    });

    test("a kind set to Never is not proposed; once allowed again, it catches up", async () => {
      await until(async () => (await proposals()) === 0, "no earlier proposal is left");
      await set("order", "never");
      await gm.do(() => window.enfilade.seatUi.context.windows.open("turn"));
      await press("#enfilade-round");
      await until(async () => (await server.scene()).tracks.round === 1, "the table is in its first round");
      await gm.settles();
      assert.equal(combat().round, 0);
      assert.equal(await proposals(), 0);
      await set("order", "do");
      await comeBack();
      await until(() => combat().round === 1, "the tracker is in the first round as well");
    });

    test("the tracker follows the active unit", async () => {
      const [first] = (await server.scene()).conditions.priority === "friendly" ? [ANNA] : [GRIM];
      await gm.do((id) => canvas.tokens.get(id).control(), first); // the window lies over the map here
      await gm.page
        .locator("#enfilade-turn button:not([disabled])")
        .filter({ hasText: /^Activate/ })
        .dispatchEvent("click");
      const place = first === GRIM ? 0 : 1; // Grim has the higher initiative
      await until(() => combat().turn === place, "the tracker shows whose turn it is");
      assert.equal((await server.scene()).conditions.active, first);
    });

    test("every posted act is in chat once, also after a reconnect", async () => {
      await comeBack();
      await gm.settles();
      const entries = world.state.ChatMessage.map(({ flags }) => flags.enfilade.entry);
      assert.ok(entries.length > 0);
      assert.equal(new Set(entries).size, entries.length);
    });

    test("the page logs no errors", () =>
      assert.deepEqual(
        gm.errors.filter((line) => !isOutage(line)),
        [],
      ));
  });
}
