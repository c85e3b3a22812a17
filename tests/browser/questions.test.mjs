// No serious finding of axe, contrast included, while a page asks a question: every kind of question that the
// ready-made battles of the five games lead to, in both themes, on a large screen, a phone, and at a spectator's. A phone
// shows the map beside each.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { seriousFindings } from "./axe.mjs";
import { Player, SHARP, launch, newTable, until } from "./harness.mjs";

/** Each game with the fewest kinds of questions that its battle must have led to. */
const GAMES = { coup_de_grace: 1, torn: 2, knights_of_valour: 2, miniatures_combat: 3, double_life: 1 };
const USUAL_ACTS = 16;
/** The dice may keep a kind of question back for long. */
const MOST_ACTS = 60;
const MOST_KINDS = 5;
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
/** The shadow of a question reaches this far over the map. */
const SHADOW_PX = 40;
const LARGE = { viewport: { width: 1440, height: 900 } };

const origin = process.env.ENFILADE_TEST_SERVER;

/** Returns a question without what differs from one asking to the next: names, numbers. */
const kindOf = ({ question, allocation, is_sealed: isSealed }, names) =>
  [allocation ? "split" : "", isSealed ? "sealed" : "", question]
    .join(" ")
    .replace(new RegExp(names.map((name) => name.replace(/\W/g, "\\$&")).join("|"), "g"), "N")
    .replace(/\d+/g, "0");

/** Returns the default of a question: an option's key, or a number for each. */
const usualAnswer = ({ default: usual, allocation, options }) =>
  allocation ? Object.fromEntries(options.map(({ key }, i) => [key, allocation.default[i]])) : usual;

/** Cuts a part out of a picture of the whole page; a browser that is asked for a part alone draws it in another way. */
async function cut([base64, [left, top, width, height]]) {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const whole = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d");
  context.drawImage(whole, left, top, width, height, 0, 0, width, height);
  return context.getImageData(0, 0, width, height).data.join();
}

for (const [ruleset, fewest] of Object.entries(GAMES))
  describe(`the questions of ${ruleset}`, () => {
    let table, browser, pages;

    before(async () => {
      table = await newTable(ruleset, { battle: true });
      browser = await launch(SHARP);
      // Without motion: a result that is just fading in has too little contrast for a tenth of a second.
      const open = (link, options, colorScheme) =>
        Player.open(browser, link, { ...options, colorScheme, reducedMotion: "reduce" });
      pages = {
        "dark, large": await open(table.gm, LARGE, "dark"),
        "light, phone": await open(table.gm, PHONE, "light"),
        spectator: await open(table.spectator, LARGE, "light"),
      };
      for (const { page } of Object.values(pages)) await page.locator("#units .unit").first().waitFor();
    });
    after(() => browser?.close());

    /** The number of times that each kind of act, and of question, has come. */
    const acts = new Map();
    const questions = new Map();

    /** Returns the rarest offer so far of some units: a legal one, else one that the GM may override. */
    async function nextOffer(turn) {
      const offers = [];
      // A third of the units each time: the server limits the commands of a seat.
      const some = (await table.scene()).tokens.filter((_, i) => i % 3 === turn % 3);
      for (const { id } of some) {
        const ack = await table.command("overlay.show", { token: id, layers: ["targets"] });
        offers.push(...(ack.result.overlay ?? ack.result).targets);
      }
      const often = ({ act, legal }) =>
        (acts.get(act.kind) ?? 0) + (legal ? 0 : 1) + (act.kind === "end" ? 3 : 0);
      return offers.sort((a, b) => often(a) - often(b))[0];
    }

    /** Checks that a third of the phone's screen shows the map, as it is without the question. */
    async function showsTheMap({ page }) {
      const prompt = page.locator(".prompt");
      await prompt.waitFor({ state: "visible" });
      const [board, sheet] = [await page.locator("#board").boundingBox(), await prompt.boundingBox()];
      const free = sheet.y - board.y;
      assert.ok(free >= PHONE.viewport.height / 3, `${free} px of the map are free`);
      assert.ok(sheet.y + sheet.height <= board.y + board.height + 1, "the question ends above the tabs");
      const part = [0, Math.ceil(board.y), board.width, Math.floor(free - SHADOW_PX)];
      const picture = async () => page.evaluate(cut, [(await page.screenshot()).toString("base64"), part]);
      const show = (visibility) =>
        prompt.evaluate((dialog, value) => (dialog.style.visibility = value), visibility);
      await until(async () => {
        const asked = await picture();
        await show("hidden");
        const alone = await picture();
        await show("visible");
        return asked === alone;
      }, "the map above the question is that without it");
    }

    /** Opens the table on a phone while it asks. */
    async function opensOnAPhone() {
      const phone = await Player.join(browser, table.gm, PHONE);
      await phone.page.locator("#board canvas").waitFor();
      await showsTheMap(phone);
      await phone.context.close();
    }

    /** Looks at a question on all pages, if it is of a new kind, and takes the usual answer. */
    async function handle(choice) {
      const names = (await table.scene()).tokens.map(({ name }) => name);
      const kind = kindOf(choice, names);
      const isNew = !questions.has(kind);
      questions.set(kind, (questions.get(kind) ?? 0) + 1);
      if (isNew)
        for (const [what, player] of Object.entries(pages)) {
          const prompt = player.page.locator(".prompt");
          if (what !== "spectator") await prompt.waitFor({ state: "visible" });
          if (choice.has_odds && what !== "spectator")
            await player.page.locator(".plan-odds > *").first().waitFor();
          assert.deepEqual(await seriousFindings(player), [], `${what}: ${choice.question}`);
        }
      if (isNew) await showsTheMap(pages["light, phone"]);
      if (isNew && questions.size === 1) await opensOnAPhone();
      if (choice.others.length) return table.command("choice.close", { choice: choice.id });
      // Each second time another answer than the usual one, which may lead to a question of its own.
      const isUsual = choice.allocation || questions.get(kind) % 2;
      const answer = isUsual ? usualAnswer(choice) : choice.options.at(-1).key;
      return table.command("choice.answer", { choice: choice.id, answer });
    }

    test("no page has a serious finding while it asks", async () => {
      const mostActs = () => (questions.size < fewest ? MOST_ACTS : USUAL_ACTS);
      for (let i = 0; i < mostActs() && questions.size < MOST_KINDS; i += 1) {
        const { act, legal } = await nextOffer(i);
        acts.set(act.kind, (acts.get(act.kind) ?? 0) + 1);
        const body = { act, override: legal ? "" : "For a test" };
        let ack = await table.command("act", body).catch(() => null); // no override helps against some reasons
        for (let j = 0; ack?.result?.waiting && j < 40; j += 1) ack = await handle(ack.result.waiting);
      }
      console.log(`${ruleset}: ${[...questions.keys()].join(" | ")}`);
      assert.ok(questions.size >= fewest, `it asked ${questions.size} kinds of questions`);
      for (const { page, errors } of Object.values(pages)) {
        await until(async () => !(await page.locator(".prompt").count()), "the question has gone");
        assert.deepEqual(errors, []);
      }
    });
  });
