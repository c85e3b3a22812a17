// A sealed round of Double Life in Foundry: a player's plan with its odds, the GM's, and the reveal on both pages.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { GM, PAT, FoundryUser, sceneSource, seatAt, startWorld, tokenSource } from "./foundry/user.mjs";
import { ROOT, becomes, launch, newTable, until } from "./harness.mjs";

const sheet = { will: 8, focus: 8, stamina: 8, experience: {}, mastery: 0, health: 0, energy: 5 };
const weapon = (name, sides) => [{ name, dice: 1, sides, bonus: 0 }];
const HUMAN = {
  ...{ ...sheet, race: "human", strength: 6, agility: 8, perception: 7 },
  ...{ attack: 10, defense: 10, weapons: weapon("Sword", 6) },
};
const ORC = {
  ...{ ...sheet, race: "orc", strength: 8, agility: 8, perception: 8 },
  ...{ attack: 10, defense: 0, weapons: weapon("Axe", 8) },
};
const [ALDIS, GRASH] = ["tokentokenAldis0", "tokentokenGrash0"];

for (const generation of (process.env.GENERATIONS ?? "12 13 14").split(" ").map(Number))
  describe(`a sealed round in Foundry ${generation}`, () => {
    let browser, world, server, gm, pat;

    before(async () => {
      browser = await launch();
      server = await newTable("double_life");
      const at = ([column, row]) => ({ x: 400 + 100 * column, y: 300 + 100 * row });
      const fighter = (id, name, actor, place, side, rotation, profile) => {
        const flags = { enfilade: { profile } };
        return tokenSource(generation, id, name, actor, at(place), side, { rotation, flags });
      };
      const tokens = [
        fighter(ALDIS, "Aldis", "actoractor000001", [3, 4], 1, 270, HUMAN),
        fighter(GRASH, "Grash", "actoractor000002", [4, 4], -1, 90, ORC),
      ];
      world = await startWorld(generation, { scenes: [{ ...sceneSource(generation), walls: [], tokens }] });
      world.state.settings["enfilade.server"] = server.origin;
      gm = await FoundryUser.open(browser, world, GM, { seat: seatAt(server) });
      await until(async () => (await server.token(ALDIS))?.at, "Aldis is at the table");
      pat = await FoundryUser.open(browser, world, PAT);
      await until(() => pat.do(() => Boolean(window.enfilade.client?.replica)), "Pat is at the table");
      await until(async () => (await server.token(ALDIS)).owners.length === 1, "Aldis is Pat's");
      await server.command("act", { act: { kind: "round", token: "", target: "" } });
    });
    after(async () => {
      await browser?.close();
      await server?.stop();
      await world?.stop();
    });

    const window = (user, name) => user.page.locator(`#enfilade-${name}`);
    const choose = (user, text) =>
      window(user, "choice")
        .locator(".plan-answer")
        .filter({ hasText: text })
        .first()
        .locator("input")
        .check();
    const commit = (user) => window(user, "choice").locator(".plan-commit").click();
    const boxes = (user) =>
      user.do(() =>
        [...document.querySelectorAll(".application.enfilade")].map((one) => {
          const { left, top, right, bottom } = one.getBoundingClientRect();
          return { id: one.id, left, top, right, bottom };
        }),
      );
    /** Returns the windows that overlap. */
    const overlaps = async (user) => {
      const all = await boxes(user);
      return all.flatMap((a, i) =>
        all
          .slice(i + 1)
          .filter((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
          .map((b) => [a, b]),
      );
    };
    const screenshot = async (user, name) => {
      if (!process.env.SCREENSHOT || generation !== 13) return;
      await user.do(() => document.getElementById("notifications").replaceChildren());
      await user.do(() => {
        const windows = [...document.querySelectorAll(".application")].reverse();
        for (const [i, one] of windows.entries())
          Object.assign(one.style, { left: "45%", top: `${2 + 55 * i}%` });
      });
      await new Promise((resolve) => setTimeout(resolve, 1200)); // the host draws two frames a second
      await user.page.screenshot({ path: join(ROOT, "docs", "images", `${name}.png`) });
    };

    test("a player's window plans the round with its odds; the GM's page shows nothing of it", async () => {
      await choose(pat, "Attack Grash");
      await window(pat, "choice").locator(".odds").filter({ hasText: "Grash" }).waitFor();
      await screenshot(pat, "foundry-planner");
      // The GM's own plan is worked out.
      await window(gm, "choice").locator(".odds").filter({ hasText: /\d+%/ }).waitFor();
      const before = await window(gm, "choice").innerText();
      await commit(pat);
      await window(pat, "choice").filter({ hasText: "Committed" }).waitFor();
      await gm.hasAll(server);
      assert.equal(await window(gm, "choice").innerText(), before);
      assert.ok(!before.includes("Aldis ✓"));
    });

    test("the last plan ends the wait; the reveal plays in a window and on the map of each page", async () => {
      await window(gm, "choice").locator(".plan-token").filter({ hasText: "Grash" }).click();
      await choose(gm, "Attack Aldis");
      await commit(gm);
      for (const user of [gm, pat]) {
        await window(user, "replay")
          .locator(".replay-count")
          .filter({ hasText: /\d+\/\d+/ })
          .waitFor();
        await becomes(() => overlaps(user), [], "no window covers another");
        await window(user, "replay").locator("#replay-first").click();
        await window(user, "replay").locator("#replay-forward").click();
        const marks = () => user.drawnIn("replay");
        await until(async () => (await marks()) > 0, "the map shows the step");
        if (user === gm) await screenshot(gm, "foundry-reveal");
        await window(user, "replay").locator("#replay-close").click();
        await window(user, "replay").waitFor({ state: "detached" });
        await until(async () => (await marks()) === 0, "the map is as before");
      }
    });

    test("an act is played again from the log", async () => {
      await gm.do(() => window.enfilade.seatUi.context.windows.open("log"));
      await window(gm, "log").locator(".log-replay").last().click();
      await window(gm, "replay").locator(".replay").waitFor();
      await window(gm, "replay").locator(".header-control[data-action=close]").click();
      await until(() => gm.do(() => window.enfilade.seatUi.context.store.state.replay === null), "it ends");
    });

    test("the pages log no errors", () => assert.deepEqual([...gm.errors, ...pat.errors], []));
  });
