import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { MAP, Player, launch, newTable, until } from "./harness.mjs";
import { text } from "./text.mjs";

describe("a GM at the board", () => {
  let server, browser, gm;

  before(async () => {
    server = await (await newTable()).clear();
    browser = await launch();
    gm = await Player.join(browser, server.gm);
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  test("imports a map, which is shown with its walls and logged", async () => {
    await gm.bringMap();
    await gm.sees(".log-entry", "The table has a new map.");
    const scene = await server.scene();
    assert.deepEqual([scene.grid.columns, scene.grid.rows], [14, 10]);
    const picture = await gm.page.evaluate(async (url) => (await fetch(url)).status, scene.background);
    assert.equal(picture, 200);
  });

  test("imports a map that is dropped on the board", async () => {
    const before = (await server.scene()).background;
    const dropped = await gm.page.evaluateHandle(
      ([text, name]) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([text], name));
        return transfer;
      },
      [readFileSync(MAP, "utf8"), "suite-of-rooms.uvtt"],
    );
    await gm.page.dispatchEvent("#board", "drop", { dataTransfer: dropped });
    await until(async () => (await server.scene()).background !== before, "the map has a new picture");
  });

  test("reads why a broken file is no map, and the table stays unchanged", async () => {
    const before = await server.scene();
    await gm.page.setInputFiles("#map-file", {
      name: "broken.uvtt",
      mimeType: "application/json",
      buffer: Buffer.from('{"format": 0.3'),
    });
    await gm.sees("#notices .is-error", "JSON");
    assert.deepEqual(await server.scene(), before);
  });

  test("places two units by clicking cells", async () => {
    await gm.place("human-swordsman", "blue", [3, 7]);
    await gm.place("orc-axeman", "red", [3, 4]);
    const tokens = (await server.scene()).tokens;
    assert.deepEqual(
      tokens.map(({ name, side, at }) => [name, side, at]),
      [
        ["Human swordsman 1", "blue", [3, 7]],
        ["Orc axeman 1", "red", [3, 4]],
      ],
    );
    assert.equal(tokens[0].tracks.hp, 3);
  });

  test("selects a token by clicking it and reads its card", async () => {
    await gm.clickCell([3, 7]);
    await gm.openTab("token");
    await gm.sees("#panel-token h2", "Human swordsman 1");
    await gm.sees("#panel-token .card", "Sword");
  });

  test("drags it next to the orc, and the log shows the move", async () => {
    await gm.drag([3, 7], [3, 5]);
    await gm.sees(".log-entry", "Human swordsman 1 moves");
    assert.deepEqual((await server.token("human-swordsman-1")).at, [3, 5]);
  });

  test("sees that both were placed facing the middle of the map, and turns them", async () => {
    assert.equal((await server.token("orc-axeman-1")).facing, 90);
    await server.command("token.move", { token: "human-swordsman-1", at: [3, 5], facing: 0 });
    await server.command("token.move", { token: "orc-axeman-1", at: [3, 4], facing: 0 });
    await until(
      async () => (await gm.page.locator(".log-entry", { hasText: "Orc" }).count()) > 1,
      "the page has it",
    );
  });

  test("turns it by key and by button", async () => {
    await gm.press("e");
    await until(async () => (await server.token("human-swordsman-1")).facing === 90, "it faces right");
    await gm.page.click("#turn-left");
    await until(async () => (await server.token("human-swordsman-1")).facing === 0, "it faces up again");
  });

  test("turns three times faster than the server answers, and no turn is lost", async () => {
    await gm.press("e", "e", "e");
    await until(
      async () => (await server.token("human-swordsman-1")).facing === 270,
      "it has turned three times",
    );
    await gm.press("e");
    await until(async () => (await server.token("human-swordsman-1")).facing === 0, "it faces up again");
  });

  test("keeps typing the faces of its dice while the orc turns and the chances change", async () => {
    await gm.page.locator("#target-orc-axeman-1").filter({ hasText: "%" }).waitFor({ state: "attached" });
    await gm.clickCell([3, 4]);
    await gm.openAttackDice();
    await gm.page.locator("#attack-dice").pressSequentially("4");
    const chance = await gm.page.locator("#attack .chance").first().textContent();
    await server.command("token.move", { token: "orc-axeman-1", at: [3, 4], facing: 180 });
    await until(
      async () => (await gm.page.locator("#attack .chance").first().textContent()) !== chance,
      "the panel shows the chance of an attack from behind",
    );
    await gm.page.keyboard.type("2");
    assert.equal(await gm.page.inputValue("#attack-dice"), "42");
    await gm.page.fill("#attack-dice", "");
    await server.command("token.move", { token: "orc-axeman-1", at: [3, 4], facing: 0 });
    await gm.page.keyboard.press("Escape");
  });

  test("sees the chance and every modifier before attacking, and hits with physical dice", async () => {
    await gm.page.locator("#target-orc-axeman-1").filter({ hasText: "%" }).waitFor({ state: "attached" });
    await gm.clickCell([3, 4]);
    await gm.sees("#attack", "Human swordsman 1 → Orc axeman 1");
    await gm.sees("#attack .chance", /\d+ %\s*\d+\/\d+/);
    await gm.sees("#attack .modifiers", /[+−]\d+\s+\S+/);
    await gm.page.fill("#attack-dice", "6");
    await gm.page.click("#act-0");
    await gm.sees(".log-entry:last-child", "Human swordsman 1 hits Orc axeman 1");
    await gm.sees(".log-entry:last-child .die", "6");
    await gm.sees(".log-entry:last-child", text("Log.Physical"));
    await gm.sees(".log-entry:last-child", text("Log.HitPoints", { before: 3, after: 2 }));
    assert.equal((await server.token("orc-axeman-1")).tracks.hp, 2);
  });

  test("rerolls a missed attack with a second physical die, typed into the prompt", async () => {
    await gm.page.click("#undo");
    await until(async () => (await server.token("orc-axeman-1")).tracks.hp === 3, "the wound is healed");
    await gm.clickCell([3, 4]);
    await gm.page.fill("#attack-dice", "1");
    await gm.page.click("#act-0");
    await gm.sees(".prompt .die", "1");
    await gm.page.fill("#prompt-dice", "6");
    await gm.page.locator(".prompt button").first().click();
    await gm.page.locator(".prompt").waitFor({ state: "detached" });
    await until(async () => (await server.token("orc-axeman-1")).tracks.hp === 2, "the second die hits");
  });

  test("reads that a typed word is no die face, and nothing happens", async () => {
    const before = await gm.lastEntry();
    await gm.clickCell([3, 4]);
    await gm.page.fill("#attack-dice", "six");
    await gm.page.locator("#attack button.primary").first().click();
    await gm.sees("#notices .is-error", text("Dice.NotAFace", { word: "six" }));
    await gm.page.fill("#attack-dice", "");
    await gm.page.click("#attack-close");
    assert.equal(await gm.lastEntry(), before);
  });

  test("undoes the attack, and the log strikes it through", async () => {
    await gm.page.click("#undo");
    await until(async () => (await server.token("orc-axeman-1")).tracks.hp === 3, "the wound is healed");
    await gm.sees(".log-entry.is-undone", "hits Orc axeman 1");
  });

  test("finds an entry by searching the log", async () => {
    await gm.openLogTools();
    await gm.page.fill("#log-search", "hits");
    await until(
      async () =>
        (await gm.page.locator(".log-entry").allInnerTexts()).every((text) => text.includes("hits")),
      "only hits are listed",
    );
    await gm.page.fill("#log-search", "");
  });

  test("sets the table to enforce, and an illegal drag snaps back with the reason", async () => {
    await gm.openTab("rules");
    await gm.page.selectOption("#enforcement", "enforce");
    await gm.page.click("#rules-save");
    await gm.sees("#notices", text("Command.RulesSaved"));
    await gm.drag([3, 5], [12, 8]);
    await gm.page.locator("#notices .is-error").last().waitFor();
    assert.deepEqual((await server.token("human-swordsman-1")).at, [3, 5]);
  });

  test("may override that move, which the log notes", async () => {
    await gm.page.locator("#notices .offer input").last().fill("Carried by a griffon");
    await gm.page.locator("#notices .offer button").last().click();
    await until(
      async () => String((await server.token("human-swordsman-1")).at) === "12,8",
      "it stands where it was put",
    );
    await gm.sees(".log-entry:last-child", "Carried by a griffon");
    await gm.page.click("#undo");
    await until(async () => String((await server.token("human-swordsman-1")).at) === "3,5", "it is back");
  });

  test("gets a warning of an illegal move at a table that warns, and the move stands", async () => {
    await gm.openTab("rules");
    await gm.page.selectOption("#enforcement", "warn");
    await gm.page.click("#rules-save");
    await until(async () => (await server.scene()).enforcement === "warn", "the table warns");
    await gm.drag([3, 5], [12, 7]);
    await gm.sees("#notices .is-error", text("Move.Illegal", { reasons: "" }).trim());
    await until(async () => String((await server.token("human-swordsman-1")).at) === "12,7", "it stands");
  });

  test("may override an act that the rules refuse, with a reason", async () => {
    await gm.clickCell([3, 4]);
    await gm.sees("#attack .reason", "not adjacent");
    await gm.page.fill("#attack-dice", "6");
    await gm.page.locator("#override-0").click();
    await gm.page.locator("#notices .offer button").last().click();
    await gm.sees(".log-entry:last-child", text("Override.DefaultReason"));
    await gm.page.click("#undo");
  });

  test("opens and closes a door by clicking it", async () => {
    const door = (await server.scene()).walls.find((wall) => wall.door === "door");
    const cell = [(door.line[0] + door.line[2]) / 128 - 0.5, (door.line[1] + door.line[3]) / 128 - 0.5];
    const state = async () => (await server.scene()).walls.find((wall) => wall.id === door.id).state;
    const other = door.state === "open" ? "closed" : "open";
    await gm.clickCell(cell);
    await until(async () => (await state()) === other, "the door has changed");
  });

  test("keeps typing a side's name while a door opens, and finds the field empty when the side is there", async () => {
    const { id, state } = (await server.scene()).walls.find((wall) => wall.door === "door");
    const changed = state === "open" ? "closed" : "open";
    await gm.openTab("setup");
    const shown = gm.page.locator(`[id="door-${id}"]`);
    await gm.page.locator("#side-name").pressSequentially("Gre");
    await server.command("door.set", { wall: id, state: changed });
    await until(async () => (await shown.inputValue()) === changed, "the list of doors is drawn anew");
    await gm.page.keyboard.type("ens");
    assert.equal(await gm.page.inputValue("#side-name"), "Greens");
    await gm.page.keyboard.press("Enter");
    await until(
      async () => (await server.scene()).sides.some(({ name }) => name === "Greens"),
      "it is added",
    );
    await until(async () => (await gm.page.inputValue("#side-name")) === "", "the field is empty again");
  });

  test("edits a token's name and hides it, then removes it", async () => {
    await gm.openTab("token");
    await gm.press("Escape", "Escape");
    await gm.page.click("#pick-orc-axeman-1");
    await gm.page.click("#edit-open");
    await gm.page.fill("#edit-name", "Grim <b>Skull</b>");
    await gm.page.check("#edit-hidden");
    await gm.page.click("#edit-save");
    await gm.sees("#panel-token h2", "Grim <b>Skull</b>");
    assert.equal((await server.token("orc-axeman-1")).hidden, true);
    await gm.page.click("#edit-open");
    await gm.page.click("#edit-remove");
    await until(async () => (await server.token("orc-axeman-1")) === undefined, "it is gone");
  });

  test("met no error on the page", () => {
    const isRefusal = (error) => error.includes("422"); // the browser's own note of the refused upload
    assert.deepEqual(
      gm.errors.filter((error) => !isRefusal(error)),
      [],
    );
  });
});
