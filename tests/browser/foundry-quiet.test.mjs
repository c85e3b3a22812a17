// What the module does not do: talk too much, read too much, draw what is closed, or let names act.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { PAT, SMALL, FoundryUser, openGm, sceneSource, tokenSource, wall } from "./foundry/user.mjs";
import { until } from "./harness.mjs";

const [ANNA, GRIM] = ["tokentokenAnna01", "tokentokenGrim01"];
const ATTACK = { kind: "melee", token: ANNA, target: GRIM, weapon: "sword", at: null, facing: null };
const NAME = "[[/roll 1d20]] @UUID[Actor.x]{Gift} &Reference[prone] https://example.org";
const VILLAGERS = 12;

for (const generation of (process.env.GENERATIONS ?? "12 13 14").split(" ").map(Number))
  describe(`a quiet module in Foundry ${generation}`, () => {
    let browser, world, server, gm;

    before(async () => {
      const scene = sceneSource(generation);
      const villagers = Array.from({ length: VILLAGERS }, (_, i) =>
        tokenSource(
          generation,
          `tokentokenNone${10 + i}`,
          `Villager ${i}`,
          null,
          { x: 400 + 100 * i, y: 1100 },
          0,
          {
            flags: {},
          },
        ),
      );
      ({ browser, world, server, gm } = await openGm(generation, {
        ...{ system: "dnd5e", viewport: SMALL },
        scenes: [{ ...scene, tokens: [...scene.tokens, ...villagers] }],
      }));
      await until(async () => (await server.token(ANNA))?.at, "Anna is at the table");
      await gm.settles();
    });
    after(async () => {
      await browser?.close();
      await server?.stop();
      await world?.stop();
    });

    const notices = () => gm.page.locator("#notifications li").count();
    const lines = () => gm.page.locator("#enfilade-log .log-entry").count();

    test("six walls: no notification, and no line in the log", async () => {
      await gm.do(() => window.enfilade.seatUi.context.windows.open("log"));
      await gm.page.locator("#enfilade-log #log-list").waitFor();
      const before = [await notices(), await lines()];
      for (let i = 0; i < 6; i++) {
        const added = wall(`wallwallnew0000${i}`, [500 + 50 * i, 400, 500 + 50 * i, 450]);
        await gm.do((one) => canvas.scene.createEmbeddedDocuments("Wall", [one]), added);
        await until(async () => (await server.scene()).walls.length === 4 + i, "the wall is at the table");
      }
      await gm.settles();
      assert.deepEqual([await notices(), await lines()], before);
    });

    test("tokens without a profile are named once, and again when one more comes", async () => {
      const noted = gm.page.locator("#notifications li", { hasText: "need a unit profile" });
      assert.equal(await noted.count(), 1);
      await gm.syncsAgain();
      await gm.syncsAgain();
      assert.equal(await noted.count(), 1);
      assert.match(await noted.innerText(), /Villager 0.* 12 in all/);
    });

    test("one window has all that is missing, with a button that leads to the profiles", async () => {
      await gm.page.locator("[data-tool=enfilade-missing]").dispatchEvent("click");
      const window = gm.page.locator("#enfilade-missing");
      await window.filter({ hasText: "Tokens without a unit profile: 12" }).waitFor();
      assert.equal(await window.locator(".enfilade-missing-body section:first-child li").count(), 12);
      await gm.page.locator("#enfilade-missing-profiles").dispatchEvent("click");
      await gm.page.locator("#enfilade-profiles").waitFor();
      await gm.do(() => window.enfilade.seatUi.context.windows.close());
    });

    test("a moved token is read without the scene, and what the table does not read sends nothing", async () => {
      await gm.do(() => {
        window.read = { scenes: 0, syncs: 0 };
        const { world: reader, outbox } = window.enfilade.bridge;
        const [whole, add] = [reader.scene, outbox.addScene.bind(outbox)];
        reader.scene = () => ((window.read.scenes += 1), whole());
        outbox.addScene = () => ((window.read.syncs += 1), add());
      });
      await gm.do((id) => window.host.drag(id, { x: 700, y: 800 }), ANNA);
      await until(async () => String((await server.token(ANNA)).at) === "3,5", "Anna has moved");
      await gm.do(() => {
        const region = { parent: canvas.scene, id: "region", behaviors: [] };
        Hooks.callAll("createRegion", region, {}, game.user.id);
        const behavior = { type: "executeMacro", parent: region };
        Hooks.callAll("updateRegionBehavior", behavior, {}, {}, game.user.id);
        const other = { parent: { id: "anotherscene0001" }, type: "modifyMovementCost" };
        Hooks.callAll("updateRegionBehavior", { ...other, parent: other }, {}, {}, game.user.id);
        Hooks.callAll("updateTile", { parent: canvas.scene, elevation: 0 }, { x: 5 }, {}, game.user.id);
      });
      assert.deepEqual(await gm.do(() => window.read), { scenes: 0, syncs: 0 });
    });

    test("a region that says what its ground is, and a tile with a height, bring the scene to the table", async () => {
      await gm.do(() => (window.read.syncs = 0));
      const hill = { id: "region", name: "Hill [height 10]", behaviors: [] };
      for (const [hook, thing, ...changes] of [
        ["createRegion", hill],
        ["updateRegion", { ...hill, name: "Hill" }, { name: "Hill" }],
        ["createTile", { elevation: 5 }],
        ["updateTile", { elevation: 0 }, { elevation: 0 }],
        ["deleteTile", { elevation: 5 }],
      ])
        await gm.do(
          ([name, document, given]) => {
            const own = { ...document, parent: canvas.scene };
            Hooks.callAll(name, own, ...given, {}, game.user.id);
          },
          [hook, thing, changes],
        );
      assert.equal(await gm.do(() => window.read.syncs), 5);
    });

    test("a log window that was closed draws nothing, and shows all when it is opened", async () => {
      await gm.do(() => window.enfilade.seatUi.context.windows.close());
      const drawn = await gm.do(async () => {
        const { windows } = window.enfilade.seatUi.context;
        await windows.open("log");
        const list = document.querySelector("#enfilade-log #log-list");
        windows.close();
        window.logList = list;
        return list.textContent;
      });
      await gm.do((id) => window.host.drag(id, { x: 800, y: 700, rotation: 270 }), ANNA);
      await until(async () => (await server.token(ANNA)).facing === 90, "Anna stands before Grim");
      await gm.settles();
      assert.equal(await gm.do(() => window.logList.textContent), drawn);
      await gm.do(() => window.enfilade.seatUi.context.windows.open("log"));
      await until(
        async () => (await gm.do(() => window.logList.textContent)) !== drawn,
        "the log shows the move",
      );
    });

    test("enriched-chat: a name that would be a roll or a link is text in the chat card", async () => {
      await gm.do(([id, name]) => canvas.scene.tokens.get(id).update({ name }), [GRIM, NAME]);
      await until(async () => (await server.token(GRIM)).name === NAME, "Grim has the name");
      await gm.do((id) => window.host.drag(id, { x: 800, y: 700, rotation: 270 }), ANNA);
      await until(async () => (await server.token(ANNA)).facing === 90, "Anna stands before Grim");
      await server.command("act", { act: ATTACK, faces: [4], override: "a test" });
      const card = gm.page.locator(".enfilade-card").last();
      await card.waitFor({ state: "attached" });
      assert.equal(await gm.page.locator(".chat-message a.enriched").count(), 0);
      const text = (await card.textContent()).replaceAll("\u2060", "");
      assert.ok(text.includes("[[/roll 1d20]] @UUID[Actor.x]"), text);
    });

    test("the API's log of no entries is empty", async () => {
      const counts = await gm.do(() => [0, 1].map((n) => game.modules.get("enfilade").api.log(n).length));
      assert.deepEqual(counts, [0, 1]);
    });

    test("without a table the module's keys are left to others", async () => {
      const bare = await FoundryUser.open(browser, world, PAT, { viewport: SMALL });
      await bare.do(() => window.enfilade.disconnect());
      await bare.do(() => (window.enfilade.seatUi = null));
      const isTaken = await bare.do(() => {
        const event = new KeyboardEvent("keydown", {
          code: "KeyL",
          shiftKey: true,
          cancelable: true,
          bubbles: true,
        });
        document.body.dispatchEvent(event);
        return event.defaultPrevented;
      });
      assert.equal(isTaken, false);
      await bare.page.close();
    });

    test("the page logs no errors", () => assert.deepEqual(gm.errors, []));
  });
