// Faults that a first look at the page found, each tried again: secrets that look like the rest, a seat that is full
// without a word, units cut off in the tracker, a dialog that opens at its end.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Player, launch, startSkirmish, until } from "./harness.mjs";

const WIDE = { viewport: { width: 1440, height: 900 } };
/** A player's seat is open in no more pages. */
const PAGES_OF_A_SEAT = 4;

describe("at a first look", () => {
  let server, browser, gm;

  before(async () => {
    ({ server, browser } = await startSkirmish());
    gm = await Player.join(browser, server.gm, WIDE);
  });
  after(() => browser?.close());

  test("a note for the GM alone has a color and a lock of its own, and a public one has not", async () => {
    await server.command("note", { text: "The door creaks." });
    await server.command("note", { text: "The innkeeper is a spy.", secret: true });
    const line = (words) => gm.page.locator("#log-list .log-entry").filter({ hasText: words });
    await line("spy").waitFor();
    const looks = await Promise.all(
      ["creaks", "spy"].map((words) =>
        line(words).evaluate((entry) => ({
          isSecret: entry.classList.contains("is-secret"),
          color: getComputedStyle(entry.querySelector(".log-line")).color,
          icon: entry.querySelector(".icon")?.innerHTML,
        })),
      ),
    );
    assert.deepEqual(
      looks.map(({ isSecret }) => isSecret),
      [false, true],
    );
    assert.notEqual(looks[0].color, looks[1].color);
    assert.notEqual(looks[0].icon, looks[1].icon);
  });

  test("the keys' dialog opens at its beginning", async () => {
    await gm.page.setViewportSize({ width: 1024, height: 520 });
    await gm.openTab("token");
    await gm.page.click("#help");
    const { scrolled, isTitleInView } = await gm.page.locator("dialog.help[open]").evaluate((dialog) => ({
      scrolled: dialog.scrollTop,
      isTitleInView: dialog.querySelector("h2").getBoundingClientRect().top >= 0,
    }));
    assert.deepEqual([scrolled, isTitleInView], [0, true]);
    await gm.page.keyboard.press("Escape");
    await gm.closeDrawer();
    await gm.page.setViewportSize(WIDE.viewport);
  });

  test("eight units stand whole in the turn order at 1440, and the next step stays with any unit selected", async () => {
    const { tokens } = await server.scene();
    for (let i = tokens.length; i < 8; i += 1)
      await server.command("token.place", {
        token: { ...tokens[0], id: `more-${i}`, name: `More ${i}`, at: [i, 0] },
      });
    await server.command("act", { act: { kind: "round" } });
    await until(async () => (await gm.page.locator("#units .unit").count()) === 8, "eight units");
    const cut = await gm.page.evaluate(() => {
      const strip = document.getElementById("tracker").getBoundingClientRect();
      return [...document.querySelectorAll("#units .unit")]
        .filter((unit) => {
          const { left, right } = unit.getBoundingClientRect();
          return left < strip.left - 1 || right > strip.right + 1;
        })
        .map(({ id }) => id);
    });
    assert.deepEqual(cut, []);
    for (const side of ["blue", "red"]) {
      const unit = tokens.find((token) => token.side === side);
      await gm.page.click(`#pick-${unit.id}`);
      await gm.sees("#dock h2", unit.name);
      await gm.page.locator("#step").waitFor();
    }
  });

  test("a seat that is open too often says so, with a button that closes the other pages", async () => {
    const link = await server.seatPlayer("Mia", ["Anna"]);
    const mia = await Player.join(browser, link, WIDE);
    const others = [];
    for (let i = 1; i < PAGES_OF_A_SEAT; i += 1) others.push(await mia.context.newPage());
    await Promise.all(others.map((page) => page.goto(link)));
    for (const page of others) await page.locator("#units .unit").first().waitFor({ state: "attached" });
    const late = await Player.open(browser, link, WIDE);
    await late.page.locator("#close-others").waitFor();
    assert.match(await late.page.locator("#welcome-text").innerText(), /open/);
    await late.page.click("#close-others");
    await late.page.locator("#units .unit").first().waitFor();
    await late.page.locator("#welcome").waitFor({ state: "hidden" });
  });
});
