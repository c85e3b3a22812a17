import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Player, launch, miniature, newTable, until } from "./harness.mjs";
import { takePicture } from "./pictures.mjs";

const GRID = { kind: "square", columns: 14, rows: 10, distance: 1, units: "squares" };

describe("what if: a branch of the battle", () => {
  let server, browser, gm, watcher, entries;

  before(async () => {
    server = await newTable();
    const scene = { ...(await (await server.clear()).scene()), grid: GRID, background: "", terrain: [] };
    await server.command("scene.set", { scene: { ...scene, walls: [], tokens: [] } });
    await server.command("token.place", miniature("Anna", "blue", [5, 6], ["sword", "shield"]));
    await server.command("token.place", miniature("Grim", "red", [5, 5], ["axe", "fist"], { facing: 180 }));
    await server.command(
      "token.place",
      miniature("Lurker", "red", [1, 1], ["mace", "fist"], { hidden: true }),
    );
    browser = await launch();
    gm = await Player.join(browser, server.gm);
    watcher = await Player.join(browser, server.spectator);
    entries = (await server.log()).length;
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  test("opens from the present and says where one is", async () => {
    await gm.page.click("#branch-open");
    await gm.page.locator("#branch").getByText("What if: not in the battle").waitFor();
    assert.match(gm.page.url(), /branch=[0-9a-f]{16}/);
  });

  test("plays moves, and nothing of it is in the battle", async () => {
    await gm.page.click("#pick-Anna");
    await gm.drag([5, 6], [4, 5]);
    await gm.sees(".log-entry", "Anna moves");
    await gm.page.click("#pick-Anna");
    await gm.page.click("#branch-compare");
    const comparison = gm.page.locator("#branch-comparison");
    await comparison.getByText("E6").waitFor();
    assert.match(await comparison.innerText(), /Anna\s+F7.*\s+E6/);
    assert.deepEqual((await server.token("Anna")).at, [5, 6]);
    assert.equal((await server.log()).length, entries);
    await takePicture(gm.page, "what-if");
  });

  test("is shown to the table at a press, without what is hidden", async () => {
    await watcher.hasAll(server);
    assert.equal(await watcher.page.locator("#branch-shown").isVisible(), false);
    await gm.page.click("#branch-show");
    await watcher.page.locator("#branch-shown button").click();
    await watcher.page.locator("#branch").getByText("GM’s what if").waitFor();
    await watcher.sees("#connection", "Connected");
    await until(
      async () => (await watcher.page.locator("#pick-Anna").count()) === 1,
      "the watcher sees the branch",
    );
    assert.equal(await watcher.page.locator("#pick-Lurker").count(), 0);
    assert.equal(await watcher.page.locator("#branch-drop").isVisible(), false);
  });

  test("shows those that watch each new act", async () => {
    await gm.page.click("#branch-compare");
    await gm.drag([4, 5], [4, 4]);
    await watcher.sees(".log-entry", "to E5");
  });

  test("offers what the selected unit can do now, after each act and each undo", async () => {
    await gm.press("Escape");
    await gm.page.click("#step");
    await gm.sees("#active", "Next:");
    const isBlue = /Next: Blue/.test(await gm.page.locator("#active").innerText());
    await gm.page.click(isBlue ? "#pick-Anna" : "#pick-Grim");
    await gm.sees("#step", "Activate:");
    await gm.page.click("#step");
    await gm.sees("#step", "End activation:");
    await gm.page.click("#undo");
    await gm.sees("#step", "Activate:");
    await gm.page.click("#undo");
    await gm.sees("#step", "Start round 1");
  });

  test("is undone and redone like the battle", async () => {
    await gm.page.click("#undo");
    await gm.sees(".log-entry", "Undone");
    assert.equal((await server.log()).length, entries);
  });

  test("is thrown away, and leads back to the battle", async () => {
    await gm.page.click("#branch-drop");
    await gm.sees("#connection", "Connected");
    await until(async () => (await gm.page.locator("#branch").count()) === 0, "the battle is back");
    await until(() => !/branch=/.test(gm.page.url()), "the address names no branch");
    await watcher.sees("#welcome", "This what if has ended");
    await watcher.page.click("#branch-back");
    await watcher.sees("#connection", "Connected");
    await until(async () => !(await watcher.page.locator("#branch-shown").isVisible()), "nothing is shown");
    assert.equal((await server.log()).length, entries);
    assert.deepEqual(gm.errors, []);
  });

  test("opens from a past moment of the replay", async () => {
    await server.command("token.move", { token: "Anna", at: [7, 7], override: "a test's order" });
    await gm.sees(".log-entry", "Anna moves");
    await gm.page.click("#past-open");
    await gm.page.locator(".past").focus();
    await until(async () => /Anna/.test(await gm.page.locator("#past-text").innerText()), "now");
    await gm.page.keyboard.press("ArrowLeft");
    await until(
      async () => !/Anna moves/.test(await gm.page.locator("#past-text").innerText()),
      "before the move",
    );
    await gm.page.click("#branch-open");
    await gm.page.click("#branch-compare");
    await gm.page.locator("#branch-comparison").getByText("H8").waitFor();
    await gm.page.click("#branch-drop");
    await until(async () => (await gm.page.locator("#branch").count()) === 0, "the battle is back");
    await gm.sees("#connection", "Connected");
  });

  test("of a player is listed for the game master, who throws it away", async () => {
    const mia = await Player.join(browser, await server.seatPlayer("Mia", [(await server.token("Anna")).id]));
    await mia.page.click("#branch-open");
    await mia.page.locator("#branch").getByText("What if: not in the battle").waitFor();
    await gm.page.getByText("Mia tries something out").waitFor();
    await watcher.hasAll(server);
    assert.equal(await watcher.page.locator("#branch-shown").isVisible(), false);
    await gm.page.getByRole("button", { name: "Throw Mia’s away" }).click();
    await until(async () => !(await gm.page.locator("#branch-shown").isVisible()), "the list is empty");
    await mia.sees("#welcome", "This what if has ended");
    assert.deepEqual(gm.errors, []);
  });
});
