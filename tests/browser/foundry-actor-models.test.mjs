// Actors with data models: the values that count are those that the system prepares, wherever its version keeps them.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { dnd5eCharacter, dnd5eNpc, pf2eNpc, swadeCharacter } from "./foundry/actors.mjs";
import { SMALL, openGm, sceneSource, tokenSource } from "./foundry/user.mjs";
import { becomes, until } from "./harness.mjs";

const [HERO, GOBLIN] = ["actoractorHer001", "actoractorGob001"];
const [HEROINE, FIRST, SECOND] = ["tokentokenHer001", "tokentokenGob001", "tokentokenGob002"];
const SCENE = "scenescene000001";
/** The table's scene comes so long after the lease. */
const LATE_MS = 700;
const GOBLINS = { str: 8, dex: 14, con: 10 };

const tokenOf = (generation, id, actor, column, more = {}) =>
  tokenSource(generation, id, id, actor, { x: 400 + 100 * column, y: 700 }, -1, { flags: {}, ...more });

for (const generation of (process.env.GENERATIONS ?? "12 13 14").split(" ").map(Number)) {
  /** Opens a GM's page in a world of a system, with the actors' tokens at the table. */
  async function openWorld({ system, ruleset, actors, tokens, prepare }) {
    return openGm(generation, {
      ...{ system, ruleset, actors, prepare, viewport: SMALL },
      scenes: [{ ...sceneSource(generation), tokens }],
    });
  }

  describe(`actors of dnd5e in Foundry ${generation}`, () => {
    let browser, world, server, gm;

    before(async () => {
      ({ browser, world, server, gm } = await openWorld({
        ...{ system: "dnd5e", ruleset: "knights_of_valour" },
        actors: [
          dnd5eCharacter(generation, {
            ...{ id: HERO, name: "Mira", walk: 30, levels: 3, race: "Wood Elf" },
            scores: { str: 16, dex: 12, con: 14 },
          }),
          dnd5eNpc(generation, { id: GOBLIN, name: "Goblin", scores: GOBLINS, hp: 7, walk: 30 }),
        ],
        tokens: [
          tokenOf(generation, HEROINE, HERO, 2),
          tokenOf(generation, FIRST, GOBLIN, 5, { actorLink: false, delta: {} }),
          tokenOf(generation, SECOND, GOBLIN, 6, { actorLink: false, delta: {} }),
        ],
      }));
    });
    after(async () => {
      await browser?.close();
      await server?.stop();
      await world?.stop();
    });

    const profile = async (id) => (await server.token(id))?.profile ?? {};
    const has = (id, field, value, what) => until(async () => (await profile(id))[field] === value, what);
    const changeItem = (actor, row) =>
      gm.do(
        ([id, change]) =>
          window.host.documents.actors.changeItems(game.actors.get(id), "update", [change], {}),
        [actor, row],
      );

    test("actor-models: modifiers, hit points and speed that no source holds fill the profile", async () => {
      await has(HEROINE, "strength", 3, "Mira has the modifier of her strength");
      const { agility, health, damage_points: points, movement } = await profile(HEROINE);
      assert.deepEqual([agility, health, points, movement], [1, 2, 21, 30]);
    });

    test("actor-models: what an item adds reaches the profile when the item changes", async () => {
      await changeItem(HERO, { _id: "itemitemclass001", system: { levels: 4 } });
      await has(HEROINE, "damage_points", 28, "Mira has the hit points of her new level");
    });

    test("actor-models: what an effect adds reaches the profile", async () => {
      const row = { _id: "effecteffect0001", name: "Bull's strength" };
      const changes = [{ key: "system.abilities.str.value", mode: 2, type: "add", value: "4" }];
      const effect = generation < 14 ? { ...row, changes } : { ...row, system: { changes } };
      const change = { action: "create", type: "ActiveEffect", parent: HERO, rows: [effect] };
      await gm.do((one) => window.host.documents.change(one), change);
      await has(HEROINE, "strength", 5, "Mira is as strong as a bull");
    });

    test("actor-models: one goblin of two is hurt in its strength, and the other is not", async () => {
      await has(FIRST, "strength", -1, "the first goblin is at the table");
      await gm.do((id) => {
        const hooks = (window.called = []);
        Hooks.on("updateToken", () => hooks.push("token"));
        Hooks.on("updateActor", () => hooks.push("actor"));
        return canvas.scene.tokens.get(id).actor.update({ "system.abilities.str.value": 4 });
      }, FIRST);
      await has(FIRST, "strength", -3, "the first goblin is weaker");
      assert.deepEqual(await gm.do(() => window.called), ["actor"]);
      assert.equal(world.find("Token", FIRST, SCENE).delta.system.abilities.str.value, 4);
      assert.equal((await profile(SECOND)).strength, -1);
    });

    test("actor-models: a goblin from the sidebar has its profile at once", async () => {
      const id = await gm.do((actor) => window.host.drop(actor, { x: 900, y: 1000 }), GOBLIN);
      await has(id, "agility", 2, "the dropped goblin is at the table");
      assert.equal((await profile(id)).strength, -1);
      assert.equal((await server.token(id)).name, "Goblin");
    });

    test("actor-models: no place is asked that the system has moved", async () =>
      assert.deepEqual(await gm.do(() => window.host.warned ?? []), []));

    test("the page logs no errors", () => assert.deepEqual(gm.errors, []));
  });

  describe(`a table's scene that comes after the lease in Foundry ${generation}`, () => {
    let browser, world, server, gm;

    /** Holds the table's scene back on its way to the page, and lets all else pass. */
    const holdScene = (context) =>
      context.routeWebSocket(/socket.io/, (socket) => {
        const real = socket.connectToServer();
        real.onMessage((frame) => {
          const isScene = String(frame).includes('"kind":"snapshot"');
          setTimeout(() => socket.send(frame), isScene ? LATE_MS : 0);
        });
      });

    before(async () => {
      ({ browser, world, server, gm } = await openWorld({
        ...{ system: "dnd5e", ruleset: "knights_of_valour", prepare: holdScene },
        actors: [dnd5eNpc(generation, { id: GOBLIN, name: "Goblin", scores: GOBLINS, hp: 7, walk: 30 })],
        tokens: [tokenOf(generation, FIRST, GOBLIN, 5, { actorLink: false, delta: {} })],
      }));
    });
    after(async () => {
      await browser?.close();
      await server?.stop();
      await world?.stop();
    });

    test("the profile of an actor is filled all the same", async () => {
      await until(
        async () => (await server.token(FIRST))?.profile.agility === 2,
        "the goblin has its profile",
      );
      assert.deepEqual(gm.errors, []);
    });
  });

  describe(`a value behind a field in Foundry ${generation}`, () => {
    let browser, world, server, gm;

    before(async () => {
      const scores = { str: 10, dex: 10, con: 10 };
      const hero = { id: HERO, name: "Mira", walk: 30, levels: 1, race: "Wood Elf", scores };
      ({ browser, world, server, gm } = await openWorld({
        ...{ system: "dnd5e", ruleset: "coup_de_grace", actors: [dnd5eCharacter(generation, hero)] },
        tokens: [tokenOf(generation, HEROINE, HERO, 2)],
      }));
    });
    after(async () => {
      await browser?.close();
      await server?.stop();
      await world?.stop();
    });

    test("actor-models: a race that is an item gives its name, and the rest is asked for", async () => {
      await gm.seesNotice("need a unit profile");
      await gm.do((id) => canvas.tokens.get(id).control({ releaseOthers: true }), HEROINE);
      await gm.do(() => window.enfilade.seatUi.context.windows.open("profile"));
      await gm.page.locator("#enfilade-fill").dispatchEvent("click");
      const race = () =>
        gm.do((id) => canvas.scene.tokens.get(id).getFlag("enfilade", "profile")?.race, HEROINE);
      await until(async () => (await race()) === "elf", "Mira is an elf");
    });

    test("the page logs no errors", () => assert.deepEqual(gm.errors, []));
  });

  for (const [system, actor, expected] of [
    [
      "pf2e",
      pf2eNpc(generation, {
        ...{ id: GOBLIN, name: "Goblin", hp: 6, land: 25, level: -1 },
        mods: { str: 1, dex: 3, con: 2 },
      }),
      { strength: 1, agility: 3, health: 2, damage_points: 6, movement: 25 },
    ],
    [
      "swade",
      swadeCharacter(generation, {
        ...{ id: GOBLIN, name: "Brute", wounds: 3, pace: 6 },
        dice: { strength: 8, agility: 6, vigor: 10 },
      }),
      { strength: 2, agility: 1, health: 3, damage_points: 3, movement: 30 },
    ],
  ])
    describe(`actors of ${system} in Foundry ${generation}`, () => {
      let browser, world, server, gm;

      before(async () => {
        ({ browser, world, server, gm } = await openWorld({
          ...{ system, ruleset: "knights_of_valour", actors: [actor] },
          tokens: [tokenOf(generation, FIRST, GOBLIN, 5, { actorLink: false, delta: {} })],
        }));
      });
      after(async () => {
        await browser?.close();
        await server?.stop();
        await world?.stop();
      });

      test(`actor-models: the values of ${system} fill the profile`, async () => {
        const fields = Object.keys(expected);
        const read = async () => {
          const { profile = {} } = (await server.token(FIRST)) ?? {};
          return Object.fromEntries(fields.map((field) => [field, profile[field]]));
        };
        await becomes(read, expected, "the creature is at the table with its values");
        assert.deepEqual(await gm.do(() => window.host.warned ?? []), []);
      });

      test("the page logs no errors", () => assert.deepEqual(gm.errors, []));
    });
}
