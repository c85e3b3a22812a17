import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Player, launch, miniature, newTable, until } from "./harness.mjs";
import { takePicture } from "./pictures.mjs";

const GRID = { kind: "square", columns: 14, rows: 10, distance: 1, units: "squares" };
const ARMY = [
  ["Anna", "blue", [5, 6], ["sword", "shield"], { facing: 0 }],
  ["Bo", "blue", [6, 6], ["spear", "shield"], { facing: 0 }],
  ["Grim", "red", [5, 5], ["axe", "fist"], { facing: 180 }],
  ["Snag", "red", [6, 5], ["sword", "fist"], { facing: 180 }],
];
/** Each attack with the faces of its dice. */
const ATTACKS = [
  ["Anna", "Grim", "sword", 5],
  ["Grim", "Anna", "axe", 1],
  ["Bo", "Snag", "spear", 2],
  ["Snag", "Bo", "sword", 6],
  ["Anna", "Grim", "sword", 1],
  ["Snag", "Bo", "sword", 6],
];

describe("statistics of a battle", () => {
  let server, browser, gm;
  const panel = () => gm.page.locator("#statistics");

  const strike = async (token, target, weapon, face) => {
    const act = { kind: "melee", token, target, weapon };
    const { result } = await server.command("act", { act, faces: [face], override: "a test's order" });
    for (let { waiting } = result; waiting;) {
      const answer = waiting.options.find(({ key }) => key === "no")?.key ?? waiting.default;
      ({ waiting } = (await server.command("choice.answer", { choice: waiting.id, answer })).result);
    }
  };

  before(async () => {
    server = await newTable();
    const tokens = ARMY.map(([id, side, at, hands, more]) => ({
      ...miniature(id, side, at, hands).token,
      ...more,
      tracks: { hp: 3 },
    }));
    const scene = { ...(await (await server.clear()).scene()), grid: GRID, background: "", terrain: [] };
    await server.command("scene.set", { scene: { ...scene, walls: [], tokens } });
    for (const attack of ATTACKS) await strike(...attack);
    browser = await launch();
    gm = await Player.join(browser, server.gm);
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  test("stand in the log panel: hits against what was to be expected, by side and by unit", async () => {
    await gm.openLogTools();
    await gm.page.click("#statistics-open");
    await panel().getByText("By unit").waitFor();
    const text = await panel().innerText();
    assert.match(text, /Hits: \d, expected \d/);
    assert.match(text, /Took \d hit points, lost \d\./);
    const rows = await panel().locator("tbody tr").allInnerTexts();
    assert.equal(rows.length, 4);
    const red = await panel().locator(".statistics-side", { hasText: "Red" }).innerText();
    assert.match(red, /2 of 3 attacks hit/);
    assert.match(await panel().locator(".statistics-luck").innerText(), /Blue [+−±]/);
    await takePicture(gm.page, "statistics");
  });

  test("count a new attack by themselves", async () => {
    await strike("Grim", "Anna", "axe", 6);
    await panel().locator(".statistics-side", { hasText: "Red" }).getByText("of 4 attacks").waitFor();
  });

  test("do not count what a player was not told", async () => {
    await server.command(
      "token.place",
      miniature("Lurker", "red", [6, 7], ["mace", "fist"], { hidden: true }),
    );
    await strike("Lurker", "Bo", "mace", 6);
    await panel().locator(".statistics-side", { hasText: "Red" }).getByText("of 5 attacks").waitFor();
    const watcher = await Player.join(browser, server.spectator);
    await watcher.openLogTools();
    await watcher.page.click("#statistics-open");
    const theirs = watcher.page.locator("#statistics");
    await theirs.locator(".statistics-side", { hasText: "Red" }).getByText("of 4 attacks").waitFor();
    assert.doesNotMatch(await theirs.innerText(), /Lurker/);
  });

  test("are put away by their button", async () => {
    await gm.openLogTools();
    await gm.page.click("#statistics-open");
    await until(async () => !(await panel().isVisible()), "the statistics are closed");
    assert.deepEqual(gm.errors, []);
  });

  test("are in the log's Markdown and HTML, with plots that need no other file", async () => {
    await gm.page.click(".log-more summary");
    const save = async (id) => {
      await gm.page.click(id);
      const [download] = await Promise.all([
        gm.page.waitForEvent("download"),
        gm.page.click("#reader-players"),
      ]);
      return Buffer.concat(await (await download.createReadStream()).toArray()).toString();
    };
    const markdown = await save("#log-markdown");
    assert.match(markdown, /## Statistics\n\n- \*\*Blue\*\*: \d of \d attacks hit/);
    assert.match(markdown, /\| Anna \|/);
    const page = await save("#log-page");
    assert.match(page, /<svg[^>]*role="img"[^>]*aria-label="Damage above or below/);
    assert.doesNotMatch(page, /(src|href)="(?!data:|#)/);
  });
});
