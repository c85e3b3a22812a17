// Walls far off the map, by a slip of the hand or another module: the scene arrives without them, and the GM is told.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { GM, openGm, sceneSource, wall } from "./foundry/user.mjs";
import { until } from "./harness.mjs";

const [ANNA, SCENE] = ["tokentokenAnna01", "scenescene000001"];
const [LOST, CROSSING] = ["farfarfarfar0001", "farfarfarfar0002"];

for (const generation of (process.env.GENERATIONS ?? "12 13 14").split(" ").map(Number))
  describe(`walls far off the map in Foundry ${generation}`, () => {
    let browser, world, server, gm;

    before(async () => {
      const scene = sceneSource(generation);
      scene.walls.push(
        wall(LOST, [2_000_000, 300, 2_000_100, 300]),
        wall(CROSSING, [1_200, 300, 1_200, 900_000]),
      );
      ({ browser, world, server, gm } = await openGm(generation, { scenes: [scene] }));
    });
    after(async () => {
      await browser?.close();
      await world?.stop();
    });

    const wallAt = async (id) => (await server.scene()).walls.find((one) => one.id === id);
    const notices = () => gm.page.locator("#notifications li", { hasText: "cells off the map" }).count();

    test("the scene arrives; a wall across the map blocks there", async () => {
      await until(async () => (await server.token(ANNA)) !== undefined, "Anna is at the table");
      assert.equal(await wallAt(LOST), undefined);
      const { line } = await wallAt(CROSSING);
      assert.deepEqual(line.slice(0, 2), [512, 0]);
      assert.ok(line[2] === 512 && line[3] > 640 && line[3] <= 32_000, `${line}`);
    });

    test("the GM is told once how many there are, where they are, and why", async () => {
      await gm.seesNotice("498 cells off the map: 2.");
      await gm.syncsAgain();
      assert.equal(await notices(), 1);
      assert.equal(await gm.page.locator("#enfilade-missing").count(), 0, "no window opens by itself");
      await gm.page.locator("[data-tool=enfilade-missing]").click();
      const list = await gm.page.locator(".enfilade-missing-body li").allInnerTexts();
      assert.match(list[0], /from 2000000, 300 to 2000100, 300/);
      assert.match(list[1], /across the map/);
    });

    test("one click deletes those off the map, and no other wall", async () => {
      await gm.page.locator("#enfilade-far-walls-delete").dispatchEvent("click");
      await until(() => !world.find("Wall", LOST, SCENE), "the wall is gone");
      assert.ok(world.find("Wall", CROSSING, SCENE));
      await until(
        async () => (await gm.page.locator(".enfilade-missing-body li").count()) === 1,
        "it is off the list",
      );
      const c = [1_200, 300, 1_200, 1_300];
      world.change({ action: "update", type: "Wall", parent: SCENE, rows: [{ _id: CROSSING, c }] }, GM);
      await gm.page.locator("#enfilade-missing", { hasText: "Nothing is missing" }).waitFor();
      await gm.page.locator("[data-tool=enfilade-missing]").waitFor({ state: "detached" });
      assert.equal(await notices(), 1);
    });

    test("the page logs no errors", () => assert.deepEqual(gm.errors, []));
  });
