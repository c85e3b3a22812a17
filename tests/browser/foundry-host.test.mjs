import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { launch, until } from "./harness.mjs";
import { GM, PAT, SMALL, FoundryUser, startWorld } from "./foundry/user.mjs";

const ANNA = "tokentokenAnna01";

describe("the stand-in host", () => {
  let browser;
  before(async () => (browser = await launch()));
  after(() => browser?.close());

  for (const generation of (process.env.GENERATIONS ?? "12 13 14").split(" ").map(Number)) {
    describe(`as version ${generation}`, () => {
      let world, gm, pat;
      before(async () => {
        world = await startWorld(generation);
        gm = await FoundryUser.open(browser, world, GM, { viewport: SMALL });
        pat = await FoundryUser.open(browser, world, PAT, { viewport: SMALL });
      });
      after(async () => {
        await gm?.context.close();
        await pat?.context.close();
        await world?.stop();
      });

      test("it loads the module by its manifest without errors", async () => {
        assert.equal(await gm.do(() => game.modules.get("enfilade").active), true);
        assert.deepEqual([...gm.errors, ...pat.errors], []);
      });

      test("a token that a player drags moves on every page, with hooks", async () => {
        await gm.do(() => {
          window.heard = [];
          Hooks.on("updateToken", (doc, changes) => window.heard.push([doc.name, changes.x]));
        });
        await pat.drag([750, 750], [850, 750]);
        await until(() => gm.do(() => window.heard.length === 1), "the GM's page has heard of it");
        assert.deepEqual(await gm.do(() => window.heard), [["Anna", 800]]);
        assert.equal(world.find("Token", ANNA, "scenescene000001").x, 800);
      });

      test("an undeclared member throws", async () => {
        const asked = (act) =>
          gm.do(act).then(
            () => "",
            (problem) => problem.message,
          );
        assert.match(await asked(() => game.macros), /Game\.macros is not declared/);
        assert.match(await asked(() => canvas.tokens.children), /TokenLayer\.children is not declared/);
        assert.match(await asked(() => canvas.scene.tokens.get("tokentokenAnna01").effects), /not declared/);
      });

      test("a player cannot change another's token", async () => {
        const refused = await pat.do(() =>
          canvas.scene.tokens
            .get("tokentokenGrim01")
            .update({ x: 0 })
            .then(
              () => "",
              (problem) => problem.message,
            ),
        );
        assert.match(refused, /lacks permission/);
      });

      test("the modules' socket reaches the other pages, with the sender's ID", async () => {
        await pat.do(() =>
          game.socket.on("module.enfilade", (data, sender) => (window.got = [data, sender])),
        );
        await gm.do(() => game.socket.emit("module.enfilade", { hello: 1 }));
        await until(() => pat.do(() => Boolean(window.got)), "the message came");
        assert.deepEqual(await pat.do(() => window.got), [{ hello: 1 }, GM]);
      });

      test("a page's messages arrive in the order of sending", async () => {
        await pat.do(() => {
          window.inOrder = [];
          game.socket.on("module.enfilade", ({ n }) => window.inOrder.push(n));
        });
        await gm.do(() => {
          for (let n = 0; n < 60; n++) game.socket.emit("module.enfilade", { n, filler: "x".repeat(n % 7) });
        });
        await until(() => pat.do(() => window.inOrder.length === 60), "all have come");
        assert.deepEqual(await pat.do(() => window.inOrder), [...Array(60).keys()]);
      });

      test("it has the shapes of its version", async () => {
        const shapes = await gm.do(() => [
          typeof CONFIG.statusEffects.length,
          "layers" in (foundry.canvas ?? {}),
          canvas.scene.tokens.get("tokentokenAnna01").level ?? null,
        ]);
        assert.deepEqual(shapes, [
          generation < 14 ? "number" : "undefined",
          generation > 12,
          generation > 13 ? "defaultLevel0000" : null,
        ]);
      });
    });
  }
});
