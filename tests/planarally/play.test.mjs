import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test as plainTest } from "node:test";
import { chromium } from "playwright-core";
import { Server, until } from "../browser/harness.mjs";
import { CONTRACT, livePage } from "../browser/tabletop/contract.mjs";
import { PlanarAlly } from "./server.mjs";
import { area, CELL, token, wall } from "./shapes.mjs";

const SOLDIER = { armor: "light", race: "human", hands: ["sword", "shield"] };
const ORC = { armor: "light", race: "orc", hands: ["axe", "shield"] };
const VIEWPORT = { width: 1280, height: 800 };

let hasFailed = false;

/** A test that goes on where the one before has ended, and is not run after a failure. */
function test(name, run) {
  plainTest(name, async (context) => {
    if (hasFailed) return context.skip("an earlier one has failed");
    hasFailed = true;
    await run();
    hasFailed = false;
  });
}

let browser, tabletop, server, contexts, gm, mia, ids;

before(async () => {
  tabletop = await new PlanarAlly().start();
  server = new Server({ ENFILADE_ORIGINS: tabletop.origin });
  await server.start();
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM,
    args: ["--no-sandbox", "--disable-gpu"],
  });
  contexts = await Promise.all([1, 2].map(() => browser.newContext({ viewport: VIEWPORT })));
  const [gmContext, miaContext] = contexts;
  await tabletop.register(gmContext, "gm");
  await tabletop.register(miaContext, "mia");
  const mod = await (await fetch(`${server.origin}/planarally/enfilade.pam`)).arrayBuffer();
  await tabletop.makeRoom(gmContext, Buffer.from(mod));
  await tabletop.invite(miaContext);
  const shapes = {
    anna: token("Anna", [4, 5], { owner: "mia" }),
    grim: token("Grim", [8, 5]),
    lurker: token("Lurker", [4, 8], { is_invisible: true }),
    wall: wall("Wall", [11, 2], [11, 5]),
    door: wall("Door", [11, 5], [11, 6], { is_door: true }),
    hedge: area("Hedge [cost 2]", [6, 8], [2, 1]),
  };
  const layers = { wall: "fow", door: "fow", hedge: "draw" };
  for (const [name, shape] of Object.entries(shapes)) tabletop.add(shape, layers[name]);
  ids = Object.fromEntries(Object.entries(shapes).map(([name, { uuid }]) => [name, uuid]));
  await until(async () => (await tabletop.stored(ids.hedge)) !== undefined, "PlanarAlly has the shapes");
  gm = await tabletop.open(gmContext);
});
after(async () => {
  await browser?.close();
  await server?.stop();
  await tabletop?.stop();
});

/** Saves a picture of a page, to look at. */
async function picture(user, name) {
  const folder = process.env.SCREENSHOT;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await user.page.screenshot({ path: join(folder, `planarally-${name}.png`) });
}

/** Connects a user by the mod's window. */
async function connect(user, link) {
  await user.page.click("#enfilade-toggle");
  await user.page.fill("#enfilade-link", link);
  await user.page.locator("#enfilade-link").blur();
  await user.page.click("#enfilade-connect-go");
  await user.page.waitForFunction(() => globalThis.enfilade.live?.state === "connected");
  await user.page.click("#enfilade-toggle");
}

const inTable = (name) => server.token(ids[name]);
/** The place of a board's cell on the screen; the board begins a known number of cells from the map's origin. */
const onScreen = (user, [column, row]) =>
  user.page.evaluate(([x, y]) => globalThis.g2l({ x, y }), [(column + 0.5) * CELL, (row + 0.5) * CELL]);
/** A token's cell in one user's page. */
const cellIn = (user, name) =>
  user.page.evaluate(
    ([uuid, size]) => {
      const { x, y } = globalThis.idMap.get(globalThis.getLocalId(uuid)).center;
      return [Math.floor(x / size), Math.floor(y / size)];
    },
    [ids[name], CELL],
  );
const tracker = (user, name) =>
  user.page.evaluate(
    (uuid) => globalThis.systems.trackers.getAll(globalThis.getLocalId(uuid))[0].value,
    ids[name],
  );
/** The cell of the map's origin on the board: half of 60 cells without a map picture. */
const ORIGIN = 30;
const onBoard = ([column, row]) => [column + ORIGIN, row + ORIGIN];

async function click(user, cell) {
  const { x, y } = await onScreen(user, cell);
  await user.page.mouse.click(x, y);
}

