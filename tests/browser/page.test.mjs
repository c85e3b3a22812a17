// The first minutes of a table, a board at rest, and a long log.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Player, launch, launchWith, newTable, startSkirmish, until } from "./harness.mjs";
import { text } from "./text.mjs";

describe("the first minutes", () => {
  let table, browser, gm;

  before(async () => {
    table = await newTable();
    browser = await launch();
    gm = await Player.join(browser, table.gm, { viewport: { width: 1440, height: 900 } });
  });
  after(() => browser?.close());

  test("an empty table has three large steps, which lead to the map, the units and the players", async () => {
    await gm.page.locator("#first-steps").waitFor();
    await gm.page.click("#first-units");
    await gm.page.locator("#place-unit:focus").waitFor();
    await gm.page.click("#first-players");
    await gm.page.locator("#invite-player:focus").waitFor();
  });

  test("the invitation names the table and its game, and that its address is this computer's", async () => {
    await gm.page.click("#invite-player");
    await gm.sees("#invitation-local", "127.0.0.1");
    const link = await gm.page.inputValue("#invitation-link");
    const guest = await Player.open(browser, link);
    await guest.sees("#join-table", "A test's table, Coup-de-Grace");
    await guest.page.fill("#join-name", "Mia");
    await guest.page.click("#join-submit");
    await gm.closeDrawer();
    await gm.sees("#waiting", text("Players.OneWaits", { name: "Mia" }));
    await gm.page.click("#waiting");
    await gm.page.locator("[id^=admit-]").click();
    await guest.sees("#dock-guest", text("Dock.NoUnit"));
    await gm.place("human-swordsman", "blue", [3, 3]);
    const { id, name } = (await table.scene()).tokens[0];
    assert.equal(await gm.page.locator("#first-steps").isVisible(), false);
    const seat = (await table.members()).find((member) => member.name === "Mia").seat;
    await table.command("tokens.assign", { player: seat, tokens: [id] });
    await guest.sees("#notices", text("Dock.NowYours", { names: name }));
    assert.deepEqual([gm.errors, guest.errors], [[], []]);
  });
});

describe("a board at rest", () => {
  test("asks for no frame, which would cost a laptop's battery", async () => {
    const { browser, gm } = await startSkirmish();
    const frames = () =>
      gm.page.evaluate(async (ms) => {
        const { requestAnimationFrame: ask } = window;
        let asked = 0;
        window.requestAnimationFrame = (call) => ((asked += 1), ask(call));
        await new Promise((resolve) => setTimeout(resolve, ms));
        window.requestAnimationFrame = ask;
        return asked;
      }, 300);
    await until(async () => (await frames()) === 0, "the board rests");
    await browser.close();
  });
});

/** Notes what a page asks the graphics card for, and when it first draws the map and first writes on it. */
function watchDrawing() {
  window.drawing = { contexts: new Set(), first: 0, written: 0 };
  const { getContext } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.getContext = function (kind, ...given) {
    if (kind.startsWith("webgl")) window.drawing.contexts.add(this);
    return getContext.call(this, kind, ...given);
  };
  const { drawElements } = WebGL2RenderingContext.prototype;
  WebGL2RenderingContext.prototype.drawElements = function (...given) {
    window.drawing.first ||= performance.now();
    return drawElements.apply(this, given);
  };
  const { fillText } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.fillText = function (text, ...given) {
    if (text === "hidden") window.drawing.written ||= performance.now();
    return fillText.call(this, text, ...given);
  };
}

