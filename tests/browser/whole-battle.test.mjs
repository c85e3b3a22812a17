// Whole battles from the start page: by keyboard alone, by touch on a phone, and with two players and hidden units.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Player, launch, until } from "./harness.mjs";
import { text } from "./text.mjs";

/** A phone, upright and held sideways. */
const PHONES = [
  { width: 390, height: 844 },
  { width: 844, height: 390 },
];
const MOST_STEPS = 400;

/** Reads and plays the table that a page shows, with the page's own key. */
class PlayedTable {
  constructor(player, origin) {
    Object.assign(this, { player, origin, page: player.page });
  }

  #seat() {
    return new URLSearchParams(new URL(this.page.url()).hash.slice(1));
  }

  async get(path) {
    const headers = { Authorization: `Bearer ${this.#seat().get("key")}`, Connection: "close" };
    return fetch(`${this.origin}/api/tables/${this.#seat().get("table")}/${path}`, { headers });
  }

  async scene() {
    return (await this.get("scene")).json();
  }

  async send(kind, body) {
    const headers = {
      Authorization: `Bearer ${this.#seat().get("key")}`,
      "Content-Type": "application/json",
      Connection: "close",
    };
    const command = { v: 1, id: crypto.randomUUID(), kind, base: null, body };
    const path = `${this.origin}/api/tables/${this.#seat().get("table")}/commands`;
    const ack = await (await fetch(path, { method: "POST", headers, body: JSON.stringify(command) })).json();
    assert.ok(ack.ok, JSON.stringify(ack.error));
  }

  /** Returns how many entries the log has. */
  entries() {
    return this.page.locator("#log-list").getAttribute("data-entries");
  }

  /** Returns the words of the next step: one that chooses another unit changes them, and not the log. */
  nextStep() {
    return this.page.locator("#step").textContent();
  }

  /** Waits until the acts of the selected unit have come from the server: they say which step is next. */
  actsAreHere() {
    return this.page.locator("#panel-token .card[aria-busy=false]").waitFor({ state: "attached" });
  }

  round() {
    return this.page.textContent("#round");
  }
}

/** Two taps within this time are one double tap, whose second takes no step. */
const DOUBLE_TAP_MS = 550;

/** Puts two weak units side by side, so that a battle ends after few blows, by the rules of Coup-de-Grace. */
async function shorten(battle) {
  const scene = await battle.scene();
  const [own, enemy] = ["bran", "goblin-1"].map((id) => scene.tokens.find((token) => token.id === id));
  const tokens = [
    { ...own, at: [3, 5], facing: 0, conditions: {} },
    { ...enemy, at: [3, 4], facing: 180, tracks: { ...enemy.tracks, hp: 1 }, conditions: {} },
  ];
  await battle.send("scene.set", { scene: { ...scene, tokens } });
}

/**
 * Plays until a side has won: takes the next step of the turn order, attacks where an attack is legal, and answers.
 * @param {PlayedTable} battle
 * @param {{step: () => Promise<void>, attack: () => Promise<boolean>, answer: () => Promise<void>}} hand
 */
async function playToTheEnd(battle, hand) {
  const { page } = battle;
  let attacks = 0;
  for (let i = 0; i < MOST_STEPS; i += 1) {
    if ((await page.textContent("#tracker")).includes("won") || (await isWon(battle))) return attacks;
    const [before, step] = [await battle.entries(), await battle.nextStep()];
    if (await page.locator(".prompt .answers button").count()) await hand.answer();
    else if (await hand.attack()) attacks += 1;
    else await hand.step();
    await until(
      async () =>
        (await battle.entries()) !== before ||
        (await battle.nextStep()) !== step ||
        (await page.locator(".prompt .answers button").count()) > 0,
      "the log goes on, or another unit is chosen",
    );
  }
  throw new Error("The battle did not end.");
}

/** Returns whether the goblins have no unit that stands. */
async function isWon(battle) {
  const { tokens } = await battle.scene();
  const isUp = (side) =>
    tokens.some(
      (token) => token.side === side && !("downed" in token.conditions) && !("out" in token.conditions),
    );
  const sides = [...new Set(tokens.map(({ side }) => side))];
  return sides.some((side) => !isUp(side)) || sides.length < 2;
}

