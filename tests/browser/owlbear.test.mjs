import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Server, becomes, until } from "./harness.mjs";
import { CONTRACT, LIVE_CONTRACT, livePage } from "./tabletop/contract.mjs";
import { DPI, Room, token } from "./owlbear/room.mjs";
import { BUBBLES, connect, DOORS, drawn, openRoom, PROFILE } from "./owlbear/user.mjs";

describe("a room of Owlbear Rodeo", () => {
  let browser, room, server, gm;

  before(async () => {
    ({ browser, room, server, gm } = await openRoom());
  });
  after(async () => {
    await browser?.close();
    await room?.stop();
  });

  const health = (id) => room.find(id).metadata[BUBBLES].health;
  const entries = async (kind) => (await server.log()).filter((entry) => entry.kind === kind);

  test("gives the table its map, walls, doors and tokens", async () => {
    const { grid, walls, tokens } = await server.scene();
    assert.deepEqual(
      [grid.kind, grid.columns, grid.rows, grid.distance, grid.units],
      ["square", 12, 8, 5, "ft"],
    );
    const lines = walls.map(({ line, door, state }) => [...line, door, state]);
    assert.deepEqual(lines.sort(), [
      [384, 0, 384, 192, "none", "closed"],
      [384, 192, 384, 256, "door", "closed"],
      [384, 256, 384, 512, "none", "closed"],
    ]);
    const [anna, grim, lurker] = ["anna", "grim", "lurker"].map((id) => tokens.find((one) => one.id === id));
    assert.deepEqual([anna.at, anna.side, anna.facing, anna.hidden], [[2, 3], "players", 0, false]);
    assert.deepEqual([grim.at, grim.side, grim.facing], [[4, 3], "foes", 270]);
    assert.equal(lurker.hidden, true);
  });

  test("has a move judged once, where the drag ends", async () => {
    await room.drag("anna", [2, 4], [3, 4]);
    await until(async () => (await server.token("anna")).at[0] === 3, "Anna has moved");
    assert.equal((await entries("token.move")).length, 1);
  });

  test("writes nothing back that came from the room", async () => {
    const background = await room.frame(gm, "background");
    await background.evaluate(() => {
      const { writer } = window.enfilade.live;
      const write = writer.writeEntries.bind(writer);
      window.written = [];
      writer.writeEntries = (list) => {
        window.written.push(...list.map(({ kind, facts }) => `${kind} ${facts.token ?? ""}`));
        return write(list);
      };
    });
    const written = () => background.evaluate(() => window.written);
    await room.drag("anna", [3, 5]);
    await until(async () => (await server.token("anna")).at[1] === 5, "Anna has moved");
    await server.command("token.move", { token: "anna", at: [3, 4], facing: 90 });
    await until(async () => (await written()).length > 0, "the table's own move is written");
    await until(() => String(room.cellOf("anna")) === "3,4", "Anna is back");
    assert.equal((await written()).filter((text) => /token.move/.test(text)).length, 1);
    assert.equal((await entries("token.move")).length, 3, "each move is told once");
  });

  test("shows the reach of the selected token to this user alone", async () => {
    room.select(gm, "anna");
    await until(() => drawn(gm, "reach").length > 0, "the reach is drawn");
    for (const item of gm.local) assert.deepEqual([item.locked, item.disableHit], [true, true]);
    assert.equal(room.items.length, 5, "nothing is added to the scene");
  });

  test("keeps the overlay when the popover opens, and lets it act", async () => {
    room.change("anna", (one) =>
      Object.assign(one, { position: { x: 3.5 * DPI, y: 3.5 * DPI }, rotation: 90 }),
    );
    await until(async () => (await server.token("anna")).at[1] === 3, "Anna stands before Grim");
    const frame = await room.openAction(gm);
    await frame.locator(".act .chance").first().waitFor();
    await until(() => drawn(gm, "reach").length > 0, "the reach is drawn still");
    await frame.locator("#enfilade-dice").fill("6");
    await frame.locator(".acts button.primary").first().click();
    await frame
      .locator(".log-entry, .log-text")
      .filter({ hasText: /Anna (hits|misses) Grim/ })
      .first()
      .waitFor({ state: "attached" });
    await until(() => health("grim") === 2, "Grim's tracker has changed");
    assert.deepEqual(room.find("grim").metadata[PROFILE].race, "orc", "the other metadata stay");
  });

  test("takes an act back from the popover", async () => {
    const frame = await room.frame(gm, "action");
    await frame.locator("#enfilade-undo").click();
    await until(() => health("grim") === 3, "Grim's tracker is as before");
    await room.closeAction(gm);
  });

  test("gives the table hit points that a person has changed", async () => {
    room.change(
      "grim",
      (one) => (one.metadata = { ...one.metadata, [BUBBLES]: { health: 1, "max health": 3 } }),
    );
    await until(async () => (await server.token("grim")).tracks.hp === 1, "the table has them");
    await server.command("undo", {});
    await until(() => health("grim") === 3, "an undo at the table comes back");
  });

  test("opens a door on either side", async () => {
    const door = () => room.find("wall").metadata[DOORS][0];
    room.change("wall", (one) => (one.metadata = { [DOORS]: [{ ...door(), open: true }] }));
    const state = async () => (await server.scene()).walls.find((wall) => wall.door === "door").state;
    await until(async () => (await state()) === "open", "the table's door is open");
    await server.command("door.set", { wall: "wall-d0", state: "closed" });
    await until(() => door().open === false, "the room's door is closed");
  });

  test("puts a token back that the table does not let move, and says why", async () => {
    const { house_rules } = await server.scene();
    await server.command("rules.set", { house_rules, enforcement: "enforce" });
    room.notices.length = 0;
    await room.drag("anna", [9, 7]);
    await until(() => String(room.cellOf("anna")) === "3,3", "Anna is back");
    assert.deepEqual((await server.token("anna")).at, [3, 3]);
    await until(() => /Anna/.test(room.notices.at(-1)?.text), "the GM is told why");
    await server.command("rules.set", { house_rules, enforcement: "advise" });
  });

  test("writes a move of the table into the room", async () => {
    await server.command("token.move", { token: "grim", at: [4, 5], facing: 0 });
    await until(() => String(room.cellOf("grim")) === "4,5", "Grim has moved in the room");
    await becomes(() => room.find("grim").rotation, 0, "and has turned");
    await server.command("undo", {});
    await until(() => String(room.cellOf("grim")) === "4,3", "Grim is back");
  });

  test("asks again as long as the host wants patience", async () => {
    room.writesPerSecond = 0;
    room.refusals = 0;
    for (const [i, id] of ["anna", "grim", "lurker"].entries())
      await server.command("token.move", { token: id, at: [7 + i, 1], facing: 0 });
    await until(() => room.refusals > 1, "the host has refused the same write twice");
    room.writesPerSecond = 3;
    await until(
      () => ["anna", "grim", "lurker"].every((id, i) => String(room.cellOf(id)) === `${7 + i},1`),
      "all have moved",
    );
    room.writesPerSecond = Infinity;
    await until(async () => (await server.scene()).tokens.every(({ at }) => at[1] === 1), "and stay");
  });

  test("adds and removes tokens", async () => {
    room.add(
      token("new", "Newcomer", [1, 1], {
        metadata: { [PROFILE]: { armor: "light", race: "elf", hands: ["sword", "fist"] } },
      }),
    );
    await until(async () => (await server.token("new"))?.name === "Newcomer", "the table has it");
    room.remove("new");
    await until(async () => !(await server.token("new")), "the table has lost it");
  });

  test("lets the GM say what a token without a profile is", async () => {
    room.add(token("blank", "Blank", [1, 7]));
    const told = () => room.notices.find(({ text }) => /Blank/.test(text))?.text;
    await until(() => told(), "the GM is told");
    assert.match(told(), /open Enfilade and choose its unit/, "what is done about it in this tabletop");
    const frame = await room.openAction(gm);
    room.select(gm, "blank");
    const units = frame.locator("#enfilade-unit option:not([value=''])");
    await units.first().waitFor({ state: "attached" });
    const unit = await units.first().getAttribute("value");
    await frame.locator("#enfilade-unit").selectOption(unit);
    await server.command("token.move", { token: "grim", at: [4, 5], facing: 0 });
    await until(() => String(room.cellOf("grim")) === "4,5", "a move of another token is seen");
    assert.equal(await frame.locator("#enfilade-unit").inputValue(), unit, "the choice stays");
    await frame.locator("#enfilade-unit-use").click();
    await until(async () => (await server.token("blank"))?.at !== undefined, "the table has it");
    assert.equal(typeof room.find("blank").metadata[PROFILE], "object");
    await room.closeAction(gm);
    room.remove("blank");
    await until(async () => !(await server.token("blank")), "it is gone");
    await server.command("token.move", { token: "grim", at: [4, 1], facing: 0 });
    await until(() => String(room.cellOf("grim")) === "4,1", "Grim is back");
  });

  test("shows the verdict and the cost at the pointer of its tool", async () => {
    room.select(gm, "anna");
    await until(() => drawn(gm, "reach").length > 0, "the reach is drawn");
    await room.useTool(gm);
    await room.point(gm, [8.5 * DPI, 1.5 * DPI], room.find("grim"));
    await until(
      () => drawn(gm, "label").some(({ text }) => /Grim/.test(text.plainText)),
      "the verdict is shown",
    );
    await until(() => drawn(gm, "verdict").length > 0, "with its line of sight");
    await room.point(gm, [7.5 * DPI, 2.5 * DPI]);
    await until(
      () => drawn(gm, "label").some(({ text }) => /^H3: \d/.test(text.plainText)),
      "the cost is shown",
    );
  });

  test("waits for the GM where the GM chose so in the popover, which has the question", async () => {
    const frame = await room.openAction(gm);
    await frame.locator("#enfilade-tab-connect").click();
    await frame.locator("#enfilade-write-mode-hitPoints").selectOption("ask");
    const unit = await server.token("grim");
    await server.command("token.place", { token: { ...unit, tracks: { ...unit.tracks, hp: 1 } } });
    await frame.locator("#enfilade-proposals").filter({ hasText: "Grim: 1" }).waitFor();
    assert.equal(health("grim"), 3, "the tracker waits");
    await until(() => room.notices.some(({ text }) => /asks/.test(text)), "the GM is told");
    await frame.locator("#enfilade-write-all").click();
    await until(() => health("grim") === 1, "the tracker has the table's number");
    await frame.locator("#enfilade-proposals").waitFor({ state: "hidden" });
    await frame.locator("#enfilade-write-mode-hitPoints").selectOption("do");
    await server.command("undo", {});
    await until(() => health("grim") === 3, "and is as before");
    await room.closeAction(gm);
  });

  test("opens the popover from a token's menu", async () => {
    await room.clickMenu(gm, "anna");
    const frame = await room.frame(gm, "action");
    await frame.locator("#enfilade-tab-acts[aria-selected=true]").waitFor();
    await room.closeAction(gm);
  });

  test("goes on in another scene, and comes back", async () => {
    const items = room.items;
    const before = room.metadata;
    const background = await room.frame(gm, "background");
    room.openScene(null);
    await until(
      () => background.evaluate(async () => (await window.enfilade.tabletop.readScene()) === null),
      "the page knows",
    );
    await background.evaluate(() => {
      window.readings = 0;
      window.enfilade.live.bridge.on("failed", () => (window.readings += 1)); // after each reading, failed or not
    });
    const readsAgain = async () => {
      const before = await background.evaluate(() => {
        window.enfilade.live.bridge.resync();
        return window.readings;
      });
      await until(() => background.evaluate((past) => window.readings > past, before), "the page has read");
    };
    await readsAgain(); // what the page asked before it knew is answered, because the room answers in order
    room.refusals = 0;
    await readsAgain();
    await readsAgain(); // the first may have been under way
    assert.equal(room.refusals, 0, "nothing is asked of a scene that is not there");
    assert.equal((await server.scene()).tokens.length, 3, "without a scene the table stays as it is");
    room.openScene([
      token("anna", "Anna", [0, 0], { metadata: items.find(({ id }) => id === "anna").metadata }),
    ]);
    await until(
      async () => (await server.scene()).grid.columns === 60,
      "a scene without a map has a board too",
    );
    room.openScene(items);
    room.metadata = before;
    await until(async () => (await server.scene()).tokens.length === 3, "the first scene is back");
  });

  test("sends nothing that the SDK's protocol does not have", () => {
    assert.deepEqual(room.violations, []);
    assert.deepEqual(gm.errors, []);
  });
});

