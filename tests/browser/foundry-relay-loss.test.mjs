// Relayed players whose GM's page dies: each command is answered, and done once.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { GM, PAT, SMALL, FoundryUser, USERS, openGm, seatAt } from "./foundry/user.mjs";
import { until } from "./harness.mjs";

const ANDY = { id: "andyandyandyandy", name: "Andy", isGM: true };
const ANNA = "tokentokenAnna01";
/** A little more than a page of a player waits for the GM's. */
const PATIENCE_MS = 31_000;

for (const generation of (process.env.GENERATIONS ?? "12 13 14").split(" ").map(Number)) {
  describe(`relayed players whose GM's page dies in Foundry ${generation}`, () => {
    let browser, world, server, gm, andy, pat;

    before(async () => {
      ({ browser, world, server, gm } = await openGm(generation, {
        users: structuredClone([ANDY, ...USERS]),
        viewport: SMALL,
      }));
      await until(async () => (await server.token(ANNA)) !== undefined, "Anna is at the table");
      pat = await FoundryUser.open(browser, world, PAT, { viewport: SMALL });
      await until(() => pat.do(() => window.enfilade.client.replica?.role === "player"), "Pat has a seat");
    });
    after(async () => {
      await browser?.close();
      await world?.stop();
    });

    const connected = () =>
      until(() => pat.do(() => window.enfilade.client.state === "connected"), "Pat is connected");

    /** Sends a command from Pat's page; the answer is kept there, as "done" or the sentence of the refusal. */
    const send = (name, kind, body) =>
      pat.do(
        ([key, what, content]) => {
          window.answers ??= {};
          window.enfilade.client.send(what, content).then(
            () => (window.answers[key] = "done"),
            (problem) => (window.answers[key] = problem.message),
          );
        },
        [name, kind, body],
      );
    const answerTo = (name) => pat.do((key) => window.answers[key] ?? "", name);
    const moves = async () =>
      (await server.log()).filter(({ seat, kind }) => seat !== "gm" && kind === "token.move").length;
    const move = (at) => ({ token: ANNA, at, facing: null });

    /** A page of a GM does everything but tell players of answers. */
    const fallsSilent = (user) =>
      user.do(() => {
        const { channel } = window.enfilade.relay;
        const send = channel.send.bind(channel);
        channel.send = (to, message) => message.relay === "ack" || send(to, message);
      });

    test("another page of the GM answers, and the command is done once", async () => {
      await connected();
      await fallsSilent(gm);
      await send("same", "token.move", move([3, 5]));
      await until(async () => (await moves()) === 1, "the table has done it");
      await gm.page.close();
      gm = await FoundryUser.open(browser, world, GM, { context: gm.context, seat: seatAt(server) });
      await until(async () => (await answerTo("same")) !== "", "Pat is answered");
      assert.equal(await answerTo("same"), "done");
      assert.equal(await moves(), 1);
    });

    test("another GM's page answers, and the command is done once by the same seat", async () => {
      await connected();
      const seat = await pat.do(() => window.enfilade.client.replica.seat);
      await fallsSilent(gm);
      await send("other", "token.move", move([4, 5]));
      await until(async () => (await moves()) === 2, "the table has done it");
      andy = await FoundryUser.open(browser, world, ANDY.id, { seat: seatAt(server), viewport: SMALL });
      await gm.page.close();
      await until(async () => (await answerTo("other")) !== "", "Pat is answered");
      assert.equal(await answerTo("other"), "done");
      assert.equal(await moves(), 2);
      await connected();
      assert.equal(await pat.do(() => window.enfilade.client.replica.seat), seat);
    });

    test("a GM whose page comes back serves the same seat again", async () => {
      gm = await FoundryUser.open(browser, world, GM, { context: gm.context, seat: seatAt(server) });
      await andy.page.close();
      await until(() => gm.do(() => window.enfilade.bridge.lease !== null), "Gail's page speaks again");
      await send("back", "token.move", move([3, 5]));
      await until(async () => (await answerTo("back")) !== "", "Pat is answered");
      assert.equal(await answerTo("back"), "done");
      const players = (await server.members()).filter(({ role }) => role === "player");
      assert.deepEqual(
        players.map(({ name }) => name),
        ["Pat"],
      );
    });

    test("a command without any page of a GM ends with a sentence, and is not done later", async () => {
      await connected();
      await pat.page.clock.install();
      await fallsSilent(gm);
      await send("taken", "token.move", move([4, 5]));
      await until(async () => (await moves()) === 4, "the table has done it");
      await gm.page.close();
      await until(() => pat.do(() => window.enfilade.client.state === "lost"), "Pat is told");
      await send("unsent", "token.move", move([3, 5]));
      await pat.page.clock.fastForward(PATIENCE_MS);
      await until(async () => (await answerTo("unsent")) !== "", "Pat is answered");
      assert.match(await answerTo("taken"), /Your last step may have been done/);
      assert.match(await answerTo("unsent"), /nothing was sent/i);
      gm = await FoundryUser.open(browser, world, GM, { context: gm.context, seat: seatAt(server) });
      await connected();
      await gm.settles();
      assert.equal(await moves(), 4);
    });

    test("the pages log no errors", () => assert.deepEqual([...pat.errors, ...andy.errors], []));
  });
}
