// Users who share a browser: each has a seat of their own, and none learns another's.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { GM, PAT, SMALL, FoundryUser, seatAt, startWorld } from "./foundry/user.mjs";
import { launch, newTable, until } from "./harness.mjs";

for (const generation of (process.env.GENERATIONS ?? "12 13 14").split(" ").map(Number))
  describe(`two users of one browser in Foundry ${generation}`, () => {
    let browser, context, world, server;

    before(async () => {
      browser = await launch();
      context = await browser.newContext({ viewport: SMALL });
      world = await startWorld(generation);
      server = await newTable();
      world.state.settings["enfilade.server"] = server.origin;
    });
    after(async () => {
      await browser?.close();
      await server?.stop();
      await world?.stop();
    });

    const storage = (user) => user.do(() => JSON.stringify({ ...localStorage }));

    /** Connects a GM by the window, as a GM does. */
    async function gailConnects() {
      const gail = await FoundryUser.open(browser, world, GM, { context });
      const { table, key } = seatAt(server);
      await gail.do(
        ([id, secret]) => {
          const kept = game.settings.get("enfilade", "kept");
          const name = `${game.world.id} ${game.user.id}`;
          return game.settings.set("enfilade", "kept", {
            ...kept,
            [name]: { seat: { table: id, key: secret } },
          });
        },
        [table, key],
      );
      await gail.do(() => window.enfilade.connect());
      await until(() => gail.do(() => window.enfilade.client?.replica?.role === "gm"), "Gail is the GM");
      return gail;
    }

    test("a player at the GM's computer sits in the player's own seat, and finds no key of the GM", async () => {
      const gail = await gailConnects();
      assert.ok((await storage(gail)).includes(server.key));
      await gail.page.close();
      const pat = await FoundryUser.open(browser, world, PAT, { context });
      await until(() => pat.do(() => Boolean(window.enfilade.client)), "Pat's page has looked for a seat");
      assert.equal(await pat.do(() => window.enfilade.client.link.key), "");
      assert.ok(!(await storage(pat)).includes(server.key));
      assert.deepEqual(pat.errors, []);
      await pat.page.close();
    });

    test("seats that an earlier version kept for the whole browser are gone", async () => {
      const bare = await context.newPage();
      await bare.goto(world.pageOf(PAT));
      await bare.evaluate(
        (key) => localStorage.setItem("enfilade.seats", JSON.stringify({ "the-world": { table: "x", key } })),
        server.key,
      );
      await bare.close();
      const pat = await FoundryUser.open(browser, world, PAT, { context });
      await until(async () => !(await storage(pat)).includes(server.key), "no key is left");
      await pat.page.close();
    });

    test("a GM who comes back has the seat, if no other user came meanwhile", async () => {
      await (await gailConnects()).page.close();
      const gail = await FoundryUser.open(browser, world, GM, { context });
      await until(
        () => gail.do(() => window.enfilade.client?.replica?.role === "gm"),
        "Gail is the GM again",
      );
    });
  });
