// What GMs expect of a module: acts on the Token HUD, an API, a self-check; and that a failure, a disabled canvas or a
// world without a scene leaves Foundry working.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { GM, PAT, FoundryUser, SMALL, sceneSource, startWorld, seatAt, openGm } from "./foundry/user.mjs";
import { ROOT, becomes, launch, newTable, until } from "./harness.mjs";

const [ANNA, GRIM] = ["tokentokenAnna01", "tokentokenGrim01"];
const GENERATIONS = (process.env.GENERATIONS ?? "12 13 14").split(" ").map(Number);

for (const generation of GENERATIONS)
  describe(`the module's features in Foundry ${generation}`, () => {
    let browser, world, server, gm;

    before(async () => {
      ({ browser, world, server, gm } = await openGm(generation));
      await until(async () => (await server.token(ANNA)) !== undefined, "Anna is at the table");
      await gm.click(ANNA);
      await until(
        () => gm.do((id) => window.enfilade.seatUi.context.store.state.overlay?.token === id, ANNA),
        "it is drawn",
      );
    });
    after(async () => {
      await browser?.close();
      await server?.stop();
      await world?.stop();
    });

    test("every icon of the tools and windows is one of Font Awesome", async () => {
      await gm.do(() => window.enfilade.seatUi.context.windows.open("turn"));
      await gm.page.locator("#enfilade-turn").waitFor();
      const missing = await gm.do(() =>
        [...document.querySelectorAll("#controls .icon, #enfilade-turn i, #enfilade-turn .icon")]
          .filter((icon) => ["none", '""', "normal"].includes(getComputedStyle(icon, "::before").content))
          .map((icon) => icon.className),
      );
      assert.deepEqual(missing, []);
      await gm.do(() => window.enfilade.seatUi.context.windows.close());
    });

    test("the menu of a window's header opens another window", async () => {
      await gm.do(() => window.enfilade.seatUi.context.windows.open("turn"));
      await gm.page.locator("#enfilade-turn [data-action=toggleControls]").dispatchEvent("click");
      await gm.page.locator("#enfilade-turn [data-action=open-log]").dispatchEvent("click");
      await gm.page.locator("#enfilade-log").waitFor();
      await gm.do(() => window.enfilade.seatUi.context.windows.close());
    });

    test("the Token HUD opens the acts of its token", async () => {
      await gm.page.mouse.click(...(await gm.placeOf(GRIM)), { button: "right" });
      await gm.page.locator("#token-hud .enfilade-hud").dispatchEvent("click");
      await gm.page.locator("#enfilade-turn").waitFor();
      assert.equal(await gm.do(() => canvas.tokens.controlled[0].id), GRIM);
      await gm.do(() => window.enfilade.seatUi.context.windows.close());
    });

    test("an act at a cell names it, and frames it on the map", async () => {
      const anna = await server.token(ANNA);
      const downed = { ...anna, conditions: { downed: "" }, tracks: { ...anna.tracks, hp: 0 } };
      await server.command("token.place", { token: downed });
      await gm.do((id) => canvas.tokens.get(id).control(), ANNA);
      await gm.do(() => window.enfilade.seatUi.context.windows.open("turn"));
      const crawl = gm.page.locator("#enfilade-turn button").filter({ hasText: /^Crawl [A-Z]\d+/ });
      await crawl.first().waitFor();
      const framed = () => gm.drawnIn("place");
      assert.equal(await framed(), 0);
      await crawl.first().dispatchEvent("pointerenter");
      await until(async () => (await framed()) > 0, "it is framed");
      await crawl.first().dispatchEvent("pointerleave");
      await becomes(framed, 0, "it is framed no longer");
      await server.command("token.place", { token: anna });
      await gm.do(() => window.enfilade.seatUi.context.windows.close());
      const isDown = (id) => {
        const { replica } = window.enfilade.seatUi.context.store.state;
        return "downed" in replica.scene.tokens.find((token) => token.id === id).conditions;
      };
      await until(async () => !(await gm.do(isDown, ANNA)), "the page has Anna on her feet");
    });

    test("the API answers macros: reach, verdict, odds, attack, log; and holds no key", async () => {
      const answers = await gm.do(
        async ([anna, grim]) => {
          const { api } = game.modules.get("enfilade");
          const [reach, verdict, odds] = [
            await api.reach(anna),
            await api.verdict(anna, grim),
            await api.odds(anna, grim),
          ];
          return {
            reach: reach.cells.length,
            verdict: verdict.sentence,
            odds,
            log: api.log(3).length,
            keys: Object.keys(api),
          };
        },
        [ANNA, GRIM],
      );
      assert.ok(answers.reach > 4);
      assert.match(answers.verdict, /Anna sees Grim/);
      assert.ok(
        answers.odds.length > 0 && answers.odds.every(({ label, chance }) => label && chance.length === 2),
      );
      assert.equal(answers.log, (await server.log()).slice(-3).length);
      assert.deepEqual(answers.keys.toSorted(), [
        "advantage",
        "attack",
        "cover",
        "log",
        "odds",
        "reach",
        "verdict",
      ]);
    });

    test("the API gives nothing for tokens that the table does not know", async () => {
      const answers = await gm.do(async (anna) => {
        const { api } = game.modules.get("enfilade");
        const wrong = [undefined, null, "", "none", 5, {}, "<img>"];
        const all = wrong.map((token) =>
          Promise.all([
            api.reach(token),
            api.verdict(anna, token),
            api.odds(token, anna),
            api.attack(anna, token),
          ]),
        );
        return Promise.all(all);
      }, ANNA);
      for (const one of answers) assert.deepEqual(one, [null, null, [], false]);
      const selected = await gm.kept("selected");
      assert.equal(selected, ANNA);
    });

    test("the API attacks with the likeliest legal act", async () => {
      await gm.do((id) => window.host.drag(id, { x: 800, rotation: 270 }), ANNA);
      await until(async () => (await server.token(ANNA)).facing === 90, "Anna stands before Grim");
      const isDone = await gm.do(
        async ([anna, grim]) => game.modules.get("enfilade").api.attack(anna, grim),
        [ANNA, GRIM],
      );
      assert.equal(isDone, true);
      await until(async () => {
        await gm.answersAll(); // a choice may arrive after the answer to the act
        return (await server.log()).some(({ facts }) => facts.target === GRIM);
      }, "the attack is in the log");
    });

    test("each macro of the guide runs as it is printed there", async () => {
      await gm.click(ANNA);
      await gm.target(GRIM);
      const guide = readFileSync(join(ROOT, "docs", "foundry.md"), "utf8");
      const macros = [...guide.matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code);
      assert.equal(macros.length, 3);
      for (const code of macros) {
        const before = await gm.page.locator("#notifications li").count();
        await gm.do((text) => new Function(`return (async () => {${text}})()`)(), code);
        assert.ok((await gm.page.locator("#notifications li").count()) > before, code);
      }
      assert.deepEqual(gm.errors, []);
    });

    test("in a paused game the overlay and the GM go on; a player's drag moves nothing", async () => {
      const pat = await FoundryUser.open(browser, world, PAT, { viewport: { width: 800, height: 600 } });
      for (const page of [gm, pat]) await page.do(() => (window.host.board.isPaused = true));
      await until(
        () => pat.do(() => Boolean(window.enfilade?.seatUi?.context.store.state.replica)),
        "Pat's page is at the table",
      );
      await gm.answersAll();
      const owned = await pat.do(() => canvas.scene.tokens.find((token) => token.isOwner).id);
      const { x, y } = await pat.do((id) => canvas.tokens.get(id).center, owned);
      const at = (await server.token(owned)).at;
      await pat.drag([x, y], [x, y + 100]);
      await gm.do((id) => canvas.scene.tokens.get(id).update({ rotation: 90 }), owned);
      await until(async () => (await server.token(owned)).facing === 270, "the GM's change arrives");
      assert.deepEqual((await server.token(owned)).at, at);
      await pat.click(owned);
      await until(
        () => pat.do((id) => window.enfilade.seatUi.context.store.state.overlay?.token === id, owned),
        "Pat sees the overlay",
      );
      for (const page of [gm, pat]) await page.do(() => (window.host.board.isPaused = false));
      await pat.drag([x, y], [x, y + 100]);
      await until(async () => String((await server.token(owned)).at) !== String(at), "the drag arrives");
      await pat.context.close();
    });

    test("the self-check finds everything, and names what is missing", async () => {
      await gm.page.locator("[data-menu='enfilade.selfCheck']").dispatchEvent("click");
      const lines = gm.page.locator("#enfilade-checks li");
      await lines.first().waitFor();
      await becomes(() => lines.count(), 7, "each has its line");
      for (const line of await lines.allInnerTexts()) assert.match(line, /: works$/);
      await gm.do(() => document.querySelector("#controls").replaceChildren());
      await gm.do(() => document.querySelector("#enfilade-self-check [data-action=close]").click());
      await gm.page.locator("[data-menu='enfilade.selfCheck']").dispatchEvent("click");
      await gm.page.locator("#enfilade-checks li.wrong").filter({ hasText: "Buttons" }).waitFor();
    });

    test("an error of the module becomes one notice with a diagnosis, and Foundry goes on", async () => {
      await gm.do((id) => {
        for (const broken of [canvas.scene, canvas.scene.tokens.get(id)])
          Object.defineProperty(broken, "toObject", {
            value: () => {
              throw new Error("a broken scene");
            },
          });
        for (let n = 0; n < 3; n++) Hooks.callAll("canvasReady", canvas);
        return canvas.scene.tokens.get(id).update({ elevation: 5 });
      }, GRIM);
      const notice = gm.page.locator(".enfilade-failure");
      await notice.first().waitFor();
      await until(
        async () => (await notice.first().innerText()).includes("a broken scene"),
        "it says what failed",
      );
      assert.equal(await notice.count(), 1);
      await gm.do(() =>
        Object.defineProperty(navigator, "clipboard", {
          value: {
            writeText: (text) => {
              window.copied = text;
              return Promise.resolve();
            },
          },
        }),
      );
      await notice.locator(".enfilade-copy").dispatchEvent("click");
      await until(() => gm.do(() => Boolean(window.copied)), "the diagnosis is copied");
      const copied = await gm.do(() => window.copied);
      assert.match(copied, new RegExp(`generation ${generation}`));
      assert.match(copied, /received snapshot/);
      assert.ok(!copied.includes(server.key), "no key is in it");
      assert.equal(world.find("Token", GRIM, "scenescene000001").elevation, 5);
    });
  });

