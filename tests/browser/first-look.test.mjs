// Faults that a first look at the page found, each tried again: secrets that look like the rest, a seat that is full
// without a word, units cut off in the tracker, a dialog that opens at its end, panels over each other.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Player, becomes, newTable, startSkirmish, until } from "./harness.mjs";
import { text } from "./text.mjs";

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
    await gm.has(await server.command("act", { act: { kind: "round" } }));
    assert.equal(await gm.page.locator("#units .unit").count(), 8);
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
    await late.sees("#welcome-text", /open/);
    await late.page.click("#close-others");
    await late.page.locator("#units .unit").first().waitFor();
    await late.page.locator("#welcome").waitFor({ state: "hidden" });
  });

  test("a secret plan is made at the edge of the map, and the units that it plans stay in view", async () => {
    const brawl = await newTable("double_life", { battle: true });
    await brawl.command("act", { act: { kind: "round" } });
    const chief = await Player.join(browser, brawl.gm, WIDE);
    await chief.page.locator(".prompt .planner").waitFor();
    await chief.page.click("#fit");
    const { grid, tokens } = await brawl.scene();
    chief.grid = grid;
    const box = await chief.page.locator(".prompt").boundingBox();
    assert.ok(box.x + box.width >= WIDE.viewport.width - 24, `the plan ends at ${box.x + box.width}`);
    for (const { name, at } of tokens) {
      const [x, y] = await chief.at(at);
      const isCovered = x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height;
      assert.ok(!isCovered, `${name} is under the plan`);
    }
    await becomes(() => overlaps(chief.page, [".prompt", "#dock", "#log"]), [], "with the log folded");
    assert.ok(await chief.page.locator(".plan-commit").isVisible());
    await chief.context.close();
  });

  test("the folded log leaves the next step free, and advice and statistics do not lie over each other", async () => {
    const PANELS = ["#log", "#dock", "#advice", "#tracker", "#map-tools", ".corner"];
    await gm.page.click("#log-fold");
    await becomes(() => overlaps(gm.page, PANELS), [], "with the log folded");
    await gm.page.click("#log-fold");
    await gm.page.click("#pick-Anna");
    await gm.page.click("#advice-open");
    await gm.page.locator("#advice-1").waitFor();
    await gm.openLogTools();
    await gm.page.click("#statistics-open");
    await gm.page.locator("#statistics").waitFor();
    await becomes(() => overlaps(gm.page, PANELS), [], "with advice and statistics");
    await gm.sees(
      "#layer-chip",
      text("Layer.Chip.advised", { name: await gm.page.locator("#dock h2").innerText() }),
    );
    await gm.page.click("#statistics-open");
    await gm.page.click("#advice-open");
  });

  test("that it is not a unit's turn is no warning, in words without a doubled s", async () => {
    await gm.page.click("#pick-Grim");
    await gm.openTab("token");
    const reason = gm.page.locator("#panel-token .reason").first();
    await reason.waitFor();
    assert.doesNotMatch(await gm.page.locator("#panel-token").innerText(), /s's /);
    const [color, warning] = await reason.evaluate((one) => {
      const probe = document.body.appendChild(document.createElement("i"));
      probe.style.color = "var(--warn)";
      return [getComputedStyle(one).color, getComputedStyle(probe).color];
    });
    assert.notEqual(color, warning);
    await gm.closeDrawer();
  });

  test("of forty units the one whose turn it is is in view in the turn order", async () => {
    const crowd = await newTable("knights_of_valour");
    const scene = await crowd.scene();
    const sides = ["a", "b"].map((id) => ({ id, name: id, team: "", tracks: {}, conditions: {} }));
    const tokens = Array.from({ length: 40 }, (_, i) => ({
      id: `u${i}`,
      name: `Unit ${i}`,
      side: sides[i % 2].id,
      at: [i % 20, Math.floor(i / 20)],
      facing: null,
      profile: {},
    }));
    await crowd.command("scene.set", {
      scene: { ...scene, grid: { ...scene.grid, columns: 20, rows: 14 }, sides },
    });
    for (const token of tokens) await crowd.command("token.place", { token });
    const chief = await Player.join(browser, crowd.gm, WIDE);
    await until(async () => (await chief.page.locator("#units .unit").count()) >= 40, "forty units");
    await chief.page.click("#step");
    await chief.answerUntil(
      async () => (await chief.page.locator("#units .is-active").count()) === 1,
      "a turn begins",
    );
    const isInView = () =>
      chief.page.evaluate(() => {
        const strip = document.getElementById("units").getBoundingClientRect();
        const now = document.querySelector("#units .is-active").getBoundingClientRect();
        return now.left >= strip.left - 1 && now.right <= strip.right + 1;
      });
    await until(isInView, "the unit whose turn it is is in view");
    await chief.context.close();
  });
});

/** Returns the pairs of panels that lie over each other, of those that are shown. */
const overlaps = (page, selectors) =>
  page.evaluate((all) => {
    const boxes = all.flatMap((selector) => {
      const panel = document.querySelector(selector);
      return panel?.checkVisibility() ? [[selector, panel.getBoundingClientRect()]] : [];
    });
    return boxes.flatMap(([name, a], i) =>
      boxes
        .slice(i + 1)
        .filter(([, b]) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
        .map(([other]) => `${name} ${other}`),
    );
  }, selectors);
