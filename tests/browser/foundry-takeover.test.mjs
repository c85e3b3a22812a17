// Two GMs, a scene switch, an outage: what one page leaves undone another one does, and nothing twice.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { GM, SMALL, FoundryUser, USERS, sceneSource, seatAt, startWorld, isOutage } from "./foundry/user.mjs";
import { Server, launch, until } from "./harness.mjs";

const ANDY = { id: "andyandyandyandy", name: "Andy", isGM: true };
const [ANNA, GRIM] = ["tokentokenAnna01", "tokentokenGrim01"];
const [ANNAS, GRIMS] = ["actoractor000001", "actoractor000002"];
const [SCENE, COPY] = ["scenescene000001", "scenescene000002"];
const ATTACK = { kind: "melee", token: ANNA, target: GRIM, weapon: "sword", at: null, facing: null };

for (const generation of (process.env.GENERATIONS ?? "12 13 14").split(" ").map(Number)) {
  describe(`pages that take over in Foundry ${generation}`, () => {
    let browser, world, server, gail, andy;

    before(async () => {
      browser = await launch();
      const copy = { ...sceneSource(generation), _id: COPY, name: "The gatehouse (Copy)", active: false };
      world = await startWorld(generation, {
        ...{ users: [ANDY, ...USERS], system: "dnd5e" },
        scenes: [sceneSource(generation), copy],
      });
      server = await new Server({ ENFILADE_ORIGINS: world.origin }).start();
      Object.assign(world.state.settings, {
        "enfilade.server": server.origin,
        "enfilade.write.hitPoints": "do",
      });
      gail = await FoundryUser.open(browser, world, GM, { seat: seatAt(server), viewport: SMALL });
      await until(() => points(ANNAS) === 3 && points(GRIMS) === 3, "Foundry has the table's hit points");
    });
    after(async () => {
      await browser?.close();
      await server?.stop();
      await world?.stop();
    });

    const points = (id) => world.find("Actor", id).system.attributes.hp.value;
    const token = (id, scene = SCENE) => world.find("Token", id, scene);
    /** Opens Andy's page, and Gail's anew, so that Andy's has the lease. */
    const andyTakesOver = async () => {
      andy = await FoundryUser.open(browser, world, ANDY.id, { seat: seatAt(server), viewport: SMALL });
      await gail.page.close();
      await until(() => isBridge(andy), "Andy's page speaks");
      gail = await FoundryUser.open(browser, world, GM, { seat: seatAt(server), viewport: SMALL });
    };
    const isBridge = (user) => user.do(() => window.enfilade.bridge.lease !== null);
    const move = (id, at) => server.command("token.move", { token: id, at, facing: null, override: "test" });
    const hurt = async (id, hp) => {
      const unit = await server.token(id);
      await server.command("token.place", { token: { ...unit, tracks: { ...unit.tracks, hp } } });
    };
    const show = (id) =>
      world.change({ action: "update", type: "Scene", parent: null, rows: [{ _id: id, active: true }] }, GM);

    test("hit points that the GM sets while the server is away reach the table", async () => {
      await server.kill();
      await gail.seesNotice("connection to the table lost");
      assert.equal(
        await gail.page.locator("#notifications li", { hasText: "another page sends" }).count(),
        0,
      );
      await gail.do(
        (id) => canvas.scene.tokens.get(id).actor.update({ "system.attributes.hp.value": 1 }),
        GRIM,
      );
      await server.start();
      await until(async () => (await server.token(GRIM))?.tracks.hp === 1, "the table has the GM's number");
      await gail.settles();
      assert.equal(points(GRIMS), 1);
    });

    test("a page that takes over posts no chat card again that the GM has deleted", async () => {
      await andyTakesOver();
      await andy.do((id) => window.host.drag(id, { x: 800, rotation: 270 }), ANNA);
      await until(async () => (await server.token(ANNA)).facing === 90, "Anna stands before Grim");
      await server.command("act", { act: ATTACK, faces: [6] });
      await until(() => world.state.ChatMessage.length > 0, "the attack is in chat");
      await andy.settles();
      const ids = world.state.ChatMessage.map(({ _id }) => _id);
      world.change({ action: "delete", type: "ChatMessage", parent: null, rows: ids }, GM);
      await andy.page.close();
      await until(() => isBridge(gail), "Gail's page speaks again");
      await gail.settles();
      assert.deepEqual(world.state.ChatMessage, []);
    });

    test("what a page leaves unwritten is written by the page that takes over", async () => {
      await andyTakesOver();
      await andy.settles();
      let held = 0;
      await andy.page.route("**/act?*", (route) => {
        if (!/"origin":"server"/.test(route.request().postData() ?? "")) return route.continue();
        held += 1; // never sent
      });
      await move(ANNA, [4, 6]);
      await until(() => held > 0, "Andy's page is about to write");
      await andy.page.close();
      await until(() => token(ANNA).y === 900, "Gail's page has written it");
      assert.deepEqual((await server.token(ANNA)).at, [4, 6]);
    });

    test("a write that a scene switch overtakes goes to its own scene, not to a copy of it", async () => {
      await until(() => isBridge(gail), "Gail's page speaks");
      await gail.settles();
      let [held, release] = [0, () => {}];
      const isReleased = new Promise((resolve) => (release = resolve));
      await gail.page.route("**/act?*", async (route) => {
        if (/"origin":"server"/.test(route.request().postData() ?? "") && held++ === 0) await isReleased;
        await route.continue();
      });
      await hurt(ANNA, 2);
      await until(() => held > 0, "the first write is under way");
      await move(ANNA, [4, 4]);
      const placeOf = (id) =>
        window.enfilade.client.replica.scene.tokens.find((one) => one.id === id).at.join();
      await until(async () => (await gail.do(placeOf, ANNA)) === "4,4", "Gail's page knows of the move");
      show(COPY);
      await until(() => gail.do((id) => canvas.scene.id === id && canvas.ready, COPY), "Gail sees the copy");
      release();
      await until(async () => (await server.scene()).name.endsWith("(Copy)"), "the copy is on the table");
      await gail.settles();
      assert.deepEqual([token(ANNA).x, token(ANNA).y], [800, 700]);
      assert.deepEqual([token(ANNA, COPY).x, token(ANNA, COPY).y], [700, 700]);
      await gail.page.unroute("**/act?*");
    });

    test("a request that the server never answers does not end the sync", async () => {
      let hung = 0;
      await gail.page.route("**/foundry?bridge=*", (route) => {
        if (hung++ > 0) route.continue(); // the first gets no answer
      });
      await gail.do((id) => window.host.drag(id, { y: 900 }), GRIM);
      await until(() => hung > 0, "it hangs");
      await server.kill();
      await gail.seesNotice("connection to the table lost");
      await server.start();
      await until(async () => `${(await server.token(GRIM))?.at}` === "5,6", "Grim stands there");
    });

    test("the pages log no errors", () =>
      assert.deepEqual(
        [...gail.errors, ...andy.errors].filter((line) => !isOutage(line)),
        [],
      ));
  });
}
