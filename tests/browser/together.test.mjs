import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Player, Server, startSkirmish, until } from "./harness.mjs";
import { text } from "./text.mjs";

describe("several pages at one table", () => {
  let server, browser, gm, other, watcher;

  before(async () => {
    ({ server, browser, gm } = await startSkirmish(await new Server().start()));
    other = await Player.join(browser, server.gm);
    watcher = await Player.join(browser, server.spectator);
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  test("one page's move appears on the others", async () => {
    await gm.drag([3, 5], [3, 6]);
    for (const player of [gm, other, watcher]) await player.sees(".log-entry", "Anna moves");
    await other.openTab("token");
    await other.page.click("#pick-Anna");
    await other.sees("#panel-token .side", "D7");
  });

  test("a spectator gets no hidden token, neither on the page nor from the server", async () => {
    const heard = [];
    watcher.page.on("websocket", (socket) =>
      socket.on("framereceived", ({ payload }) => heard.push(String(payload))),
    );
    await watcher.page.reload();
    await watcher.isAtTable();
    await watcher.sees("#tracker", "Anna");
    assert.equal(await watcher.page.locator("#pick-Lurker").count(), 0);
    await watcher.openTab("token");
    await watcher.page.click("#pick-Anna");
    await watcher.sees("#panel-token .card", "Defense");
    await server.command("token.move", { token: "Lurker", at: [4, 6], facing: 0 });
    await server.command("token.move", { token: "Grim", at: [3, 3], facing: 180 });
    await watcher.sees(".log-entry", "Grim moves");
    assert.ok(heard.some((frame) => frame.includes("Grim")));
    assert.ok(!heard.some((frame) => frame.includes("Lurker")));
  });

  test("a token removed by another page is deselected, and undo restores it", async () => {
    await other.press("Escape");
    await other.page.click("#pick-Grim");
    await other.sees("#panel-token h2", "Grim");
    await server.command("token.remove", { token: "Grim" });
    await other.sees("#panel-token", text("Token.SelectHint"));
    await server.command("undo", {});
    await other.page.click("#pick-Grim");
    await other.sees("#panel-token .card", "axe");
  });

  test("a spectator cannot change anything", async () => {
    assert.equal(
      await watcher.page
        .locator("#undo, #tab-setup, #tab-rules, #edit-open, #turn-left")
        .filter({ visible: true })
        .count(),
      0,
    );
    await watcher.drag([3, 3], [5, 3]);
    await watcher.press("ArrowRight", "e");
    assert.deepEqual((await server.token("Grim")).at, [3, 3]);
  });

  test("a disconnected page catches up by itself and says so", async () => {
    await other.context.setOffline(true);
    await other.sees("#connection", text("Connection.lost"));
    await server.command("token.move", { token: "Grim", at: [3, 4], facing: 180 });
    await server.command("token.move", { token: "Grim", at: [4, 4], facing: 180 });
    await other.context.setOffline(false);
    await other.press("Escape");
    await until(
      async () => (await other.page.locator("#pick-Grim").innerText()).includes("E5"),
      "the other page shows where Grim stands",
    );
  });

  test("after a server restart unanswered commands are carried out once, and both pages continue", async () => {
    await gm.press("Escape", "n");
    const entries = await gm.entryCount();
    await server.kill();
    await gm.sees("#connection", text("Connection.lost"));
    await gm.press("ArrowLeft");
    await server.start();
    await gm.sees("#connection", text("Connection.connected"));
    await gm.sees("#notices", /Reconnected/);
    await until(async () => (await server.token("Anna")).at[0] === 2, "the move has been made");
    await gm.hasAll(server);
    assert.equal(await gm.entryCount(), entries + 1, "the log has it once");
    await other.sees("#pick-Anna", "C7");
  });

  test("a wrong key is refused with a sentence in the middle of the page", async () => {
    const stranger = await browser.newPage();
    await stranger.goto(`${server.origin}/board/#table=${server.table}&key=wrong`);
    await stranger
      .locator("#welcome")
      .filter({ hasText: "does not open a table" })
      .waitFor({ state: "visible" });
    await stranger.close();
  });
});
