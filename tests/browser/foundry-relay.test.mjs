import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { GM, PAT, QUINN, SMALL, FoundryUser, seatAt, openGm } from "./foundry/user.mjs";
import { until } from "./harness.mjs";

const [ANNA, GRIM] = ["tokentokenAnna01", "tokentokenGrim01"];
const [ODO, SCENE] = ["tokentokenOdo001", "scenescene000001"];
const ATTACK = { kind: "melee", token: ANNA, target: GRIM, weapon: "sword", at: null, facing: null };

/** REPEATS=200 BUSY=2 GENERATIONS=13 node tests/browser/run.mjs relay: repeats one test beside two busy loops. */
const REPEATS = Number(process.env.REPEATS ?? 1);
const RUNS = Array.from({ length: REPEATS }, (_, i) => (REPEATS > 1 ? `, run ${i + 1}` : ""));

for (const generation of (process.env.GENERATIONS ?? "12 13 14").split(" ").map(Number)) {
  describe(`players relayed by the GM's page in Foundry ${generation}`, () => {
    let browser, world, server, gm, pat, quinn;

    before(async () => {
      ({ browser, world, server, gm } = await openGm(generation, { system: "dnd5e", viewport: SMALL }));
      await until(async () => (await server.token(ANNA)) !== undefined, "Anna is at the table");
      pat = await FoundryUser.open(browser, world, PAT, { viewport: SMALL });
      quinn = await FoundryUser.open(browser, world, QUINN, { viewport: SMALL });
    });
    after(async () => {
      await browser?.close();
      await server?.stop();
      await world?.stop();
    });

    const seen = (user) =>
      user.do(() => {
        const { replica } = window.enfilade.client;
        return replica && { role: replica.role, tokens: replica.scene.tokens.map(({ id }) => id) };
      });

    const answer = async (user, place = 0) => {
      const button = user.page.locator("#enfilade-choice .answers button").nth(place);
      const was = await button.elementHandle();
      await button.dispatchEvent("click");
      await until(async () => !(await was.isVisible()), "the answer is taken");
    };

    const asked = (user) => user.page.locator("#enfilade-choice .answers button").count();

    test("each player has their own seat at the table", async () => {
      await until(async () => (await seen(pat))?.role === "player", "Pat has a seat");
      await until(async () => (await seen(quinn))?.role === "player", "Quinn has a seat");
      assert.deepEqual((await seen(pat)).tokens, [ANNA, GRIM]);
    });

    test("a hidden token is neither on a player's page nor readable on the socket", async () => {
      await gm.do((id) => canvas.scene.tokens.get(id).update({ hidden: true }), GRIM);
      await until(async () => !(await seen(pat)).tokens.includes(GRIM), "Grim is gone from Pat's page");
      await until(async () => !(await seen(quinn)).tokens.includes(GRIM), "Grim is gone from Quinn's page");
      const letters = world.socketTraffic;
      if (generation === 12) assert.ok(letters.every(({ data }) => !("message" in data)));
      else assert.ok(letters.every(({ to, data }) => `${to}` === data.to));
      await gm.do((id) => canvas.scene.tokens.get(id).update({ hidden: false }), GRIM);
      await until(async () => (await seen(pat)).tokens.includes(GRIM), "Grim is back");
    });

    test("a token that the GM gives to a player while they play is theirs at the table", async () => {
      const odo = {
        ...structuredClone(world.find("Token", ANNA, SCENE)),
        _id: ODO,
        name: "Odo",
        x: 400,
        y: 300,
      };
      world.change({ action: "create", type: "Token", parent: SCENE, rows: [odo] }, GM);
      await until(async () => (await seen(pat)).tokens.includes(ODO), "Odo is at the table");
      const move = { token: ODO, at: [1, 0], facing: null };
      await until(
        () =>
          pat.do((body) => window.enfilade.client.send("token.move", body).then(Boolean, () => false), move),
        "Pat moves Odo",
      );
      world.change({ action: "delete", type: "Token", parent: SCENE, rows: [ODO] }, GM);
      await until(async () => !(await seen(pat)).tokens.includes(ODO), "Odo has left");
    });

    test("a player sees the overlay of their token and attacks with it; another seat cannot", async () => {
      await gm.do((id) => window.host.drag(id, { x: 800, rotation: 270 }), ANNA);
      await until(async () => (await server.token(ANNA)).facing === 90, "Anna stands before Grim");
      await pat.click(ANNA);
      await pat.target(GRIM);
      await pat.page.keyboard.press("Shift+KeyG");
      await pat.page.locator("#enfilade-attack .chance").first().waitFor();
      assert.ok(!(await pat.page.locator("#enfilade-dice").isVisible())); // the server rolls players' dice here
      await pat.page.locator("#enfilade-attack button.primary").first().dispatchEvent("click");
      const attacked = async () =>
        (await server.log()).some(({ seat, kind }) => kind === "act" && /player/.test(seat));
      await until(
        async () => (await attacked()) || (await asked(pat)),
        "Pat attacks, or is asked about the roll",
      );
      const refused = await quinn.do(
        (act) =>
          window.enfilade.client.send("act", { act, faces: [6] }).then(
            () => "",
            (problem) => problem.message,
          ),
        ATTACK,
      );
      assert.notEqual(refused, "");
    });

    for (const run of RUNS)
      test(`a question appears on its player's page, is answered there, and the GM sees the result${run}`, async () => {
        while (await asked(pat)) await answer(pat); // the earlier attack may have led to one
        await until(async () => !(await asked(gm)), "nothing is left to decide");
        const [before] = (await server.log()).slice(-1);
        await server.command("act", { act: ATTACK, faces: [1] }); // a human may roll a 1 again
        await pat.page.locator("#enfilade-choice .answers button").first().waitFor();
        assert.equal(await asked(quinn), 0);
        assert.equal(await pat.page.locator("#enfilade-choice #prompt-dice").count(), 0);
        assert.match(await pat.page.locator("#enfilade-choice").innerText(), /the GM must enter it/);
        await answer(pat, 1); // no: only the GM could enter another physical die
        await pat.page.locator("#enfilade-choice").waitFor({ state: "detached" });
        const hasResult = () =>
          gm.do((seq) => {
            const { log } = window.enfilade.client.replica;
            return log.findLast((entry) => entry.seq > seq && entry.facts.result)?.text;
          }, before.seq);
        await until(hasResult, "the GM's page has the result");
        assert.equal(await asked(gm), 0);
        const answered = (await server.log()).find(
          ({ kind, seq }) => kind === "choice.answer" && seq > before.seq,
        );
        assert.match(answered.seat, /player/);
        await pat.page.locator("#chat .enfilade-card").filter({ hasText: "Anna" }).first().waitFor();
      });

    test("no player's page holds a key", async () => {
      const kept = await pat.do(() => JSON.stringify(localStorage));
      assert.ok(!kept.includes(server.key) && !/"key"/.test(kept), kept);
    });

    test("a player learns that the GM's page closed, and reconnects with it", async () => {
      await gm.page.close();
      await until(() => pat.do(() => window.enfilade.client.state === "lost"), "Pat is told");
      gm = await FoundryUser.open(browser, world, GM, { seat: seatAt(server), viewport: SMALL });
      await until(() => pat.do(() => window.enfilade.client.state === "connected"), "Pat is back");
    });

    test("the players' pages log no errors", () => assert.deepEqual([...pat.errors, ...quinn.errors], []));
  });
}
