import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { Player, ROOT, Server, Table, launch } from "./harness.mjs";

const PERCENT = /^(\d+) %$/;

/** Writes the metadata of an installed package with the slow game. @returns {string} the folder to import from */
function installed() {
  const folder = mkdtempSync(join(tmpdir(), "enfilade-slow-game-"));
  const metadata = join(folder, "slow_game-1.0.dist-info");
  mkdirSync(metadata);
  writeFileSync(join(metadata, "METADATA"), "Metadata-Version: 2.1\nName: slow-game\nVersion: 1.0\n");
  const entry = "[enfilade.rulesets]\nslow_game = tests.fixtures.slow_game:SLOW_GAME\n";
  writeFileSync(join(metadata, "entry_points.txt"), entry);
  return folder;
}

const token = (id, side, at, profile) => ({ id, name: id, side, at, profile, owners: [] });

describe("an act whose odds take too long", () => {
  let folder, server, browser, gm, plate;

  before(async () => {
    folder = installed();
    const path = [folder, ROOT, process.env.PYTHONPATH].filter(Boolean).join(delimiter);
    server = await new Server({ PYTHONPATH: path }).start();
    const answer = await fetch(`${server.origin}/api/tables`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ruleset: "slow_game", name: "Slow" }),
    });
    const { table: id, gm_key: key, spectator_key: spectatorKey } = await answer.json();
    const table = new Table({ origin: server.origin, table: id, key, spectatorKey });
    const goblin = { armor_class: 15, hit_points: 7, dexterity: 2 };
    const scene = {
      ...(await table.scene()),
      grid: { kind: "square", columns: 14, rows: 10, distance: 5, units: "ft" },
      sides: [
        { id: "blue", name: "Blue" },
        { id: "red", name: "Red" },
      ],
      tokens: [
        token("Wiz", "blue", [3, 3], { hit_points: 16, slots: 2, fireball: 4 }),
        token("Grim", "red", [9, 3], goblin),
      ],
      tracks: { round: 1 },
      conditions: { turn: "Wiz" },
    };
    await table.command("scene.set", { scene });
    browser = await launch();
    gm = await Player.join(browser, table.gm);
    await gm.page.click("#pick-Wiz");
    await gm.page.locator("#target-Grim").filter({ hasText: "%" }).waitFor({ state: "attached" });
    await gm.press("t");
    await gm.sees("#verdict", "Wiz sees Grim");
    plate = await gm.page.locator("#verdict").innerText();
    await gm.press("Enter");
    await gm.page.locator("#attack-title").filter({ hasText: "Wiz → Grim" }).waitFor();
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  const act = (label) =>
    gm.page.locator("#attack .act").filter({ has: gm.page.getByText(label, { exact: true }) });
  const chance = (label) => act(label).locator(".chance b").innerText();

  test("shows the least and the most of its chance, and names itself and its game", async () => {
    const text = await act("Ponder").innerText();
    assert.match(text, /at least \d+ %, at most \d+ %/);
    assert.match(
      text,
      /The odds of Ponder in A slow game take too long: \d+ % of the cases are not worked out\./,
    );
    await act("Ponder").getByText("Dice and modifiers").click(); // folded: it is not the first act
    const outcomes = await act("Ponder").getByRole("list", { name: "Possible outcomes" }).innerText();
    assert.match(outcomes, /at least 5 %/, "each outcome that is known has its least chance");
  });

  test("says so on the plate at its target", () => {
    assert.match(
      plate,
      /Ponder: at least \d+ %, at most \d+ %\n\s*The odds of Ponder in A slow game take too long/,
    );
  });

  test("takes the exact odds of no other act with it", async () => {
    for (const label of ["Fireball", "Hold person"]) assert.match(await chance(label), PERCENT);
    assert.doesNotMatch(await act("Fireball").innerText(), /too long|sampled/);
  });
});
