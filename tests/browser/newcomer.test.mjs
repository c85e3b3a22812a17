// What a newcomer meets: undo that stops in time, hidden units, a phone, the keyboard, whose turn it is.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { seriousFindings } from "./axe.mjs";
import { Player, becomes, launch, miniature, newTable, startSkirmish, until } from "./harness.mjs";
import { text } from "./text.mjs";

const FINGER_PX = 44;

describe("a newcomer runs a demo battle", () => {
  let server, browser, gm;

  before(async () => {
    server = await newTable("coup_de_grace", { battle: true });
    browser = await launch();
    gm = await Player.join(browser, server.gm, { viewport: { width: 1440, height: 900 } });
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  test("undo has nothing to take back before the battle, and keeps the map's picture", async () => {
    const { background, tokens } = await server.scene();
    await gm.page.locator("#undo[aria-disabled=true]").waitFor();
    for (let i = 0; i < 6; i += 1) await gm.press("Control+z");
    await gm.sees("#notices .is-error", "start of the battle");
    const scene = await server.scene();
    assert.deepEqual([scene.background, scene.tokens.length], [background, tokens.length]);
  });

  test("six clicks lead from the battle's link to the first attack", async () => {
    let clicks = 0;
    const click = async (selector) => ((clicks += 1), gm.page.click(selector));
    await click("#step"); // start the round
    await gm.sees("#round", text("Turn.Round", { round: 1 }));
    const sides = (await server.scene()).conditions.priority;
    const [own, target] = sides === "watch" ? ["ilvane", "goblin-1"] : ["goblin-1", "ilvane"];
    await click(`#pick-${own}`);
    await gm.page.locator("#step").filter({ visible: true }).waitFor();
    await click("#step"); // activate
    await gm.page.locator("#dock-attack").filter({ hasText: "%" }).waitFor();
    await click("#dock-attack");
    await click("#act-0");
    await gm.answerUntil(async () => /hits|misses/.test(await gm.lastEntry()), "the attack is in the log");
    assert.ok(clicks <= 6, `${clicks} clicks`);
  });

  test("undo and redo go back and forth, and undo to an entry takes all later ones", async () => {
    const after = await server.scene();
    await gm.page.click("#undo");
    await until(
      async () => (await gm.page.getAttribute("#redo", "aria-disabled")) === "false",
      "redo is possible",
    );
    await gm.page.click("#redo");
    await until(
      async () => JSON.stringify((await server.scene()).tokens) === JSON.stringify(after.tokens),
      "the attack stands again",
    );
    await gm.page.locator(".log-entry", { hasText: "Round 1 begins" }).locator(".log-line").click();
    await gm.page.locator(".log-entry", { hasText: "Round 1 begins" }).locator(".log-undo").click();
    await gm.sees("#round", text("Turn.NotStarted"));
    assert.deepEqual((await server.scene()).walls, after.walls);
  });

  test("the tracker shows each unit's side, hit points and state, and pans to the clicked one", async () => {
    const card = gm.page.locator("#pick-bran");
    await until(async () => /Bran[\s\S]*4\/4/.test(await card.innerText()), "its name and its hit points");
    await until(async () => /C7/.test(await card.innerText()), "its place");
    await gm.page.mouse.move(500, 400);
    for (let i = 0; i < 8; i += 1) await gm.page.click("#zoom-in");
    await gm.page.click("#pick-goblin-2");
    await gm.sees("#dock h2", "Goblin 2");
    await gm.openTab("setup");
    await gm.page.click("#pick-bran");
    await gm.page.locator("#panel-token").waitFor({ state: "visible" });
    await gm.page.click("#fit");
  });

  test("names tracks, sides and places in words", async () => {
    await gm.sees("#panel-token .chips", text("Track.hp"));
    const log = await gm.page.locator("#log-list").innerText();
    assert.ok(!/initiative of (watch|raiders)/.test(log), log);
    assert.ok(!/committed to by/.test(log), "the proofs of the dice are out of the way");
    await gm.openLogTools();
    await gm.page.locator(".log-more summary").click();
    await gm.page.check("#log-proofs");
    await gm.page.locator("#log-list").evaluate((list) => (list.scrollTop = 0));
    await gm.sees("#log-list", /committed to by/);
    await gm.page.uncheck("#log-proofs");
  });

  test("a click on a reachable cell plans a move, and a second one makes it", async () => {
    await gm.press("Space");
    await gm.sees("#round", text("Turn.Round", { round: 1 }));
    await gm.has(
      await server.command("act", { act: { kind: "activate", token: "bran" }, override: "Bran is first" }),
    );
    await gm.page.click("#pick-bran");
    gm.grid = (await server.scene()).grid;
    await gm.page.click("#fit");
    await until(
      async () => (await gm.page.locator("#panel-token .card").getAttribute("aria-busy")) === "false",
      "its reach is known",
    );
    const [x, y] = await gm.at([2, 5]);
    await gm.page.mouse.click(x, y);
    await gm.page.locator("#move-here").waitFor({ state: "visible" });
    assert.deepEqual((await server.token("bran")).at, [2, 6]);
    await gm.page.mouse.click(x, y);
    await until(async () => String((await server.token("bran")).at) === "2,5", "Bran has moved");
    await gm.sees("#dock h2", "Bran");
  });

  test("the GM edits hit points and conditions, and names and removes sides", async () => {
    await gm.page.click("#pick-bran");
    await gm.page.click("#edit-open");
    await gm.page.fill("#edit-track-hp", "2");
    await gm.page.selectOption("#edit-condition", "braced");
    await gm.page.click("#edit-save");
    await until(async () => (await server.token("bran")).tracks.hp === 2, "two hit points are left");
    assert.ok("braced" in (await server.token("bran")).conditions);
    await gm.openTab("setup");
    await gm.page.fill("#side-name", "Bystanders");
    await gm.page.click("#side-add");
    await gm.sees("#panel-setup", text("Setup.Sides"));
    await gm.page.locator('[id^="side-remove"]:not([disabled])').click();
    await until(async () => (await server.scene()).sides.length === 2, "the side is gone");
    await gm.page.fill("#side-name-watch", "The Guard");
    await gm.page.press("#side-name-watch", "Enter");
    await gm.sees("#tracker", "The Guard");
  });

  test("placing ends with Escape anywhere, and with the tab", async () => {
    for (const end of [() => gm.page.press("#place-unit", "Escape"), () => gm.openTab("rules")]) {
      await gm.openTab("setup");
      await gm.page.click("#place-toggle");
      await gm.sees("#place-toggle", text("Place.Stop"));
      await end();
      await gm.openTab("setup");
      await gm.sees("#place-toggle", text("Place.Start"));
    }
  });

  test("saves the log as Markdown and as a page that needs nothing else", async () => {
    await gm.openLogTools();
    if (!(await gm.page.locator("#log-markdown").isVisible()))
      await gm.page.locator(".log-more summary").click();
    await gm.page.fill("#note-text", "The *inn* burns.");
    await gm.page.click("#note-send");
    await gm.sees(".log-entry", "The *inn* burns.");
    const folder = mkdtempSync(join(tmpdir(), "enfilade-log-"));
    after(() => rmSync(folder, { recursive: true }));
    const saved = async (id, reader = "#reader-players") => {
      await gm.page.click(id);
      const [file] = await Promise.all([gm.page.waitForEvent("download"), gm.page.click(reader)]);
      assert.match(file.suggestedFilename(), reader === "#reader-gm" ? /-with-secrets\./ : /-for-players\./);
      await file.saveAs(join(folder, "log"));
      return readFileSync(join(folder, "log"), "utf8");
    };
    const markdown = await saved("#log-markdown");
    assert.match(markdown, /^# Trouble at the tavern[\s\S]*## Round 1[\s\S]*- Note: The \\\*inn\\\* burns\./);
    await gm.page.fill("#note-text", "The innkeeper is a spy.");
    await gm.page.check("#note-secret");
    await gm.page.click("#note-send");
    await gm.sees(".log-entry", "The innkeeper is a spy.");
    for (const id of ["#log-markdown", "#log-page", "#log-lines"]) {
      assert.doesNotMatch(await saved(id), /spy/, id);
      assert.match(await saved(id, "#reader-gm"), /spy/, id);
    }
    assert.match(await saved("#log-markdown", "#reader-gm"), /- GM only: .*spy/);
    const page = await saved("#log-page");
    assert.match(page, /^<!doctype html>/);
    assert.ok(!/(src|href)="(https?:|\/)/.test(page), "nothing is fetched");
  });

  test("the theme is chosen, and axe has no serious finding in either", async () => {
    // accessibility.test.mjs looks at every panel in both.
    for (const theme of ["dark", "light"]) {
      await gm.openTab("token");
      await gm.page.click("#display");
      await gm.page.selectOption("#display-theme", theme);
      await gm.page.locator(`html[data-theme=${theme}]`).waitFor();
      assert.deepEqual(await seriousFindings(gm), [], `display, ${theme}`);
      await gm.page.keyboard.press("Escape");
    }
  });

  test("met no error on the page", () => assert.deepEqual(gm.errors, []));
});

describe("a player, a phone and a hidden unit", () => {
  let server, browser, gm, mia;

  before(async () => {
    ({ server, browser, gm } = await startSkirmish());
    const link = await server.seatPlayer("Mia", ["Anna"]);
    mia = await Player.join(browser, link, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      deviceScaleFactor: 2,
    });
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  test("reads that the round begins although a unit is hidden, and never of units placed hidden", async () => {
    await gm.openTab("setup");
    await gm.page.check("#place-hidden");
    await gm.place("vampire", "red", [8, 3]);
    await gm.page.click("#step");
    await gm.answerUntil(async () => (await server.scene()).tracks.round === 1, "the round has begun");
    await mia.openTab("log");
    await mia.sees(".log-entry", "Round 1 begins");
    assert.ok(!/Vampire|Lurker|out of sight/.test(await mia.page.locator("body").innerText()));
    await mia.page.tap("#log-fold");
  });

  test("a cell and every button are as large as a finger", async () => {
    await until(async () => (await mia.page.locator("#pick-Anna").count()) === 1, "the units are there");
    const small = () =>
      mia.page.evaluate((least) => {
        const visible = [...document.querySelectorAll("button, select, input, summary")].filter(
          (one) => one.checkVisibility() && one.getBoundingClientRect().width > 1,
        );
        return visible
          .filter((one) => one.getBoundingClientRect().height < least - 0.5)
          .map((one) => one.id || one.textContent);
      }, FINGER_PX);
    await becomes(small, [], "each is as large");
  });

  test("own units carry a sign in the tracker, and the title says whose turn it is", async () => {
    assert.match(await mia.page.locator("#pick-Anna").innerText(), new RegExp(text("Tracker.Yours")));
    await server.command("act", { act: { kind: "activate", token: "Anna" }, override: "Her turn" });
    await until(async () => (await mia.page.title()).startsWith(text("Tracker.Your")), "the title says it");
    await mia.sees("#active", text("Tracker.YourTurn", { name: "Anna" }));
  });

  test("two fingers zoom the map, and a tap on a cell and on the button moves a unit", async () => {
    const box = await mia.page.locator("#board").boundingBox();
    const middle = [box.x + box.width / 2, box.y + box.height / 2];
    const session = await mia.context.newCDPSession(mia.page);
    const before = await mia.mapPicture();
    const touch = (type, spread) =>
      session.send("Input.dispatchTouchEvent", {
        type,
        touchPoints:
          spread === null
            ? []
            : [-1, 1].map((sign, id) => ({ x: middle[0] + sign * spread, y: middle[1], id })),
      });
    await touch("touchStart", 40);
    for (const spread of [55, 70, 90]) await touch("touchMove", spread);
    await touch("touchEnd", null);
    await until(async () => (await mia.mapPicture()) !== before, "the map has grown");
    await mia.page.tap("#fit");
    await mia.page.tap("#pick-Anna");
    await until(
      async () => (await mia.page.locator("#panel-token .card").getAttribute("aria-busy")) === "false",
      "her reach is known",
    );
    await mia.page.touchscreen.tap(...(await mia.at([3, 6])));
    await mia.page.tap("#move-here");
    await until(async () => String((await server.token("Anna")).at) === "3,6", "Anna has moved");
  });

  test("the sheet slides over the map, and closes again", async () => {
    const high = async () => (await mia.page.locator("#board").boundingBox()).height;
    const before = await high();
    await mia.openTab("token");
    await mia.page.locator("#panel-token").waitFor({ state: "visible" });
    assert.deepEqual(await seriousFindings(mia), []);
    await mia.page.tap("#drawer-close");
    await mia.page.locator("#panel-token").waitFor({ state: "hidden" });
    await becomes(high, before, "the map is as high as before");
  });

  test("removing a player asks first", async () => {
    await gm.openTab("players");
    const remove = gm.page
      .locator("#panel-players")
      .getByRole("button", { name: text("Players.RemoveName", { name: "Mia" }) });
    await remove.click();
    await gm.page.click("#confirm-no");
    await gm.page.locator("#confirm-question").waitFor({ state: "detached" });
    await mia.sees("#connection", text("Connection.connected"));
    await remove.click();
    await gm.page.click("#confirm-yes");
    await mia.sees("#welcome", "does not open a table");
  });

  test("a double click on an answer does not reach the board below it", async () => {
    await gm.page.click("#pick-Anna");
    await gm.sees("#dock h2", "Anna");
    await gm.openTab("players");
    await gm.page.click("#rotate-gm");
    const { x, y, width, height } = await gm.page.locator("#confirm-no").boundingBox();
    const answer = [x + width / 2, y + height / 2];
    await gm.page.mouse.dblclick(...answer);
    await gm.page.locator("#confirm-question").waitFor({ state: "detached" });
    await gm.closeDrawer();
    assert.deepEqual(
      [await gm.page.locator("#dock h2").innerText(), await gm.page.locator("#move-here").isVisible()],
      ["Anna", false],
    );
    await gm.page.waitForTimeout(600); // longer than between the clicks of a double click
    await gm.page.mouse.click(...answer);
    await until(
      async () =>
        (await gm.page.locator("#move-here").isVisible()) ||
        (await gm.page.locator("#dock h2", { hasText: "Anna" }).count()) === 0,
      "a click of its own reaches the board",
    );
  });

  test("met no error on the GM's page", () => assert.deepEqual(gm.errors, []));
});
