import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Player, SHARP, isPainted, launch, newTable, until } from "./harness.mjs";
import { takePicture } from "./pictures.mjs";
import { text } from "./text.mjs";

/** The center of an empty Hexon. */
const FREE = [3, 4];
/** A Hex beside the center of an empty Hexon, and that center: Otraak's cells. */
const [ASIDE, ASIDE_MIDDLE] = [
  [19, 10],
  [18, 10],
];
/** A Hex that the Hunter does not see, behind the ruined tower. */
const BLIND = [16, 14];

describe("a table of Torn", () => {
  let server, browser, gm;

  before(async () => {
    server = await newTable("torn", { battle: true });
    browser = await launch(SHARP);
    gm = await Player.join(browser, server.gm, { viewport: { width: 1440, height: 900 } });
    gm.grid = (await server.scene()).grid;
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  /** Returns the brightness, 0 to 255, around the point at an offset, in cells, from a cell's center. */
  const brightness = async (cell, [dx, dy]) => {
    const [[x, y], [next]] = [await gm.at(cell), await gm.at([cell[0] + 1, cell[1]])];
    const clip = {
      x: Math.round(x + dx * (next - x)) - 1,
      y: Math.round(y + dy * (next - x)),
      width: 3,
      height: 1,
    };
    const url = `data:image/png;base64,${(await gm.page.screenshot({ clip })).toString("base64")}`;
    return gm.page.evaluate(async (source) => {
      const picture = Object.assign(new Image(), { src: source });
      await picture.decode();
      const pen = new OffscreenCanvas(3, 1).getContext("2d");
      pen.drawImage(picture, 0, 0);
      const parts = pen.getImageData(0, 0, 3, 1).data.filter((_, i) => i % 4 !== 3);
      return parts.reduce((sum, part) => sum + part, 0) / parts.length;
    }, url);
  };

  /** Answers the open prompt with the button of that text, and the faces of physical dice. */
  const answer = async (says, dice = "") => {
    await gm.page.fill("#prompt-dice", dice);
    await gm.page.locator(".prompt .answers button").filter({ hasText: says }).first().click();
  };

  test("lists Torn's layers with a key for each, without a front arc", async () => {
    await gm.page.click("#layers-open");
    await gm.sees("#layers", text("Layer.Reactions.Name"));
    const rows = gm.page.locator("#layers li");
    const keys = await rows.locator("kbd").allInnerTexts();
    const names = await rows.locator("label").evaluateAll((all) => all.map((one) => one.childNodes[1].data));
    const own = ["Reach", "Ranges", "Sight", "Blind", "Defense", "Reactions", "Targets"];
    assert.deepEqual(names, [...own, "Threat", "Cover", "Engaged"]);
    assert.deepEqual(keys, ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0"]);
    await gm.page.click("#layers-open");
  });

  test("shows plain ground, light terrain and the borders of Hexons before a selection", async () => {
    await gm.page.emulateMedia({ colorScheme: "light" }); // pictures of the docs are taken in the dark
    await isPainted(gm.page);
    const [ground, rock] = [await brightness(FREE, [0.2, 0.1]), await brightness([12, 5], [0, -0.2])];
    assert.ok(ground > 60 && ground < 140, `the ground is of a middle tone, not ${ground}`);
    assert.ok(rock > ground + 60, `the rock (${rock}) is lighter than the ground (${ground})`);
    const [inner, border] = [await brightness(FREE, [0.5, 0]), await brightness(FREE, [1.5, 0])];
    assert.ok(border > inner + 40, `the border (${border}) is heavier than the line of the grid (${inner})`);
    await gm.page.emulateMedia({ colorScheme: process.env.SCREENSHOT ? "dark" : "light" });
  });

  test("selects a miniature, and its blind zone is drawn behind the terrain", async () => {
    const before = await brightness(BLIND, [0.2, 0.1]);
    await gm.clickCell([9, 6]);
    await gm.sees("#dock h2", "Hunter");
    await gm.page.locator("#target-returned-1").filter({ hasText: "%" }).waitFor({ state: "attached" });
    await gm.press("4");
    await until(() => gm.page.isChecked("#layer-blind"), "the blind zone is shown by hand");
    await until(
      async () => (await brightness(BLIND, [0.2, 0.1])) < before - 10,
      `the blind zone is darker than the ground (${before})`,
    );
    await gm.press("4");
    await until(async () => (await brightness(BLIND, [0.2, 0.1])) === before, "its key has switched it off");
    await gm.press("4");
  });

  test("reads the possible reactions in the target's panel before attacking", async () => {
    await gm.clickCell([9, 5]);
    await gm.sees("#attack", "Hunter → Returned 1");
    await gm.sees("#attack .reactions", "Counter Attack by Returned 1");
    await gm.sees("#attack .reactions", "Free Attack by Returned 1");
  });

  test("attacks with physical dice, and the defender decides first", async () => {
    await gm.openAttackDice();
    await gm.page.check("#attack-physical");
    await gm.page.locator("#attack button.primary").filter({ hasText: "Sword Strike" }).click();
    await gm.sees(".prompt h2", `${text("Prompt.Title", { name: "The Doomed" })} (${text("Shape.square")})`);
    await gm.sees(".prompt-about", text("Prompt.About", { name: "Hunter", target: "Returned 1" }));
    await gm.sees(".prompt", "Returned 1: Counter Attack on Hunter?");
    await answer("No", "six");
    await gm.sees("#notices .is-error", "S C -");
    await gm.page.locator("#notices .is-error button").last().click();
    await answer("No", "s-ss");
  });

  test("then the attacker decides, and sees the dice so far", async () => {
    await gm.sees(".prompt h2", `${text("Prompt.Title", { name: "Castila" })} (${text("Shape.circle")})`);
    await gm.sees(".prompt", "Reroll with Agility?");
    assert.deepEqual(await gm.page.locator(".prompt .die").allInnerTexts(), ["S", "-", "S", "S"]);
    await takePicture(gm.page, "torn");
    await answer("Reroll 1 blank Attack die", "C");
  });

  test("then the defender decides again, until the attack is over", async () => {
    await gm.sees(".prompt h2", `${text("Prompt.Title", { name: "The Doomed" })} (${text("Shape.square")})`);
    await gm.sees(".prompt", "Defend or Evade?");
    await answer("Defend with all dice in the shield", "--");
    await gm.seesNo(".prompt", "Defend or Evade?");
    const isLogged = async () => /takes \d+ wounds?,/.test(await gm.lastEntry());
    await gm.answerUntil(isLogged, "the attack is over");
  });

  test("reads the dice in the log, with their named faces, and the result", async () => {
    const entry = await gm.lastEntry();
    assert.match(entry, /Hunter attacks Returned 1 with Sword Strike/);
    assert.ok(entry.includes(text("Log.Physical")));
    assert.ok((await gm.page.locator(".log-entry:last-child .die").allInnerTexts()).includes("C"));
    const wounded = await server.token("returned-1");
    assert.ok(wounded.at === null || wounded.tracks.wounds < 3);
    assert.match(entry, /takes \d+ wounds?,/);
  });

  test("clicks a large miniature at its rim, and drags it by its center, Hexon by Hexon", async () => {
    await gm.press("Escape");
    await gm.clickCell([18, 7]);
    await gm.sees("#dock h2", "Otraak");
    await gm.openTab("token");
    await gm.page.locator("#panel-token .card").filter({ hasText: "Stomp" }).waitFor();
    await gm.drag([16, 7], ASIDE);
    await until(
      async () => String((await server.token("otraak")).at) === String(ASIDE_MIDDLE),
      "it has moved",
    );
    await gm.clickCell(ASIDE);
    await gm.sees("#panel-token h2", "Otraak");
  });

  test("edits a large miniature", async () => {
    await gm.page.click("#edit-open");
    await gm.page.fill("#edit-name", "Otraak the Large");
    await gm.page.click("#edit-save");
    await gm.sees("#panel-token h2", "Otraak the Large");
  });

  test("mirrors the Hexons by a house rule, and their borders follow at once", async () => {
    const before = await brightness(FREE, [1.5, 0]);
    await gm.openTab("rules");
    await gm.page.locator("#panel-rules select").filter({ hasText: "right" }).first().selectOption("right");
    await gm.page.click("#rules-save");
    await gm.sees("#notices", text("Command.RulesSaved"));
    await until(
      async () => Math.abs((await brightness(FREE, [1.5, 0])) - before) > 30,
      "the borders have moved",
    );
  });

  test("met no error on the page", () => {
    assert.deepEqual(gm.errors, []);
  });
});
