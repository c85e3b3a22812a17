// Two tokens of one linked actor: they show the same hit points in Foundry and at the table.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { GM, SMALL, openGm, sceneSource, tokenSource } from "./foundry/user.mjs";
import { until } from "./harness.mjs";

const [ANNA, TWIN, THIRD] = ["tokentokenAnna01", "tokentokenAnna02", "tokentokenAnna03"];
const [ANNAS, SCENE] = ["actoractor000001", "scenescene000001"];

for (const generation of (process.env.GENERATIONS ?? "12 13 14").split(" ").map(Number))
  describe(`tokens of one linked actor in Foundry ${generation}`, () => {
    let browser, world, server, gm;

    const another = (id, x) => tokenSource(generation, id, "Anna", ANNAS, { x, y: 300 }, 1);

    before(async () => {
      const scene = sceneSource(generation);
      scene.tokens.push(another(TWIN, 400));
      ({ browser, world, server, gm } = await openGm(generation, {
        ...{ system: "dnd5e", scenes: [scene], settings: { "enfilade.write.hitPoints": "do" } },
        viewport: SMALL,
      }));
      await until(async () => (await server.token(TWIN)) !== undefined, "both are at the table");
      await until(() => points() === 3, "Foundry has the table's hit points");
      await gm.settles();
    });
    after(async () => {
      await browser?.close();
      await world?.stop();
    });

    const points = () => world.find("Actor", ANNAS).system.attributes.hp.value;
    const setPoints = (value) =>
      gm.do(([id, hp]) => game.actors.get(id).update({ "system.attributes.hp.value": hp }), [ANNAS, value]);
    const atTable = async () => {
      const { tokens } = await server.scene();
      return tokens.filter(({ name }) => name === "Anna").map(({ tracks }) => tracks.hp);
    };
    const hurt = async (id, hp) => {
      const unit = await server.token(id);
      await server.command("token.place", { token: { ...unit, tracks: { ...unit.tracks, hp } } });
    };
    const count = async () => (await server.log()).length;

    test("what one loses at the table the other loses too, in one entry, and their actor in Foundry", async () => {
      const before = await count();
      await hurt(TWIN, 2);
      await until(() => points() === 2, "Foundry has it");
      await gm.settles();
      assert.deepEqual(await atTable(), [2, 2]);
      assert.equal(await count(), before + 1);
    });

    test("what the actor loses in Foundry both lose at the table, in one entry", async () => {
      const before = await count();
      await setPoints(1);
      await until(async () => `${await atTable()}` === "1,1", "the table has it");
      await gm.settles();
      assert.equal(points(), 1);
      assert.equal(await count(), before + 1);
    });

    test("one undo gives it back to both and to the actor", async () => {
      await server.command("undo", {});
      assert.deepEqual(await atTable(), [2, 2]);
      await until(() => points() === 2, "Foundry has it back");
      await server.command("undo", {});
      assert.deepEqual(await atTable(), [3, 3]);
      await until(() => points() === 3, "Foundry has all");
    });

    test("the GM is asked once for both", async () => {
      await gm.do(() => game.settings.set("enfilade", "write.hitPoints", "ask"));
      await hurt(ANNA, 2);
      const asked = () => gm.page.locator("#enfilade-proposals .proposals li").allInnerTexts();
      await until(async () => (await asked()).length > 0, "Gail is asked");
      await gm.settles();
      assert.deepEqual((await asked()).length, 1);
      assert.deepEqual([await atTable(), points()], [[2, 2], 3]);
    });

    test("a token of the actor that comes meanwhile has what the others have", async () => {
      world.change({ action: "create", type: "Token", parent: SCENE, rows: [another(THIRD, 500)] }, GM);
      await until(async () => (await atTable()).length === 3, "the third is at the table");
      assert.deepEqual(await atTable(), [2, 2, 2]);
      await gm.page.locator("#enfilade-write-all").dispatchEvent("click");
      await until(() => points() === 2, "Foundry has it");
      await gm.settles();
      assert.deepEqual(await atTable(), [2, 2, 2]);
    });

    test("the page logs no errors", () => assert.deepEqual(gm.errors, []));
  });
