// The battle stays where it is: what a user looks at moves no table.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { GM, PAT, SMALL, FoundryUser, openGm, sceneSource, tokenSource } from "./foundry/user.mjs";
import { becomes, until } from "./harness.mjs";

const [ANNA, BOSS] = ["tokentokenAnna01", "tokentokenBoss01"];
const [GATEHOUSE, LAIR] = ["scenescene000001", "scenescene000002"];
const MIRE = {
  ...{ _id: "regionregion0001", name: "The mire", behaviors: [], elevation: { bottom: null, top: null } },
  ...{ shapes: [{ type: "rectangle", x: 800, y: 600, width: 200, height: 100, rotation: 90 }], flags: {} },
};

/** A scene that the GM prepares, with a token that no player may know of. */
const lair = (generation) => ({
  ...{ ...sceneSource(generation), _id: LAIR, name: "The lair", active: false, regions: [MIRE] },
  tokens: [tokenSource(generation, BOSS, "The boss", null, { x: 800, y: 800 }, -1)],
});

/** The gatehouse; in 14 with a cellar, where a rat is. */
function gatehouse(generation) {
  const scene = sceneSource(generation);
  if (generation < 14) return scene;
  const cellar = { _id: "cellarcellar0001", name: "Cellar", elevation: { bottom: -10, top: 0 } };
  return { ...scene, levels: [cellar, ...scene.levels] };
}

for (const generation of (process.env.GENERATIONS ?? "12 13 14").split(" ").map(Number))
  describe(`the table's scene in Foundry ${generation}`, () => {
    let browser, world, server, gm, pat;

    before(async () => {
      ({ browser, world, server, gm } = await openGm(generation, {
        ...{ system: "dnd5e", viewport: SMALL },
        scenes: [gatehouse(generation), lair(generation)],
      }));
      await until(async () => (await server.token(ANNA))?.at, "Anna is at the table");
      pat = await FoundryUser.open(browser, world, PAT, { viewport: SMALL });
      await until(() => pat.kept("replica"), "Pat is connected");
    });
    after(async () => {
      await browser?.close();
      await server?.stop();
      await world?.stop();
    });

    const view = (user, scene, level) =>
      user.do(([id, options]) => game.scenes.get(id).view(options), [scene, level ? { level } : {}]);
    const strip = (user) => user.page.locator(".enfilade-strip");
    const isAtTable = (name) => until(async () => (await server.scene()).name === name, `${name} is there`);
    const tokensOfPat = () =>
      pat.do(() => window.enfilade.client.replica.scene.tokens.map(({ name }) => name));

    test("viewed-scene: the GM prepares another scene, and the table stays at its own", async () => {
      await view(gm, LAIR);
      await strip(gm).filter({ hasText: "The table is at The gatehouse" }).waitFor();
      await gm.syncsAgain();
      assert.equal((await server.scene()).name, "The gatehouse");
      await pat.hasAll(server);
      assert.ok(!(await tokensOfPat()).includes("The boss"));
      assert.equal(await strip(pat).count(), 0);
    });

    test("viewed-scene: meanwhile a player's drag is judged, and the table's move is written", async () => {
      await pat.do((id) => window.host.drag(id, { x: 700, y: 800 }), ANNA);
      await until(async () => String((await server.token(ANNA)).at) === "3,5", "the table has the drag");
      await server.command("token.move", { token: ANNA, at: [3, 7], facing: null, override: "a test" });
      await until(() => world.find("Token", ANNA, GATEHOUSE).y === 1000, "Foundry has the table's move");
    });

    test("viewed-scene: the strip shows the table, and a player sees where it is", async () => {
      await strip(gm).locator("#enfilade-table-show").click();
      await until(() => gm.do(() => canvas.scene.name === "The gatehouse"), "the GM is back");
      await becomes(() => strip(gm).count(), 0, "the strip is gone");
      await view(pat, LAIR);
      await strip(pat).filter({ hasText: "The table is at The gatehouse" }).waitFor();
      assert.equal(await strip(pat).locator("#enfilade-table-here").count(), 0);
      await strip(pat).locator("#enfilade-table-show").click();
      await until(() => pat.do(() => canvas.scene.name === "The gatehouse"), "Pat is back");
    });

    test("the GM moves the table to a scene that is not active, with its regions, and back", async () => {
      await view(gm, LAIR);
      await strip(gm).locator("#enfilade-table-here").click();
      await isAtTable("The lair");
      await strip(pat).filter({ hasText: "The table is at another scene" }).waitFor();
      assert.equal(await strip(pat).locator("#enfilade-table-show").count(), 0);
      await view(gm, GATEHOUSE);
      await gm.syncsAgain();
      assert.equal((await server.scene()).name, "The lair");
      await strip(gm).locator("#enfilade-table-here").click();
      await isAtTable("The gatehouse");
      await becomes(() => world.state.settings["enfilade.place"], {}, "no place is kept");
    });

    test("a started combat holds the table in its scene when the GM activates another", async () => {
      const combat = { _id: "combatcombat0001", scene: GATEHOUSE, active: true, round: 1, turn: 0 };
      const make = (action, rows) => world.change({ action, type: "Combat", parent: null, rows }, GM);
      make("create", [{ ...combat, combatants: [], flags: {} }]);
      world.change(
        { action: "update", type: "Scene", parent: null, rows: [{ _id: LAIR, active: true }] },
        GM,
      );
      await strip(pat).filter({ hasText: "The table is at" }).waitFor();
      await gm.syncsAgain();
      assert.equal((await server.scene()).name, "The gatehouse");
      make("delete", [combat._id]);
      await isAtTable("The lair");
      world.change(
        { action: "update", type: "Scene", parent: null, rows: [{ _id: GATEHOUSE, active: true }] },
        GM,
      );
      await isAtTable("The gatehouse");
    });

    if (generation >= 14)
      test("viewed-level: the GM looks at another level, and the tokens of the table's keep their place", async () => {
        const before = (await server.token(ANNA)).at;
        await view(gm, GATEHOUSE, "cellarcellar0001");
        await strip(gm).filter({ hasText: "The table is at The gatehouse, Ground" }).waitFor();
        await gm.syncsAgain();
        assert.deepEqual((await server.token(ANNA)).at, before);
        await pat.do((id) => window.host.drag(id, { x: 600, y: 800 }), ANNA);
        await until(async () => String((await server.token(ANNA)).at) === "2,5", "the table has the drag");
        await strip(gm).locator("#enfilade-table-here").click();
        await until(async () => (await server.token(ANNA)).at === null, "the table is in the cellar");
        assert.equal(world.find("Token", ANNA, GATEHOUSE).x, 600);
        await view(gm, GATEHOUSE, "defaultLevel0000");
        await strip(gm).locator("#enfilade-table-here").click();
        await until(async () => String((await server.token(ANNA)).at) === "2,5", "Anna is back");
      });

    test("the pages log no errors", () => assert.deepEqual([...gm.errors, ...pat.errors], []));
  });
