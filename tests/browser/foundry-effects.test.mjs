// What a system or a scene does not take: status effects of pf2e, and walls with odd values.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { SMALL, openGm, sceneSource, wall } from "./foundry/user.mjs";
import { becomes, until } from "./harness.mjs";

const [ANNA, GRIM] = ["tokentokenAnna01", "tokentokenGrim01"];

for (const generation of (process.env.GENERATIONS ?? "12 13 14").split(" ").map(Number))
  describe(`what is not taken in Foundry ${generation}`, () => {
    let browser, world, server, gm;

    before(async () => {
      const scene = sceneSource(generation);
      const odd = wall("wallwallwallodd1", [600, 400, 600, 500], { sight: 15 });
      ({ browser, world, server, gm } = await openGm(generation, {
        ...{ system: "pf2e", viewport: SMALL, scenes: [{ ...scene, walls: [...scene.walls, odd] }] },
        settings: { "enfilade.write.conditions": "do" },
      }));
      await until(async () => (await server.token(ANNA))?.at, "Anna is at the table");
      await gm.settles();
    });
    after(async () => {
      await browser?.close();
      await server?.stop();
      await world?.stop();
    });

    const setStunned = async (isOn) => {
      const { stunned: _, ...rest } = (await server.token(GRIM)).conditions;
      const token = { ...(await server.token(GRIM)), conditions: isOn ? { ...rest, stunned: "" } : rest };
      await server.command("token.place", { token });
      await gm.settles();
    };
    const notices = (text) => gm.page.locator("#notifications li", { hasText: text }).count();

    test("one odd wall is left out with a remark, and the scene comes without it", async () => {
      assert.equal((await server.scene()).walls.length, 3);
      await becomes(() => notices("walls with values that Foundry does not give: 1"), 1, "it is told once");
    });

    test("one press in the window of missing things mends the wall, and the table gets it", async () => {
      await gm.page.locator("[data-tool=enfilade-missing]").click();
      await gm.page.locator("#enfilade-missing-odd").click();
      await until(async () => (await server.scene()).walls.length === 4, "the table has the wall");
      assert.equal(world.find("Wall", "wallwallwallodd1", "scenescene000001").sight, 10);
      await gm.page.locator("#enfilade-missing", { hasText: "Nothing is missing" }).waitFor();
    });

    test("no-effects: a condition that the system does not take is said once, and not tried again", async () => {
      await setStunned(true);
      await gm.seesNotice("takes no status effect");
      await setStunned(false);
      await setStunned(true);
      await gm.syncsAgain();
      assert.equal(await notices("takes no status effect"), 1);
      assert.equal(await notices("did not take a change"), 0);
    });

    test("the page logs no errors", () => assert.deepEqual(gm.errors, []));
  });
