import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { verifyFile } from "../../plugin_manifest/scripts/core/verify-dice.js";
import { Player, Server, launch, miniature } from "./harness.mjs";

const ROLLS = 4;

describe("dice that can be checked", () => {
  let server, browser, gm;

  before(async () => {
    server = await (await new Server().start()).clear();
    browser = await launch();
    gm = await Player.sitDown(browser, server.gm);
    await gm.bringMap();
    await server.command("token.place", miniature("Anna", "blue", [3, 5], ["sword", "shield"]));
    await server.command("token.place", miniature("Grim", "red", [3, 4], ["axe", "shield"]));
    for (let i = 0; i < ROLLS; i += 1) await attack();
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  /** Anna attacks Grim, with the default of every choice; then it is taken back, so that she can again. */
  async function attack() {
    const act = { kind: "melee", token: "Anna", target: "Grim", weapon: "sword", at: null, facing: null };
    let { result } = await server.command("act", { act });
    while (result.waiting)
      ({ result } = await server.command("choice.answer", {
        choice: result.waiting.id,
        answer: result.waiting.default,
      }));
    await server.command("undo", {});
  }

  test("a spectator has every roll checked, and each holds", async () => {
    const watcher = await Player.sitDown(browser, server.spectator);
    assert.equal(await watcher.page.locator("#log-export").isVisible(), false);
    await watcher.page.click("#log-verify");
    await watcher.sees("#notices", `The dice of ${ROLLS} acts hold.`);
    assert.equal(await watcher.page.locator(".log-dice.holds").count(), ROLLS);
    assert.deepEqual(watcher.errors, []);
  });

  test("the game master exports the log, and it holds", async () => {
    const entries = await gm.page.locator(".log-entry").count();
    const [download] = await Promise.all([gm.page.waitForEvent("download"), gm.page.click("#log-export")]);
    const report = verifyFile(readFileSync(await download.path()));
    assert.deepEqual([report.holds, report.rolled, report.entries], [true, ROLLS, entries]);
  });

  test("a die that was changed on its way to the page is found", async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const cheated = new Player(page, context);
    await page.routeWebSocket(/socket.io/, (socket) => {
      const real = socket.connectToServer();
      real.onMessage((frame) =>
        socket.send(
          String(frame).replace(/"faces":\[(\d)/, (_, face) => `"faces":[${(Number(face) % 6) + 1}`),
        ),
      );
    });
    await page.goto(server.spectator);
    await cheated.sees("#line", "Connected");
    await page.click("#log-verify");
    await cheated.sees(".log-dice.is-wrong", "Dice do not hold");
    assert.equal(await page.locator(".log-dice.is-wrong").count(), 1);
    assert.equal(await page.locator(".log-dice.holds").count(), ROLLS - 1);
  });
});
