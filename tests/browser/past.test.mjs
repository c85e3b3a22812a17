import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { Player, becomes, launch, miniature, newTable, until } from "./harness.mjs";
import { takePicture } from "./pictures.mjs";

const GRID = { kind: "square", columns: 14, rows: 10, distance: 1, units: "squares" };
const WALL = { id: "screen", line: [4 * 64, 4 * 64, 8 * 64, 4 * 64] };

/** Until a saved page has painted its map. */
const PAINTING_MS = 8_000;

describe("the replay of a battle on the board", () => {
  let server, browser, gm, entries;
  const text = (player = gm) => player.page.locator("#past-text").innerText();
  const number = async (player = gm) => (await player.page.locator("#past-count").innerText()).split("/")[0];
  const picture = () => gm.mapPicture();
  const move = (token, at) =>
    server.command("token.move", { token, at, facing: 0, override: "a test's order" });

  before(async () => {
    server = await newTable();
    const scene = { ...(await (await server.clear()).scene()), grid: GRID, background: "", terrain: [] };
    await server.command("scene.set", { scene: { ...scene, walls: [WALL], tokens: [] } });
    await server.command("token.place", miniature("Anna", "blue", [3, 7], ["sword", "shield"]));
    await server.command("token.place", miniature("Grim", "red", [9, 2], ["axe", "fist"]));
    await server.command(
      "token.place",
      miniature("Lurker", "red", [1, 1], ["mace", "fist"], { hidden: true }),
    );
    for (const column of [4, 5, 6, 7]) await move("Anna", [column, 6]);
    await move("Lurker", [2, 2]);
    await move("Grim", [8, 5]);
    const act = { kind: "melee", token: "Anna", target: "Grim", weapon: "sword" };
    await server.command("act", { act, faces: [6], override: "a test's order" });
    browser = await launch();
    gm = await Player.join(browser, server.gm);
    await gm.page.click("#fit");
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  test("opens at now, and the keys go back and forth", async () => {
    await gm.page.click("#past-open");
    await until(async () => (await text()).includes("Anna"), "the last entry stands in the bar");
    const last = Number(await number());
    const now = await picture();
    await gm.page.keyboard.press("ArrowLeft");
    await until(async () => Number(await number()) === last - 1, "one entry back");
    await until(async () => /Grim/.test(await text()), "the entry before stands in the bar");
    await gm.page.keyboard.press("Home");
    await until(async () => (await number()) === "0", "the start");
    await until(async () => (await picture()) !== now, "the board shows the start");
    await gm.page.keyboard.press("End");
    await until(async () => Number(await number()) === last, "now again");
  });

  test("shows the overlay of a unit at that moment, and leaves the present alone", async () => {
    const seq = (await server.log()).findIndex(
      ({ text: words }) => /Anna/.test(words) && /G7|moves/.test(words),
    );
    assert.ok(seq > 0);
    await gm.page.locator("#past-slider").fill(String(seq + 1));
    await until(async () => Number(await number()) === seq + 1, "the slider leads there");
    const [x, y] = await gm.at([4, 6]);
    const asked = gm.page.waitForResponse((answer) => answer.url().includes("replay?token=Anna"));
    await gm.page.mouse.click(x, y);
    const { overlays } = await (await asked).json();
    const [overlay] = overlays;
    assert.equal(overlay.token, "Anna");
    assert.equal(overlay.seq, seq + 1);
    assert.deepEqual((await server.token("Anna")).at, [7, 6]);
    await takePicture(gm.page, "replay");
  });

  test("leaves the battle alone whichever key is pressed, on the board as well", async () => {
    const here = Number(await number());
    entries = (await server.log()).length;
    await gm.press("ArrowLeft");
    await until(async () => Number(await number()) === here - 1, "the key goes back");
    await gm.press("n", "ArrowRight", "q", "Enter");
    await until(async () => Number(await number()) === here, "the key goes forward");
  });

  test("has a link to the moment, which opens there", async () => {
    const here = await number();
    await until(() => new RegExp(`at=${here}$`).test(gm.page.url()), "the address names the moment");
    const again = await Player.join(browser, gm.page.url());
    await until(async () => (await number(again)) === here, "the link leads to the moment");
    await again.context.close();
  });

  test("plays at the chosen speed to the end, and the space bar pauses", async () => {
    await gm.page.locator(".past").focus();
    await gm.page.keyboard.press("Home");
    await gm.page.selectOption("#past-speed", "30");
    await gm.page.locator(".past").focus();
    await gm.page.keyboard.press("Space");
    const [, last] = (await gm.page.locator("#past-count").innerText()).split("/");
    await until(async () => (await number()) === last, "the battle has been played");
    await gm.page.locator("#past-play").getByText("▶").waitFor();
  });

  test("reads the overlays of a unit ahead while it plays, each once", async () => {
    await gm.page.click("#past-open"); // closes it: a new replay has no unit selected and nothing read
    await gm.page.click("#past-open");
    await until(async () => (await text()).includes("Anna"), "the last entry stands in the bar"); // the bar is there before
    const [, last] = (await gm.page.locator("#past-count").innerText()).split("/").map(Number);
    const start = last - 6; // the entry of the first of four moves
    await gm.page.locator("#past-slider").fill(String(start));
    await until(async () => (await number()) === String(start), "the slider leads there");
    const read = [];
    const note = async (answer) => {
      if (!answer.url().includes("replay?token=Anna")) return;
      const at = Number(new URL(answer.url()).searchParams.get("at"));
      read.push(...(await answer.json()).overlays.map((overlay, i) => [at + i, overlay.seq]));
    };
    gm.page.on("response", note);
    await gm.page.mouse.click(...(await gm.at([4, 6])));
    await until(async () => read.length === 1, "the overlay of the moment");
    await gm.page.locator(".past").focus();
    await gm.page.keyboard.press("Space");
    await until(async () => (await number()) === String(last), "the battle has been played");
    await until(async () => read.length === last - start + 1, "an overlay of each moment");
    gm.page.off("response", note);
    assert.deepEqual(
      read.sort(([a], [b]) => a - b),
      Array.from({ length: last - start + 1 }, (_, i) => [start + i, start + i]),
    );
  });

  test("a click on an entry's number in the log leads to its moment", async () => {
    const first = gm.page.locator(".log-seq").first();
    const seq = await first.innerText();
    await first.click();
    await until(async () => (await number()) === seq, "the entry's moment");
  });

  test("shows a watcher only what the watcher saw", async () => {
    const watcher = await Player.join(browser, server.spectator);
    const pages = [];
    watcher.page.on("response", async (answer) => {
      if (answer.url().includes("replay?start")) pages.push(await answer.text());
    });
    await watcher.page.click("#past-open");
    await until(async () => pages.length > 0, "a page of the log");
    assert.doesNotMatch(pages.join(), /Lurker/);
    assert.match(pages.join(), /Grim/);
    await watcher.context.close();
  });

  test("closes back to now", async () => {
    await gm.page.locator(".past").focus();
    await gm.page.keyboard.press("Escape");
    await until(async () => (await gm.page.locator(".past").count()) === 0, "the bar is gone");
    await until(() => !/at=/.test(gm.page.url()), "the address names no moment");
    await gm.hasSentAll();
    assert.equal((await server.log()).length, entries + 1, "a note alone: no key has done anything");
    assert.deepEqual(gm.errors, []);
  });

  test("says when the server cannot be reached, and opens once it can", async () => {
    await gm.context.setOffline(true);
    await gm.page.click("#past-open");
    await gm.sees("#notices .is-error", "Cannot reach the server");
    assert.equal(await gm.page.locator(".past").count(), 0);
    await gm.closesNotices();
    await gm.page.click("#branch-open");
    await gm.sees("#notices .is-error", "Cannot reach the server");
    await gm.context.setOffline(false);
    await gm.page.click("#past-open");
    await until(async () => (await text()) !== "", "the replay is there");
    await gm.page.click("#past-close");
    const own = /ERR_INTERNET_DISCONNECTED/; // the browser's notes of the failed requests
    assert.deepEqual(
      gm.errors.filter((error) => !own.test(error)),
      [],
    );
  });

  test("is in the saved log, which plays without the server", async () => {
    const saver = await Player.join(browser, server.gm, { paints: true });
    await saver.openLogTools();
    await saver.page.click(".log-more summary");
    await saver.page.click("#log-page");
    const [download] = await Promise.all([
      saver.page.waitForEvent("download"),
      saver.page.click("#reader-gm"),
    ]);
    const html = Buffer.concat(await (await download.createReadStream()).toArray()).toString();
    assert.match(html, /data:image\/(png|jpeg|webp);base64/, "it has the painted map");
    assert.deepEqual(saver.errors, []);
    await saver.context.close();
    const context = await browser.newContext({ offline: true, viewport: { width: 1000, height: 1400 } });
    const page = await context.newPage();
    const errors = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await page.setContent(html);
    await page.locator("#past-slider").waitFor();
    const shot = async () => (await page.locator("#replay canvas").screenshot()).toString("base64");
    await page.getByText("Anna").first().waitFor();
    const [, , , cover] = await page
      .locator("#replay canvas")
      .evaluate((board) => [...board.getContext("2d").getImageData(8, 8, 1, 1).data]);
    assert.equal(cover, 255, "the painted map lies under the units");
    const isAtEnd = async () => /^(\d+)\/\1$/.test(await page.locator("#past-count").innerText());
    await until(isAtEnd, "it opens at its last entry");
    if (process.env.SCREENSHOT) await page.waitForTimeout(PAINTING_MS);
    await takePicture(page, "saved-log");
    const end = await shot();
    await page.locator(".past").focus();
    await page.keyboard.press("Home");
    await until(async () => (await shot()) !== end, "the saved board shows the start");
    assert.deepEqual(errors, []);
    await context.close();
  });
});
