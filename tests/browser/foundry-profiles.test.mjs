// Profiles by actor: twelve goblins need no form, and one that comes later has its profile at once.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { dnd5eNpc } from "./foundry/actors.mjs";
import { SMALL, openGm, sceneSource, tokenSource } from "./foundry/user.mjs";
import { until } from "./harness.mjs";

const GOBLIN = "actoractorGob001";
const COUNT = 12;
const goblin = (generation, i) =>
  tokenSource(
    generation,
    `tokentokenGob${10 + i}0`,
    `Goblin ${i + 1}`,
    GOBLIN,
    { x: 400 + 100 * i, y: 1100 },
    -1,
    {
      ...{ actorLink: false, flags: {} },
    },
  );
const actorOf = (id, name, system) => ({
  ...{ _id: id, name, type: "npc", system, statuses: [], ownership: { default: 0 }, flags: {} },
});

for (const generation of (process.env.GENERATIONS ?? "12 13 14").split(" ").map(Number)) {
  describe(`profiles by actor in Foundry ${generation}`, () => {
    let browser, world, server, gm;

    before(async () => {
      const tokens = Array.from({ length: COUNT }, (_, i) => goblin(generation, i));
      ({ browser, world, server, gm } = await openGm(generation, {
        ...{ viewport: SMALL, actors: [actorOf(GOBLIN, "Goblin", {})] },
        scenes: [{ ...sceneSource(generation), tokens }],
      }));
      await gm.seesNotice("need a unit profile");
    });
    after(async () => {
      await browser?.close();
      await server?.stop();
      await world?.stop();
    });

    const atTable = async () => (await server.scene()).tokens.length;

    test("twelve goblins of one actor get their profile by one choice", async () => {
      await gm.do(() => window.enfilade.seatUi.context.windows.open("profiles"));
      const rows = gm.page.locator(".enfilade-profiles li");
      assert.equal(await rows.count(), 1);
      assert.match(await rows.innerText(), /Goblin \(12\): no profile yet/);
      await gm.page.locator("#enfilade-profiles-0").selectOption({ index: 1 });
      await until(async () => (await atTable()) === COUNT, "all goblins are at the table");
      await until(async () => /the actor's profile/.test(await rows.innerText()), "the window says so");
      assert.ok(world.find("Actor", GOBLIN).flags.enfilade.profile);
    });

    test("a goblin from the sidebar is at the table at once", async () => {
      const late = { ...goblin(generation, COUNT), y: 1000, x: 500 };
      await gm.do((source) => canvas.scene.createEmbeddedDocuments("Token", [source]), late);
      await until(async () => (await atTable()) === COUNT + 1, "the goblin is at the table");
    });

    test("another profile of the actor is that of all, but not of a token with its own", async () => {
      const profile = (id) => server.token(id).then((token) => token.profile);
      const [first, second] = [goblin(generation, 0)._id, goblin(generation, 1)._id];
      const own = await profile(first);
      await gm.do(
        ([id, kept]) => canvas.scene.tokens.get(id).setFlag("enfilade", "profile", kept),
        [first, own],
      );
      await gm.page.locator("#enfilade-profiles-0").selectOption({ index: 2 });
      await until(
        async () => JSON.stringify(await profile(second)) !== JSON.stringify(own),
        "the second goblin has the other profile",
      );
    });

    test("the page logs no errors", () => assert.deepEqual(gm.errors, []));
  });

  describe(`profiles from the sheet in Foundry ${generation}`, () => {
    let browser, world, server, gm;

    before(async () => {
      const scores = { str: 14, dex: 12, con: 12 };
      const creature = { id: GOBLIN, name: "Goblin", scores, hp: 9, walk: 30 };
      ({ browser, world, server, gm } = await openGm(generation, {
        ...{
          viewport: SMALL,
          system: "dnd5e",
          ruleset: "knights_of_valour",
          actors: [dnd5eNpc(generation, creature)],
        },
        scenes: [{ ...sceneSource(generation), tokens: [goblin(generation, 0)] }],
      }));
    });
    after(async () => {
      await browser?.close();
      await server?.stop();
      await world?.stop();
    });

    const strength = async () => (await server.scene()).tokens[0]?.profile.strength;

    test("an actor of a known system needs no form, and its values follow it", async () => {
      await until(async () => (await strength()) === 2, "the goblin is at the table, with its strength");
      await gm.do((id) => game.actors.get(id).update({ "system.abilities.str.value": 18 }), GOBLIN);
      await until(async () => (await strength()) === 4, "the goblin has become stronger");
    });

    test("a click on a token whose actor is mapped shows its legal moves", async () => {
      await gm.click(goblin(generation, 0)._id);
      await until(() => gm.kept("overlay"), "the page shows what the goblin may do");
    });
  });
}
