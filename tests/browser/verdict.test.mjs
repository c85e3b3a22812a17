import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Player, launch, miniature, newTable, until } from "./harness.mjs";

const GRID = { kind: "square", columns: 14, rows: 10, distance: 1, units: "squares" };
const WALL = { id: "screen", line: [5 * 64, 0, 5 * 64, 5 * 64] };
/** Anna faces Grim beside her; Snag is behind a wall, Urk behind Grim, and the lurker is hidden. */
const ARMY = [
  ["Anna", "blue", [3, 3], ["sword", "shield"], { facing: 90, owners: [] }],
  ["Grim", "red", [4, 3], ["axe", "shield"], { facing: 270 }],
  ["Snag", "red", [5, 0], ["bow"], { facing: 270 }],
  ["Bo", "blue", [3, 8], ["sword", "shield"], { facing: 0 }],
  ["Lurker", "red", [3, 6], ["mace", "fist"], { hidden: true }],
];

describe("an inspected target", () => {
  let server, browser, gm;
  const verdict = () => gm.page.locator("#verdict");
  const picture = () => gm.mapPicture();
  const says = (text) => verdict().filter({ hasText: text }).waitFor({ state: "visible" });

  before(async () => {
    server = await newTable();
    const tokens = ARMY.map(([id, side, at, hands, more]) => miniature(id, side, at, hands, more).token);
    const scene = { ...(await (await server.clear()).scene()), grid: GRID, background: "", terrain: [] };
    await server.command("scene.set", { scene: { ...scene, walls: [WALL], tokens } });
    browser = await launch();
    gm = await Player.join(browser, server.gm);
    await gm.page.click("#fit");
    await gm.page.click("#pick-Anna");
    await gm.page.locator("#target-Grim").filter({ hasText: "%" }).waitFor({ state: "attached" });
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  const over = async (cell) => gm.page.mouse.move(...(await gm.at(cell)), { steps: 3 });

  test("under the pointer shows sight, distance, and the odds with every modifier", async () => {
    await over([4, 3]);
    await says("Anna sees Grim, 1 square away.");
    const text = await verdict().innerText();
    assert.match(text, /sword, melee: \d+ %, needs \d or more/);
    assert.match(text, /Defense: \+4 light armou?r/);
  });

  test("behind a wall shows the blocker, and why there is no attack", async () => {
    const without = await picture();
    await over([5, 0]);
    await says("Anna does not see Snag");
    const text = await verdict().innerText();
    assert.match(text, /Blocked by the wall between you and Snag\./);
    assert.match(text, /sword, melee: Snag is not adjacent\./);
    await until(async () => (await picture()) !== without, "the line and the wall are drawn");
  });

  test("is forgotten when the pointer leaves it", async () => {
    await over([10, 8]);
    await verdict().waitFor({ state: "hidden" });
  });

  test("is inspected by key too, one after another, and Enter attacks it", async () => {
    await gm.press("t");
    await says("Anna does not see Bo");
    await gm.press("t");
    await says("Anna sees Grim");
    await gm.press("Shift+T");
    await says("Anna does not see Bo");
    await gm.press("t");
    await says("Anna sees Grim");
    assert.equal(await verdict().getAttribute("role"), "status");
    await gm.press("Enter");
    await gm.page.locator("#attack-title").filter({ hasText: "Anna → Grim" }).waitFor();
    await verdict().waitFor({ state: "hidden" });
    await gm.page.keyboard.press("Escape");
    await gm.page.locator("#attack").waitFor({ state: "hidden" });
  });

  test("gets a new verdict after a change: without the wall Snag is seen", async () => {
    await gm.press("t", "t");
    await says("Anna does not see Snag");
    const scene = await server.scene();
    await server.command("scene.set", { scene: { ...scene, walls: [] } });
    await says("Anna sees Snag");
    await server.command("scene.set", { scene });
    await says("Anna does not see Snag");
  });

  test("tells a spectator nothing hidden: a hidden token blocks nothing, and is not named", async () => {
    await gm.press("t");
    await says("Anna does not see Bo");
    assert.match(await verdict().innerText(), /Blocked by Lurker\./);
    const guest = await Player.join(browser, server.spectator);
    await guest.page.click("#fit");
    await guest.page.click("#pick-Anna");
    await guest.page.mouse.move(...(await guest.at([3, 8])), { steps: 3 });
    await guest.sees("#verdict", "Anna sees Bo, 5 squares away.");
    assert.doesNotMatch(await guest.page.locator("body").innerText(), /Lurker/);
    assert.deepEqual(guest.errors, []);
    await guest.context.close();
  });

  test("threat and engagement have a checkbox, a key and a mark on the map; cover is not offered here", async () => {
    await gm.press("Escape", "Escape");
    await gm.page.mouse.move(5, 5);
    await gm.page.click("#pick-Anna");
    await gm.page.locator("#target-Grim").filter({ hasText: "%" }).waitFor({ state: "attached" });
    await gm.press("Shift"); // the board has the focus, and shows it
    await gm.page.locator(".board-note, .notice").first().waitFor({ state: "detached" });
    assert.equal(await gm.page.locator("#layer-cover").count(), 0);
    for (const [key, layer, isOn] of [
      ["7", "threat", false],
      ["8", "engagement", false],
    ]) {
      assert.equal(await gm.page.isChecked(`#layer-${layer}`), isOn);
      const was = await picture();
      await gm.press(key);
      await until(async () => (await gm.page.isChecked(`#layer-${layer}`)) !== isOn, `${layer} has changed`);
      await until(async () => (await picture()) !== was, `the map shows ${layer}, or no longer`);
      await gm.press(key);
      await until(async () => (await picture()) === was, `the map looks as before ${layer}`);
    }
  });

  test("met no error on the page", () => assert.deepEqual(gm.errors, []));
});
