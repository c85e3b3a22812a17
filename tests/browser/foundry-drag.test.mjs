import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { sceneSource, tokenSource, wall, openGm } from "./foundry/user.mjs";
import { ROOT, becomes, until } from "./harness.mjs";

const [ALDIS, ORC] = ["tokentokenAldis0", "tokentokenOrc000"];
const SHEET = { hands: ["Sword"], proficiency: { Sword: 1, Dagger: 1 }, damage_points: 20 };
/** The corner of a square of the map in canvas pixels, and its middle. */
const corner = ([column, row]) => ({ x: 400 + 100 * column, y: 300 + 100 * row });
const middle = ([column, row]) => [450 + 100 * column, 350 + 100 * row];

/** A scene of Knights of Valour without walls: Aldis, and an Orc two squares away. */
function duelScene(generation) {
  const base = { ...sceneSource(generation), walls: [] };
  const creature = (id, name, at, disposition, sheet) =>
    tokenSource(generation, id, name, null, corner(at), disposition, {
      flags: { enfilade: { profile: { ...SHEET, ...sheet } } },
    });
  return {
    ...base,
    tokens: [
      creature(ALDIS, "Aldis", [2, 5], 1, { role: "fighter", agility: 6 }),
      creature(ORC, "Orc", [4, 4], -1, { role: "monster", hands: ["Dagger"] }),
    ],
  };
}

