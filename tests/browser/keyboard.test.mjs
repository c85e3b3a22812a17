import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Player, launch, miniature, newTable, until } from "./harness.mjs";

describe("with the keyboard alone", () => {
  let server, browser, gm;
  const press = async (...keys) => {
    for (const key of keys) await gm.page.keyboard.press(key);
  };
  const focused = () => gm.page.evaluate(() => document.activeElement?.id);

  before(async () => {
    server = await (await newTable()).clear();
    browser = await launch();
    gm = await Player.join(browser, server.gm);
    await gm.bringMap();
    await gm.openTab("token");
    await server.command("token.place", miniature("Anna", "blue", [3, 6], ["sword", "shield"]));
    await server.command("token.place", miniature("Grim", "red", [3, 4], ["axe", "shield"]));
    // The larger side begins each round, without a die.
    await server.command("token.place", miniature("Hob", "red", [0, 0], ["fist", "fist"]));
    await gm.sees("#tracker", "Grim");
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  test("the first Tab offers to skip to the board, and the board takes the focus visibly", async () => {
    await gm.page.reload();
    await gm.isAtTable();
    await press("Tab");
    assert.equal(await focused(), "skip");
    await press("Enter");
    assert.equal(await focused(), "board");
    await press("Shift");
    const outline = await gm.page.locator("#board").evaluate((board) => getComputedStyle(board).outlineStyle);
    assert.notEqual(outline, "none");
  });

  test("N selects the next token and announces it, and Tab leads from the board to its acts", async () => {
    await press("n");
    await gm.sees("#dock h2", "Anna");
    await until(
      async () => (await gm.page.textContent("#announcer"))?.includes("Anna, Blue, D7"),
      "Anna is announced",
    );
    await press("n");
    await gm.sees("#dock h2", "Grim");
    await press("Shift+N");
    await gm.sees("#dock h2", "Anna");
    assert.equal(await focused(), "board");
    await gm.page.locator("#dock-attack").waitFor();
    const isInPanel = () => gm.page.evaluate(() => Boolean(document.activeElement?.closest("#dock")));
    await press("Tab", "Tab");
    assert.ok(await isInPanel(), "the acts are two steps behind the board");
    await gm.sees("#dock h2", "Anna");
  });

  test("arrow keys move, E and Q turn", async () => {
    await gm.press("ArrowUp");
    await until(async () => String((await server.token("Anna")).at) === "3,5", "Anna is one up");
    await gm.press("q");
    await until(async () => (await server.token("Anna")).facing === 270, "Anna faces left");
    await gm.press("e");
    await until(async () => (await server.token("Anna")).facing === 0, "Anna faces up");
  });

  test("Enter opens the attack, Enter again makes it, and the focus returns to the board", async () => {
    await gm.page.locator("#dock-attack").filter({ hasText: "%" }).waitFor();
    await gm.press("Enter");
    await gm.page.locator("#attack").waitFor({ state: "visible" });
    await until(async () => (await focused()) === "act-0", "the attack's button has the focus");
    await press("Tab");
    while ((await focused()) !== "attack-more-open") await press("Tab");
    await press("Enter");
    while ((await focused()) !== "attack-dice") await press("Tab");
    await gm.page.keyboard.type("5");
    await press("Enter");
    await gm.sees(".log-entry", /Anna (hits|misses) Grim/);
    await until(async () => (await focused()) === "board", "the focus is back on the board");
  });

  test("Escape closes the attack without attacking", async () => {
    await gm.press("Enter");
    await gm.page.locator("#attack").waitFor({ state: "visible" });
    await press("Escape");
    await gm.page.locator("#attack").waitFor({ state: "hidden" });
    assert.equal(await focused(), "board");
    await gm.hasSentAll();
    const attacks = (await server.log()).filter(({ text: said }) => /Anna (hits|misses) Grim/.test(said));
    assert.equal(attacks.length, 1);
  });

  test("the focus stays in the attack's panel when its acts change, and never goes to an override", async () => {
    const at = (await server.token("Grim")).at;
    await gm.press("Enter");
    await until(async () => (await focused()) === "act-0", "the attack's button has the focus");
    await server.command("token.move", { token: "Grim", at: [3, 2], facing: 180 });
    await gm.page.locator("#attack .is-refused").waitFor();
    await until(async () => (await focused()) === "attack-close", "the focus is at the panel's first button");
    await server.command("token.move", { token: "Grim", at, facing: 180 });
    await gm.page.locator("#attack #act-0").waitFor();
    await press("Enter");
    await gm.page.locator("#attack").waitFor({ state: "hidden" });
    assert.equal(await focused(), "board");
  });

  test("a button that goes while it has the focus leaves the focus to the board", async () => {
    const { at } = await server.token("Anna");
    await gm.clickCell([at[0] - 1, at[1]]);
    await gm.page.locator("#move-here").focus();
    await press("Enter");
    await gm.page.locator("#move-here").waitFor({ state: "hidden" });
    await until(async () => (await focused()) === "board", "the keys act on the board again");
    await gm.press("Control+z");
    await until(async () => String((await server.token("Anna")).at) === String(at), "Anna is back");
  });

  test("number keys toggle layers: the checkbox and the map change, and change back", async () => {
    const picture = () => gm.mapPicture();
    await gm.press("Shift");
    await until(
      async () => (await gm.page.locator(".board-note, .notice").count()) === 0,
      "nothing fades over the map any more",
    );
    // The reach that comes with a selection is a border; switched on by hand it has the costs.
    const border = await picture();
    await gm.press("2", "2");
    await until(async () => (await picture()) === border, "another layer's switch brings no costs");
    await gm.press("1");
    await until(async () => (await picture()) !== border, "the border is gone");
    const bare = await picture();
    await gm.press("1");
    await until(async () => ![bare, border].includes(await picture()), "the reach has its costs");
    // A sword has no ranges.
    for (const [key, layer] of [
      ["1", "reach"],
      ["2", "arc"],
      ["4", "sight"],
      ["5", "blind"],
      ["6", "targets"],
    ]) {
      const [isOn, before] = [await gm.page.isChecked(`#layer-${layer}`), await picture()];
      await gm.press(key);
      await until(
        async () => (await gm.page.isChecked(`#layer-${layer}`)) === !isOn,
        `the box of ${layer} has changed`,
      );
      await until(async () => (await picture()) !== before, `the map without ${layer} looks different`);
      await gm.press(key);
      await until(async () => (await picture()) === before, `the map with ${layer} looks as before`);
    }
  });

  test("a unit is placed with arrow keys and Enter", async () => {
    await gm.page.locator("#menu").focus();
    await press("Enter");
    await gm.page.locator("#tab-token").focus();
    await press("ArrowRight");
    await gm.page.locator("#panel-setup").waitFor({ state: "visible" });
    await gm.page.locator("#place-toggle").focus();
    await press("Enter");
    await gm.press("ArrowLeft", "ArrowUp", "Enter", "Escape");
    await until(async () => (await server.scene()).tokens.length === 4, "it stands there");
    assert.deepEqual((await server.scene()).tokens[3].at, [6, 4]);
  });

  test("Ctrl+Z undoes it", async () => {
    await gm.press("Control+z");
    await until(async () => (await server.scene()).tokens.length === 3, "it is gone again");
  });

  test("a choice is answered by its number", async () => {
    await server.command(
      "token.place",
      miniature("Borin", "blue", [6, 6], ["hammer", "shield"], {
        profile: { armor: "heavy", race: "dwarf", hands: ["hammer", "shield"] },
      }),
    );
    await server.command("token.place", miniature("Snag", "red", [6, 5], ["mace", "fist"]));
    await gm.openTab("token");
    await gm.press("Escape", "Escape");
    await gm.page.locator("#pick-Borin").focus();
    await press("Enter");
    await gm.openTab("token");
    await gm.page.locator("#target-Snag").filter({ hasText: "%" }).focus();
    await press("Enter");
    await until(async () => (await focused()) === "act-0", "the attack's button has the focus");
    await gm.openAttackDice();
    await gm.page.locator("#attack-dice").focus();
    await gm.page.keyboard.type("6");
    await press("Enter");
    await gm.page.locator(".prompt").waitFor({ state: "visible" });
    await until(
      () => gm.page.evaluate(() => Boolean(document.activeElement?.closest(".prompt"))),
      "the prompt has the focus",
    );
    await press("1");
    await gm.page.locator(".prompt").waitFor({ state: "detached" });
    await gm.sees(".log-entry", /Borin (hits|misses) Snag/);
  });

  test("at twice the text size nothing is cut off sideways, and everything can be scrolled to", async () => {
    await gm.page.setViewportSize({ width: 640, height: 430 });
    const isWithin = () => document.documentElement.scrollWidth <= innerWidth;
    await until(() => gm.page.evaluate(isWithin), "all content is within the view");
    await gm.openTab("log");
    await gm.openLogTools();
    await gm.page.locator(".log-more summary").click();
    await gm.page.locator("#log-copy").scrollIntoViewIfNeeded();
    await gm.page.locator("#log-copy").waitFor({ state: "visible" });
  });

  test("met no error on the page", () => {
    assert.deepEqual(gm.errors, []);
  });
});
