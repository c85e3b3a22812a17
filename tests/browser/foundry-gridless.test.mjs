// A battle in inches on a scene without a grid: outlines of what a group reaches, engaged bases, and dice split over
// opponents.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { sceneSource, tokenSource, wall, openGm } from "./foundry/user.mjs";
import { ROOT, until } from "./harness.mjs";

const INCH = 100;
const [LEFT, TOP] = [800, 500]; // Foundry's margin of a quarter around a map of 30 by 20 inches
const ORCS = [1, 2, 3, 4].map((n) => `tokentokenOrc${n}000`.slice(0, 16));
const BORIN = "tokentokenBorin0";
/** The pixels of a point of the map, and its place at the table in 64ths of an inch. */
const pixels = ([x, y]) => [LEFT + x * INCH, TOP + y * INCH];
const units = ([x, y]) => [Math.round(x * 64), Math.round(y * 64)];

/** The ruin between four orcs and Borin, each on a base of an inch. */
function battle(generation) {
  const base = sceneSource(generation);
  const model = (id, name, [x, y], disposition, profile) => {
    const [left, top] = pixels([x - 0.5, y - 0.5]);
    const flags = { enfilade: { profile } };
    return tokenSource(generation, id, name, null, { x: left, y: top }, disposition, { flags });
  };
  const orc = { level: 1, minion: true, athletic: true };
  return {
    ...base,
    name: "The ruin",
    width: 30 * INCH,
    height: 20 * INCH,
    grid: { ...base.grid, type: 0, distance: 1, units: "in" },
    walls: [wall("wallwallwall0001", [...pixels([14, 3]), ...pixels([14, 8.5])])],
    tokens: [
      ...ORCS.map((id, n) => model(id, `Orc ${n + 1}`, [9, 7 + 1.5 * n], -1, orc)),
      model(BORIN, "Borin", [19, 10], 1, { level: 2, shield: "shield", weapon: "pole" }),
    ],
  };
}