describe("the first picture of a map", () => {
  test("comes before the units' texts are written, and takes one context of the graphics card", async () => {
    const { server, browser } = await startSkirmish();
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.addInitScript(watchDrawing);
    await page.goto(server.gm);
    await page.waitForFunction(() => window.drawing.written);
    const { contexts, first, written } = await page.evaluate(() => ({
      ...window.drawing,
      contexts: window.drawing.contexts.size,
    }));
    assert.equal(contexts, 1);
    assert.ok(first > 0 && first < written, `drawn at ${first}, written at ${written}`);
    await browser.close();
  });

  /** Opens a table whose program comes only once it is released. */
  async function opensSlowly() {
    const { server, browser } = await startSkirmish();
    const context = await browser.newContext();
    const page = await context.newPage();
    let release = () => {};
    const isReleased = new Promise((resolve) => (release = resolve));
    await page.route("**/board.min.js", async (route) => (await isReleased, route.continue()));
    const tickets = [];
    page.on("response", (answer) => answer.url().endsWith("/tickets") && tickets.push(answer.ok()));
    await page.goto(server.gm, { waitUntil: "commit" });
    await until(() => tickets.length, "a ticket is requested");
    return { browser, page, release, tickets };
  }

  test("has the seat's ticket requested before the page's program runs, and once", async () => {
    const { browser, page, release, tickets } = await opensSlowly();
    release();
    await page.locator("#board canvas").waitFor({ state: "attached" });
    assert.deepEqual(tickets, [true]);
    await browser.close();
  });

  test("comes though the program took longer than the ticket is valid: it requests another", async () => {
    const { browser, page, release, tickets } = await opensSlowly();
    await page.evaluate(() => {
      const now = performance.now.bind(performance);
      performance.now = () => now() + 60_000;
    });
    release();
    await page.locator("#board canvas").waitFor({ state: "attached" });
    assert.deepEqual(tickets, [true, true]);
    await browser.close();
  });
});

describe("a map that cannot be drawn", () => {
  let table, browser;

  before(async () => {
    table = await newTable();
    browser = await launch();
  });
  after(() => browser?.close());

  /** Opens the table in contexts that a function prepares; says why there is no map, and that the rest is there. */
  async function opensWithout(newContext, key) {
    const gm = await Player.open({ newContext, isSharp: false }, table.gm);
    await gm.sees("#no-map", text(key));
    await gm.page.click("#first-players");
    await gm.page.locator("#invite-player").waitFor();
    await table.command("note", { text: `Told ${key}.`, secret: false });
    await gm.sees(".log-entry", `Told ${key}.`);
    await gm.page.context().close();
  }

  test("says that its library did not come, and the rest of the page works", async () => {
    const newContext = async (options) => {
      const context = await browser.newContext(options);
      await context.route("**/pixi.min.js", (route) => route.abort());
      return context;
    };
    await opensWithout(newContext, "Page.NoLibrary");
  });

  test("says that the browser has no WebGL, and the rest of the page works", async () => {
    const without = await launchWith(["--disable-3d-apis"]);
    await opensWithout((options) => without.newContext(options), "Page.NoWebGl");
    await without.close();
  });

  test("comes back by itself once a graphics card that was reset answers again", async () => {
    const { browser, gm } = await startSkirmish();
    const map = gm.page.locator("#board");
    const picture = () =>
      map.screenshot({ animations: "disabled" }).then((image) => image.toString("base64"));
    await until(async () => (await picture()) === (await picture()), "the board rests");
    const before = await picture();
    await gm.page.evaluate(async () => {
      const canvas = document.querySelector("#board canvas");
      const isLost = new Promise((resolve) =>
        canvas.addEventListener("webglcontextlost", resolve, { once: true }),
      );
      canvas.getContext("webgl2").getExtension("WEBGL_lose_context").loseContext();
      await isLost;
    });
    await until(async () => (await picture()) === before, "the map is there again");
    await browser.close();
  });
});

