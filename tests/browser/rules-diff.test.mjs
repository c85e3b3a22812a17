import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { Player, ROOT, launch, miniature, newTable } from "./harness.mjs";

const GRID = { kind: "square", columns: 14, rows: 10, distance: 1, units: "squares" };

describe("house rules on trial", () => {
  let server, browser, gm;

  before(async () => {
    server = await newTable();
    const scene = { ...(await (await server.clear()).scene()), grid: GRID, background: "", terrain: [] };
    await server.command("scene.set", { scene: { ...scene, walls: [], tokens: [] } });
    await server.command("token.place", miniature("Anna", "blue", [5, 6], ["hammer", "shield"]));
    await server.command("token.place", miniature("Grim", "red", [5, 5], ["axe", "fist"], { facing: 180 }));
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
    await gm.page.click("#tab-rules");
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  test("change no verdict if they are those of the battle", async () => {
    await gm.page.click("#rules-try");
    await gm.sees("#rules-diff", "All 2 acts come to the same verdict");
  });

  test("list each verdict that changes, with what it was and what it is now", async () => {
    const rules = await gm.page.locator(".rules input[type=checkbox]").all();
    let found = "";
    for (const box of rules) {
      await box.click();
      await gm.page.click("#rules-try");
      await gm.page.locator("#rules-diff").getByText("come to the same verdict").waitFor({ timeout: 30000 });
      await gm.page.locator("#rules-cancel").waitFor({ state: "hidden" });
      found = await gm.page.locator("#rules-diff").innerText();
      if (found.includes("Was:")) break;
      await box.click();
    }
    assert.match(found, /Under these rules/i);
    assert.match(found, /\(entry \d+\)/);
    assert.match(found, /Was: .*Anna/);
    assert.match(found, /Now: /);
    await gm.page.locator("#rules-diff").scrollIntoViewIfNeeded();
    if (process.env.SCREENSHOT)
      await gm.page.screenshot({ path: join(ROOT, "docs", "images", "rules-diff.png") });
  });

  test("leave the battle and its rules alone", async () => {
    const { house_rules: rules } = await server.scene();
    assert.deepEqual(rules, {});
    assert.deepEqual(gm.errors, []);
  });
});
