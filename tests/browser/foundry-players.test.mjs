import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { GM, PAT, FoundryUser, startWorld, seatAt } from "./foundry/user.mjs";
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
    await gm.do((id) => canvas.scene.tokens.get(id).update({ x: 800, rotation: 270 }), ANNA);
    await until(async () => (await server.token(ANNA)).facing === 90, "Anna stands before Grim");
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
    await world?.stop();
  });

  const points = () => world.find("Actor", "actoractor000002").system.attributes.hp.value;

  test("hit points that may be written are there at once", async () => {
    await until(() => points() === 3, "Grim has as many as at the table");
  });

  test("the pointer over a target shows what the selected token can do to it", async () => {
    await gm.click(ANNA);
    await gm.page.mouse.move(...(await gm.placeOf(GRIM)));
    const said = () => gm.do(() => game.modules.get("enfilade").api.seatUi.context.store.state.hovered);
    await until(async () => (await said()) === GRIM, "Grim is under the pointer");
  });

  test("a question is asked where it can be answered, and its answer goes on", async () => {
    await gm.target(GRIM);
    await gm.page.keyboard.press("Alt+KeyG");
    await gm.page.locator("#enfilade-attack .chance").first().waitFor();
    await gm.page.fill("#enfilade-dice", "1");
    await gm.page.locator("#enfilade-attack button.primary").first().dispatchEvent("click");
    await gm.page.locator("#enfilade-choice .answers button").first().waitFor();
    assert.equal(await watcher.page.locator("#enfilade-choice").count(), 0);
    await gm.page.fill("#prompt-dice", "6");
    await gm.page.locator("#enfilade-choice .answers button").first().dispatchEvent("click");
    await gm.page.locator("#enfilade-choice").waitFor({ state: "detached" });
    await until(() => points() === 2, "the wound is written");
  });

  test("only the page that speaks for the world wrote it, and told it in chat", async () => {
    await until(() => world.state.ChatMessage.length === 1, "the card is there");
    await watcher.page.locator("#chat .enfilade-card").first().waitFor();
  });

  test("both see the result over the map", async () => {
    const shown = (user) => user.do(() => window.host.board.scrolled.map(({ content }) => content));
    assert.match((await shown(gm)).join(), /hit/);
    assert.match((await shown(watcher)).join(), /hit/);
  });

  test("after the server was killed both are back, and nothing is written twice", async () => {
    const before = world.state.ChatMessage.length;
    await server.kill();
    await gm.seesNotice("connection to the table lost");
    await server.start();
    await until(
      () => watcher.do(() => game.modules.get("enfilade").api.client.state === "connected"),
      "the watcher is back",
    );
    await until(() => gm.do(() => game.modules.get("enfilade").api.bridge.lease !== null), "the GM is back");
    await gm.page.keyboard.press("Alt+KeyZ");
    await until(() => points() === 3, "the wound is taken back");
    await until(() => world.state.ChatMessage.length > before, "the undo is told");
    assert.equal(world.state.ChatMessage.length, before + 1);
  });

  test("a profile from the catalogue is kept with the token and known to the table", async () => {
    await gm.click(ANNA);
    await gm.do(() => game.modules.get("enfilade").api.seatUi.context.windows.open("profile"));
    await gm.page.selectOption("#enfilade-unit", { index: 3 });
    await gm.page.locator("#enfilade-unit-use").dispatchEvent("click");
    const unit = await gm.do(() => game.modules.get("enfilade").api.client.replica.ruleset.catalogue[2]);
    await until(async () => {
      const { profile } = await server.token(ANNA);
      return profile.armour === unit.profile.armour && profile.race === (unit.profile.race ?? "human");
    }, "the table knows the profile");
    assert.deepEqual(world.find("Token", ANNA, "scenescene000001").flags.enfilade.profile, unit.profile);
  });

  test("a house rule is set in its window", async () => {
    await gm.do(() => game.modules.get("enfilade").api.seatUi.context.windows.open("rules"));
    await gm.page.selectOption("#enfilade-rules #enforcement", "enforce");
    await gm.page.locator("#enfilade-rules #rules-save").dispatchEvent("click");
    await until(async () => (await server.scene()).enforcement === "enforce", "the table enforces");
  });

  test("a move that is refused is put back on the map", async () => {
    const before = world.find("Token", ANNA, "scenescene000001").x;
    await gm.do((id) => canvas.scene.tokens.get(id).update({ x: 1700, y: 1200 }), ANNA);
    await until(
      () => world.find("Token", ANNA, "scenescene000001").x === before,
      "Anna stands where she stood",
    );
  });

  test("nothing went wrong on the pages", () => {
    const errors = [...gm.errors, ...watcher.errors].filter(
      (line) => !line.includes("ERR_CONNECTION_REFUSED"),
    );
    assert.deepEqual(errors, []);
  });
});

/** The seat that a link is for. */
function seatOf(link) {
  const parts = new URLSearchParams(new URL(link).hash.slice(1));
  return { table: parts.get("table"), key: parts.get("key") };
}
