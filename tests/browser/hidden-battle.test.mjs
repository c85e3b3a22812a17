// A whole battle of two players who both have hidden units, with a GM who has one too. Each page plays its own units,
// and none is ever sent or shown the name of a unit that is hidden from it.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Player, launch, miniature, newTable, until } from "./harness.mjs";

const MOST_STEPS = 120;
/** The units that are hidden at first, and the seat that owns each. */
const HIDDEN = { Zylphia: "mia", Vorgath: "tom", Quenlin: "gm" };

describe("a battle of two players with hidden units", () => {
  let table, browser, pages;
  /** The units that may be known to all: the GM has revealed them, or an attack has. */
  const revealed = new Set();
  /** The messages to each page since the last look, as text. */
  const received = { mia: [], tom: [] };

  /** Writes down all that a page receives, before it opens the table. */
  async function listen(seat, link) {
    const player = await Player.open(browser, "about:blank");
    player.page.on("websocket", (socket) =>
      socket.on("framereceived", ({ payload }) => received[seat].push(String(payload))),
    );
    player.page.on("response", async (response) => {
      const isText = /json|text\/plain/.test(response.headers()["content-type"] ?? "");
      if (isText && response.url().includes("/api/"))
        received[seat].push(await response.text().catch(() => ""));
    });
    await player.page.goto(link);
    await player.isAtTable();
    return player;
  }

  /** Fails if a page has received, or shows, the name of a unit that is hidden from its seat. */
  async function checkSecrets() {
    for (const seat of ["mia", "tom"]) {
      const shown = await pages[seat].page.evaluate(() => document.title + document.body.outerHTML);
      const text = [shown, ...received[seat].splice(0)].join("\n").toLowerCase();
      for (const [name, owner] of Object.entries(HIDDEN))
        if (owner !== seat && !revealed.has(name))
          assert.ok(!text.includes(name.toLowerCase()), `${name} is unknown to ${seat}`);
    }
  }

  before(async () => {
    table = await (await newTable()).clear();
    browser = await launch();
    const unit = (name, side, at, facing, more = {}) => {
      const { token } = miniature(name, side, at, ["sword", "shield"], more);
      return table.command("token.place", { token: { ...token, facing, tracks: { hp: 1 } } });
    };
    // Each pair stands face to face. Of the last two units the GM moves those that do not.
    await unit("Anna", "blue", [3, 5], 0);
    await unit("Zylphia", "blue", [4, 5], 0, { hidden: true });
    await unit("Grim", "red", [3, 4], 180);
    await unit("Vorgath", "red", [4, 4], 180, { hidden: true });
    await unit("Quenlin", "red", [12, 1], 180, { hidden: true });
    const mia = await listen("mia", await table.seatPlayer("Mia", ["Anna", "Zylphia"]));
    const tom = await listen("tom", await table.seatPlayer("Tom", ["Grim", "Vorgath"]));
    pages = { mia, tom, gm: await Player.join(browser, table.gm) };
  });
  after(() => browser?.close());

  const ownerOf = (token) =>
    ({ Anna: "mia", Zylphia: "mia", Grim: "tom", Vorgath: "tom", Quenlin: "gm" })[token];
  const isUp = ({ conditions }) => !("downed" in conditions) && !("out" in conditions);
  const entries = async () => (await table.log()).length;

  /** Answers the question that a page shows, with the usual answer. @returns whether there was one */
  async function answers() {
    for (const { page } of [pages.mia, pages.tom, pages.gm]) {
      const usual = page.locator(".prompt .answers button.primary").first();
      if (!(await usual.isVisible())) continue;
      await checkSecrets();
      await usual.evaluate((button) => button.click());
      return true;
    }
    return false;
  }

  const isAsked = async () => {
    for (const { page } of Object.values(pages)) if (await page.locator(".prompt").count()) return true;
    return false;
  };

  /** Selects the active unit on its owner's page, and waits until its acts are those of the activation. */
  async function followsActive(active) {
    const { page } = pages[ownerOf(active)];
    if ((await page.getAttribute(`#pick-${active}`, "aria-pressed")) !== "true")
      await page.click(`#pick-${active}`);
    await until(
      async () => (await page.locator("#step").isVisible()) || (await isAsked()),
      `${active} may end its activation, or there is a question`,
    );
  }

  /** Attacks with the active unit from its owner's page. @returns whether it had a legal attack */
  async function attacks(active) {
    const { page } = pages[ownerOf(active)];
    await pages[ownerOf(active)].openTab("token");
    for (const target of await page.locator("[id^=target-]:not(.is-refused)").all()) {
      await target.click();
      await page.locator("#attack").waitFor({ state: "visible" });
      const act = page.locator("#attack button.primary:not(:disabled)").first();
      if (await act.count()) {
        await act.click();
        return true;
      }
      await page.click("#attack-close");
    }
    return false;
  }

  /** Takes the next step of the turn order from the page that may: end, activate, or start the round. */
  async function steps(scene) {
    const { active, priority } = scene.conditions;
    // A player whose opponent has only a hidden unit left may believe to be next; the GM says whose turn it is.
    const ready = scene.tokens.filter(
      ({ conditions, side }) => !("out" in conditions) && !("activated" in conditions) && side === priority,
    );
    for (const { id } of active ? [{ id: active }] : ready) {
      const { page } = pages[ownerOf(id)];
      if ((await page.getAttribute(`#pick-${id}`, "aria-pressed")) !== "true")
        await page.click(`#pick-${id}`);
      await page.locator("#panel-token .card[aria-busy=false]").waitFor({ state: "attached" });
      const step = page.locator("#step");
      const says = (await step.isVisible()) ? await step.innerText() : "";
      if (active ? says : says.includes(id)) return step.click();
    }
    return pages.gm.page.click("#step");
  }

  test("they play it to the end, and no page learns of a unit that is hidden from it", async () => {
    const blows = [];
    for (let i = 0; ; i += 1) {
      assert.ok(i < MOST_STEPS, `the battle ends; it stands so: ${await account()}`);
      await checkSecrets();
      const scene = await table.scene();
      const left = (side) => scene.tokens.filter((token) => token.side === side && isUp(token));
      if (!left("blue").length || !left("red").length) break;
      if (left("red").every(({ id }) => id === "Quenlin")) {
        await takesAway("Quenlin"); // the GM's unit never came out, and leaves unseen
        continue;
      }
      await facesTheOpponent(left("blue"), left("red"));
      const before = await entries();
      const { active } = scene.conditions;
      if (active) await followsActive(active);
      if (!(await answers())) {
        // The GM lets a hidden unit step out of the shadows before it strikes.
        const token = scene.tokens.find(({ id }) => id === active);
        if (token?.hidden && active !== "Quenlin" && blows.length) {
          revealed.add(active);
          await reveals(active);
          continue;
        }
        if (active && (await attacks(active))) blows.push(active);
        else await steps(scene);
      }
      await until(async () => (await entries()) !== before || (await isAsked()), "the log goes on");
    }
    for (const seat of ["mia", "tom"]) await pages[seat].hasAll(table);
    await checkSecrets();
    assert.ok(blows.length > 1, "both sides have struck");
    assert.ok(revealed.size > 0, "a hidden unit has come out");
    for (const { errors } of Object.values(pages)) assert.deepEqual(errors, []);
  });

  /** Returns the end of the log and the state of the units, for a battle that does not end. */
  async function account() {
    const lines = (await table.log()).slice(-12).map(({ text }) => text);
    const units = (await table.scene()).tokens.map(({ id, tracks, conditions }) => ({
      id,
      tracks,
      conditions,
    }));
    return JSON.stringify({ lines, units });
  }

  /** Moves the last unit of each side to a free place, face to face: a sword reaches only the cell straight ahead. */
  async function facesTheOpponent(blue, red) {
    const fighters = red.filter(({ id }) => id !== "Quenlin");
    if (blue.length > 1 || fighters.length > 1 || blue[0].at[0] === fighters[0].at[0]) return;
    await table.command("token.move", { token: blue[0].id, at: [8, 6], facing: 0 });
    await table.command("token.move", { token: fighters[0].id, at: [8, 5], facing: 180 });
  }

  /** Removes a unit from the battle on the GM's page. */
  async function takesAway(name) {
    const { page } = pages.gm;
    if ((await page.getAttribute(`#pick-${name}`, "aria-pressed")) !== "true")
      await page.click(`#pick-${name}`);
    await pages.gm.openTab("token");
    await page.click("#edit-open");
    await page.click("#edit-remove");
    await until(async () => !(await table.token(name)), "it has left");
  }

  /** Unchecks "hidden" in the unit's editor on the GM's page. */
  async function reveals(name) {
    const { page } = pages.gm;
    if ((await page.getAttribute(`#pick-${name}`, "aria-pressed")) !== "true")
      await page.click(`#pick-${name}`);
    await pages.gm.openTab("token");
    await page.click("#edit-open");
    await page.uncheck("#edit-hidden");
    await page.click("#edit-save");
    await until(async () => !(await table.token(name)).hidden, "it is in the open");
    for (const seat of ["mia", "tom"]) await pages[seat].sees("#tracker", name);
  }
});