describe("a room whose server fails", () => {
  let browser, room, server, gm;

  before(async () => {
    const port = Number(process.env.ENFILADE_TEST_WORLD_PORT);
    server = await new Server({ ENFILADE_FRAMES: `http://127.0.0.1:${port}` }).start();
    await server.clear();
    ({ browser, room, gm } = await openRoom({ table: server }));
  });
  after(async () => {
    await browser?.close();
    await room?.stop();
    await server?.stop();
  });

  test("gives the table what has changed meanwhile, when it is back", async () => {
    const background = await room.frame(gm, "background");
    await server.kill();
    await background.waitForFunction(() => window.enfilade.live.state === "lost");
    await room.drag("anna", [3, 4]);
    room.remove("lurker");
    await server.start();
    await until(async () => String((await server.token("anna")).at) === "3,4", "the table has Anna's place");
    await until(async () => !(await server.token("lurker")), "and has lost the Lurker");
  });

  test("is shown in no frame of another origin", async () => {
    const other = await new Room({ manifest: `${server.origin}/owlbear/manifest.json` }).start(0);
    const client = await other.join(browser, { id: "gm", role: "GM" });
    await until(
      () => client.errors.some((text) => /frame-ancestors/.test(text)),
      "the browser refuses the frame",
    );
    assert.deepEqual(other.violations, []);
    await other.stop();
  });
});