describe("a contrast theme of the system", () => {
  test("leaves visible what is selected, what is impossible, and the points that are left", async () => {
    const { server, browser, gm } = await startSkirmish();
    const player = await Player.join(browser, server.gm, { forcedColors: "active" });
    await player.page.locator("#units [id^=pick-]").first().click();
    await player.page.locator(".movement i").first().waitFor();
    const looks = (selector, name) =>
      player.page
        .locator(selector)
        .first()
        .evaluate((one, key) => getComputedStyle(one)[key], name);
    const ground = await looks("#dock", "backgroundColor");
    assert.notEqual(await looks(".movement i", "backgroundColor"), ground);
    assert.equal(await looks(".unit.is-selected", "outlineStyle"), "solid");
    const [dimmed, plain] = ['.dock-act[aria-disabled="true"]', "#dock-more"];
    assert.notEqual(await looks(dimmed, "color"), await looks(plain, "color"));
    assert.deepEqual([gm.errors, player.errors], [[], []]);
    await browser.close();
  });
});

describe("the tracker", () => {
  test("shows the face of each unit, as one element of the page", async () => {
    const { browser, gm } = await startSkirmish();
    const faces = gm.page.locator("#units .unit .portrait");
    const isDrawn = (all) => {
      const middle = ({ width }) => [width >> 1, width >> 1, 1, 1];
      const alpha = (one) => one.getContext("2d").getImageData(...middle(one)).data[3];
      return all.length > 0 && all.every((one) => alpha(one) === 255);
    };
    await until(() => faces.evaluateAll(isDrawn), "the faces are drawn");
    await browser.close();
  });
});

describe("a long log", () => {
  const NOTES = 320;
  let table, browser, gm;

  before(async () => {
    table = await newTable();
    browser = await launch();
    for (let i = 1; i <= NOTES; i += 1)
      await table.command("note", { text: `Note number ${i}.`, secret: false });
    gm = await Player.join(browser, table.gm, { viewport: { width: 1440, height: 900 } });
  });
  after(() => browser?.close());

  /** Returns the number of elements once no frame changes it: rows are put into the page as their heights are known. */
  async function settledElements() {
    const count = () =>
      gm.page.evaluate(
        () =>
          new Promise((resolve) =>
            setTimeout(
              () => requestAnimationFrame(() => resolve(document.querySelectorAll("*").length)),
              100,
            ),
          ),
      );
    for (let last = await count(); ;) {
      const now = await count();
      if (now === last) return now;
      last = now;
    }
  }

  test("opens at its end, and only what is in view is in the page", async () => {
    await gm.sees(".log-entry", `Note number ${NOTES}.`);
    assert.ok((await gm.page.locator(".log-entry").count()) < 80);
    const before = await settledElements();
    for (let i = 1; i <= 20; i += 1) await table.command("note", { text: `Later note ${i}.`, secret: false });
    await gm.sees(".log-entry", "Later note 20.");
    const grown = (await settledElements()) - before;
    assert.ok(grown < 20, `20 entries added ${grown} elements`);
  });

  test("reaches back to the first entry by scrolling, after a reload", async () => {
    await until(async () => {
      await gm.page.locator("#log-list").evaluate((list) => (list.scrollTop = 0));
      return (await gm.page.locator(".log-entry", { hasText: "Note number 1." }).count()) === 1;
    }, "the first note is in view");
  });

  test("a search finds what the page had not read, and is cleared again", async () => {
    await gm.page.reload();
    await gm.sees(".log-entry", "Later note 20.");
    await gm.openLogTools();
    await gm.page.fill("#log-search", "number 7.");
    await gm.sees(".log-entry", "Note number 7.");
    await gm.page.fill("#log-search", "");
    await until(async () => (await gm.entryCount()) >= NOTES + 20, "all are there again");
    assert.deepEqual(gm.errors, []);
  });

  test("a line unfolds by keyboard and by pointer", async () => {
    await gm.page.locator("#log-list").evaluate((list) => (list.scrollTop = list.scrollHeight));
    const line = gm.page.locator(".log-entry", { hasText: "Later note 18." }).locator(".log-line");
    await line.click();
    await gm.page.locator(".log-entry.is-open", { hasText: "Later note 18." }).waitFor();
    await gm.page.keyboard.press("ArrowDown");
    await gm.page.keyboard.press("Enter");
    await gm.page.locator(".log-entry.is-open", { hasText: "Later note 19." }).waitFor();
  });
});
