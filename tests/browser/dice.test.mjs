import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { verifyFile } from "../../plugin_manifest/scripts/core/dice/verify-dice.js";
import { Player, becomes, launch, miniature, newTable } from "./harness.mjs";
import { text } from "./text.mjs";

const ROLLS = 4;

/** Presses a button of the log's folded list. */
async function pressTool(page, button) {
  const opener = page.locator("#log-tools-open");
  if ((await opener.getAttribute("aria-expanded")) !== "true") await opener.click();
  await page.evaluate(() => (document.querySelector(".log-more").open = true));
  await page.click(button);
}

describe("verifiable dice", () => {
  let server, browser, gm;

  before(async () => {
    server = await (await newTable()).clear();
    browser = await launch();
    gm = await Player.join(browser, server.gm);
    await gm.bringMap();
    await server.command("token.place", miniature("Anna", "blue", [3, 5], ["sword", "shield"]));
    await server.command("token.place", miniature("Grim", "red", [3, 4], ["axe", "shield"]));
    for (let i = 0; i < ROLLS; i += 1) await attack();
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  /** Anna attacks Grim with the default of every choice; the attack is undone, so that she can repeat it. */
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

  test("a spectator verifies every roll", async () => {
    const watcher = await Player.join(browser, server.spectator);
    assert.equal(await watcher.page.locator("#log-export").isVisible(), false);
    await pressTool(watcher.page, "#log-verify");
    await watcher.sees("#notices", text("Log.RollsVerified", { count: ROLLS }));
    await becomes(() => watcher.page.locator(".log-dice.is-verified").count(), ROLLS, "each has its mark");
    assert.deepEqual(watcher.errors, []);
  });

  test("the GM exports the log, and it passes verification", async () => {
    await pressTool(gm.page, "#log-proofs");
    const [download] = await Promise.all([
      gm.page.waitForEvent("download"),
      pressTool(gm.page, "#log-export"),
    ]);
    const report = verifyFile(Buffer.concat(await (await download.createReadStream()).toArray()));
    assert.deepEqual([report.holds, report.rolled], [true, ROLLS]);
    await becomes(() => gm.entryCount(), report.entries, "the page shows as many entries");
  });

  test("a die changed on its way to the page is found", async () => {
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
    await cheated.isAtTable();
    await pressTool(page, "#log-verify");
    await cheated.sees(".log-dice.is-wrong", text("Log.DiceFailed", { why: "" }).trim());
    const marks = (kind) => page.locator(`.log-dice.${kind}`).count();
    await becomes(
      () => Promise.all(["is-wrong", "is-verified"].map(marks)),
      [1, ROLLS - 1],
      "each has its mark",
    );
  });

  /** Joins as a player over HTTP. */
  async function seated(name) {
    const ask = async (what, body, key) =>
      (
        await fetch(`${server.origin}/api/tables/${server.table}/${what}`, {
          method: "POST",
          headers: {
            "Content-Type": "application/json",
            ...(key ? { Authorization: `Bearer ${key}` } : {}),
          },
          body: JSON.stringify(body),
        })
      ).json();
    const { secret } = await ask("invitations", { role: "player" }, server.key);
    const joined = await ask("seats", { invitation: secret, name });
    await ask(`seats/${joined.seat}/approve`, {}, server.key);
    return Player.join(browser, server.gm.replace(server.key, joined.key));
  }

  test("a hidden roll appears only after the GM reveals it, and then passes verification", async () => {
    const watcher = await Player.join(browser, server.spectator);
    const before = await watcher.entryCount();
    await gm.clickCell([3, 5]);
    await gm.clickCell([3, 4]);
    await gm.openAttackDice();
    await gm.page.check("#attack-hidden");
    await gm.page.locator(".act .primary").first().click();
    const show = gm.page.locator(".log-reveal");
    await gm.answerUntil(() => show.count(), "the hidden roll can be shown");
    await show.click();
    await watcher.sees(".log-entry", "The GM reveals a hidden roll");
    assert.ok((await watcher.entryCount()) <= before + 2); // it, and what Grim lost
    await pressTool(watcher.page, "#log-verify");
    await watcher.sees("#notices .notice", "verified");
    await watcher.sees(".log-entry:last-child .log-dice", text("Log.DiceVerified"));
    assert.equal(await watcher.page.locator(".log-dice.is-wrong").count(), 0);
    await show.waitFor({ state: "detached" });
  });
});