describe("players in a room of Owlbear Rodeo", () => {
  let browser, room, server, gm, mia;

  before(async () => {
    ({ browser, room, server, gm } = await openRoom());
    mia = await room.join(browser, { id: "mia", role: "PLAYER" });
    await connect(room, mia, await server.seatPlayer("Mia", ["anna"]));
  });
  after(async () => {
    await browser?.close();
    await room?.stop();
  });

  test("see what their own token can do, and nothing of what is hidden", async () => {
    await server.command("token.move", { token: "lurker", at: [3, 4], facing: 0 });
    await until(() => String(room.cellOf("lurker")) === "3,4", "the Lurker stands next to Anna");
    room.select(mia, "anna");
    await until(() => drawn(mia, "reach").length > 0, "the reach is drawn");
    room.select(gm, "anna");
    await until(() => drawn(gm, "reach").length > 0, "the GM's too");
    const background = await room.frame(mia, "background");
    const text = await background.evaluate(() => JSON.stringify(window.enfilade.live.seat.store.state));
    assert.ok(!text.includes("urker"), "the player's page never gets the hidden unit");
    assert.notDeepEqual(
      drawn(mia, "reach").map(({ commands }) => commands),
      drawn(gm, "reach").map(({ commands }) => commands),
      "the GM's reach goes around it",
    );
  });

  test("are no bridge, and their moves are the GM's page's to report", async () => {
    const background = await room.frame(mia, "background");
    assert.equal(await background.evaluate(() => window.enfilade.live.bridge.lease), null);
    await room.drag("anna", [2, 2]);
    await until(async () => String((await server.token("anna")).at) === "2,2", "Anna has moved");
  });

  test("attack from their own popover", async () => {
    await server.command("token.move", { token: "grim", at: [3, 2], facing: 270 });
    await server.command("token.move", { token: "anna", at: [2, 2], facing: 90 });
    const frame = await room.openAction(mia);
    await frame.locator(".acts button.primary").first().click();
    await until(async () => {
      // A hit asks whether it pushes.
      const answer = frame.locator(".answers button").first();
      if (await answer.isVisible()) await answer.click();
      return (await server.log()).some(({ text }) => /Anna (hits|misses) Grim/.test(text));
    }, "it is done");
    await frame
      .locator(".log-text, .log-entry")
      .filter({ hasText: "Anna" })
      .first()
      .waitFor({ state: "attached" });
    assert.equal(await frame.locator("#enfilade-undo").isVisible(), false);
  });

  test("send nothing that the SDK's protocol does not have", () => {
    assert.deepEqual(room.violations, []);
    assert.deepEqual([...gm.errors, ...mia.errors], []);
  });
});

