// An attack on the board: its line, dice and result for two seconds, ended by a click, and still without motion.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Player, launch, miniature, newTable } from "./harness.mjs";

describe("an attack on the board", () => {
  let browser, server, gm;

  before(async () => {
    browser = await launch();
    server = await (await newTable()).clear();
    await server.command("token.place", miniature("Anna", "blue", [3, 5], ["bow"]));
    await server.command("token.place", miniature("Grim", "red", [3, 2], ["axe", "shield"]));
    gm = await Player.join(browser, server.gm);
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

  test("shows who hits whom, the faces that win, the die and the loss, and is gone by itself", async () => {
    await shoot(6);
    await shownMoment().waitFor();
    // At once: the attack is shown for two seconds, and a busy machine takes longer for four questions.
    const shown = await shownMoment().evaluate((plate) => ({
      said: plate.innerText,
      odds: plate.querySelectorAll(".moment-odds .die-face").length,
      dots: plate.querySelectorAll(".is-rolled circle").length,
      bursts: document.querySelectorAll(".moment .moment-burst").length,
    }));
    assert.match(shown.said, /Anna\s+→\s+Grim/);
    assert.match(shown.said, /−1|-1/);
    assert.deepEqual([shown.odds, shown.dots, shown.bursts], [6, 6, 1]);
    await shownMoment().waitFor({ state: "detached" });
    assert.equal(await gm.page.locator(".moment").count(), 0);
  });

  test("lies where the units are, also after the map has moved", async () => {
    await shoot(2);
    await shownMoment().waitFor();
    assert.equal(await gm.page.locator(".moment-burst").count(), 0);
    const before = await shownMoment().boundingBox();
    const [x, y] = await gm.at([3, 2]);
    await gm.page.mouse.move(x, y);
    await gm.page.mouse.wheel(0, -300);
    await gm.page.waitForFunction((top) => {
      const now = document.querySelector(".moment-plate");
      return !now || now.getBoundingClientRect().top !== top;
    }, before.y);
  });

  test("ends at a click", async () => {
    await shoot(5);
    await shownMoment().waitFor();
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
    await shoot(6);
    await shownMoment().waitFor();
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
    await shoot(6);
    await shownMoment(still.page).waitFor();
    const moving = await still.page.evaluate(
      () =>
        document.getAnimations().filter(({ effect }) => effect?.target?.closest(".moment, .moment-plate"))
          .length,
    );
    assert.equal(moving, 0);
    assert.deepEqual([...gm.errors, ...still.errors], []);
  });

  test("shows the blow that takes its target off the board, where it stood", async () => {
    while ((await server.token("Grim")).at) await shoot(6);
    const bursts = await shownMoment().evaluate(() => document.querySelectorAll(".moment-burst").length);
    assert.equal(bursts, 1);
  });
});
