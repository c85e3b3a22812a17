// Several GMs: the one that Foundry designates, assistants with fewer permissions, and pages with and without a link.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { causesOf, noteCauses, pausesOf } from "./causes.mjs";
import { GM, PAT, QUINN, SMALL, FoundryUser, USERS, seatAt, startWorld } from "./foundry/user.mjs";
import { launch, newTable, until } from "./harness.mjs";

const ANNA = "tokentokenAnna01";
const OWNER = { id: "owner00owner0001", name: "Olga", isGM: true };
const ASSISTANT = { id: "assistassist0001", name: "Andy", isGM: true, role: 3 };
/** A page that waits plans no longer pause between two claims: it takes over so soon after the holder has left. */
const TAKEOVER_MS = 5000;

for (const generation of (process.env.GENERATIONS ?? "12 13 14").split(" ").map(Number))
  describe(`several GMs in Foundry ${generation}`, () => {
    let browser, world, server, olga, gail, pat, andy;

    before(async () => {
      browser = await launch();
      world = await startWorld(generation, {
        users: structuredClone([
          ...USERS.map((one) => (one.id === GM ? { ...one, role: 3 } : one)),
          OWNER,
          ASSISTANT,
        ]),
        permissions: { SETTINGS_MODIFY: 4 },
      });
      server = await newTable();
      world.state.settings["enfilade.server"] = server.origin;
      olga = await FoundryUser.open(browser, world, OWNER.id, { viewport: SMALL });
      gail = await FoundryUser.open(browser, world, GM, { seat: seatAt(server), viewport: SMALL });
      pat = await FoundryUser.open(browser, world, PAT, { viewport: SMALL });
    });
    after(async () => {
      await browser?.close();
      await server?.stop();
      await world?.stop();
    });

    const isBridge = (user) => user.do(() => (window.enfilade.bridge?.lease ?? null) !== null);

    test("active-gm: the page with a link speaks, though the active GM's page has none", async () => {
      assert.equal(await gail.do(() => game.users.activeGM.name), "Olga");
      await until(async () => (await server.token(ANNA))?.at, "Anna is at the table");
      await olga.seesNotice("Gail's page sends map changes to the table. This page has no link");
      assert.ok(await isBridge(gail));
    });

    test("active-gm: a player without a link plays through the page that speaks", async () => {
      const role = () => pat.do(() => window.enfilade.client?.replica?.role);
      await until(async () => (await role()) === "player", "Pat is at the table, as a player");
    });

    test("a player's page that has missed which page speaks asks every GM's", async () => {
      // As for a page that is still loading when Gail's flags and her page say it.
      const lease = await gail.do(() => game.user.getFlag("enfilade", "bridge"));
      const say = (number) => gail.do((flag) => game.user.setFlag("enfilade", "bridge", flag), number);
      await say(0);
      const quinn = await FoundryUser.open(browser, world, QUINN, { viewport: SMALL });
      const role = () => quinn.do(() => window.enfilade.client?.replica?.role);
      await until(async () => (await role()) === "player", "Quinn is at the table, as a player");
      await quinn.page.close();
      await say(lease);
    });

    test("another page with a link says whose page speaks, and takes over within 5 seconds", async () => {
      const context = await browser.newContext({ viewport: SMALL });
      await noteCauses(context);
      andy = await FoundryUser.open(browser, world, ASSISTANT.id, { context, seat: seatAt(server) });
      await andy.seesNotice("Gail's page sends map changes to the table. This page takes over");
      assert.equal(await isBridge(andy), false);
      await gail.do(() => window.enfilade.client.close());
      await until(() => isBridge(andy), "Andy's page speaks");
      const pauses = pausesOf(await causesOf(andy.page, "bridge.claim"));
      assert.ok(pauses.length > 0 && Math.max(...pauses) <= TAKEOVER_MS, `claims after ${pauses} ms`);
      await olga.seesNotice("Andy's page sends map changes");
      await until(
        () => pat.do(() => window.enfilade.client?.state === "connected"),
        "Pat is connected again",
      );
    });

    test("an assistant who may not change settings speaks all the same, and is told what is not saved", async () => {
      await andy.do((id) => window.host.drag(id, { y: 900 }), ANNA);
      await until(async () => String((await server.token(ANNA)).at) === "3,6", "the table has the move");
      await server.command("token.move", { token: ANNA, at: [3, 4], facing: null, override: "a test" });
      await until(
        () => world.find("Token", ANNA, "scenescene000001").y === 700,
        "Foundry has the table's move",
      );
      await andy.seesNotice("your role may not change settings");
    });

    test("the pages log no errors", () =>
      assert.deepEqual([...olga.errors, ...andy.errors, ...pat.errors], []));
  });
