// What Foundry does and a kinder stand-in would not: each test fails with a module that does not know it. The name of a
// test begins with the strict rule it needs (foundry/rules.mjs); `make foundry-mutants` runs them with the older module.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { GM, PAT, SMALL, FoundryUser, sceneSource, startWorld, seatAt } from "./foundry/user.mjs";
import { launch, newTable, until } from "./harness.mjs";

const [ANNA, GRIM] = ["tokentokenAnna01", "tokentokenGrim01"];
const ATTACK = { kind: "melee", token: ANNA, target: GRIM, weapon: "sword", at: null, facing: null };
/** The top left corner of a token of 2 by 2 hexes in pixels, where Foundry snaps it: its first row covers two hexes. */
const LARGE_TOKEN_PLACE = { x: 700, y: 693 };
const GENERATIONS = (process.env.GENERATIONS ?? "12 13 14").split(" ").map(Number);
const REGION = {
  ...{ _id: "regionregion0001", name: "The mire", behaviors: [], elevation: { bottom: null, top: null } },
  ...{ shapes: [{ type: "circle", x: 800, y: 600, radius: 150 }], flags: {} },
};

for (const generation of GENERATIONS)
  describe(`Foundry ${generation} as strict as it is`, () => {
    let browser, world, server, gm, pat;

    before(async () => {
      browser = await launch();
      const scene = { ...sceneSource(generation), regions: [REGION] };
      world = await startWorld(generation, { scenes: [scene], system: "swade" });
      for (const actor of world.state.Actor) actor.system = { wounds: { value: 0, max: 3 } };
      server = await newTable();
      Object.assign(world.state.settings, {
        "enfilade.server": server.origin,
        "enfilade.write.hitPoints": "do",
        "enfilade.write.conditions": "do",
      });
      gm = await FoundryUser.open(browser, world, GM, { seat: seatAt(server), viewport: SMALL });
      pat = await FoundryUser.open(browser, world, PAT, { viewport: SMALL });
    });
    after(async () => {
      await browser?.close();
      await server?.stop();
      await world?.stop();
    });

    const isAtTable = () =>
      until(async () => (await server.token(ANNA)) !== undefined, "Anna is at the table");
    const update = (id, changes) =>
      gm.do(([token, change]) => canvas.scene.tokens.get(token).update(change), [id, changes]);

    test("abstract-draw, z-index, namespace: the module loads and the canvas draws its layer", async () => {
      assert.equal(await gm.do(() => canvas.ready), true);
      assert.equal(await gm.do(() => canvas.enfilade?.zIndex), 900);
      assert.equal(await gm.page.locator("#notifications li.error").count(), 0);
    });

    test("region-polygons: a scene with a region reaches the table", async () => {
      await isAtTable();
      assert.equal((await server.scene()).name, "The gatehouse");
    });

    test("controls: the tools of the table appear after connecting", async () => {
      await gm.page.locator("[data-tool=enfilade-attack]").waitFor();
      assert.equal(await gm.page.locator("[data-tool=enfilade-connect]").count(), 0);
    });

    test("core-keys: no key of the module is one that Foundry has taken", async () => {
      await isAtTable();
      await gm.click(ANNA);
      const before = await gm.page.locator("[data-tool=enfilade-reach]").getAttribute("aria-pressed");
      await gm.do(() => game.settings.set("enfilade", "kept", {}));
      const taken = await gm.do(() => window.host.coreConflicts());
      assert.deepEqual(taken, []);
      assert.ok(before);
    });

    if (generation >= 13)
      for (const hook of ["stopToken", "pauseToken"])
        test(`pending-movement: a move that ends half-way by ${hook} is at the table, and so is what follows`, async () => {
          await isAtTable();
          await gm.do(
            ([id, ends]) => {
              Object.assign(window.host.documents, { stopAfter: 1, stopHook: ends });
              const doc = canvas.scene.tokens.get(id);
              const waypoints = [100, 200, 300].map((step) => ({ x: doc.x, y: doc.y + step }));
              return doc.move(waypoints).finally(() => (window.host.documents.stopAfter = null));
            },
            [ANNA, hook],
          );
          const { y } = world.find("Token", ANNA, "scenescene000001");
          await until(
            async () => (await server.token(ANNA)).at[1] === (y - 300) / 100,
            "the stop is at the table",
          );
          await update(ANNA, { name: `Anna after ${hook}` });
          await until(
            async () => (await server.token(ANNA)).name === `Anna after ${hook}`,
            "the name is told",
          );
        });

    test("status: a condition of the rules gets a status effect that every page knows", async () => {
      await isAtTable();
      const grim = await server.token(GRIM);
      await server.command("token.place", {
        token: { ...grim, conditions: { ...grim.conditions, warded: "" } },
      });
      const has = () => world.find("Actor", "actoractor000002").statuses.includes("enfilade-warded");
      await until(has, "Grim has the sign");
      const isKnown = () => Object.values(CONFIG.statusEffects).some(({ id }) => id === "enfilade-warded");
      await until(() => pat.do(isKnown), "the player's page knows it");
    });

    test("swade: hit points left are written as wounds taken", async () => {
      await isAtTable();
      const grim = await server.token(GRIM);
      await server.command("token.place", { token: { ...grim, tracks: { ...grim.tracks, hp: 2 } } });
      await until(
        () => world.find("Actor", "actoractor000002").system.wounds.value === 1,
        "Grim has taken one wound of three",
      );
    });

    test("chat-rolls: the card of a roll shows its text and its dice", async () => {
      await isAtTable();
      await standTogether();
      await server.command("act", { act: ATTACK, faces: [4] });
      const card = gm.page.locator(".chat-message").filter({ has: gm.page.locator(".enfilade-card") });
      await card
        .filter({ has: gm.page.locator(".dice-roll") })
        .first()
        .waitFor({ state: "attached" });
    });

    test("private-rolls: players do not learn that a secret attack was rolled", async () => {
      await isAtTable();
      await standTogether();
      const before = await pat.page.locator(".chat-message").count();
      await server.command("act", { act: ATTACK, faces: [4], secret: true, override: "a test" });
      const isSecret = ({ whisper }) => whisper.length > 0;
      await until(() => world.state.ChatMessage.some(isSecret), "the GM has the card");
      // A message for all comes after it.
      const row = { content: "The inn burns.", author: GM, whisper: [], flags: {}, rolls: [] };
      world.change({ action: "create", type: "ChatMessage", parent: null, rows: [row] }, GM);
      await pat.page.locator(".chat-message", { hasText: "The inn burns." }).waitFor({ state: "attached" });
      assert.equal(await pat.page.locator(".chat-message").count(), before + 1);
    });

    const standTogether = async () => {
      const grim = world.find("Token", GRIM, "scenescene000001");
      await update(ANNA, { x: grim.x - 100, y: grim.y, rotation: 270 });
      const at = [(grim.x - 500) / 100, (grim.y - 300) / 100];
      await until(
        async () => String((await server.token(ANNA)).at) === String(at),
        "Anna stands before Grim",
      );
      const anna = await server.token(ANNA);
      const grims = await server.token(GRIM);
      await server.command("token.place", { token: { ...anna, conditions: {} } });
      await server.command("token.place", { token: { ...grims, conditions: {} } });
    };

    test("the pages log no errors", () => assert.deepEqual([...gm.errors, ...pat.errors], []));
  });

