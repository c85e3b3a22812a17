import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { Player, launch, newTable, until } from "./harness.mjs";
import { takePicture } from "./pictures.mjs";

const ALL = { Sword: 1, Dagger: 1 };
const [START, END] = [
  [2, 5],
  [8, 5],
];
/** Waypoints of a path that keeps away from both monsters, as far as its budget allows. */
const ASIDE = [3, 7];

const creature = (id, side, at, sheet) => ({
  token: {
    id,
    name: id,
    side,
    at,
    profile: { role: "fighter", hands: ["Sword"], proficiency: ALL, damage_points: 20, ...sheet },
  },
});

describe("a move through threatened squares in Knights of Valour", () => {
  let server, browser, gm, mia;

  before(async () => {
    server = await (await newTable("knights_of_valour")).clear();
    browser = await launch();
    gm = await Player.join(browser, server.gm);
    gm.grid = (await server.scene()).grid;
    await server.command("token.place", creature("Aldis", "blue", START, { agility: 6 }));
    const monster = { role: "monster", hands: ["Dagger"] };
    await server.command("token.place", creature("Orc", "red", [4, 4], monster));
    await server.command("token.place", creature("Troll", "red", [6, 6], monster));
    const link = await server.seatPlayer("Mia", ["Orc"]);
    mia = await Player.join(browser, link);
    await server.command("act", { act: { kind: "round" } });
    await gm.answerUntil(async () => (await server.scene()).tracks.round === 1, "the round has started");
    await gm.press("Escape");
    await gm.page.click("#pick-Aldis");
    await gm.page.click("#fit");
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  test("the pointer over a square tells whom the cheapest path provokes, and what a safe one costs", async () => {
    await gm.page.mouse.move(...(await gm.at(END)), { steps: 3 });
    await gm.sees("#move-text", /provokes Orc: \d+ % harm\nprovokes Troll: \d+ % harm\n/);
    await gm.page.mouse.move(...(await gm.at([6, 3])), { steps: 3 });
    await gm.sees("#move-text", /a safe path costs|no safe path/);
    await gm.page.mouse.move(...(await gm.at([2, 7])), { steps: 3 });
    await gm.sees("#move-text", /^costs \d+ of \d+$/); // no enemy is near that way
  });

  test("the dragged token says what the move provokes and the expected damage", async () => {
    await gm.drag(START, [6, 3], {
      during: async () => {
        await gm.sees("#move-text", /provokes Orc: \d+ % harm\n[\d.]+ damage expected/);
        await takePicture(gm.page, "provoked");
        await gm.page.keyboard.press("Escape");
      },
    });
    assert.deepEqual((await server.token("Aldis")).at, START);
  });

  test("both enemies are asked at their own seats, between the steps, and the log has the attacks", async () => {
    await gm.drag(START, END);
    await mia.sees(".prompt", "Orc");
    assert.deepEqual((await server.token("Aldis")).at, START, "nothing has moved before the answer");
    await mia.page.locator(".prompt .answers button.primary").first().click();
    await gm.sees(".prompt", "Troll");
    await gm.page.locator(".prompt .answers button").filter({ hasText: "No" }).first().click();
    await until(async () => String((await server.token("Aldis")).at) === String(END), "Aldis is there");
    await gm.sees(".log-entry", "Orc");
    const entry = (await server.log()).findLast(({ events }) => events.length);
    const steps = entry.events.filter(({ type }) => type === "token_moved");
    assert.equal(steps.length, 6);
    const struck = entry.events.findIndex(({ type }) => type === "dice_rolled");
    const left = entry.events.findIndex(({ type, at }) => type === "token_moved" && String(at) === "6,5");
    assert.ok(struck >= 0 && struck < left, "the Orc strikes before the step that leaves it");
  });

  test("undo takes the whole move back", async () => {
    await gm.press("Control+z");
    await until(async () => String((await server.token("Aldis")).at) === String(START), "Aldis is back");
  });

  test("a drag through a waypoint goes through its square", async () => {
    await gm.page.click("#fit");
    await gm.page.mouse.move(...(await gm.at(START)));
    await gm.page.mouse.down();
    await gm.page.mouse.move(...(await gm.at(ASIDE)), { steps: 4 });
    await gm.page.locator("#board").focus();
    await gm.page.keyboard.press("p");
    await gm.page.mouse.move(...(await gm.at([4, 8])), { steps: 4 });
    await gm.page.mouse.up();
    await gm.answerUntil(
      async () => String((await server.token("Aldis")).at) === "4,8",
      "Aldis stands where the drag ended",
    );
    const entry = (await server.log()).findLast(({ events }) => events.length);
    const cells = entry.events.filter(({ type }) => type === "token_moved").map(({ at }) => String(at));
    assert.ok(cells.includes(String(ASIDE)), cells.join(" "));
  });

  test("a player announces an intent in a form, and the log has the words", async () => {
    // A new round: an intent comes before all else.
    await server.command("scene.set", { scene: { ...(await server.scene()), tracks: {} } });
    await server.command("act", { act: { kind: "round" } });
    await gm.answerUntil(async () => (await server.scene()).tracks.round === 1, "the round has started");
    await gm.press("Escape");
    await gm.page.click("#pick-Aldis");
    await gm.openTab("token");
    const announce = gm.page.locator(".token-act button").filter({ hasText: "Announce intent" });
    await announce.click();
    await gm.page.keyboard.press("Escape");
    await gm.page.locator("dialog.act-form").waitFor({ state: "detached" });
    await announce.click();
    await gm.page.fill("dialog.act-form input", "I hold the bridge");
    await gm.page.keyboard.press("Enter");
    await gm.sees(".log-entry", "Aldis announces: I hold the bridge.");
    assert.equal((await server.token("Aldis")).conditions.intent, "I hold the bridge");
  });

  test("each player lowers initiative at the own page, at the same time, and may change it", async () => {
    await server.command("token.place", creature("Bran", "blue", [1, 8], { agility: 5 }));
    await server.command("scene.set", { scene: { ...(await server.scene()), tracks: {} } });
    const tom = await Player.join(browser, await server.seatPlayer("Tom", ["Bran"]));
    await server.command("act", { act: { kind: "round" } });
    await gm.page.locator(".prompt .answers button").filter({ hasText: "Someone does" }).click();
    // Aldis has no owner, so each player of its side may answer for it.
    const turnTo = (page, name) => page.locator(".other-choice").filter({ hasText: name }).click();
    const answer = (page, text) => page.locator(".prompt .answers button").filter({ hasText: text }).click();
    await turnTo(tom.page, "Bran");
    await gm.sees(".other-choices", "Bran");
    const before = await gm.page.locator(".prompt").innerText();
    await answer(tom.page, "By 2, to 3");
    await tom.sees(".other-choices", /Bran By 2, to 3 ✓/);
    // The table's answer draws the question anew, with another creature first.
    const given = /By 2, to 3\s+your answer[\s\S]*You can change it until then/;
    await until(async () => {
      await turnTo(tom.page, "Bran");
      return given.test(await tom.page.locator(".prompt").innerText());
    }, "the answer can be changed");
    await answer(tom.page, "By 1, to 4");
    await tom.sees(".other-choices", /Bran By 1, to 4 ✓/);
    await gm.hasAll(server);
    assert.equal(await gm.page.locator(".prompt").innerText(), before, "the GM does not see the answer");
    await turnTo(gm.page, "Aldis");
    await answer(gm.page, "By 1, to 5");
    await gm.sees(".log-entry", /Order of turns: Aldis \+5, Bran \+4/);
    await tom.page.locator(".prompt").waitFor({ state: "detached" });
    assert.deepEqual(tom.errors, []);
    await tom.page.close();
  });

  test("the GM takes the defaults for all who have not answered", async () => {
    await server.command("scene.set", { scene: { ...(await server.scene()), tracks: {} } });
    await server.command("act", { act: { kind: "round" } });
    await gm.page.locator(".prompt .answers button").filter({ hasText: "Someone does" }).click();
    await gm.page.locator("#close-choices").click();
    await gm.page.click("#confirm-yes");
    await gm.sees(".log-entry", /Order of turns: Aldis \+6, Bran \+5/);
  });

  test("the pages log no errors", () => assert.deepEqual([...gm.errors, ...mia.errors], []));
});
