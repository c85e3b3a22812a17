// An attack on the board: its line, dice and result for two seconds, ended by a click, and still without motion.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Player, launch, miniature, newTable, until } from "./harness.mjs";

const INCH = 64;
const MOVING = { reducedMotion: "no-preference" };

describe("an attack on the board", () => {
  let browser, server, gm;

  before(async () => {
    browser = await launch();
    server = await (await newTable()).clear();
    await server.command("token.place", miniature("Anna", "blue", [3, 5], ["bow"]));
    await server.command("token.place", miniature("Grim", "red", [3, 2], ["axe", "shield"]));
    gm = await Player.join(browser, server.gm, MOVING);
    await gm.page.locator("#board canvas").waitFor();
    await server.command("act", { act: { kind: "round" }, faces: [6, 1] });
    await server.command("act", { act: { kind: "activate", token: "Anna" } });
  });
  after(() => browser?.close());

  const shoot = async (face) => {
    await shownMoment().waitFor({ state: "detached" });
    return server.command("act", {
      act: { kind: "ranged", token: "Anna", target: "Grim", weapon: "bow" },
      faces: [face],
      override: "a test",
    });
  };
  const shownMoment = (page = gm.page) => page.locator(".moment-plate");
  /**
   * Attacks, and returns what the page shows of it. An attack is shown for two seconds, so the wait begins before it, and
   * all is read at once.
   */
  const shootAndRead = async (face, page = gm.page) => {
    await shownMoment(page).waitFor({ state: "detached" });
    const shown = page.waitForFunction(() => {
      const moment = document.querySelector(".moment-plate");
      const isMoving = ({ effect }) => effect?.target?.closest(".moment, .moment-plate");
      return (
        moment && {
          said: moment.innerText,
          odds: moment.querySelectorAll(".moment-odds .die-face").length,
          dots: moment.querySelectorAll(".is-rolled circle").length,
          bursts: document.querySelectorAll(".moment-burst").length,
          moving: document.getAnimations().filter(isMoving).length,
          top: moment.getBoundingClientRect().top,
        }
      );
    });
    await shoot(face);
    return (await shown).jsonValue();
  };

  test("shows who hits whom, the faces that win, the die and the loss, and is gone by itself", async () => {
    const shown = await shootAndRead(6);
    assert.match(shown.said, /Anna\s+→\s+Grim/);
    assert.match(shown.said, /−1|-1/);
    assert.deepEqual([shown.odds, shown.dots, shown.bursts], [6, 6, 1]);
    await shownMoment().waitFor({ state: "detached" });
    assert.equal(await gm.page.locator(".moment").count(), 0);
  });

  test("lies where the units are, also after the map has moved", async () => {
    const before = await shootAndRead(2);
    assert.equal(before.bursts, 0);
    const [x, y] = await gm.at([3, 2]);
    await gm.page.mouse.move(x, y);
    await gm.page.mouse.wheel(0, -300);
    await gm.page.waitForFunction((top) => {
      const now = document.querySelector(".moment-plate");
      return !now || now.getBoundingClientRect().top !== top;
    }, before.top);
  });

  test("ends at a click", async () => {
    await shootAndRead(5);
    await gm.page.mouse.click(20, 20);
    assert.equal(await shownMoment().count(), 0);
  });

  test("makes no sound unless a person switches it on in the display's settings", async () => {
    const recorded = (player) => player.page.evaluate(() => window.soundsStarted ?? 0);
    const record = (player) =>
      player.page.evaluate(() => {
        window.soundsStarted = 0;
        const { start } = AudioScheduledSourceNode.prototype;
        AudioScheduledSourceNode.prototype.start = function (...when) {
          window.soundsStarted += 1;
          return start.apply(this, when);
        };
        const { start: startBuffer } = AudioBufferSourceNode.prototype;
        AudioBufferSourceNode.prototype.start = function (...when) {
          window.soundsStarted += 1;
          return startBuffer.apply(this, when);
        };
      });
    await server.command("token.place", miniature("Grim", "red", [3, 2], ["axe", "shield"])); // whole again
    await record(gm);
    await shootAndRead(6);
    await shownMoment().waitFor({ state: "detached" }); // and with it all sounds that it would have made
    assert.equal(await recorded(gm), 0);
    await gm.openTab("token");
    await gm.page.click("#display");
    await gm.page.selectOption("#display-sound", "on");
    await gm.page.keyboard.press("Escape");
    await shoot(6);
    await gm.page.waitForFunction(() => window.soundsStarted >= 7); // five of the dice, two of the hit
    await gm.page.evaluate(() => localStorage.removeItem("enfilade.sound"));
  });

  test("stands still for a person who wants no motion", async () => {
    const still = await Player.join(browser, server.spectator, { reducedMotion: "reduce" });
    await still.page.locator("#board canvas").waitFor();
    await shownMoment().waitFor({ state: "detached" });
    const { moving } = await shootAndRead(6, still.page);
    assert.equal(moving, 0);
    assert.deepEqual([...gm.errors, ...still.errors], []);
  });

  test("shows the blow that takes its target off the board, where it stood", async () => {
    let shown = null;
    while ((await server.token("Grim")).at) shown = await shootAndRead(6);
    assert.equal(shown.bursts, 1);
  });
});