async function drag(user, from, to) {
  const [a, b] = [await onScreen(user, from), await onScreen(user, to)];
  await user.page.mouse.move(a.x, a.y);
  await user.page.mouse.down();
  await user.page.mouse.move(b.x, b.y, { steps: 4 });
  await user.page.mouse.up();
}

/** The overlay's opacity beside the middle of each cell, 0 to 255. */
const opacitiesAt = (user, cells) =>
  user.page.evaluate(
    ([places, size]) => {
      const pen = document.querySelector(".enfilade-overlay").getContext("2d");
      return places.map(([column, row]) => {
        const { x, y } = globalThis.g2l({ x: (column + 0.75) * size, y: (row + 0.75) * size });
        return pen.getImageData(x * devicePixelRatio, y * devicePixelRatio, 1, 1).data[3];
      });
    },
    [cells, CELL],
  );

/** Returns the cells around Anna that are drawn and not in her reach, or the other way round. */
async function wrongCells(user) {
  const reach = await user.page.evaluate(() => globalThis.enfilade.live.seat.store.state.overlay.reach.cells);
  const inReach = new Set(reach.map(([column, row]) => `${column - ORIGIN},${row - ORIGIN}`));
  const cells = Array.from({ length: 100 }, (_, i) => [i % 10, 1 + Math.floor(i / 10)]);
  const opacities = await opacitiesAt(user, cells);
  return cells.filter((cell, i) => opacities[i] > 0 !== inReach.has(String(cell)));
}

const profileOf = (user, name, profile) =>
  user.page.evaluate(
    async ([uuid, given]) => {
      await globalThis.enfilade.tabletop.saveProfile(uuid, given);
      globalThis.enfilade.live.bridge.resync();
    },
    [ids[name], profile],
  );

test("connects by a link, and gives the table the map", async () => {
  await connect(gm, server.gm);
  await until(async () => (await server.scene()).grid.units === "ft", "the table has the map");
  const { grid, walls, terrain } = await server.scene();
  assert.deepEqual([grid.kind, grid.distance, grid.units], ["square", 5, "ft"]);
  const x = (11 + ORIGIN) * 64;
  const lines = walls.map(({ line, door, state }) => [...line, door, state]);
  assert.deepEqual(lines.sort(), [
    [x, (2 + ORIGIN) * 64, x, (5 + ORIGIN) * 64, "none", "closed"],
    [x, (5 + ORIGIN) * 64, x, (6 + ORIGIN) * 64, "door", "closed"],
  ]);
  const [hedge] = terrain;
  assert.deepEqual([hedge.name, hedge.cost, hedge.cells], ["Hedge", 2, [onBoard([6, 8]), onBoard([7, 8])]]);
});

test("keeps a unit's profile in the room, and places it", async () => {
  await gm.page.click("#enfilade-toggle");
  await click(gm, [4, 5]);
  const units = gm.page.locator("#enfilade-unit option:not([value=''])");
  await units.first().waitFor({ state: "attached" });
  await gm.page.selectOption("#enfilade-unit", await units.first().getAttribute("value"));
  await gm.page.click("#enfilade-unit-use");
  await until(async () => (await inTable("anna"))?.at, "the table has Anna");
  for (const [name, profile] of Object.entries({ anna: SOLDIER, grim: ORC, lurker: ORC }))
    await profileOf(gm, name, profile);
  await until(async () => (await server.scene()).tokens.length === 3, "the table has all three");
  const [anna, grim, lurker] = [await inTable("anna"), await inTable("grim"), await inTable("lurker")];
  assert.deepEqual([anna.at, anna.side], [onBoard([4, 5]), "players"]);
  assert.deepEqual([grim.at, grim.side, grim.hidden], [onBoard([8, 5]), "foes", false]);
  assert.equal(lurker.hidden, true);
  await server.command("token.place", { token: { ...anna, profile: SOLDIER, tracks: {}, conditions: {} } });
  await gm.page.click("#enfilade-toggle");
});

