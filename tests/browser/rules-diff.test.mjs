import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Player, launch, miniature, newTable } from "./harness.mjs";
import { takePicture } from "./pictures.mjs";

const GRID = { kind: "square", columns: 14, rows: 10, distance: 1, units: "squares" };

describe("house rules on trial", () => {
  let server, browser, gm;

  before(async () => {
    server = await newTable();
    const scene = { ...(await (await server.clear()).scene()), grid: GRID, background: "", terrain: [] };
    await server.command("scene.set", { scene: { ...scene, walls: [], tokens: [] } });
    await server.command("token.place", miniature("Anna", "blue", [4, 7], ["hammer", "shield"]));
    await server.command("token.place", miniature("Grim", "red", [5, 5], ["axe", "fist"], { facing: 180 }));
    await server.command("token.move", { token: "Anna", at: [5, 6], facing: 0 });
    const act = { kind: "melee", token: "Anna", target: "Grim", weapon: "hammer" };
    for (const face of [6, 5]) {
      let { waiting } = (await server.command("act", { act, faces: [face], override: "a test's order" }))
        .result;
      while (waiting)
        ({ waiting } = (
          await server.command("choice.answer", { choice: waiting.id, answer: waiting.default })
        ).result);
    }
    browser = await launch();
    gm = await Player.join(browser, server.gm);
    await gm.openTab("rules");
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  test("change no verdict if they are those of the battle", async () => {
    await gm.page.click("#rules-try");
    await gm.sees("#rules-diff", "All 3 acts come to the same verdict");
  });

  test("list each verdict that changes, with what it was and what it is now", async () => {
    await gm.page.locator('[id="rule-cdg.adjacency"]').selectOption({ label: "edges and corners" });
    await gm.page.click("#rules-try");
    const list = gm.page.locator("#rules-diff");
    await list.getByText("2 of 3 acts come to the same verdict").waitFor();
    const found = await list.innerText();
    assert.match(found, /Under these rules/i);
    assert.match(found, /\(entry \d+\)/);
    assert.match(found, /Was: Anna moves from E8 to F7\..* 2 of 6/);
    assert.match(found, /Now: Anna moves from E8 to F7\..* 1 of 6/);
    await gm.page.locator("#rules-diff").scrollIntoViewIfNeeded();
    await takePicture(gm.page, "rules-diff");
  });

  test("leave the battle and its rules alone", async () => {
    const { house_rules: rules } = await server.scene();
    assert.deepEqual(rules, {});
    assert.deepEqual(gm.errors, []);
  });
});
