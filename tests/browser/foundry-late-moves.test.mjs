// Moves that end late, on their way, or not at all: at checkpoints, by other modules' hooks, by a hand in Foundry.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { dnd5eNpc } from "./foundry/actors.mjs";
import { SMALL, openGm, sceneSource, tokenSource } from "./foundry/user.mjs";
import { becomes, until } from "./harness.mjs";

const [ANNA, ANNAS] = ["tokentokenAnna01", "actoractor000001"];
const SCENE = "scenescene000001";
const corner = ([column, row]) => ({ x: 400 + 100 * column, y: 300 + 100 * row });

for (const generation of (process.env.GENERATIONS ?? "12 13 14").split(" ").map(Number))
  describe(`moves that end late in Foundry ${generation}`, () => {
    let browser, world, server, gm;

    before(async () => {
      const scores = { str: 10, dex: 10, con: 10 };
      const anna = dnd5eNpc(generation, { id: ANNAS, name: "Anna", scores, hp: 12, walk: 60 });
      const token = tokenSource(generation, ANNA, "Anna", ANNAS, corner([3, 4]), 1, { flags: {} });
      ({ browser, world, server, gm } = await openGm(generation, {
        ...{ system: "dnd5e", ruleset: "knights_of_valour", viewport: SMALL, actors: [anna] },
        scenes: [{ ...sceneSource(generation), tokens: [token] }],
      }));
      await until(async () => (await server.token(ANNA))?.at, "Anna is at the table");
      // In a round a move goes step by step.
      let { result } = await server.command("act", { act: { kind: "round" } });
      while (result?.waiting) {
        const { id, default: answer } = result.waiting;
        ({ result } = await server.command("choice.answer", { choice: id, answer }));
      }
      await gm.settles();
    });
    after(async () => {
      await browser?.close();
      await server?.stop();
      await world?.stop();
    });

    const place = () => {
      const { x, y } = world.find("Token", ANNA, SCENE);
      return [(x - 400) / 100, (y - 300) / 100];
    };
    const atTable = async () => (await server.token(ANNA)).at;
    const areAt = (cell) =>
      becomes(
        async () => [String(place()), String(await atTable())],
        [String(cell), String(cell)],
        "Anna's place in Foundry and at the table",
      );
    const walkAtTable = (path) =>
      server.command("token.move", { token: ANNA, at: path.at(-1), path, facing: null, override: "a test" });
    const drag = (cell) => gm.do(([id, to]) => window.host.drag(id, to), [ANNA, corner(cell)]);
    /** Has Foundry end each movement of several waypoints after the first, or no more. */
    const stopAfterFirst = (hook) =>
      gm.do((by) => Object.assign(window.host.documents, { stopAfter: by ? 1 : null, stopHook: by }), hook);
    const lastMoves = async (seq) =>
      (await server.log()).filter((entry) => entry.seq > seq && entry.kind === "token.move");

    if (generation >= 13) {
      test("late-moves: on its way by cells a token keeps the table's place, whatever is sent meanwhile", async () => {
        const { seq } = await walkAtTable([4, 5, 6, 7, 8].map((row) => [3, row]));
        await until(() => String(place()) !== "3,4", "Anna has begun to walk");
        await gm.do(() => window.enfilade.bridge.outbox.addScene());
        await gm.do((id) => canvas.scene.tokens.get(id).update({ name: "Anna on her way" }), ANNA);
        await areAt([3, 8]);
        await gm.settles();
        assert.deepEqual(await atTable(), [3, 8]);
        assert.deepEqual(await lastMoves(seq), []);
      });

      for (const hook of ["stopToken", "pauseToken"])
        test(`late-moves: the GM learns of a walk that ${hook} ends, and the table keeps its place`, async () => {
          const [from, to] = hook === "stopToken" ? [8, 5] : [4, 2];
          await stopAfterFirst(hook);
          await walkAtTable(
            [8, 7, 6, 5, 4, 3, 2].filter((row) => row <= from && row >= to).map((row) => [3, row]),
          );
          await gm.seesNotice("Foundry did not move Anna");
          await stopAfterFirst(null);
          await gm.syncsAgain();
          assert.deepEqual(await atTable(), [3, to]);
          assert.notDeepEqual(place(), [3, to]);
          await gm.do(() => document.getElementById("notifications").replaceChildren());
          await drag([3, to === 5 ? 4 : 8]);
          await areAt([3, to === 5 ? 4 : 8]);
        });

      test("late-moves: a hand that takes the token on its way decides where it is", async () => {
        await walkAtTable([8, 7, 6, 5, 4].map((row) => [3, row]));
        await until(() => String(place()) !== "3,8", "Anna has begun to walk");
        await drag([1, 7]);
        await areAt([1, 7]);
        await gm.settles();
        assert.deepEqual(
          [await atTable(), place()],
          [
            [1, 7],
            [1, 7],
          ],
        );
        await drag([3, 4]);
        await areAt([3, 4]);
      });
    }

    for (const hook of generation >= 13 ? ["preUpdateToken", "preMoveToken"] : ["preUpdateToken"])
      test(`late-moves: the GM learns if ${hook} of another module refuses to put a token back`, async () => {
        await gm.do(() => window.enfilade.seatUi.context.windows.open("rules"));
        await gm.page.selectOption("#enfilade-rules #enforcement", "enforce");
        await gm.page.locator("#enfilade-rules #rules-save").dispatchEvent("click");
        await until(async () => (await server.scene()).enforcement === "enforce", "the table refuses");
        await gm.do(() => document.getElementById("notifications").replaceChildren());
        const before = await atTable();
        // The table may refuse the place before another call to the page is through.
        await gm.do(
          ([id, isOld]) => window.secondModule.refuseMovesAfterNext(id, isOld),
          [ANNA, hook === "preUpdateToken"],
        );
        await drag([12, 9]);
        await gm.seesNotice("Foundry did not move Anna");
        await gm.syncsAgain();
        assert.deepEqual([await atTable(), place()], [before, [12, 9]]);
        await gm.do(() => window.secondModule.allow());
        // Away and back before the page has sent anything: the token has moved, so the table judges its place again.
        // It is so by two drags as by one along a waypoint.
        await gm.do(
          async ([id, isOneDrag, ends]) => {
            if (isOneDrag) await canvas.scene.tokens.get(id).move(ends, { method: "dragging" });
            else for (const end of ends) await window.host.drag(id, end);
          },
          [ANNA, hook === "preMoveToken", [corner([12, 8]), corner([12, 9])]],
        );
        await areAt(before);
      });

    test("the page logs no errors", () => assert.deepEqual(gm.errors, []));
  });
