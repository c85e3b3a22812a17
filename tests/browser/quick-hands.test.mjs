// A quick hand on a slow line: what the GM changes before the table has answered lasts all the same.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Player, becomes, launch, miniature, newTable, until } from "./harness.mjs";
import { unitPicture } from "./png.mjs";

/** The time that each message is on its way. */
const LINE_MS = 120;

/** The page's end of its latest connection. */
let line;

/** Answers wait for this before they go on their way. */
let isReleased = Promise.resolve();

/** Delays the messages of a page's connections, both ways; their order stays. */
const slowLine = (page) =>
  page.routeWebSocket(/socket.io/, (socket) => {
    const server = socket.connectToServer();
    line = socket;
    socket.onMessage((frame) => setTimeout(() => server.send(frame), LINE_MS));
    server.onMessage(async (frame) => {
      await isReleased;
      setTimeout(() => socket.send(frame), LINE_MS);
    });
  });

describe("a quick hand on a slow line", () => {
  let table, browser, gm;

  const terrain = async () => (await table.scene()).terrain;
  const cellsOf = async () => (await terrain()).flatMap(({ cells }) => cells.map(String)).sort();
  const button = (name) => gm.page.click(`#draw-${name}`);

  before(async () => {
    table = await (await newTable()).clear();
    await table.command("token.place", miniature("Anna", "blue", [9, 9], ["sword", "shield"]));
    browser = await launch();
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    gm = new Player(page, context);
    page.on("pageerror", (error) => gm.errors.push(error.message));
    await slowLine(page);
    await page.goto(table.gm);
    await gm.isAtTable();
    gm.grid = (await table.scene()).grid;
    await gm.openTab("setup");
    await gm.page.click("#fit");
  });
  after(() => browser?.close());

  /** Paints from cell to cell, of which the page hears only the ends. */
  async function stroke(from, to) {
    await gm.page.mouse.move(...(await gm.at(from)));
    await gm.page.mouse.down();
    await gm.page.mouse.move(...(await gm.at(to)));
    await gm.page.mouse.up();
  }

  test("strokes one after another have no gaps, and each lasts", async () => {
    await button("terrain");
    await stroke([1, 1], [4, 1]);
    await stroke([1, 2], [3, 2]);
    await stroke([2, 3], [2, 3]);
    const cells = ["1,1", "1,2", "2,1", "2,2", "2,3", "3,1", "3,2", "4,1"];
    await becomes(cellsOf, cells, "all cells are painted");
    assert.equal((await terrain()).length, 1, "like terrain is one patch");
  });

  test("cells erased one after another are all gone", async () => {
    await button("erase");
    for (const cell of [
      [1, 1],
      [2, 1],
      [3, 1],
      [4, 1],
    ])
      await gm.page.mouse.click(...(await gm.at(cell)));
    await becomes(cellsOf, ["1,2", "2,2", "2,3", "3,2"], "four are left");
  });

  test("two fields changed one after another both last", async () => {
    await button("edit");
    await gm.page.mouse.click(...(await gm.at([2, 2])));
    await gm.page.selectOption("#terrain-cost", "3");
    await gm.page.click("#terrain-blocks_sight");
    await gm.page.click("#terrain-hidden");
    const fields = async () => {
      const [{ cost, blocks_sight: blocks, hidden }] = await terrain();
      return [cost, blocks, hidden];
    };
    await becomes(fields, [3, true, true], "all three are changed");
    await button("edit");
  });

  test("two sides renamed and two doors cut one after another all last", async () => {
    const [first, second] = (await table.scene()).sides;
    await gm.page.fill(`#side-name-${first.id}`, "Mill");
    await gm.page.fill(`#side-name-${second.id}`, "Ford");
    await gm.page.locator(`#side-name-${second.id}`).blur();
    const names = async () => (await table.scene()).sides.map(({ name }) => name).slice(0, 2);
    await becomes(names, ["Mill", "Ford"], "both names are new");
    const corner = async ([column, row]) => gm.at([column - 0.5, row - 0.5]);
    const drag = async (from, to) => {
      await gm.page.mouse.move(...(await corner(from)));
      await gm.page.mouse.down();
      await gm.page.mouse.move(...(await corner(to)), { steps: 2 });
      await gm.page.mouse.up();
    };
    await button("wall");
    await drag([1, 6], [9, 6]);
    await button("door");
    await drag([2, 6], [3, 6]);
    await drag([6, 6], [7, 6]);
    const walls = async () =>
      (await table.scene()).walls
        .filter(({ line }) => line[1] === 384 && line[3] === 384)
        .map(({ line, door }) => `${line[0]}-${line[2]} ${door}`)
        .sort();
    const cut = ["128-192 door", "192-384 none", "384-448 door", "448-576 none", "64-128 none"];
    await becomes(walls, cut, "the wall has both doors");
    await button("door");
  });

  test("a unit that moves while its picture is being sent stays where it went", async () => {
    await gm.page.click("#pick-Anna");
    await gm.page.click("#edit-open");
    let send = () => {};
    const isHeld = new Promise((resolve) => (send = resolve));
    await gm.page.route("**/pictures*", async (route) => {
      await isHeld;
      await route.continue();
    });
    await gm.page.setInputFiles("#edit-picture", unitPicture());
    await gm.has(await table.command("token.move", { token: "Anna", at: [10, 9], facing: 90 }));
    send();
    const anna = async () => {
      const { at, image } = await table.token("Anna");
      return [String(at), image.startsWith("/api/")];
    };
    await becomes(anna, ["10,9", true], "it has its picture where it is");
  });

  test("strokes last whose answers a cut line keeps back", async () => {
    const before = await cellsOf();
    await gm.openTab("setup");
    await gm.page.click("#fit");
    await button("terrain");
    await stroke([1, 11], [3, 11]);
    await line.close({ code: 4000 });
    await stroke([1, 12], [2, 12]);
    await stroke([4, 12], [4, 12]);
    const cells = ["1,11", "2,11", "3,11", "1,12", "2,12", "4,12"];
    await becomes(cellsOf, [...before, ...cells].sort(), "all cells are painted");
    await button("terrain");
  });

  test("a unit that is selected is ringed while its overlay is still on the way, and that is drawn as it comes", async () => {
    const drawn = () => gm.page.evaluate(() => window.drawn);
    await gm.page.evaluate(() => {
      const { clear } = WebGL2RenderingContext.prototype;
      window.drawn = 0; // pictures of the map: each begins with an empty one
      WebGL2RenderingContext.prototype.clear = function (mask) {
        window.drawn += 1;
        return clear.call(this, mask);
      };
    });
    await gm.press("Escape", "Escape");
    await until(async () => {
      const before = await drawn();
      await gm.page.waitForTimeout(300);
      return (await drawn()) === before;
    }, "the map rests");
    let release = () => {};
    isReleased = new Promise((resolve) => (release = resolve));
    const before = await drawn();
    await gm.page.click("#pick-Anna");
    await until(async () => (await drawn()) > before, "the unit is ringed");
    const ringed = await drawn();
    release();
    await until(async () => (await drawn()) > ringed, "its overlay is drawn");
  });

  test("a unit that is selected and goes on at once is the one that acts, not the one nearer to the enemy", async () => {
    for (const [id, side, at] of [
      ["Bea", "blue", [2, 9]],
      ["Grim", "red", [11, 9]],
      ["Hob", "red", [14, 2]],
    ])
      await table.command("token.place", miniature(id, side, at, ["sword", "shield"]));
    await gm.has(await table.command("act", { act: { kind: "round" } }));
    const far = (await table.scene()).conditions.priority === "blue" ? "Bea" : "Hob";
    await gm.press("Escape", "Escape");
    await gm.page.click(`#pick-${far}`);
    await gm.page.click("#step");
    const active = async () => (await table.scene()).conditions.active;
    await until(active, "a unit is active");
    assert.equal(await active(), far);
    assert.deepEqual(gm.errors, []);
  });
});
