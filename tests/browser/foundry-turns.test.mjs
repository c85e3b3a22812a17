// Turns in both trackers: the rules decide, or Foundry does.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { SMALL, openGm } from "./foundry/user.mjs";
import { until } from "./harness.mjs";

const [ANNA, GRIM] = ["tokentokenAnna01", "tokentokenGrim01"];
const [SCENE, COMBAT] = ["scenescene000001", "combatcombat0001"];
const combatant = (id, tokenId, initiative) => ({
  ...{
    _id: id,
    tokenId,
    sceneId: SCENE,
    actorId: null,
    initiative,
    hidden: false,
    defeated: false,
    flags: {},
  },
});

for (const generation of (process.env.GENERATIONS ?? "12 13 14").split(" ").map(Number))
  describe(`turns in Foundry ${generation}`, () => {
    let browser, world, server, gm;

    before(async () => {
      const combat = {
        ...{ _id: COMBAT, scene: SCENE, active: true, round: 1, turn: 0, flags: {} },
        combatants: [combatant("combatantGrim001", GRIM, 15), combatant("combatantAnna001", ANNA, 10)],
      };
      ({ browser, world, server, gm } = await openGm(generation, {
        ...{ system: "dnd5e", viewport: SMALL, combats: [combat] },
      }));
      await until(async () => (await server.token(ANNA))?.at, "Anna is at the table");
      await server.command("act", { act: { kind: "round" } });
      await server.command("act", { act: { kind: "activate", token: GRIM }, override: "a test" });
      await gm.settles();
      await until(() => tracked() === GRIM, "the tracker shows Grim");
    });
    after(async () => {
      await browser?.close();
      await server?.stop();
      await world?.stop();
    });

    const order = [GRIM, ANNA];
    const tracked = () => order[world.find("Combat", COMBAT).turn];
    const active = async () => (await server.scene()).conditions.active;
    /** Presses Next Turn in Foundry's tracker. */
    const nextTurn = () =>
      gm.do((id) => {
        const combat = game.combats.get(id);
        return combat.update({ turn: (combat.turn + 1) % combat.turns.length });
      }, COMBAT);

    test("next-turn: while the rules decide, the tracker comes back, and the GM is told", async () => {
      await nextTurn();
      await gm.seesNotice("the rules decide whose turn it is");
      await until(() => tracked() === GRIM, "the tracker shows Grim again");
      assert.equal(await active(), GRIM);
    });

    test("next-turn: while Foundry decides, the table follows", async () => {
      await gm.do(() => game.settings.set("enfilade", "turns", "foundry"));
      await nextTurn();
      await until(async () => (await active()) === ANNA, "Anna is the table's active unit");
      assert.equal(tracked(), ANNA);
      await nextTurn();
      await until(async () => (await active()) === GRIM, "and then Grim");
    });

    test("next-turn: what the table does otherwise is said, and the tracker stays", async () => {
      await server.command("act", { act: { kind: "end", token: GRIM }, override: "a test" });
      await gm.seesNotice("its rules give no turn that follows");
      await gm.settles();
      assert.equal(tracked(), GRIM);
    });

    test("the page logs no errors", () => assert.deepEqual(gm.errors, []));
  });
