import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { GM, PAT, SMALL, FoundryUser, sceneSource, startWorld, seatAt, isOutage } from "./foundry/user.mjs";
import { Server, becomes, launch, until } from "./harness.mjs";
import { slowSending } from "./slow-sending.mjs";

const [ANNA, GRIM] = ["tokentokenAnna01", "tokentokenGrim01"];
const SCENE = "scenescene000001";
const DOOR = "doordoordoor0001";
const isBridge = (user) => user.do(() => window.enfilade.bridge.lease !== null);

for (const generation of (process.env.GENERATIONS ?? "12 13 14").split(" ").map(Number)) {
  describe(`a world of Foundry ${generation} at a table`, () => {
    let browser, world, server, gm, pat, second;

    before(async () => {
      browser = await launch();
      world = await startWorld(generation);
      server = await new Server({ ENFILADE_ORIGINS: world.origin }).start();
      Object.assign(world.state.settings, {
        "enfilade.server": server.origin,
        "enfilade.hitPoints": "attributes.hp",
      });
      gm = await FoundryUser.open(browser, world, GM, { seat: seatAt(server), viewport: SMALL });
      pat = await FoundryUser.open(browser, world, PAT, { viewport: SMALL });
    });
    after(async () => {
      await browser?.close();
      await server?.stop();
      await world?.stop();
    });

    const standsAt = (id, cell) =>
      until(async () => `${(await server.token(id))?.at}` === `${cell}`, `${id} stands at ${cell}`);
    // A table has entries of its own about its dice.
    const log = async () => (await server.log()).filter(({ kind }) => !kind.startsWith("dice."));

    test("the scene that the GM looks at is on the table", async () => {
      await gm.seesNotice("connected to the table");
      await standsAt(ANNA, [3, 4]);
      const scene = await server.scene();
      assert.equal(scene.name, "The gatehouse");
      assert.deepEqual(scene.grid, { kind: "square", columns: 14, rows: 10, distance: 5, units: "ft" });
      assert.deepEqual(
        scene.walls.map(({ id, line, door }) => [id, line.map((at) => at / 64), door]),
        [
          ["wallwallwall0001", [6, 0, 6, 4], "none"],
          [DOOR, [6, 4, 6, 5], "door"],
          ["wallwallwall0002", [6, 5, 6, 10], "none"],
        ],
      );
      assert.deepEqual(
        [(await server.token(ANNA)).side, (await server.token(GRIM)).side],
        ["friendly", "hostile"],
      );
    });

    test("a token that a player drags moves at the table and gets a ruling", async () => {
      await pat.drag([750, 750], [850, 750]);
      await standsAt(ANNA, [4, 4]);
      const last = (await log()).at(-1);
      assert.equal(last.kind, "token.move");
      assert.ok(last.facts.ruling, "the entry has a ruling");
    });

    test("rotation, elevation, disposition and hiding reach the table", async () => {
      await gm.do(
        (id) =>
          canvas.scene.tokens.get(id).update({ rotation: 90, elevation: 5, disposition: 0, hidden: true }),
        GRIM,
      );
      await until(async () => (await server.token(GRIM)).hidden, "Grim is hidden");
      const read = async () => {
        const { facing, elevation, side } = await server.token(GRIM);
        return [facing, elevation, side];
      };
      await becomes(read, [270, 64, "neutral"], "the table has all of it");
      await gm.do((id) => canvas.scene.tokens.get(id).update({ disposition: -1, hidden: false }), GRIM);
      await until(async () => (await server.token(GRIM)).side === "hostile", "Grim is hostile again");
    });

    test("a long name that is cut within an emoji does not stop the scene", async () => {
      const name = `${"x".repeat(199)}\u{1f600}`;
      await gm.do(([id, long]) => canvas.scene.tokens.get(id).update({ name: long }), [GRIM, name]);
      await until(async () => (await server.token(GRIM)).name === "x".repeat(199), "Grim has a long name");
      await gm.do((id) => canvas.scene.tokens.get(id).update({ name: "Grim" }), GRIM);
      await until(async () => (await server.token(GRIM)).name === "Grim", "Grim has his name back");
    });

    test("a door opened on the map opens at the table", async () => {
      await gm.do((id) => canvas.scene.walls.get(id).update({ ds: 1 }), DOOR);
      await until(
        async () => (await server.scene()).walls.find(({ id }) => id === DOOR).state === "open",
        "it is open",
      );
      assert.ok((await log()).some(({ kind }) => kind === "door.set"));
    });

    const set = (value) =>
      gm.do(
        ([id, hp]) => canvas.scene.tokens.get(id).actor.update({ "system.attributes.hp.value": hp }),
        [ANNA, value],
      );

    test("hit points changed in Foundry reach the table if the rules have such a number", async () => {
      await set(99);
      await set(1);
      await until(async () => (await server.token(ANNA)).tracks.hp === 1, "Anna has one hit point");
      assert.ok((await log()).every(({ events }) => !JSON.stringify(events).includes('"hp":99')));
    });

    test("hit points that are late take back neither a move of the table nor newer hit points", async () => {
      const { at, facing } = await server.token(ANNA);
      const slow = await slowSending(gm.page);
      await set(2);
      await slow.isOnItsWay();
      await set(3);
      await until(async () => (await server.token(ANNA)).tracks.hp === 3, "the next ones are at the table");
      await server.command("token.move", { token: ANNA, at: [at[0] - 1, at[1]], facing });
      const before = (await log()).length;
      await slow.end();
      await server.command("note", { text: "After them.", secret: false });
      await until(async () => (await log()).length > before, "what came of them is in the log");
      assert.deepEqual((await server.token(ANNA)).at, [at[0] - 1, at[1]]);
      assert.equal((await server.token(ANNA)).tracks.hp, 3);
      await server.command("token.move", { token: ANNA, at, facing });
      await set(1);
      await until(async () => (await server.token(ANNA)).tracks.hp === 1, "Anna has one hit point again");
    });

    test("the module's own changes are not sent back to the table", async () => {
      const before = (await log()).length;
      const ours = { enfilade: { origin: "server", seq: 1 } };
      await gm.do(([id, options]) => canvas.scene.tokens.get(id).update({ x: 1300 }, options), [GRIM, ours]);
      await gm.do((id) => canvas.scene.walls.get(id).update({ ds: 0 }), DOOR);
      await until(async () => (await log()).length === before + 1, "the door is told");
      assert.deepEqual((await server.token(GRIM)).at, [5, 4]);
      await gm.do(([id, options]) => canvas.scene.tokens.get(id).update({ x: 900 }, options), [GRIM, ours]);
    });

    test("a notification names a token without a profile; it joins when it gets one", async () => {
      await gm.do(async () => {
        const { flags: _, ...bare } = canvas.scene.tokens.get("tokentokenGrim01").toObject();
        await canvas.scene.createEmbeddedDocuments("Token", [
          { ...bare, _id: "tokentokenOdo001", name: "Odo", x: 1200, flags: {} },
        ]);
      });
      await gm.do(() => Hooks.callAll("canvasReady", canvas)); // as after every redraw
      await gm.seesNotice("Odo");
      await gm.do(() =>
        canvas.scene.tokens
          .get("tokentokenOdo001")
          .setFlag("enfilade", "profile", { armor: "light", race: "orc", hands: ["axe", "shield"] }),
      );
      await standsAt("tokentokenOdo001", [8, 4]);
      await gm.do(() => canvas.scene.tokens.get("tokentokenOdo001").delete());
      await until(async () => !(await server.token("tokentokenOdo001")), "Odo has left");
    });

    /** Gives Anna a profile in Foundry, in one go with the whole scene if that is sent. */
    const armAnna = (armor, hasScene = false) =>
      gm.do(
        ([id, profile, isWhole]) => {
          if (isWhole) window.enfilade.bridge.outbox.addScene();
          return canvas.scene.tokens.get(id).setFlag("enfilade", "profile", profile);
        },
        [ANNA, { armor, race: "human", hands: ["sword", "shield"] }, hasScene],
      );
    const isArmed = (armor) =>
      until(async () => (await server.token(ANNA)).profile.armor === armor, `the table knows ${armor} armor`);

    test("a profile that is saved while the whole scene is sent reaches the table", async () => {
      await armAnna("heavy", true);
      await isArmed("heavy");
    });

    test("a second GM page learns that another page is the bridge", async () => {
      second = await FoundryUser.open(browser, world, GM, { seat: seatAt(server), viewport: SMALL });
      await second.seesNotice("another page of yours sends map changes");
      await gm.page.locator("#notifications li").filter({ hasText: "this page sends" }).first().waitFor();
    });

    test("after a server crash the table is synced and keeps what the rules know", async () => {
      await server.kill();
      await gm.seesNotice("connection to the table lost");
      await gm.do((id) => window.host.drag(id, { y: 900 }), ANNA);
      await armAnna("light");
      await server.start();
      await standsAt(ANNA, [4, 6]);
      await isArmed("light");
      assert.equal((await server.token(ANNA)).tracks.hp > 0, true);
    });

    test("the second page takes over when the first closes", async () => {
      const [speaking, waiting] = (await isBridge(gm)) ? [gm, second] : [second, gm];
      await speaking.page.close();
      await until(() => isBridge(waiting), "the other page speaks for the world");
      await waiting.do((id) => window.host.drag(id, { y: 700 }), ANNA);
      await standsAt(ANNA, [4, 4]);
      gm = waiting;
    });

    test("the table follows the viewed scene to another one and back", async () => {
      const cave = {
        ...sceneSource(generation),
        _id: "scenescene000002",
        name: "The cave",
        active: false,
        tokens: [],
        walls: [],
      };
      world.change({ action: "create", type: "Scene", parent: null, rows: [cave] }, GM);
      const show = (id) =>
        world.change(
          { action: "update", type: "Scene", parent: null, rows: [{ _id: id, active: true }] },
          GM,
        );
      show(cave._id);
      await until(async () => (await server.scene()).name === "The cave", "the cave is on the table");
      show(SCENE);
      await standsAt(ANNA, [4, 4]);
    });

    test("the pages log no errors", () => {
      assert.deepEqual(
        [...gm.errors, ...pat.errors].filter((line) => !isOutage(line)),
        [],
      );
    });
  });
}