test("draws the reach of the selected token where its cells are", async () => {
  await click(gm, [4, 5]);
  await gm.page.waitForFunction(() => globalThis.enfilade.tabletop.overlay.layers.has("reach"));
  await gm.page.evaluate(() => globalThis.enfilade.live.seat.showLayers(["reach"]));
  await until(async () => (await opacitiesAt(gm, [[4, 6]]))[0] > 0, "the neighbor is in reach");
  assert.deepEqual(await wrongCells(gm), []);
  await gm.page.mouse.move(640, 600);
  const zoom = () => gm.page.evaluate(() => globalThis.state.position.readonly.zoom);
  const before = await zoom();
  await gm.page.mouse.wheel(0, 120);
  await until(async () => (await zoom()) !== before, "the map is smaller");
  await gm.page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
  assert.deepEqual(await wrongCells(gm), [], "it moves with the map");
  await gm.page.evaluate(() =>
    globalThis.enfilade.live.seat.showLayers(["reach", "arc", "targets", "reactions"]),
  );
  await picture(gm, "reach");
});

test("lets a player connect with a link of her own, who gets no unit that is hidden from her", async () => {
  mia = await tabletop.open(contexts[1]);
  await connect(mia, await server.seatPlayer("Mia", [ids.anna]));
  await click(mia, [4, 5]);
  await mia.page.waitForFunction(() => globalThis.enfilade.tabletop.overlay.layers.has("reach"));
  const known = await mia.page.evaluate(() => JSON.stringify(globalThis.enfilade.live.seat.store.state));
  assert.ok(
    !known.includes("urker") && !known.includes(ids.lurker),
    "the player's page never gets it from Enfilade",
  );
  assert.equal(await mia.page.evaluate(() => globalThis.enfilade.live.bridge.lease), null);
});

test("judges a player's drag once", async () => {
  const before = (await server.log()).filter(({ kind }) => kind === "token.move").length;
  await drag(mia, [4, 5], [5, 5]);
  await until(async () => String((await inTable("anna")).at) === String(onBoard([5, 5])), "Anna has moved");
  assert.deepEqual(await cellIn(gm, "anna"), [5, 5]);
  await new Promise((resolve) => setTimeout(resolve, 600));
  const moves = (await server.log()).filter(({ kind }) => kind === "token.move");
  assert.equal(moves.length, before + 1);
});

test("puts a token back that may not move, in every page, and says why", async () => {
  const { house_rules } = await server.scene();
  await server.command("rules.set", { house_rules, enforcement: "enforce" });
  await drag(mia, [5, 5], [2, 11]);
  await gm.page.locator(".enfilade-toast").filter({ hasText: "Anna" }).first().waitFor();
  await until(async () => String(await cellIn(gm, "anna")) === "5,5", "Anna is back in the GM's page");
  await until(async () => String(await cellIn(mia, "anna")) === "5,5", "Anna is back in the player's page");
  assert.deepEqual((await inTable("anna")).at, onBoard([5, 5]));
  const stored = await tabletop.stored(ids.anna);
  assert.deepEqual(
    [Math.floor(stored.x / CELL), Math.floor(stored.y / CELL)],
    [5, 5],
    "PlanarAlly has stored it",
  );
  await server.command("rules.set", { house_rules, enforcement: "advise" });
});

test("opens a door on either side", async () => {
  const state = async () => (await server.scene()).walls.find(({ door }) => door === "door").state;
  const toggle = () =>
    gm.page.evaluate((uuid) => globalThis.systems.door.toggleDoor(globalThis.getLocalId(uuid)), ids.door);
  await toggle();
  await until(async () => (await state()) === "open", "the table's door is open");
  await server.command("door.set", { wall: `${ids.door}-0`, state: "closed" });
  const blocks = (user) =>
    user.page.evaluate(
      (uuid) => globalThis.state.properties.readonly.data.get(globalThis.getLocalId(uuid)).blocksMovement,
      ids.door,
    );
  await until(() => blocks(gm), "the door is closed in the GM's page");
  await until(() => blocks(mia), "and in the player's");
});

test("shows the verdict on the token under the pointer", async () => {
  await click(gm, [5, 5]);
  await gm.page.waitForFunction(() => globalThis.enfilade.tabletop.overlay.layers.has("reach"));
  const { x, y } = await onScreen(gm, [8, 5]);
  await gm.page.mouse.move(x, y);
  await gm.page.mouse.move(x + 2, y + 2);
  await gm.page.locator(".enfilade-label").filter({ hasText: "Grim" }).waitFor();
  await picture(gm, "verdict");
});