describe("a battle by keyboard alone", () => {
  let browser, gm, battle;
  const origin = process.env.ENFILADE_TEST_SERVER;

  before(async () => {
    browser = await launch();
    gm = await Player.open(browser, `${origin}/`, { viewport: { width: 1280, height: 860 } });
    battle = new PlayedTable(gm, origin);
  });
  after(() => browser?.close());

  test("from the start page to the end of the battle without a mouse", async () => {
    await gm.page.locator("#new-game").focus();
    for (const key of ["Tab", "Tab", "Space", "Tab", "Enter"]) await gm.page.keyboard.press(key);
    await gm.sees("#connection", text("Connection.connected"));
    await gm.sees("#tracker", "Bran");
    await shorten(battle);
    await until(async () => (await gm.page.locator(".unit").count()) === 2, "two units are left");
    const key = async (name) => {
      await gm.page.locator("#board").focus();
      await gm.page.keyboard.press(name);
    };
    const attacks = await playToTheEnd(battle, {
      async step() {
        for (let i = 0; i < 4 && !(await gm.page.locator("#step").isVisible()); i += 1) {
          await key("n");
          await battle.actsAreHere();
        }
        await key("Space");
      },
      async attack() {
        const { conditions } = await battle.scene();
        if (!conditions.active) return false;
        for (let i = 0; i < 2; i += 1) {
          if ((await gm.page.getAttribute(`#pick-${conditions.active}`, "aria-pressed")) === "true") break;
          await key("n");
        }
        const isReady = gm.page.locator("[id^=target-]:not(.is-refused)");
        await battle.actsAreHere();
        if (!(await isReady.count())) return false;
        await key("Enter");
        await gm.page.locator("#attack").waitFor({ state: "visible" });
        const focused = await gm.page.evaluate(() => document.activeElement?.id);
        if (!focused?.startsWith("act-")) return void (await gm.page.keyboard.press("Escape"));
        await gm.page.keyboard.press("Enter");
        return true;
      },
      answer: () => gm.page.keyboard.press("Enter"),
    });
    assert.ok(attacks > 0, "there was an attack");
    assert.deepEqual(gm.errors, []);
    console.log(`battle by keyboard: ${attacks} attacks, ${await battle.round()}`);
  });
});

for (const viewport of PHONES)
  describe(`a battle by touch at ${viewport.width} x ${viewport.height}`, () => {
    let browser, gm, battle;
    const origin = process.env.ENFILADE_TEST_SERVER;

    before(async () => {
      browser = await launch();
      gm = await Player.open(browser, `${origin}/`, { viewport, hasTouch: true, isMobile: true });
      battle = new PlayedTable(gm, origin);
    });
    after(() => browser?.close());

    test("from the start page to the end of the battle with taps", async () => {
      await gm.page.tap("#play-coup_de_grace");
      await until(
        async () => (await gm.page.locator("#connection").textContent()) === text("Connection.connected"),
        "connected",
      );
      await gm.sees("#tracker", "Bran");
      await shorten(battle);
      await until(async () => (await gm.page.locator(".unit").count()) === 2, "two units are left");
      const map = await gm.page.locator("#map").boundingBox();
      assert.ok(map.height > viewport.height / 2, `the map has ${map.height} px`);
      assert.equal(map.width, viewport.width);
      const attacks = await playToTheEnd(battle, {
        async step() {
          for (const unit of await gm.page.locator(".unit:not(.is-done, .is-out)").all()) {
            if (await gm.page.locator("#step").isVisible()) break;
            await unit.tap();
            await battle.actsAreHere();
          }
          await gm.page.waitForTimeout(DOUBLE_TAP_MS);
          await gm.page.tap("#step");
        },
        async attack() {
          const { conditions } = await battle.scene();
          if (!conditions.active) return false;
          if ((await gm.page.getAttribute(`#pick-${conditions.active}`, "aria-pressed")) !== "true")
            await gm.page.tap(`#pick-${conditions.active}`);
          await battle.actsAreHere();
          const target = gm.page.locator("[id^=target-]:not(.is-refused)");
          if (!(await target.count())) return false;
          if (!(await gm.page.evaluate(() => document.body.classList.contains("has-sheet"))))
            await gm.openTab("token");
          await target.first().tap();
          await gm.page.locator("#attack").waitFor({ state: "visible" });
          const act = gm.page.locator("#attack button.primary:not(:disabled)").first();
          if (!(await act.count())) {
            await gm.page.tap("#attack-close");
            return false;
          }
          await act.tap();
          return true;
        },
        answer: () => gm.page.locator(".prompt .answers button").first().tap(),
      });
      assert.ok(attacks > 0, "there was an attack");
      assert.deepEqual(gm.errors, []);
    });
  });
