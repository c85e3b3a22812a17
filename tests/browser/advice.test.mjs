import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Player, launch, miniature, newTable, until } from "./harness.mjs";

const GRID = { kind: "square", columns: 14, rows: 10, distance: 1, units: "squares" };
const SCREEN = { id: "screen", line: [0, 4 * 64, 4 * 64, 4 * 64] };
/** Anna can come behind Grim; Snag shoots down the board, but not past the wall. */
const ARMY = [
  ["Anna", "blue", [5, 6], ["sword", "shield"], { facing: 0 }],
  ["Grim", "red", [5, 4], ["axe", "fist"], { facing: 180 }],
  ["Snag", "red", [3, 0], ["bow"], { facing: 180 }],
];

describe("advice on the board", () => {
  let server, browser, gm;
  const panel = () => gm.page.locator("#advice");
  const picture = () => gm.mapPicture();

  before(async () => {
    server = await newTable();
    const tokens = ARMY.map(([id, side, at, hands, more]) => miniature(id, side, at, hands, more).token);
    const scene = { ...(await (await server.clear()).scene()), grid: GRID, background: "", terrain: [] };
    await server.command("scene.set", { scene: { ...scene, walls: [SCREEN], tokens } });
    browser = await launch();
    gm = await Player.join(browser, server.gm);
    await gm.page.click("#fit");
    await gm.page.click("#pick-Anna");
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  test("ranks the best places in words with reasons, and colors the map", async () => {
    const without = await picture();
    await gm.page.click("#advice-open");
    await panel().getByRole("heading", { name: "Where Anna could go if its turn began now" }).waitFor();
    const first = await gm.page.locator("#advice-1").innerText();
    assert.match(first, /^To F4, facing south: \+0\.\d+/);
    assert.match(first, /Best attack: sword at Grim, \d+ %, 0\.\d+ expected damage\./);
    await until(async () => (await picture()) !== without, "the heat map is drawn");
  });

  test("shows one number under the pointer, then everything behind it", async () => {
    await gm.page.mouse.move(...(await gm.at([5, 5])), { steps: 3 });
    const place = panel().locator(".advice-place");
    await place.getByText("F6").first().waitFor();
    await place.getByText("At Grim: sword").first().waitFor();
    for (const wanted of [/Grim: axe, \d+ %, \d.* expected damage/, /Snag: (sees|does not see) it/])
      await until(async () => wanted.test(await place.innerText()), `it says ${wanted}`);
  });

  test("plans the move to an advised place, which a second press makes", async () => {
    await gm.page.click("#advice-1");
    await gm.page.locator("#move-here").waitFor({ state: "visible" });
    await gm.page.click("#move-here");
    await until(async () => {
      const { tokens } = await server.scene();
      const { at, facing } = tokens.find(({ id }) => id === "Anna");
      return `${at} ${facing}` === "5,3 180";
    }, "Anna stands behind Grim and faces him");
    await panel().getByText("Stay: ").waitFor();
  });

  test("says how likely attackers together bring a target down, and the best order", async () => {
    const { token } = miniature("Bo", "blue", [5, 5], ["hammer", "fist"], { facing: 0 });
    await server.command("token.place", { token: { ...token, facing: 0 } });
    await panel().getByText("Attack together").click();
    await gm.page.selectOption("#focus-target", "Grim");
    await gm.page.check("#focus-Bo");
    await gm.page.check("#focus-Anna");
    const answer = panel().locator(".focus-answer");
    await answer.getByText("Anna, sword: down by then in").waitFor();
    assert.match(await answer.innerText(), /Grim is down in \d+ %/);
    await until(async () => {
      const better = await gm.page.$("#focus-best");
      if (await better?.isVisible()) await better.evaluate((one) => one.click());
      return answer.getByText("No order is better.").isVisible();
    }, "the best order is shown");
  });

  test("plays the battle on many times, with progress, and says who wins and who falls", async () => {
    await panel().getByText("How does it end?").click();
    await gm.page.click("#forecast-start");
    const answer = panel().locator(".forecast-answer");
    await answer.getByText("100 of 100 played").waitFor({ timeout: 90_000 });
    const text = await answer.innerText();
    assert.match(text, /Blue win in \d+ %/i);
    assert.match(text, /Half of the battles end within \d+ more rounds\./);
    assert.match(text, /Grim falls in \d+ %/);
    await gm.page.locator("#forecast-stop").waitFor({ state: "hidden" });
    if (process.env.PICTURES) await panel().screenshot({ path: `${process.env.PICTURES}/forecast.png` });
  });

  test("stops a forecast at the press of a button", async () => {
    await gm.page.selectOption("#forecast-count", "1000");
    await gm.page.click("#forecast-start");
    await gm.page.locator("#forecast-stop").waitFor({ state: "visible" });
    await panel().locator(".forecast-answer").getByText("of 1000 played").waitFor({ timeout: 60_000 });
    await gm.page.click("#forecast-stop");
    await gm.page.locator("#forecast-stop").waitFor({ state: "hidden" });
    assert.doesNotMatch(await panel().locator(".forecast-answer").innerText(), /1000 of 1000/);
  });

  test("is put away by its button", async () => {
    await gm.page.click("#advice-open");
    await panel().waitFor({ state: "hidden" });
    assert.equal(await gm.page.locator("#advice-open").getAttribute("aria-pressed"), "false");
  });
});