describe("a volley over several on the board", () => {
  let browser, server, gm, guest;

  before(async () => {
    browser = await launch();
    server = await (await newTable("miniatures_combat")).clear();
    const grid = { kind: "gridless", columns: 30, rows: 20, distance: 1, units: "inches" };
    await server.command("scene.set", { scene: { ...(await server.scene()), grid, walls: [], terrain: [] } });
    const model = (id, side, [x, y], profile = {}) => ({
      token: { id, name: id, side, at: [x * INCH, y * INCH], facing: 0, profile: { level: 3, ...profile } },
    });
    await server.command("token.place", model("Borin", "blue", [10, 10]));
    await server.command("token.place", model("Mell", "blue", [11.5, 10]));
    for (const i of [1, 2, 3])
      await server.command("token.place", model(`Bow${i}`, "red", [20, 7 + i * 1.5], { missiles: true }));
    gm = await Player.join(browser, server.gm, MOVING);
    guest = await Player.join(browser, server.spectator, { reducedMotion: "reduce" });
    for (const { page } of [gm, guest]) await page.locator("#board canvas").waitFor();
  });
  after(() => browser?.close());

  const act = (kind, token, body) =>
    server.command("act", { act: { kind, token, target: "", weapon: "", at: null, facing: null, body } });
  /** Waits for the plate of an attack, and returns what it shows. */
  const nextPlate = async ({ page }) => {
    const shown = await page.waitForFunction(() => {
      const moment = document.querySelector(".moment-plate");
      const count = (part) => moment.querySelectorAll(part).length;
      return (
        moment && {
          said: moment.innerText,
          rows: count(".moment-row"),
          odds: count(".moment-odds .die-face"),
          dice: count(".is-rolled"),
          lines: document.querySelectorAll(".moment .moment-line").length,
          moving: document
            .getAnimations()
            .filter(({ effect }) => effect?.target?.closest(".moment, .moment-plate")).length,
        }
      );
    });
    return shown.jsonValue();
  };

  test("shows a line to each, the dice once and their winning face, at the GM's page and at a guest's", async () => {
    await act("turn", "", { side: "blue" });
    await act("activate", "Borin", { members: ["Mell"], shifts: [] });
    const plates = [nextPlate(gm), nextPlate(guest)];
    await act("end", "Borin");
    const isShot = async () => (await server.log()).some(({ text: said }) => /arrow/i.test(said));
    await until(async () => {
      const answer = await gm.page.$(".prompt button.primary"); // a question, or a form for the hits
      await answer?.evaluate((button) => button.click());
      return isShot();
    }, "the archers have shot");
    for (const { said, rows, odds, dice, lines } of await Promise.all(plates)) {
      assert.deepEqual([rows, odds, dice, lines], [2, 6, 3, 2], said);
      assert.match(said, /Bow\d\s*→\s*Borin[^]*Bow\d\s*→\s*Mell/);
    }
    assert.equal((await plates[1]).moving, 0, "nothing moves for who wants no motion");
    assert.deepEqual([...gm.errors, ...guest.errors], []);
  });
});
