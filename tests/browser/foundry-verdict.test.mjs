import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { GM, FoundryUser, startWorld, seatAt } from "./foundry/user.mjs";
import { launch, newTable, until } from "./harness.mjs";

const [ANNA, GRIM] = ["tokentokenAnna01", "tokentokenGrim01"];

for (const generation of (process.env.GENERATIONS ?? "12 13 14").split(" ").map(Number)) {
  describe(`verdicts in Foundry ${generation}`, () => {
    let browser, world, server, gm;

    before(async () => {
      browser = await launch();
      world = await startWorld(generation, { system: "dnd5e" });
      server = await newTable();
      Object.assign(world.state.settings, {
        "enfilade.server": server.origin,
        "enfilade.write.hitPoints": "do",
      });
      gm = await FoundryUser.open(browser, world, GM, { seat: seatAt(server) });
      await until(async () => (await server.token(ANNA)) !== undefined, "Anna is at the table");
      await gm.click(ANNA);
      await until(() => state((kept) => kept.overlay?.token === "tokentokenAnna01"), "Anna is shown");
    });
    after(async () => {
      await browser?.close();
      await server?.stop();
      await world?.stop();
    });

    const state = (read) =>
      gm.do((source) => {
        const kept = window.enfilade.seatUi.context.store.state;
        return new Function(`return (${source})`)()(kept);
      }, String(read));

    test("the pointer over a token draws the line of sight and shows the verdict", async () => {
      const without = await drawn(gm);
      await gm.page.mouse.move(...(await gm.placeOf(GRIM)));
      await until(() => state((kept) => kept.verdict !== null), "the verdict has come");
      assert.equal(await state((kept) => kept.verdict.sentence), "Anna sees Grim, 2 squares away.");
      await until(async () => (await drawn(gm)) > without, "it is on the canvas");
      await gm.page.mouse.move(...(await gm.at([500, 1200])));
      await until(async () => (await drawn(gm)) === without, "it goes with the pointer");
    });

    test("the verdict names a closed door in the way", async () => {
      await gm.drag([950, 750], [1150, 750]);
      await until(async () => String((await server.token(GRIM)).at) === "7,4", "Grim is in the next room");
      await gm.click(ANNA);
      await gm.page.mouse.move(...(await gm.placeOf(GRIM)));
      await until(
        () => state((kept) => kept.verdict?.sentence.endsWith("Blocked by the door between you and Grim.")),
        "the door is named",
      );
    });

    test("a key inspects the next token and shows the verdict as a notification", async () => {
      await gm.page.mouse.move(...(await gm.at([500, 1200])));
      await gm.page.keyboard.press("Shift+KeyN");
      await gm.seesNotice("Blocked by the door between you and Grim.");
    });

    test("threat and engagement have tools; cover has none with these rules", async () => {
      const tool = (key) => gm.page.locator(`[data-tool=enfilade-${key}]`);
      assert.equal(await tool("threat").getAttribute("aria-pressed"), "false");
      assert.equal(await tool("cover").count(), 0);
      await tool("threat").click();
      await until(
        () => state((kept) => kept.overlay?.areas.some(({ layer }) => layer === "threat")),
        "where Grim can strike is drawn",
      );
      await tool("threat").click();
      await gm.page.locator("[data-tool=enfilade-threat][aria-pressed=false]").waitFor();
      assert.equal(await tool("engagement").getAttribute("aria-pressed"), "true");
    });

    test("adjacent enemies are engaged", async () => {
      await gm.drag([1150, 750], [850, 750]);
      await until(
        () => state((kept) => kept.overlay?.engagements.length === 1),
        "Anna and Grim are side by side",
      );
    });

    test("the page logs no errors", () => assert.deepEqual(gm.errors, []));
  });
}

/** Counts the visible objects of the module's layer. */
const drawn = (user) =>
  user.do(() => {
    const count = (node) =>
      1 + (node.visible ? node.children.reduce((sum, child) => sum + count(child), 0) : 0);
    return count(canvas.enfilade);
  });