for (const generation of (process.env.GENERATIONS ?? "12 13 14").split(" ").map(Number)) {
  describe(`dragging a token in Foundry ${generation}`, () => {
    let browser, world, server, gm;

    before(async () => {
      ({ browser, world, server, gm } = await openGm(generation, {
        ruleset: "knights_of_valour",
        scenes: [duelScene(generation)],
        actors: [],
      }));
      await until(async () => (await server.token(ALDIS))?.at, "the table has the scene");
      let { result } = await server.command("act", { act: { kind: "round" } });
      while (result?.waiting) {
        const { id, default: answer } = result.waiting;
        ({ result } = await server.command("choice.answer", { choice: id, answer }));
      }
    });
    after(async () => {
      await browser?.close();
      await server?.stop();
      await world?.stop();
    });

    const at = async () => String((await server.token(ALDIS)).at);
    const steps = async () => {
      const entry = (await server.log()).findLast(({ events }) =>
        events.some(({ type, token }) => type === "token_moved" && token === ALDIS),
      );
      return entry.events.filter(({ type }) => type === "token_moved").map((event) => String(event.at));
    };
    /** Keeps the lines that the module shows beside a dragged token. */
    const watchLines = () =>
      gm.do(() => {
        const layer = canvas.enfilade;
        const show = layer.showDrag.bind(layer);
        layer.showDrag = (at, lines) => {
          window.dragLines = lines;
          show(at, lines);
        };
      });
    const moveText = () => gm.do(() => (window.dragLines ?? []).join("\n"));
    const pointTo = async (cell) => gm.page.mouse.move(...(await gm.at(middle(cell))), { steps: 2 });

    const labels = () => gm.do(() => window.host.board.hand.rulerLabels);

    test("the ruler says what each leg through set waypoints costs, and the total", async () => {
      await watchLines();
      const places = [
        [2, 6],
        [2, 8],
        [4, 8],
      ];
      if (generation < 13) {
        // The measuring ruler of 12, from the token.
        await gm.do(
          ([id, points]) => {
            const { ruler } = window.host.board;
            ruler.begin(canvas.tokens.get(id));
            for (const point of points.slice(0, -1)) ruler.addWaypoint(point);
            ruler.measure(points.at(-1));
          },
          [ALDIS, places.map(middle).map(([x, y]) => ({ x, y }))],
        );
      } else {
        await gm.page.mouse.move(...(await gm.at(middle([2, 5]))));
        await gm.page.mouse.down();
        for (const place of places) {
          await pointTo(place);
          if (place !== places.at(-1)) await gm.do(() => window.host.board.hand.addWaypoint());
        }
      }
      await until(
        async () => /25 of 30 \(\+10\)$/.test((await labels()).at(-1)),
        "the last leg and the total",
      );
      const said = async (leg) => (await labels()).filter(Boolean)[leg] ?? "";
      await until(async () => /5 of 30$/.test(await said(0)), "the first leg");
      await until(async () => /15 of 30 \(\+10\)$/.test(await said(1)), "the second leg");
      await gm.do(() => document.getElementById("notifications").replaceChildren());
      if (process.env.SCREENSHOT && generation === 13) {
        await new Promise((resolve) => setTimeout(resolve, 1200)); // the host draws two frames a second
        await gm.page.screenshot({ path: join(ROOT, "docs", "images", "foundry-waypoints.png") });
      }
      if (generation < 13) return;
      assert.equal(await moveText(), "", "the cost of the cheapest path would contradict it");
      await pointTo([9, 8]);
      await until(async () => /not allowed/.test((await labels()).at(-1)), "it is too far");
      assert.match((await labels()).filter(Boolean)[1], /15 of 30 \(\+10\)$/, "the first legs stay");
      await pointTo([4, 8]);
      await gm.page.mouse.up();
      await until(async () => (await at()) === "4,8", "it has walked the way");
      await server.command("undo", {});
      await until(() => world.find("Token", ALDIS, "scenescene000001").y === corner([2, 5]).y, "it is back");
      await gm.settles();
    });

    test("the token under the pointer says what the move costs and whom it provokes", async () => {
      await gm.click(ALDIS);
      await gm.page.mouse.move(...(await gm.at(middle([2, 5]))));
      await gm.page.mouse.down();
      // The overlay may be on its way still.
      await until(async () => {
        await pointTo([2, 6]);
        await pointTo([3, 6]);
        return (await moveText()) === "costs 5 of 30";
      }, "the cost is shown");
      await pointTo([6, 4]);
      await until(
        async () =>
          /^costs 20 of 30\nprovokes Orc: \d+ % harm\n.*a safe path costs 25$/.test(await moveText()),
        "the Orc is named",
      );
      await gm.do(() => document.getElementById("notifications").replaceChildren());
      if (process.env.SCREENSHOT && generation === 13)
        await gm.page.screenshot({ path: join(ROOT, "docs", "images", "foundry-drag.png") });
      await pointTo([10, 6]);
      await until(async () => (await moveText()) === "out of reach", "it is out of reach");
      await pointTo([2, 6]);
      await gm.page.mouse.up();
      await until(async () => (await at()) === "2,6", "it is dropped");
      await becomes(moveText, "", "nothing stands beside it");
    });

    test("a ruler of another module keeps its own labels, and a broken one stops nothing", async () => {
      const text = await gm.do((generation) => {
        const holder = generation < 13 ? CONFIG.Canvas : CONFIG.Token;
        const Before = holder.rulerClass;
        holder.rulerClass = class Bare {};
        Hooks.callAll("canvasInit", canvas);
        const kept = holder.rulerClass.name;
        holder.rulerClass = Before;
        Hooks.callAll("canvasInit", canvas);
        return `${kept} ${holder.rulerClass === Before}`;
      }, generation);
      assert.equal(text, "Bare true");
    });

    if (generation >= 13) {
      const move = (...cells) =>
        gm.do(
          ([id, places]) => canvas.scene.tokens.get(id).move(places, { method: "dragging" }),
          [ALDIS, cells.map(corner)],
        );

      test("a move with waypoints is judged along its path and told once", async () => {
        await move([2, 7], [3, 7], [4, 7]);
        await until(async () => (await at()) === "4,7", "it has arrived");
        assert.deepEqual(await steps(), ["2,7", "3,7", "4,7"]);
      });

      test("a move at the table walks by its cells in Foundry, around a wall, and is not told again", async () => {
        const across = wall("wallwallwall0009", [900, 900, 900, 1100]);
        await gm.do((source) => canvas.scene.createEmbeddedDocuments("Wall", [source]), across);
        await until(async () => (await server.scene()).walls.length === 1, "the wall is at the table");
        const path = [
          [4, 8],
          [5, 8],
          [5, 7],
        ];
        await gm.do((id) => {
          window.walked = [];
          Hooks.on("updateToken", (doc, changes) => {
            if (doc.id === id && "x" in changes) window.walked.push(`${doc._source.x},${doc._source.y}`);
          });
        }, ALDIS);
        const { seq } = await server.command("token.move", {
          ...{ token: ALDIS, at: [5, 7], path: [[4, 7], ...path], override: "a test" },
        });
        const there = corner([5, 7]);
        await until(() => world.find("Token", ALDIS, "scenescene000001").x === there.x, "it has walked");
        const places = path.map(corner).map(({ x, y }) => `${x},${y}`);
        await until(async () => String(await gm.do(() => window.walked)) === String(places), "by its cells");
        await gm.settles();
        const later = (await server.log()).filter((entry) => entry.seq > seq);
        assert.deepEqual(
          later.filter(({ kind }) => kind === "token.move"),
          [],
        );
      });
    }

    test("the page logs no errors", () => assert.deepEqual(gm.errors, []));
  });
}