describe("a room of hexes", () => {
  let browser, room, server;

  before(async () => {
    ({ browser, room, server } = await openRoom({ gridType: "HEX_VERTICAL" }));
  });
  after(async () => {
    await browser?.close();
    await room?.stop();
  });

  test("has its tokens on the hexes of the table", async () => {
    const { grid } = await server.scene();
    assert.equal(grid.kind, "hex_odd_r");
    const { at } = await server.token("anna");
    const before = { ...room.find("anna").position };
    await server.command("token.move", { token: "anna", at: [at[0] + 1, at[1]], facing: 90 });
    await until(() => room.find("anna").position.x !== before.x, "Anna has moved");
    assert.ok(Math.abs(room.find("anna").position.x - before.x) < 1.5 * DPI);
    assert.deepEqual((await server.token("anna")).at, [at[0] + 1, at[1]]);
  });
});

describe("the contract of a tabletop, in Owlbear Rodeo", () => {
  let browser, room, server, gm, host;

  before(async () => {
    ({ browser, room, server, gm } = await openRoom());
    host = {
      ...livePage(await room.frame(gm, "background")),
      ...{ server, token: "anna", door: "wall-d0" },
      cell: () => room.cellOf("anna"),
      drawn: () => gm.local.length,
      select: (...ids) => room.select(gm, ...ids),
    };
  });
  after(async () => {
    await browser?.close();
    await room?.stop();
  });

  for (const [name, holds] of Object.entries({ ...LIVE_CONTRACT, ...CONTRACT }))
    test(name, () => holds(host));
});
