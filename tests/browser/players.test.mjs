import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Player, startSkirmish, until } from "./harness.mjs";
import { text } from "./text.mjs";

describe("a player at the table", () => {
  let server, browser, gm, guest;

  before(async () => {
    ({ server, browser, gm } = await startSkirmish());
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  test("joins by a link, is admitted with a token by keyboard alone, and plays it", async () => {
    await gm.page.focus("#menu");
    if ((await gm.page.getAttribute("#menu", "aria-expanded")) !== "true")
      await gm.page.keyboard.press("Enter");
    await gm.page.focus("#tab-token");
    for (const key of ["ArrowLeft", "Tab", "Tab", "Enter"]) await gm.page.keyboard.press(key);
    await gm.sees("#panel-players", text("Players.NoneWaiting"));
    const link = await gm.page.inputValue("#invitation-link");
    guest = await Player.open(browser, link);
    await guest.page.locator("#join-name:focus").waitFor(); // the page puts the cursor there
    await guest.page.keyboard.type("Mia");
    await guest.page.keyboard.press("Enter");
    await guest.sees("#join-waiting", text("Join.Waiting"));
    await gm.sees(".is-waiting", "Mia");
    const seat = (await gm.page.locator(".is-waiting button").first().getAttribute("id")).replace(
      "admit-",
      "",
    );
    await gm.page.focus(`#owns-${seat}-Anna`);
    await gm.page.keyboard.press("Space");
    await gm.page.focus(`#admit-${seat}`);
    await gm.page.keyboard.press("Enter");
    await guest.sees("#connection", text("Connection.connected"));
    await guest.sees("#role", text("Role.player"));
    await gm.sees("#panel-players", `${text("Players.Player")}, ${text("Players.Online")}`);
    assert.ok(!guest.page.url().includes("join="));
    await guest.drag([3, 5], [3, 6]);
    await gm.sees(".log-entry", "Anna moves");
  });

  test("sees no hidden token and cannot control other tokens", async () => {
    assert.equal(await guest.page.locator("#pick-Lurker").count(), 0);
    assert.equal(
      await guest.page
        .locator("#undo, #tab-setup, #tab-rules, #tab-players, #redo")
        .filter({ visible: true })
        .count(),
      0,
    );
    await guest.drag([3, 2], [5, 2]);
    await guest.press("Escape");
    await guest.drag([3, 6], [3, 5]);
    await until(async () => String((await server.token("Anna")).at) === "3,5", "a later move has arrived");
    assert.deepEqual((await server.token("Grim")).at, [3, 2]);
    assert.deepEqual(guest.errors, []);
  });

  test("returns by its own address after a reload", async () => {
    await guest.page.reload();
    await guest.sees("#connection", text("Connection.connected"));
    await guest.sees("#role", text("Role.player"));
  });

  test("is disconnected at once when removed, and reads why", async () => {
    await gm.openTab("players");
    await gm.page
      .locator("#panel-players")
      .getByRole("button", { name: text("Players.RemoveName", { name: "Mia" }) })
      .click();
    await gm.page.click("#confirm-yes");
    await guest.sees("#welcome", "does not open a table");
    await until(async () => (await server.token("Anna")).owners.length === 0, "the token is nobody's again");
  });
});
