// What the GM decides on: proposals that something has overtaken, double clicks, and moves that Foundry does not make.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { GM, SMALL, openGm } from "./foundry/user.mjs";
import { until } from "./harness.mjs";

const [ANNA, GRIM] = ["tokentokenAnna01", "tokentokenGrim01"];
const [ANNAS, GRIMS] = ["actoractor000001", "actoractor000002"];
const SCENE = "scenescene000001";

for (const generation of (process.env.GENERATIONS ?? "12 13 14").split(" ").map(Number)) {
  describe(`the GM decides in Foundry ${generation}`, () => {
    let browser, world, server, gm;

    before(async () => {
      ({ browser, world, server, gm } = await openGm(generation, { system: "dnd5e", viewport: SMALL }));
      await until(async () => (await asked()).length > 0, "the GM is asked about Anna's hit points");
      await press("#enfilade-write-all");
      await until(() => points(GRIMS) === 3, "Foundry has the table's hit points");
    });
    after(async () => {
      await browser?.close();
      await server?.stop();
      await world?.stop();
    });

    const token = (id) => world.find("Token", id, SCENE);
    const points = (id) => world.find("Actor", id).system.attributes.hp.value;
    const asked = () => gm.page.locator("#enfilade-proposals .proposals li").allTextContents();
    const isAsked = (text) =>
      until(async () => (await asked()).some((one) => one.includes(text)), `the GM is asked: ${text}`);
    const press = (selector) => gm.page.locator(selector).dispatchEvent("click");
    const set = (kind, mode) =>
      gm.do(([key, value]) => game.settings.set("enfilade", key, value), [`write.${kind}`, mode]);
    const change = (id, changes) =>
      gm.do(([one, what]) => canvas.scene.tokens.get(one).update(what), [id, changes]);
    const standsAt = (id, cell) =>
      until(async () => `${(await server.token(id)).at}` === `${cell}`, `${id} stands at ${cell}`);
    const atTable = async (id) => (await server.token(id)).at;
    const hurt = async (id, hp) => {
      const unit = await server.token(id);
      await server.command("token.place", { token: { ...unit, tracks: { ...unit.tracks, hp } } });
    };
    const move = (id, at) => server.command("token.move", { token: id, at, facing: null, override: "test" });
    const setPoints = (id, value) =>
      gm.do(
        ([one, hp]) => canvas.scene.tokens.get(one).actor.update({ "system.attributes.hp.value": hp }),
        [id, value],
      );

    test("a proposal goes when an undo or a hand in Foundry has overtaken it", async () => {
      await hurt(GRIM, 2);
      await isAsked("Grim: 2");
      await hurt(GRIM, 3);
      await until(async () => (await asked()).length === 0, "nothing is left to decide");
      await hurt(GRIM, 2);
      await isAsked("Grim: 2");
      await setPoints(GRIM, 1);
      await until(async () => (await server.token(GRIM)).tracks.hp === 1, "the table has the GM's number");
      await until(async () => (await asked()).length === 0, "nothing is left to decide");
      assert.equal(points(GRIMS), 1);
    });

    test("a double click accepts one proposal, not the next one as well", async () => {
      await hurt(ANNA, 1);
      await hurt(GRIM, 3);
      await isAsked("Grim: 3");
      await gm.page.locator("#enfilade-write-0").dblclick({ force: true });
      await until(() => points(ANNAS) === 1, "the first is written");
      await gm.settles();
      assert.equal(points(GRIMS), 1);
      assert.equal((await asked()).length, 1);
      await press("#enfilade-write-all");
      await until(() => points(GRIMS) === 3, "the other is written once the GM says so");
    });

    test("what the GM accepts is written, also a number that was written before", async () => {
      await setPoints(ANNA, 99); // the rules have no such number
      await gm.do(() => window.enfilade.connect());
      await isAsked("Anna: 1");
      await press("#enfilade-write-all");
      await until(() => points(ANNAS) === 1, "the table's number is back");
    });

    test("a move that waits for the GM is not taken back by a sync, an edit or a reload", async () => {
      await set("moves", "ask");
      await move(ANNA, [3, 6]);
      await isAsked("Anna moves");
      await gm.syncsAgain();
      await change(ANNA, { name: "Anna the Bold" });
      await until(async () => (await server.token(ANNA)).name === "Anna the Bold", "she has another name");
      assert.deepEqual(await atTable(ANNA), [3, 6]);
      await gm.do(() => window.enfilade.connect());
      await until(() => gm.do(() => window.enfilade.bridge.lease !== null), "the page is connected again");
      await gm.settles();
      assert.deepEqual(await atTable(ANNA), [3, 6]);
      assert.equal(token(ANNA).y, 700);
      await isAsked("Anna the Bold moves");
      await press("#enfilade-write-all");
      await until(() => token(ANNA).y === 900, "the token has moved");
    });

    test("a declined move goes back at the table at once", async () => {
      await move(ANNA, [3, 7]);
      await isAsked("Anna the Bold moves");
      await press("#enfilade-write-none");
      await standsAt(ANNA, [3, 6]);
    });

    test("a drag in Foundry decides as well: the proposal goes", async () => {
      await move(ANNA, [3, 7]);
      await isAsked("Anna the Bold moves");
      await change(ANNA, { x: 800, y: 700 });
      await standsAt(ANNA, [4, 4]);
      await until(async () => (await asked()).length === 0, "nothing is left to decide");
      await change(ANNA, { x: 700, y: 900 }); // where she was when the table moved her
      await standsAt(ANNA, [3, 6]);
    });

    test("with Never, the table keeps its own places until a token moves in Foundry", async () => {
      await set("moves", "never");
      await move(ANNA, [3, 4]);
      await gm.settles();
      assert.deepEqual([await atTable(ANNA), token(ANNA).y], [[3, 4], 900]);
      await change(ANNA, { x: 800 });
      await standsAt(ANNA, [4, 6]);
    });

    test("the GM learns of a move that another module refuses, and the table keeps it", async () => {
      await set("moves", "do");
      await gm.do(() => {
        const isOurs = (_, changes, { enfilade }) => Boolean(enfilade) && "x" in changes;
        window.refusing = Hooks.on("preUpdateToken", (...update) => !isOurs(...update));
      });
      await move(ANNA, [4, 4]);
      await gm.seesNotice("Foundry did not move Anna the Bold");
      await gm.syncsAgain();
      assert.deepEqual([await atTable(ANNA), token(ANNA).y], [[4, 4], 900]);
      await gm.do(() => Hooks.off("preUpdateToken", window.refusing));
      await change(ANNA, { x: 700, y: 700 });
      await standsAt(ANNA, [3, 4]);
    });

    test("the GM learns of a change that another module refuses", async () => {
      await set("hitPoints", "do");
      await gm.do(() => Hooks.on("preUpdateActor", () => false));
      await hurt(GRIM, 1);
      await gm.seesNotice("did not take a change (Update hit points, Grim)");
    });

    test("a write under way is not overtaken by an edit of its token", async () => {
      let held = 0;
      await gm.page.route("**/act?*", async (route) => {
        if (/"origin":"server"/.test(route.request().postData() ?? "")) {
          held += 1;
          await new Promise((resolve) => setTimeout(resolve, 700));
        }
        await route.continue();
      });
      await move(ANNA, [3, 6]);
      await until(() => held > 0, "Foundry is slow to move her");
      const name = "Anna the Slow";
      world.change({ action: "update", type: "Token", parent: SCENE, rows: [{ _id: ANNA, name }] }, GM);
      await until(async () => (await server.token(ANNA)).name === name, "she has another name");
      assert.deepEqual(await atTable(ANNA), [3, 6]);
      await until(() => token(ANNA).y === 900, "the token has moved");
      await gm.page.unroute("**/act?*");
    });

    test("the page logs no errors", () => assert.deepEqual(gm.errors, []));
  });
}
