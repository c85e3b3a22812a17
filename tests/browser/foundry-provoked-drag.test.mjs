// Dragging in a world of dnd5e: whom the way provokes before the step is made, and the price that Foundry's own ruler has.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { dnd5eNpc } from "./foundry/actors.mjs";
import { openGm, sceneSource, tokenSource } from "./foundry/user.mjs";
import { until } from "./harness.mjs";

const [HERO, OGRE] = ["tokentokenHero01", "tokentokenOgre01"];
const [HERO_ACTOR, OGRE_ACTOR] = ["actoractorHero01", "actoractorOgre01"];
const at = ([column, row]) => ({ x: 400 + 100 * column, y: 300 + 100 * row });
const middle = ([column, row]) => [450 + 100 * column, 350 + 100 * row];

for (const generation of (process.env.GENERATIONS ?? "12 13 14").split(" ").map(Number))
  describe(`dragging past an enemy in Foundry ${generation}`, () => {
    let browser, world, server, gm;

    before(async () => {
      const scores = { str: 8, dex: 14, con: 10 };
      const actors = [
        dnd5eNpc(generation, { id: HERO_ACTOR, name: "Hero", scores, hp: 20, walk: 30 }),
        dnd5eNpc(generation, { id: OGRE_ACTOR, name: "Ogre", scores, hp: 20, walk: 30 }),
      ];
      const creature = (id, name, actor, place, side) =>
        tokenSource(generation, id, name, actor, at(place), side, { flags: {}, actorLink: false });
      const tokens = [
        creature(HERO, "Hero", HERO_ACTOR, [2, 4], 1),
        creature(OGRE, "Ogre", OGRE_ACTOR, [3, 3], -1),
      ];
      ({ browser, world, server, gm } = await openGm(generation, {
        ...{ ruleset: "any_system", system: "dnd5e", actors },
        scenes: [{ ...sceneSource(generation), walls: [], tokens }],
      }));
      await until(async () => (await server.token(HERO))?.at, "the table has the scene");
      await server.command("rules.set", {
        house_rules: { "any_system.system": "dnd5e" },
        enforcement: "advise",
      });
      await gm.click(HERO);
      await gm.do(() => {
        const layer = canvas.enfilade;
        const show = layer.showDrag.bind(layer);
        layer.showDrag = (place, lines) => {
          window.dragLines = lines;
          show(place, lines);
        };
      });
    });
    after(async () => {
      await browser?.close();
      await server?.stop();
      await world?.stop();
    });

    const lines = () => gm.do(() => window.dragLines ?? []);
    const pointTo = async (cell) => gm.page.mouse.move(...(await gm.at(middle(cell))), { steps: 2 });
    const takeUp = async () => {
      await pointTo([2, 4]);
      await gm.page.mouse.down();
    };
    const putBack = async () => {
      await pointTo([2, 4]);
      await gm.page.mouse.up();
    };

    test("the opportunity attack of who is left is told before the step", async () => {
      await takeUp();
      await until(async () => {
        await pointTo([2, 5]);
        await pointTo([3, 4]);
        return (await lines())[0] === "costs 5 of 60";
      }, "a step within its reach");
      assert.equal((await lines()).length, 1, "provokes nobody");
      await pointTo([2, 8]);
      await until(async () => (await lines())[0] === "costs 20 of 60", "a way out of its reach");
      await until(async () => /provokes Ogre/.test((await lines()).join()), "the Ogre is named");
      assert.equal(String((await server.token(HERO)).at), "2,4", "and nothing is moved yet");
      await putBack();
    });

    test(`core-price: the label has ${generation < 13 ? "the reach's cost, for there is no other" : "the price of Foundry's own ruler"}`, async () => {
      await takeUp();
      await gm.do(() => (window.host.board.extraPrice = 5));
      await pointTo([2, 7]);
      await pointTo([2, 8]);
      const wanted = generation < 13 ? "costs 20 of 60" : "costs 25 of 60";
      await until(async () => (await lines())[0] === wanted, wanted);
      await gm.do(() => (window.host.board.extraPrice = 0));
      await putBack();
      assert.deepEqual(gm.errors, []);
    });
  });