for (const generation of GENERATIONS)
  describe(`hexes of Foundry ${generation} as high as they are`, () => {
    let browser, world, server, gm;

    before(async () => {
      browser = await launch();
      const scene = sceneSource(generation);
      scene.grid.type = 2;
      scene.walls = [];
      Object.assign(scene.tokens[0], { width: 2, height: 2, ...LARGE_TOKEN_PLACE });
      world = await startWorld(generation, { scenes: [scene] });
      server = await newTable();
      world.state.settings["enfilade.server"] = server.origin;
      gm = await FoundryUser.open(browser, world, GM, { seat: seatAt(server), viewport: SMALL });
    });
    after(async () => {
      await browser?.close();
      await server?.stop();
      await world?.stop();
    });

    test("hex-size: a token of 2 by 2 hexes that the table moves keeps its place within the hexes", async () => {
      await until(async () => (await server.token(ANNA))?.at, "Anna is at the table");
      await gm.settles();
      const [column, row] = (await server.token(ANNA)).at;
      const { x, y } = world.find("Token", ANNA, "scenescene000001");
      await server.command("token.move", { token: ANNA, at: [column + 1, row], override: "a test" });
      await until(() => world.find("Token", ANNA, "scenescene000001").x !== x, "Anna has moved in Foundry");
      const now = world.find("Token", ANNA, "scenescene000001");
      assert.deepEqual([now.x - x, now.y - y], [100, 0]);
      assert.deepEqual(gm.errors, []);
    });
  });

for (const generation of GENERATIONS.filter((one) => one >= 14))
  describe(`a scene with two levels in Foundry ${generation}`, () => {
    let browser, world, server, gm;

    before(async () => {
      browser = await launch();
      const scene = sceneSource(generation);
      scene.levels.push({ _id: "levellevel000002", name: "Cellar", elevation: { bottom: -20, top: 0 } });
      scene.tokens[1].level = "levellevel000002";
      scene.walls[0].levels = ["levellevel000002"];
      world = await startWorld(generation, { scenes: [scene] });
      server = await newTable();
      world.state.settings["enfilade.server"] = server.origin;
      gm = await FoundryUser.open(browser, world, GM, { seat: seatAt(server), viewport: SMALL });
    });
    after(async () => {
      await browser?.close();
      await server?.stop();
      await world?.stop();
    });

    test("the table has the tokens and walls of the level that the page shows, which is not the first", async () => {
      await until(async () => (await server.scene()).walls.length === 1, "the cellar's wall is at the table");
      assert.equal(await gm.do(() => canvas.level.id), "levellevel000002");
      assert.ok((await server.token(GRIM))?.at, "Grim is in the cellar");
      assert.equal((await server.token(ANNA))?.at ?? null, null);
      assert.deepEqual(gm.errors, []);
    });
  });
