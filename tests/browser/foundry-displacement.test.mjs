// Moves by programs: macros, teleports, mounts, paste and undo are facts, and none is put back.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { SMALL, openGm } from "./foundry/user.mjs";
import { until } from "./harness.mjs";

const [ANNA, GRIM] = ["tokentokenAnna01", "tokentokenGrim01"];
const SCENE = "scenescene000001";
/** The module sends together what comes within so many milliseconds: BATCH_MS of its outbox. */
const BATCH_MS = 75;
/** Returns how many messages changes at some times make at most. */
const batches = (times) => {
  let [count, begun] = [0, -Infinity];
  for (const time of times) if (time - begun >= BATCH_MS) [count, begun] = [count + 1, time];
  return count;
};
const corner = ([column, row]) => ({ x: 400 + 100 * column, y: 300 + 100 * row });

for (const generation of (process.env.GENERATIONS ?? "12 13 14").split(" ").map(Number))
  describe(`moves by programs in Foundry ${generation}`, () => {
    let browser, world, server, gm;

    before(async () => {
      ({ browser, world, server, gm } = await openGm(generation, { viewport: SMALL }));
      await until(async () => (await server.token(ANNA))?.at, "Anna is at the table");
      await gm.do(() => window.enfilade.seatUi.context.windows.open("rules"));
      await gm.page.selectOption("#enfilade-rules #enforcement", "enforce");
      await gm.page.locator("#enfilade-rules #rules-save").dispatchEvent("click");
      await until(async () => (await server.scene()).enforcement === "enforce", "the table refuses");
    });
    after(async () => {
      await browser?.close();
      await server?.stop();
      await world?.stop();
    });

    /** Has the second module of the world move tokens. */
    const second = (act, ...values) =>
      gm.do(
        async ([name, given]) => {
          const result = await window.secondModule[name](...given);
          return Array.isArray(result) && typeof result[0] === "number" ? result : null;
        },
        [act, values],
      );
    /** Waits until a token is at a cell, at the table and in Foundry, and stays there. */
    async function staysAt(id, cell) {
      const isThere = async () => String((await server.token(id)).at) === String(cell);
      await until(isThere, `the table has ${id} at ${cell}`);
      await gm.syncsAgain();
      const { x, y } = world.find("Token", id, SCENE);
      assert.deepEqual({ x, y }, corner(cell));
      assert.ok(await isThere());
    }
    const refusals = async () => (await server.log()).filter(({ facts }) => facts.ruling?.allowed === false);

    test("a user's drag that the rules refuse goes back", async () => {
      await gm.do(([id, to]) => window.host.drag(id, to), [ANNA, corner([12, 9])]);
      await until(() => world.find("Token", ANNA, SCENE).x === corner([3, 4]).x, "Anna is back");
      await gm.syncsAgain();
      assert.deepEqual((await server.token(ANNA)).at, [3, 4]);
    });

    test("displacement: a teleport far beyond the reach stays, and is no refused move", async () => {
      const before = (await refusals()).length;
      await second("teleport", ANNA, corner([12, 9]));
      await staysAt(ANNA, [12, 9]);
      assert.equal((await refusals()).length, before);
    });

    if (generation >= 13)
      test("displacement: a macro that moves two tokens at once, like a mount with its rider", async () => {
        await second("carry", [
          { _id: ANNA, ...corner([1, 8]) },
          { _id: GRIM, ...corner([12, 1]) },
        ]);
        await staysAt(ANNA, [1, 8]);
        await staysAt(GRIM, [12, 1]);
      });

    for (const method of generation >= 13 ? ["paste", "undo"] : ["undo"])
      test(`displacement: what Foundry places by ${method}`, async () => {
        const to = method === "paste" ? [12, 8] : [1, 7];
        await second(method, ANNA, corner(to));
        await staysAt(ANNA, to);
      });

    if (generation >= 13)
      test("displacement: a walk off the grid by another module ends where it ends, in few lines", async () => {
        const before = (await server.log()).length;
        const times = await second("animate", ANNA, corner([12, 6]));
        await staysAt(ANNA, [12, 6]);
        const lines = (await server.log()).length - before;
        assert.equal(times.length, 8);
        // A step is noted after the hook that the module hears, so a batch may begin a little earlier.
        assert.ok(lines <= batches(times) + 1, `${lines} lines for steps at ${times.map(Math.round)}`);
      });

    test("the page logs no errors", () => assert.deepEqual(gm.errors, []));
  });
