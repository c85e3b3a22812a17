import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { GM, PAT, FoundryUser, startWorld, seatAt, isOutage } from "./foundry/user.mjs";
import { Server, launch, until } from "./harness.mjs";

const [ANNA, GRIM] = ["tokentokenAnna01", "tokentokenGrim01"];

describe("two pages of Foundry at one table", () => {
  let browser, world, server, gm, watcher;

  before(async () => {
    browser = await launch();
    world = await startWorld(13, { system: "dnd5e" });
    server = await new Server({ ENFILADE_ORIGINS: world.origin }).start();
    Object.assign(world.state.settings, {
      "enfilade.server": server.origin,
      "enfilade.write.hitPoints": "do",
    });
    gm = await FoundryUser.open(browser, world, GM, { seat: seatAt(server) });
    await until(async () => (await server.token(ANNA)) !== undefined, "Anna is at the table");
    watcher = await FoundryUser.open(browser, world, PAT, { seat: seatOf(server.spectator) });
    await gm.do((id) => window.host.drag(id, { x: 800, rotation: 270 }), ANNA);
    await until(async () => (await server.token(ANNA)).facing === 90, "Anna stands before Grim");
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
    await world?.stop();
  });

  const points = () => world.find("Actor", "actoractor000002").system.attributes.hp.value;

  test("hit points set to Apply are written at once", async () => {
    await until(() => points() === 3, "Grim has as many as at the table");
  });

  test("the pointer over a token hovers it", async () => {
    await gm.click(ANNA);
    await gm.page.mouse.move(...(await gm.placeOf(GRIM)));
    const said = () => gm.kept("hovered");
    await until(async () => (await said()) === GRIM, "Grim is under the pointer");
  });

  test("a question appears where it can be answered, and the answer continues the act", async () => {
    await gm.target(GRIM);
    await gm.page.keyboard.press("Shift+KeyG");
    await gm.page.locator("#enfilade-attack .chance").first().waitFor();
    await gm.page.fill("#enfilade-dice", "1");
    await gm.page.locator("#enfilade-attack button.primary").first().dispatchEvent("click");
    await gm.page.locator("#enfilade-choice .answers button").first().waitFor();
    await watcher.hasAll(server);
    assert.equal(await watcher.page.locator("#enfilade-choice").count(), 0);
    await gm.page.fill("#prompt-dice", "6");
    await gm.page.locator("#enfilade-choice .answers button").first().dispatchEvent("click");
    await gm.page.locator("#enfilade-choice").waitFor({ state: "detached" });
    await until(() => points() === 2, "the wound is written");
  });

  test("only the bridge's page writes it and posts it in chat", async () => {
    await until(() => world.state.ChatMessage.length === 1, "the card is there");
    await watcher.page.locator("#chat .enfilade-card").first().waitFor();
  });

  test("both pages show the result over the map", async () => {
    // The card in chat comes by Foundry's server and the result by the table's: either may be first.
    const shown = (user) => user.do(() => window.host.board.scrolled.map(({ content }) => content));
    for (const user of [gm, watcher])
      await until(async () => /hit/.test((await shown(user)).join()), "the page shows the result");
  });

  test("after a server crash both pages reconnect, and nothing is written twice", async () => {
    const before = world.state.ChatMessage.length;
    await server.kill();
    await gm.seesNotice("connection to the table lost");
    await server.start();
    await until(() => watcher.do(() => window.enfilade.client.state === "connected"), "the watcher is back");
    await until(() => gm.do(() => window.enfilade.bridge.lease !== null), "the GM is back");
    await gm.page.keyboard.press("Shift+KeyY");
    await until(() => points() === 3, "the wound is taken back");
    await until(() => world.state.ChatMessage.length > before, "the undo is told");
    await gm.settles();
    assert.equal(world.state.ChatMessage.length, before + 1);
  });

  test("a profile from the catalog is saved with the token and reaches the table", async () => {
    await gm.click(ANNA);
    await gm.do(() => window.enfilade.seatUi.context.windows.open("profile"));
    await gm.page.selectOption("#enfilade-unit", { index: 3 });
    await gm.page.locator("#enfilade-unit-use").dispatchEvent("click");
    const unit = await gm.do(() => window.enfilade.client.replica.ruleset.catalog[2]);
    await until(async () => {
      const { profile } = await server.token(ANNA);
      return profile.armor === unit.profile.armor && profile.race === (unit.profile.race ?? "human");
    }, "the table knows the profile");
    assert.deepEqual(world.find("Token", ANNA, "scenescene000001").flags.enfilade.profile, unit.profile);
  });

  test("a house rule is set in its window", async () => {
    await gm.do(() => window.enfilade.seatUi.context.windows.open("rules"));
    await gm.page.selectOption("#enfilade-rules #enforcement", "enforce");
    await gm.page.locator("#enfilade-rules #rules-save").dispatchEvent("click");
    await until(async () => (await server.scene()).enforcement === "enforce", "the table enforces");
  });

  test("a refused move is reverted on the map", async () => {
    const before = world.find("Token", ANNA, "scenescene000001").x;
    await gm.do((id) => window.host.drag(id, { x: 1700, y: 1200 }), ANNA);
    await until(
      () => world.find("Token", ANNA, "scenescene000001").x === before,
      "Anna stands where she stood",
    );
  });

  test("the pages log no errors", () => {
    const errors = [...gm.errors, ...watcher.errors].filter((line) => !isOutage(line));
    assert.deepEqual(errors, []);
  });
});

/** Returns the seat of a link. */
function seatOf(link) {
  const parts = new URLSearchParams(new URL(link).hash.slice(1));
  return { table: parts.get("table"), key: parts.get("key") };
}
