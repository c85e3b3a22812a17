// The page as a whole: how much of it is the map, how many controls are visible, where each panel is at each size, the
// first minutes of a table, and a long log.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Player, SHARP, becomes, launch, newTable, startSkirmish, until } from "./harness.mjs";
import { text } from "./text.mjs";

const origin = process.env.ENFILADE_TEST_SERVER;
const PHONE = { hasTouch: true, isMobile: true };
const SIZES = [
  [1440, 900, {}],
  [1024, 768, {}],
  [844, 390, PHONE],
  [390, 844, PHONE],
];

/** Returns the share of the page that no panel covers, by points in a raster. */
const mapShare = ({ page }) =>
  page.evaluate(() => {
    let [free, all] = [0, 0];
    for (let y = 4; y < innerHeight; y += 8)
      for (let x = 4; x < innerWidth; x += 8) {
        all += 1;
        if (document.elementFromPoint(x, y)?.closest("#board")) free += 1;
      }
    return free / all;
  });

/**
 * Returns the visible controls. The units of the tracker are pieces and the lines of the log are text: each can be pressed,
 * but a table with more of them has no more controls.
 */
const controls = ({ page }) =>
  page.evaluate(() =>
    [...document.querySelectorAll("button, input, select, summary, a[href]")]
      .filter((one) => one.checkVisibility() && one.getBoundingClientRect().width > 1)
      .filter((one) => !one.matches(".unit, .log-line, .skip, .log-detail *"))
      .map((one) => one.id || one.textContent.trim()),
  );

/** Returns the panels that hang out of the page, and the pairs that lie over each other. */
const faults = ({ page }) =>
  page.evaluate(() => {
    const boxes = [".brand", ".corner", "#tracker", "#map-tools", "#dock", "#log"].map((selector) => {
      const { left, top, right, bottom } = document.querySelector(selector).getBoundingClientRect();
      return { selector, left, top, right, bottom };
    });
    const isOut = ({ left, top, right, bottom }) =>
      left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
    const isOver = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    return boxes.flatMap((one, i) => [
      ...(isOut(one) ? [`${one.selector} hangs out`] : []),
      ...boxes
        .slice(i + 1)
        .filter((other) => isOver(one, other))
        .map((other) => `${one.selector} lies over ${other.selector}`),
    ]);
  });

describe("the page at four sizes", () => {
  let table, browser;

  before(async () => {
    table = await newTable("coup_de_grace", { battle: true });
    browser = await launch(SHARP);
    await table.command("act", { act: { kind: "round" } });
  });
  after(() => browser?.close());

  for (const [width, height, more] of SIZES)
    test(`nothing overlaps or hangs out at ${width} x ${height}, and the buttons are large enough`, async () => {
      const player = await Player.open(browser, table.gm, { viewport: { width, height }, ...more });
      await player.isAtTable();
      await player.page.locator("#pick-bran").waitFor({ state: "attached" });
      await player.page.evaluate(() => {
        localStorage.clear();
        document.getElementById("pick-bran").click();
      });
      await player.page.locator("#dock h2").filter({ hasText: "Bran" }).waitFor();
      await player.page.locator("#panel-token .card[aria-busy=false]").waitFor({ state: "attached" });
      await becomes(() => faults(player), [], `each panel at ${width} x ${height}`);
      const least = { 1440: 0.75, 390: 0.55 }[width] ?? 0.5;
      // Folded, as it is at first on all but the largest size; unfolded the log has seven controls of its own.
      if (width >= 1024) await player.page.click("#log-fold");
      await until(async () => (await mapShare(player)) >= least, `the map has ${least} of the page`);
      const found = await controls(player);
      assert.ok(found.length <= 22, `${found.length} controls: ${found}`);
      assert.deepEqual(player.errors, []);
      await player.page.close();
    });

  test("an attack that is asked about stays inside a page that becomes smaller", async () => {
    const player = await Player.open(browser, table.gm, { viewport: { width: 1440, height: 900 } });
    await table.command("act", { act: { kind: "activate", token: "ilvane" }, override: "a test" });
    await player.page.click("#pick-ilvane");
    await player.page.click("#dock-attack:not([aria-disabled=true])");
    await player.page.locator("#attack").waitFor();
    await player.press("+"); // a map that was moved by hand is not fitted again
    await player.page.locator("#attack").evaluate((panel) => (panel.style.left = "1100px"));
    await player.page.setViewportSize({ width: 1024, height: 768 });
    await player.page.waitForFunction(
      () => document.querySelector("#attack").getBoundingClientRect().right <= window.innerWidth,
    );
    await player.page.close();
  });
});

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