for (const generation of GENERATIONS)
  describe(`pages without a map in Foundry ${generation}`, () => {
    let browser, server;

    before(async () => {
      browser = await launch();
      server = await newTable();
    });
    after(async () => {
      await browser?.close();
      await server?.stop();
    });

    for (const [title, more] of [
      ["a disabled canvas", { hasCanvas: false }],
      ["no active scene", { scenes: [{ ...sceneSource(generation), active: false }] }],
    ])
      test(`${title}: the module connects, and its windows open`, async () => {
        const world = await startWorld(generation, more);
        world.state.settings["enfilade.server"] = server.origin;
        const gm = await FoundryUser.open(browser, world, GM, { seat: seatAt(server), viewport: SMALL });
        try {
          await until(() => gm.do(() => window.enfilade.client?.state === "connected"), "it is connected");
          await gm.do(() => window.enfilade.seatUi.context.windows.open("turn"));
          await gm.page.locator("#enfilade-turn").waitFor();
          // A table that other pages change goes on telling this one.
          await until(() => gm.do(() => window.enfilade.client.replica !== null), "it has the table");
          await gm.do(() => window.enfilade.seatUi.context.windows.toggleAdvice());
          if (more.hasCanvas === false)
            assert.equal(
              await gm.do(async () => {
                const { pickOnMap } = await import("/sources/scripts/foundry/canvas/map-pick.js");
                return pickOnMap([], () => undefined);
              }),
              null,
            );
          assert.equal(await gm.page.locator(".enfilade-failure").count(), 0);
          assert.deepEqual(gm.errors, []);
        } finally {
          await gm.context.close();
          await world.stop();
        }
      });
  });
