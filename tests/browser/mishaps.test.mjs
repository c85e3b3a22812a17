// What goes wrong at a real table: hasty clicks, two GMs at once, a unit that goes while it is held, endless names.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Player, becomes, miniature, startSkirmish, until } from "./harness.mjs";

/** The time between the two clicks of a double click. */
const HASTE_MS = 200;
const ACT = { target: "", weapon: "", at: null, facing: null };

describe("mishaps at the board", () => {
  let server, browser, gm, other;
  const act = (kind, token) =>
    server.command("act", { act: { ...ACT, kind, token }, override: "a test's order" });
  const entries = async () => (await server.log()).length;

  /** Double-clicks a place as a hand does, so that the page can change between the two clicks. */
  const doubleClick = async (locator) => {
    const { x, y, width, height } = await locator.boundingBox();
    const { mouse } = gm.page;
    await mouse.click(x + width / 2, y + height / 2);
    await gm.page.waitForTimeout(HASTE_MS);
    await mouse.down({ clickCount: 2 });
    await mouse.up({ clickCount: 2 });
  };

  before(async () => {
    ({ server, browser, gm } = await startSkirmish());
    other = await Player.join(browser, server.gm);
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  test("units that are placed faster than the server answers are all there", async () => {
    await gm.page.selectOption("#place-unit", "orc-axeman");
    await gm.page.selectOption("#place-side", "red");
    await gm.page.click("#place-toggle");
    await gm.page.click("#fit");
    const points = await Promise.all([9, 10, 11].map((column) => gm.at([column, 8])));
    for (const point of points) await gm.page.mouse.click(...point);
    await until(async () => (await server.scene()).tokens.length === 6, "three units have come");
    const names = (await server.scene()).tokens.map(({ name }) => name);
    assert.deepEqual(names.filter((name) => name.startsWith("Orc")).sort(), [
      "Orc axeman 1",
      "Orc axeman 2",
      "Orc axeman 3",
    ]);
  });

  test("after placing, the fields still name the unit and its side", async () => {
    await gm.page.click("#place-toggle");
    assert.equal(await gm.page.inputValue("#place-unit"), "orc-axeman");
    assert.equal(await gm.page.inputValue("#place-side"), "red");
  });

  test("a double click starts one round and takes no second step", async () => {
    const before = await entries();
    await doubleClick(gm.page.locator("#step"));
    await gm.sees(".log-entry", "Round 1 begins");
    await gm.hasSentAll();
    assert.equal(await entries(), before + 2); // the round, and the note of the page
  });

  test("a double click activates a unit, and does not end its activation at once", async () => {
    const isBlue = /Next: Blue/.test(await gm.page.locator("#active").innerText());
    const [id, name] = isBlue ? ["Anna", "Anna"] : ["Grim", "Grim"];
    await gm.page.click(`#pick-${id}`);
    await gm.sees("#step", `Activate: ${name}`);
    await gm.openTab("token");
    await doubleClick(gm.page.locator("#token-act-0"));
    await gm.sees("#step", `End activation: ${name}`);
    await gm.hasSentAll();
    assert.match(await gm.page.locator("#step").innerText(), /End activation/);
    assert.equal(await gm.page.locator("#notices .is-error").count(), 0);
    await act("end", id);
  });

  test("a key held down takes one step", async () => {
    await gm.sees("#active", "Next:");
    const before = await entries();
    const next = /Next: Blue/.test(await gm.page.locator("#active").innerText()) ? "Anna" : "Grim";
    await gm.page.click(`#pick-${next}`);
    await gm.sees("#step", "Activate");
    await gm.page.locator("#board").focus();
    await gm.page.keyboard.down(" ");
    await gm.sees("#step", "End activation");
    await gm.page.keyboard.down(" "); // the keyboard repeats it
    await gm.page.keyboard.up(" ");
    await gm.hasSentAll();
    assert.equal(await entries(), before + 2); // the step, and the note of the page
  });

  test("undo to before an entry also gives up the question that is open", async () => {
    await server.command("token.move", { token: "Anna", at: [3, 3], facing: 0, override: "a test's order" });
    const melee = { ...ACT, kind: "melee", token: "Anna", target: "Grim", weapon: "sword" };
    await server.command("act", { act: melee, faces: [1], override: "a test's order" });
    await gm.page.locator(".prompt").waitFor();
    const entry = gm.page.locator(".log-entry", { hasText: "Anna moves" }).last();
    const [line, undo] = [entry.locator(".log-line"), entry.locator(".log-undo").last()];
    if (!(await undo.isVisible())) await line.click();
    await undo.click();
    await until(async () => (await server.token("Anna")).at[1] === 5, "Anna is back");
    await becomes(() => gm.page.locator(".prompt").count(), 0, "the question has gone");
  });

  test("a unit that goes while it is dragged leaves no picture behind when it comes back", async () => {
    const picture = async () => {
      await gm.page.click("#fit");
      await gm.page.mouse.move(0, 0);
      return gm.mapPicture();
    };
    await gm.press("Escape", "Escape");
    const before = await picture();
    await gm.drag([11, 8], [11, 6], {
      during: async () => {
        await server.command("token.remove", { token: "orc-axeman-3" });
        await until(async () => !(await gm.page.locator("#pick-orc-axeman-3").count()), "it has gone");
        await gm.page.mouse.move(...(await gm.at([11, 5])));
      },
    });
    await server.command("undo", {});
    await gm.page.locator("#pick-orc-axeman-3").waitFor();
    assert.equal(await gm.page.locator("#notices .is-error").count(), 0);
    await until(async () => (await picture()) === before, "the board looks as before");
  });

  test("what the GM has changed in a unit's form stays while the unit is moved", async () => {
    await gm.openTab("token");
    await gm.page.click("#pick-Grim");
    await gm.page.click("#edit-open");
    await gm.page.fill("#edit-track-hp", "1");
    await gm.page.check("#edit-hidden");
    await server.command("token.move", { token: "Grim", at: [4, 2], facing: 0, override: "a test's order" });
    await gm.sees("#panel-token .side", "E3");
    assert.equal(await gm.page.inputValue("#edit-track-hp"), "1");
    await gm.page.click("#edit-save");
    await until(async () => (await server.token("Grim")).hidden, "the form is saved");
    const { at, tracks } = await server.token("Grim");
    assert.deepEqual([at, tracks.hp], [[4, 2], 1]);
  });

  test("two GMs change two house rules, and both changes hold", async () => {
    for (const player of [gm, other]) await player.openTab("rules");
    await gm.page.selectOption("#enforcement", "warn");
    await other.page.locator('[id="rule-cdg.adjacency"]').selectOption({ label: "edges and corners" });
    await other.page.click("#rules-save");
    await gm.sees(".log-entry", "House rules changed");
    assert.equal(await gm.page.inputValue("#enforcement"), "warn");
    await gm.page.click("#rules-save");
    await until(async () => (await server.scene()).enforcement === "warn", "the second change is saved");
    assert.equal((await server.scene()).house_rules["cdg.adjacency"], "edges and corners");
  });

  test("rules can be tried again after they were saved during a trial", async () => {
    await gm.page.click("#rules-try");
    await gm.page.selectOption("#enforcement", "advise");
    await gm.page.click("#rules-save");
    await gm.sees("#rules-diff", "acts come to the same verdict");
    await gm.page.locator("#rules-try:enabled").waitFor();
  });

  test("undo does not work behind an open dialog", async () => {
    const before = await entries();
    await gm.openTab("rules");
    await gm.page.click("#help");
    await gm.page.keyboard.press("Control+z");
    await gm.page.keyboard.press("Escape");
    await gm.hasSentAll();
    assert.equal(await entries(), before + 1); // the note of the page
  });

  test("two GMs place the same unit at the same time, and both units are there", async () => {
    for (const player of [gm, other]) {
      const { page } = player;
      await player.openTab("setup");
      await page.selectOption("#place-unit", "orc-axeman");
      await page.selectOption("#place-side", "red");
      await page.click("#place-toggle");
      await page.click("#fit");
    }
    const before = (await server.scene()).tokens.length;
    const [here, there] = [await gm.at([6, 8]), await other.at([7, 8])];
    await Promise.all([gm.page.mouse.click(...here), other.page.mouse.click(...there)]);
    await until(async () => (await server.scene()).tokens.length === before + 2, "both units have come");
    for (const { page } of [gm, other]) await page.click("#place-toggle");
  });

  test("units stand in the order of their numbers, the tenth after the second", async () => {
    const like = miniature("orc-axeman-10", "red", [5, 8], ["axe", "fist"]).token;
    await server.command("token.place", { token: { ...like, name: "Orc axeman 10" } });
    await gm.sees("#tracker", "Orc axeman 10");
    const names = await gm.page.locator("#tracker .unit-name").allInnerTexts();
    assert.deepEqual(
      names.filter((name) => name.startsWith("Orc")),
      [1, 2, 3, 4, 5, 10].map((number) => `Orc axeman ${number}`),
    );
  });

  test("names without a space or of emoji leave every button within reach", async () => {
    const long = miniature("Endless", "blue", [2, 8], ["sword"]).token;
    await server.command("token.place", { token: { ...long, name: "W".repeat(200) } });
    const sides = (await server.scene()).sides.map((side) => ({ ...side, name: `${side.name}_`.repeat(40) }));
    await server.command("sides.set", { sides });
    await gm.openTab("token");
    await gm.page.click("#pick-Endless");
    await gm.sees("#panel-token h2", "WWW");
    for (const width of [1024, 320]) {
      await gm.page.setViewportSize({ width, height: 700 });
      const outside = () =>
        gm.page.evaluate((most) => {
          const rights = [...document.querySelectorAll("aside button")].map(
            (one) => one.getBoundingClientRect().right,
          );
          return [...rights, document.documentElement.scrollWidth].filter((right) => right > most);
        }, width);
      await becomes(outside, [], `all is within ${width}`);
    }
    await gm.page.setViewportSize({ width: 1024, height: 700 });
  });

  test("nothing of this is an error of the page", () => {
    assert.deepEqual([...gm.errors, ...other.errors], []);
  });
});