test("attacks from the window, which changes the tracker in every page, and takes it back", async () => {
  await server.command("token.move", { token: ids.grim, at: onBoard([6, 5]), facing: 270 });
  await server.command("token.move", { token: ids.anna, at: onBoard([5, 5]), facing: 90 });
  await until(async () => String(await cellIn(mia, "grim")) === "6,5", "Grim has moved in every page");
  await gm.page.click("#enfilade-toggle");
  await gm.page.locator(".acts .chance").first().waitFor();
  await gm.page.fill("#enfilade-dice", "6");
  await gm.page.locator(".acts button.primary").first().click();
  await until(async () => (await tracker(gm, "grim")) === 2, "Grim is hurt in the GM's page");
  await until(async () => (await tracker(mia, "grim")) === 2, "and in the player's");
  await picture(gm, "attack");
  await gm.page.click("#enfilade-undo");
  await until(async () => (await tracker(mia, "grim")) === 3, "the undo reaches the player's page");
  await gm.page.click("#enfilade-toggle");
});

test("gives the table hit points that a person has changed, and writes a defeat", async () => {
  await gm.page.evaluate((uuid) => {
    const id = globalThis.getLocalId(uuid);
    const [one] = globalThis.systems.trackers.getAll(id);
    globalThis.systems.trackers.update(id, one.uuid, { value: 1 }, { ui: true, server: true });
  }, ids.grim);
  await until(async () => (await inTable("grim")).tracks.hp === 1, "the table has them");
  const grim = await inTable("grim");
  await server.command("token.place", { token: { ...grim, conditions: { ...grim.conditions, out: "" } } });
  const isOut = (user) =>
    user.page.evaluate(
      (uuid) => globalThis.state.properties.readonly.data.get(globalThis.getLocalId(uuid)).isDefeated,
      ids.grim,
    );
  await until(() => isOut(mia), "Grim is defeated in the player's page");
  await server.command("undo", {});
  await until(async () => !(await isOut(mia)), "and no longer");
});

test("has the floor that the GM sees, and comes back to the first as it was left", async () => {
  const first = await server.scene();
  const see = (name) =>
    gm.page.evaluate((floor) => globalThis.systems.floors.selectFloor({ name: floor }, false), name);
  tabletop.socket.emit("Floor.Create", "roof");
  await gm.page.waitForFunction(() => globalThis.state.floors.raw.floors.some(({ name }) => name === "roof"));
  const guard = token("Guard", [3, 3]);
  tabletop.add(guard, "tokens", "roof");
  await gm.page.waitForFunction(
    (uuid) => [...globalThis.idMap.keys()].some((id) => globalThis.getGlobalId(id) === uuid),
    guard.uuid,
  );
  ids.guard = guard.uuid;
  await profileOf(gm, "guard", ORC);
  await see("roof");
  await until(
    async () => (await server.scene()).tokens.some(({ id }) => id === guard.uuid),
    "the table has the roof",
  );
  assert.deepEqual(
    (await server.scene()).tokens.map(({ name }) => name),
    ["Guard"],
  );
  await see("ground");
  await until(async () => (await server.scene()).name === first.name, "the table has the ground");
  assert.deepEqual((await server.scene()).tokens, first.tokens);
  assert.deepEqual((await server.scene()).walls, first.walls);
});

test("goes on after the server was killed, with what has changed meanwhile", async () => {
  await server.kill();
  await gm.page.waitForFunction(() => globalThis.enfilade.live.state === "lost");
  await drag(mia, [5, 5], [5, 6]);
  await until(async () => String(await cellIn(gm, "anna")) === "5,6", "PlanarAlly goes on");
  await server.start();
  await until(
    async () => String((await inTable("anna")).at) === String(onBoard([5, 6])),
    "the table has Anna's place",
  );
  await gm.page.waitForFunction(() => globalThis.enfilade.live.state === "connected");
});

/** The GM's page as a host of the contract; its last tests leave the table. */
const contractHost = () => ({
  ...livePage(gm.page),
  ...{ server, token: ids.anna, door: `${ids.door}-0` },
  cell: () => cellIn(gm, "anna"),
  drawn: () => gm.page.evaluate(() => globalThis.enfilade.tabletop.overlay.layers.size),
  select: (id) =>
    gm.page.evaluate((uuid) => {
      globalThis.systems.selected.clear();
      if (uuid) globalThis.systems.selected.push(globalThis.getLocalId(uuid));
    }, id ?? null),
});
for (const [name, holds] of Object.entries(CONTRACT)) test(`contract: ${name}`, () => holds(contractHost()));

test("has no errors in any page", () => {
  assert.deepEqual([...gm.errors, ...mia.errors], []);
});
