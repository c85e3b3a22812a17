// An area of the system's template or region, judged while it is placed: who is in, the cover, who is spared, the saves.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { dnd5eNpc } from "./foundry/actors.mjs";
import { FoundryUser, PAT, openGm, sceneSource, tokenSource, wall } from "./foundry/user.mjs";
import { ROOT, becomes, until } from "./harness.mjs";

const at = ([column, row]) => ({ x: 400 + 100 * column, y: 300 + 100 * row });
/** Six goblins: three before the wall, one whose cover is the wall's end, one in the wall's shade, one far away. */
const PLACES = [
  ["Ash", [3, 4]],
  ["Birch", [4, 5]],
  ["Cedar", [5, 3]],
  ["Dogwood", [7, 3]],
  ["Elm", [7, 6]],
  ["Fir", [12, 8]],
];
const idOf = (name) => `tokentoken${name}`.padEnd(16, "0").slice(0, 16);
const actorOf = (name) => `actoractor${name}`.padEnd(16, "0").slice(0, 16);
/** Between the origin and the two in the east. */
const WALL = wall("wallwallwall0005", [1000, 740, 1000, 1300]);
const ORIGIN = { x: 900, y: 800 };

for (const generation of (process.env.GENERATIONS ?? "12 13 14").split(" ").map(Number))
  describe(`an area that is being placed in Foundry ${generation}`, () => {
    let browser, world, server, gm;

    before(async () => {
      const scores = { str: 8, dex: 14, con: 10 };
      const actors = PLACES.map(([name]) =>
        dnd5eNpc(generation, { id: actorOf(name), name, scores, hp: 7, walk: 30 }),
      );
      const tokens = PLACES.map(([name, place]) =>
        tokenSource(generation, idOf(name), name, actorOf(name), at(place), -1, {
          flags: {},
          actorLink: false,
        }),
      );
      const walls = [generation >= 14 ? { ...WALL, levels: ["defaultLevel0000"] } : WALL];
      ({ browser, world, server, gm } = await openGm(generation, {
        ...{ ruleset: "any_system", system: "dnd5e", actors },
        scenes: [{ ...sceneSource(generation), walls, tokens }],
      }));
      await until(async () => (await server.token(idOf("Fir")))?.at, "the table has the scene");
      await server.command("rules.set", {
        house_rules: { "any_system.system": "dnd5e" },
        enforcement: "advise",
      });
    });
    after(async () => {
      await browser?.close();
      await server?.stop();
      await world?.stop();
    });

    /** Keeps the lines that the module shows at an area, and whom it rings. */
    const watch = (user) =>
      user.do(() => {
        const layer = canvas.enfilade;
        const show = layer.showArea.bind(layer);
        layer.showArea = (place, caught, lines) => {
          window.area = { caught, lines };
          show(place, caught, lines);
        };
      });
    const lines = (user = gm) => user.do(() => window.area?.lines ?? []);
    /** Casts a fireball of 20 feet: dnd5e tells of its activity before the area is placed. */
    const place = (user, { x, y }) =>
      user.do(
        ([isNew, spot]) => {
          const activity = { save: { ability: isNew ? new Set(["dex"]) : "dex", dc: { value: 13 } } };
          if (isNew) Hooks.callAll("dnd5e.preCreateMeasuredTemplate", activity, {});
          window.host.board.areas.show({ ...spot, radius: 400, activity: isNew ? undefined : activity });
        },
        [generation >= 14, { x, y }],
      );

    test("area-previews: over five creatures behind a wall, each with its cover and the save it needs", async () => {
      await watch(gm);
      await place(gm, ORIGIN);
      await until(async () => (await lines()).length === 6, "five creatures are judged");
      const told = await lines();
      assert.equal(told[0], "4 creatures in the area");
      for (const name of ["Ash", "Birch", "Cedar"])
        assert.ok(told.includes(`${name}: saves with 11`), told.join());
      assert.match(
        told.find((line) => line.startsWith("Dogwood")),
        /^Dogwood, cover \+2: saves with 9$/,
      );
      assert.ok(told.includes("Elm: spared"));
      assert.ok(!told.join().includes("Fir"));
      const { caught } = await gm.do(() => window.area);
      assert.deepEqual(caught.toSorted(), ["Ash", "Birch", "Cedar", "Dogwood"].map(idOf));
      assert.ok((await gm.drawnIn("area")) > 0);
      if (process.env.SCREENSHOT && generation === 13) {
        await gm.do(() => document.getElementById("notifications").replaceChildren());
        await new Promise((resolve) => setTimeout(resolve, 1200)); // the host draws two frames a second
        await gm.page.screenshot({ path: join(ROOT, "docs", "images", "foundry-judged-area.png") });
      }
    });

    test("a status of cover counts once, and the area follows the pointer", async () => {
      await gm.do(
        (id) => canvas.tokens.get(id).actor.toggleStatusEffect("coverThreeQuarters", { active: true }),
        idOf("Dogwood"),
      );
      await place(gm, ORIGIN);
      await until(
        async () => (await lines()).some((line) => /^Dogwood.*saves with 6$/.test(line)),
        "judged again",
      );
      await place(gm, { x: 1650, y: 1150 });
      await until(async () => (await lines())[0] === "1 creature in the area", "only the far one is in");
      assert.deepEqual((await lines()).slice(1), ["Fir: saves with 11"]);
    });

    test("when the placing ends nothing is left on the map", async () => {
      await gm.do(() => window.host.board.areas.end());
      await becomes(lines, [], "nothing is told");
      await becomes(() => gm.drawnIn("area"), 0, "nothing is drawn");
    });

    test("a player's area tells of no hidden creature, and of no saves of others' creatures", async () => {
      await gm.do((id) => canvas.scene.tokens.get(id).update({ hidden: true }), idOf("Ash"));
      await until(async () => (await server.token(idOf("Ash"))).hidden, "Ash is hidden");
      const pat = await FoundryUser.open(browser, world, PAT, { viewport: { width: 800, height: 600 } });
      await until(
        () => pat.do(() => Boolean(window.enfilade?.seatUi?.context.store.state.replica)),
        "Pat is at the table",
      );
      await watch(pat);
      await place(pat, ORIGIN);
      await until(async () => (await lines(pat)).length === 5, "four creatures are judged");
      const told = await lines(pat);
      assert.equal(told[0], "3 creatures in the area");
      assert.ok(!told.join().includes("Ash"));
      assert.ok(!told.join().includes("saves with"));
      assert.deepEqual(pat.errors, []);
      await pat.context.close();
    });

    test("the page logs no errors", () => assert.deepEqual(gm.errors, []));
  });
