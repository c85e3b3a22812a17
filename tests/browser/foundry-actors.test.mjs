// Profiles filled from actors: by the table of known systems, and by paths that the GM chooses with a live preview.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { dnd5eNpc } from "./foundry/actors.mjs";
import { GM, FoundryUser, startWorld, seatAt } from "./foundry/user.mjs";
import { ROOT, becomes, launch, newTable, until } from "./harness.mjs";

const [ANNA, GRIM] = ["tokentokenAnna01", "tokentokenGrim01"];
const GENERATIONS = (process.env.GENERATIONS ?? "12 13 14").split(" ").map(Number);
const SCORES = { str: 16, dex: 14, con: 12 };

for (const generation of GENERATIONS)
  describe(`profiles from actors in Foundry ${generation}`, () => {
    let browser, world, server, gm;

    before(async () => {
      browser = await launch();
      world = await startWorld(generation, { system: "dnd5e" });
      const [anna, grim] = world.state.Actor;
      const creature = { id: anna._id, name: anna.name, scores: SCORES, hp: 44, walk: 30 };
      Object.assign(anna, dnd5eNpc(generation, creature));
      anna.system.details.height = "6";
      Object.assign(grim, { type: "group", system: {} });
      server = await newTable("knights_of_valour");
      world.state.settings["enfilade.server"] = server.origin;
      gm = await FoundryUser.open(browser, world, GM, { seat: seatAt(server) });
      await gm.click(ANNA);
      await gm.do(() => window.enfilade.seatUi.context.windows.open("profile"));
    });
    after(async () => {
      await browser?.close();
      await server?.stop();
      await world?.stop();
    });

    const profile = (token = ANNA) =>
      gm.do((id) => canvas.scene.tokens.get(id).getFlag("enfilade", "profile") ?? {}, token);

    const picture = async () => {
      await gm.do(() => {
        document.getElementById("notifications").replaceChildren();
        Object.assign(document.querySelector("#enfilade-values").style, { left: "60%", top: "1%" });
        Object.assign(document.querySelector("#enfilade-profile").style, { left: "27%", top: "1%" });
      });
      await new Promise((resolve) => setTimeout(resolve, 1500)); // the host draws two frames a second
      await gm.page.screenshot({ path: join(ROOT, "docs", "images", "foundry-values.png") });
    };

    test("one click fills the fields that the game system is known to have", async () => {
      await gm.page.click("#enfilade-fill");
      await until(async () => (await profile()).damage_points === 44, "the profile is filled");
      const { strength, agility, health, movement } = await profile();
      assert.deepEqual([strength, agility, health, movement], [3, 2, 1, 30]);
      const agilityField = gm.page.locator("#enfilade-profile").getByLabel("Agility", { exact: true });
      await until(async () => (await agilityField.inputValue()) === "2", "the form shows what it has filled");
      await gm.page
        .locator("#notifications li")
        .filter({ hasText: /filled Strength|filled .*Agility/ })
        .first()
        .waitFor();
    });

    test("the GM chooses another path and sees the value at once; it is kept for the world", async () => {
      await gm.page.click("#enfilade-values-open");
      const [path, preview] = ["#enfilade-value-height", "#enfilade-value-height-preview"];
      await gm.page.fill(path, "details.nothing");
      const previewed = () => gm.page.locator(preview).innerText();
      await becomes(previewed, "no value there", "a path that leads nowhere");
      await gm.page.fill(path, "details.height");
      await becomes(previewed, "→ 6", "the value of the path");
      if (process.env.SCREENSHOT && generation === 13) await picture();
      await gm.page.fill("#enfilade-value-height-by", "0");
      await gm.page.click("#enfilade-values-save");
      await gm.seesNotice("do not divide by 0");
      await gm.page.fill("#enfilade-value-height-by", "1");
      await gm.page.click("#enfilade-values-save");
      await until(
        () => world.state.settings["enfilade.profilePaths"]?.knights_of_valour?.height,
        "the paths are saved",
      );
      await gm.page.locator("#enfilade-fill").dispatchEvent("click");
      await until(async () => (await profile()).height === 6, "the height is filled");
    });

    test("an actor without known values is told in a sentence, and changes nothing", async () => {
      await gm.do((id) => canvas.tokens.get(id).control({ releaseOthers: true }), GRIM);
      await until(
        () =>
          gm.page
            .locator("#enfilade-profile h2")
            .innerText()
            .then((name) => name === "Grim"),
        "Grim's profile is shown",
      );
      const was = await profile(GRIM);
      await gm.page.locator("#enfilade-fill").dispatchEvent("click");
      await gm.seesNotice("values are known");
      assert.deepEqual(await profile(GRIM), was);
    });

    test("the page logs no errors", () => assert.deepEqual(gm.errors, []));
  });