for (const generation of (process.env.GENERATIONS ?? "12 13 14").split(" ").map(Number))
  describe(`a scene without a grid in Foundry ${generation}`, () => {
    let browser, world, server, gm;

    before(async () => {
      ({ browser, world, server, gm } = await openGm(generation, {
        ruleset: "miniatures_combat",
        scenes: [battle(generation)],
        actors: [],
      }));
      await until(async () => (await server.token(BORIN))?.at, "the battle is at the table");
      await gm.do(() => {
        const layer = canvas.enfilade;
        const show = layer.showDrag.bind(layer);
        layer.showDrag = (at, lines) => {
          window.dragText = lines.join("\n");
          show(at, lines);
        };
      });
    });
    after(async () => {
      await browser?.close();
      await server?.stop();
      await world?.stop();
    });

    const act = (kind, token, more = {}, faces) =>
      server.command("act", { act: { kind, token, target: "", ...more }, ...(faces && { faces }) });
    const place = async (id) => (await server.token(id)).at;
    const overlay = () => gm.kept("overlay");
    const select = async (id) => {
      await gm.do((token) => canvas.tokens.get(token).control(), id);
      await until(async () => (await overlay())?.token === id, `${id} is selected`);
    };
    const screenshot = async (name) => {
      if (!process.env.SCREENSHOT || generation !== 13) return;
      await gm.do(() => {
        document.getElementById("notifications").replaceChildren();
        const window = document.querySelector(".application");
        if (window) Object.assign(window.style, { left: "8%", top: "60%" });
      });
      await new Promise((resolve) => setTimeout(resolve, 1200)); // the host draws two frames a second
      await gm.page.screenshot({ path: join(ROOT, "docs", "images", `${name}.png`) });
    };
    /** Drags a token over the points; the text beside it must come up at each. */
    const drag = async (id, steps) => {
      await gm.page.mouse.move(...(await gm.placeOf(id)));
      await gm.page.mouse.down();
      for (const [to, text] of steps) {
        await gm.page.mouse.move(...(await gm.at(pixels(to))), { steps: 3 });
        const shown = () => gm.do(() => window.dragText ?? "");
        await until(async () => text.test(await shown()), `${text} at ${to}`).catch(async (problem) => {
          throw new Error(`${problem.message} It says: ${await shown()}`);
        });
      }
    };

    test("the table has each base to the 64th of an inch, and the wall", async () => {
      const scene = await server.scene();
      assert.equal(scene.grid.kind, "gridless");
      assert.equal(scene.walls.length, 1);
      for (const [n, id] of ORCS.entries()) assert.deepEqual(await place(id), units([9, 7 + 1.5 * n]));
    });

    test("before the roll a dragged base says which outline it stays in", async () => {
      const { side } = await server.token(ORCS[0]);
      await act("turn", "", { body: { side } });
      await select(ORCS[0]);
      await until(async () => (await overlay()).reach?.bands?.length === 3, "three outlines");
      await drag(ORCS[0], [
        [[6.5, 7], /^2\.5. straight; At least 3/],
        [[5.5, 7], /^3\.5. straight; On average/],
        [[4, 7], /^5. straight; At most 6/],
        [[2, 7], /out of reach/],
        [[5.5, 7], /On average/],
      ]);
      await screenshot("foundry-gridless");
      await gm.page.mouse.move(...(await gm.at(pixels([9, 7]))));
      await gm.page.mouse.up();
      await gm.settles();
      assert.deepEqual(await place(ORCS[0]), units([9, 7]));
    });

    test("after the roll one outline is left, and the whole group moves within it", async () => {
      await act("activate", ORCS[0], { body: { members: ORCS.slice(1), shifts: [] } });
      await act("roll_movement", ORCS[0], { body: { dice: 1 } }, [5, 5]);
      await until(async () => (await overlay())?.reach?.bands?.length === 1, "one outline");
      const updates = ORCS.map((id, n) => {
        const [x, y] = pixels([10.5, 6.5 + 1.5 * n]);
        return { _id: id, x, y };
      });
      await gm.do((rows) => canvas.scene.updateEmbeddedDocuments("Token", rows), updates);
      for (const [n, id] of ORCS.entries())
        await until(async () => String(await place(id)) === String(units([11, 7 + 1.5 * n])), `orc ${n + 1}`);
      const moves = (await server.log()).filter(({ facts }) => facts.ruling?.allowed === false);
      assert.deepEqual(moves, []);
    });

    test("bases in contact are engaged, and the layer shows it", async () => {
      for (const [n, to] of [
        [2, [18, 10]],
        [3, [19, 11]],
      ]) {
        const [x, y] = pixels([to[0] - 0.5, to[1] - 0.5]);
        await gm.do(([id, at]) => canvas.scene.tokens.get(id).update(at), [ORCS[n], { x, y }]);
        await until(async () => String(await place(ORCS[n])) === String(units(to)), "base to base");
      }
      await select(BORIN);
      await until(async () => (await overlay()).engagements.length === 2, "Borin is engaged with two");
    });

    test("the defender splits the dice over two enemies in a window that starts with the best split", async () => {
      await act("end", ORCS[0]);
      await act("activate", BORIN, { body: { members: [], shifts: [] } });
      await act("defend", BORIN, { body: { dice: 0, bonus: 0 } });
      const inputs = gm.page.locator("#enfilade-choice .split input");
      while (!(await inputs.count())) {
        await gm.page.locator("#enfilade-choice").waitFor();
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      const best = await inputs.evaluateAll((all) => all.map(({ value }) => Number(value)));
      assert.ok(best[0] + best[1] >= 2, `${best}`);
      await gm.page.mouse.move(...(await gm.at(pixels([26, 18]))));
      await screenshot("foundry-split");
      await inputs.first().fill("9");
      const send = gm.page.locator("#enfilade-choice #split-send");
      await until(() => send.isDisabled(), "too many dice are not sent");
      await inputs.first().fill(String(best[0]));
      await send.click();
      await gm.answersAll();
      const isDefense = ({ text }) => /defends against/.test(text);
      await until(async () => (await server.log()).some(isDefense), "the defense is in the log");
    });

    test("the page logs no errors", () => assert.deepEqual(gm.errors, []));
  });
