// No serious finding of axe, contrast included, on any view of the board and the start page, in both themes.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { seriousFindings } from "./axe.mjs";
import { Player, SHARP, launch, startSkirmish, until } from "./harness.mjs";
import { mapPicture } from "./png.mjs";
import { text } from "./text.mjs";

for (const colorScheme of ["dark", "light"])
  describe(`accessibility of every view, ${colorScheme}`, () => {
    let server, browser, gm;

    before(async () => {
      ({ server, browser } = await startSkirmish(null, SHARP));
      gm = await Player.join(browser, server.gm, { colorScheme, viewport: { width: 1440, height: 900 } });
      gm.grid = (await server.scene()).grid;
    });
    after(() => browser?.close());

    /** Answers what the dice may have led to; an open question would lie over the map of the phone. */
    const answerQuestions = () =>
      until(async () => {
        const answer = gm.page.locator(".prompt .answers button.primary").first();
        if (await answer.isVisible()) await answer.click();
        return !(await gm.page.locator(".prompt").count());
      }, "every question is answered");

    const isClean = async (player, what) => assert.deepEqual(await seriousFindings(player), [], what);

    test("the panels of the GM", async () => {
      for (const tab of ["token", "setup", "rules", "players"]) {
        await gm.openTab(tab);
        await isClean(gm, tab);
      }
    });

    test("drawing, with the fields of terrain and of a wall", async () => {
      await gm.openTab("setup");
      await gm.page.click("#draw-terrain");
      await isClean(gm, "terrain");
      await gm.page.click("#draw-edit");
      const { walls } = await server.scene();
      const [x1, y1, x2, y2] = walls.find(({ door }) => door === "none").line;
      await gm.page.click("#fit");
      await gm.page.mouse.click(...(await gm.at([(x1 + x2) / 128 - 0.5, (y1 + y2) / 128 - 0.5])));
      await gm.page.locator("#wall-sight").waitFor();
      await isClean(gm, "a wall");
      await gm.page.click("#draw-edit");
    });

    test("the pen, texts and fog: with each tool, and with fog on the map", async () => {
      await gm.page.click("#sketch-open");
      await isClean(gm, "the panel");
      for (const tool of ["pen", "text", "cover"]) {
        await gm.page.click(`#sketch-${tool}`);
        await isClean(gm, tool);
      }
      await gm.page.click("#fog-all");
      await until(async () => (await server.scene()).fog.cells.length > 0, "fog");
      await isClean(gm, "fog");
      await gm.page.click("#fog-none");
      await gm.press("Escape");
      await gm.page.click("#sketch-open");
    });

    test("the dialogs: keys, display, the grid over a picture, an own unit", async () => {
      await gm.openTab("token");
      await gm.page.click("#help");
      await isClean(gm, "keys");
      await gm.page.keyboard.press("Escape");
      await gm.page.click("#display");
      await isClean(gm, "display");
      await gm.page.keyboard.press("Escape");
      await gm.page.setInputFiles("#map-file", mapPicture());
      await gm.page.locator("#fit-canvas").waitFor();
      await isClean(gm, "the grid");
      await gm.page.click("#fit-cancel");
      await gm.openTab("setup");
      await gm.page.click("#own-unit-new");
      await isClean(gm, "an own unit");
      await gm.page.click("#own-unit-cancel");
    });

    test("an attack, a question, and the log after it", async () => {
      await server.command("token.move", { token: "Anna", at: [3, 3], facing: 0 });
      await server.command("token.move", { token: "Grim", at: [3, 2], facing: 180 });
      await server.command("act", { act: { kind: "round" } });
      const isBlue = (await server.scene()).conditions.priority === "blue";
      const [own, enemy] = isBlue ? ["Anna", "Grim"] : ["Grim", "Anna"];
      await server.command("act", { act: { kind: "activate", token: own } });
      await gm.page.click(`#pick-${own}`);
      await gm.openTab("token");
      await gm.page.locator(`#target-${enemy}`).filter({ hasText: "%" }).click();
      await gm.page.locator("#attack").waitFor({ state: "visible" });
      await isClean(gm, "the attack panel");
      const entries = await gm.entryCount();
      await gm.page.locator("#attack button.primary:not(:disabled)").first().click();
      await until(
        async () => (await gm.entryCount()) > entries || (await gm.page.locator(".prompt").isVisible()),
        "the log goes on, or a question comes",
      );
      await isClean(gm, "after the attack");
      await answerQuestions();
    });

    test("the start page, an invitation, and the wait for the GM", async () => {
      const origin = process.env.ENFILADE_TEST_SERVER;
      const guest = await Player.open(browser, `${origin}/`, { colorScheme });
      await guest.page.locator("#play-coup_de_grace").waitFor();
      await isClean(guest, "start");
      await gm.openTab("players");
      await gm.page.click("#invite-player");
      const link = await gm.page.inputValue("#invitation-link");
      const invited = await Player.open(browser, link, { colorScheme });
      await invited.page.locator("#join-name").waitFor();
      await isClean(invited, "the invitation");
      await invited.page.fill("#join-name", "Mia");
      await invited.page.click("#join-submit");
      await invited.sees("#join-waiting", text("Join.Waiting"));
      await isClean(invited, "the wait");
      await gm.page.locator("[id^=admit-]").waitFor();
      await gm.sees("#waiting", text("Players.OneWaits", { name: "Mia" }));
      await isClean(gm, "a player waits");
    });

    test("the phone: the sheet, the layers, and a link to nothing", async () => {
      const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme };
      const small = await Player.open(browser, server.gm, phone);
      await small.sees("#tracker", "Anna");
      await isClean(small, "the map");
      for (const tab of ["token", "log", "setup"]) {
        await small.openTab(tab);
        await isClean(small, `the sheet: ${tab}`);
        if (tab === "log") await small.page.tap("#log-fold");
        else await small.closeDrawer();
      }
      await small.page.tap("#layers-open");
      await isClean(small, "the layers");
      await small.page.tap("#layers-open");
      await small.page.tap("#sketch-open");
      await isClean(small, "the pen and fog");
      const lost = await Player.open(browser, `${process.env.ENFILADE_TEST_SERVER}/board/`, { colorScheme });
      await lost.page.locator("#welcome").waitFor({ state: "visible" });
      await isClean(lost, "no table");
      assert.deepEqual(gm.errors, []);
    });
  });
