// A GM leaves a scene in the middle of a battle and comes back: the battle goes on where it was.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { GM, SMALL, openGm, sceneSource, tokenSource } from "./foundry/user.mjs";
import { until } from "./harness.mjs";

const [ANNA, GRIM, ODO] = ["tokentokenAnna01", "tokentokenGrim01", "tokentokenOdo001"];
const [ANNAS, GRIMS] = ["actoractor000001", "actoractor000002"];
const [HOME, INN] = ["scenescene000001", "scenescene000002"];
const GENERATIONS = (process.env.GENERATIONS ?? "12 13 14").split(" ").map(Number);
const modes = (mode) => ({ "enfilade.write.hitPoints": mode, "enfilade.write.conditions": "do" });

for (const generation of GENERATIONS)
  describe(`a scene that the GM comes back to in Foundry ${generation}`, () => {
    let browser, world, server, gm;

    before(async () => {
      const inn = { ...sceneSource(generation), _id: INN, name: "The inn", active: false, tokens: [] };
      ({ browser, world, server, gm } = await openGm(generation, {
        ...{ system: "dnd5e", scenes: [sceneSource(generation), inn], settings: modes("do") },
        actors: [anActor(ANNAS, "Anna", 3), anActor(GRIMS, "Grim", 2)],
        viewport: SMALL,
      }));
      await until(async () => (await server.token(ANNA)) !== undefined, "Anna is at the table");
      await gm.settles();
    });
    after(async () => {
      await browser?.close();
      await world?.stop();
    });

    const anActor = (id, name, value) => ({
      ...{ _id: id, name, type: "character", statuses: [], ownership: { default: 0 }, flags: {} },
      system: { attributes: { hp: { value, max: 12 } } },
    });
    const actor = (id) => world.find("Actor", id);
    const points = (id) => actor(id).system.attributes.hp.value;
    const setPoints = (id, value) =>
      gm.do(([one, hp]) => game.actors.get(one).update({ "system.attributes.hp.value": hp }), [id, value]);
    const hp = async (id) => (await server.token(id))?.tracks.hp;
    const change = async (id, { hp: left, conditions }) => {
      const unit = await server.token(id);
      const token = { ...unit, tracks: { ...unit.tracks, hp: left ?? unit.tracks.hp } };
      await server.command("token.place", { token: { ...token, conditions: conditions ?? unit.conditions } });
    };
    const goTo = async (id, name) => {
      world.change({ action: "update", type: "Scene", parent: null, rows: [{ _id: id, active: true }] }, GM);
      await until(() => gm.do((one) => canvas.scene.id === one && canvas.ready, id), `Gail sees ${name}`);
      await until(async () => (await server.scene()).name === name, `${name} is on the table`);
      await gm.settles();
    };
    const leaveAndComeBack = async (meanwhile = () => {}) => {
      await goTo(INN, "The inn");
      await meanwhile();
      await goTo(HOME, "The gatehouse");
    };
    const set = (kind, mode) =>
      gm.do(([key, value]) => game.settings.set("enfilade", key, value), [`write.${kind}`, mode]);

    test("a unit that comes to the table has its actor's hit points, and the actor keeps them", async () => {
      assert.deepEqual([await hp(GRIM), points(GRIMS)], [2, 2]);
      const place = { x: 400, y: 300 };
      const odo = tokenSource(generation, ODO, "Odo", GRIMS, place, -1, { actorLink: false });
      world.change({ action: "create", type: "Token", parent: HOME, rows: [odo] }, GM);
      await until(async () => (await hp(ODO)) !== undefined, "Odo is at the table");
      await gm.settles();
      assert.deepEqual([await hp(ODO), points(GRIMS)], [2, 2]);
    });

    test("hit points, conditions and the round are as they were left", async () => {
      await change(ANNA, { hp: 2 });
      await change(GRIM, { conditions: { prone: "" } });
      const scene = await server.scene();
      await server.command("scene.set", { scene: { ...scene, tracks: { ...scene.tracks, round: 4 } } });
      await until(() => points(ANNAS) === 2 && actor(GRIMS).statuses.includes("prone"), "Foundry has them");
      await leaveAndComeBack();
      assert.deepEqual([await hp(ANNA), await hp(GRIM), points(ANNAS)], [2, 2, 2]);
      assert.ok("prone" in (await server.token(GRIM)).conditions && actor(GRIMS).statuses.includes("prone"));
      assert.equal((await server.scene()).tracks.round, 4);
    });

    test("hit points that change in Foundry meanwhile count", async () => {
      await leaveAndComeBack(() => setPoints(ANNAS, 1));
      assert.deepEqual([await hp(ANNA), points(ANNAS)], [1, 1]);
    });

    test("hit points that the GM has not decided on stay at the table, and so does the question", async () => {
      await set("hitPoints", "ask");
      await change(GRIM, { hp: 1 });
      const asked = () => gm.page.locator("#enfilade-proposals .proposals li").allInnerTexts();
      await until(async () => (await asked()).length === 1, "Gail is asked");
      await leaveAndComeBack();
      assert.deepEqual([await hp(GRIM), points(GRIMS)], [1, 2]);
      assert.match(`${await asked()}`, /Hit points of Grim: 1/);
      await gm.page.locator("#enfilade-write-none").dispatchEvent("click");
      await until(() => actor(GRIMS).flags.enfilade?.declined?.hitPoints, "the no is kept with the actor");
      await leaveAndComeBack();
      assert.deepEqual([await hp(GRIM), points(GRIMS)], [2, 2]);
    });

    test("with Never, the table keeps its own", async () => {
      await set("hitPoints", "never");
      await change(GRIM, { hp: 1 });
      await leaveAndComeBack();
      assert.deepEqual([await hp(GRIM), points(GRIMS)], [1, 2]);
    });

    test("the page logs no errors", () => assert.deepEqual(gm.errors, []));
  });
