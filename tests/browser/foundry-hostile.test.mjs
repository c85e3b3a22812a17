import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { HOSTILE_NAMES } from "./foundry/hostile-names.mjs";
import { GM, SMALL, FoundryUser, startWorld, seatAt } from "./foundry/user.mjs";
import { launch, newTable, until } from "./harness.mjs";

const [ANNA, GRIM] = ["tokentokenAnna01", "tokentokenGrim01"];

describe("hostile names at the GM's page", () => {
  let browser, world, server, gm;

  before(async () => {
    browser = await launch();
    world = await startWorld(13, { system: "dnd5e" });
    server = await newTable();
    world.state.settings["enfilade.server"] = server.origin;
    for (const kind of ["hitPoints", "conditions", "moves"])
      world.state.settings[`enfilade.write.${kind}`] = "ask";
    gm = await FoundryUser.open(browser, world, GM, { seat: seatAt(server) });
    await until(async () => (await server.token(ANNA)) !== undefined, "Anna is at the table");
    await gm.do((id) => window.host.drag(id, { x: 800, rotation: 270 }), ANNA);
    await until(async () => (await server.token(ANNA)).facing === 90, "Anna stands before Grim");
    await gm.do(() => window.host.board.app.ticker.stop()); // drawing is slow and runs no markup
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
    await world?.stop();
  });

  const isHurt = () => gm.do(() => window.hurt === 1);
  /** Returns whether a name has run by the time that a picture which comes later has failed to load, as the trap's does. */
  const isHurtByNow = async () => {
    await gm.do(
      () => new Promise((resolve) => Object.assign(new Image(), { onerror: () => resolve(), src: "x" })),
    );
    return isHurt();
  };

  test("there are over 200 of them, and the trap works", async () => {
    assert.ok(HOSTILE_NAMES.length > 200);
    await gm.do((html) => {
      const frame = document.body.appendChild(document.createElement("div"));
      frame.innerHTML = html;
    }, HOSTILE_NAMES[1]);
    await until(isHurt, "the trap works");
    await gm.do(() => {
      window.hurt = 0;
      document.body.lastElementChild.remove();
    });
  });

  test("as token names they run in no window, chat card or notification, nor on the map", async () => {
    await gm.click(ANNA);
    await gm.target(GRIM);
    await gm.page.keyboard.press("Shift+KeyG");
    await gm.page.keyboard.press("Shift+KeyU");
    await gm.page.keyboard.press("Shift+KeyL");
    for (const name of ["layers", "profile", "rules"])
      await gm.page.dispatchEvent(`#enfilade-open-${name}`, "click");
    await gm.page.setViewportSize(SMALL); // from here on no pointer is used, and each name draws every window again
    for (const [i, name] of HOSTILE_NAMES.entries()) {
      await gm.do(([id, text]) => canvas.scene.tokens.get(id).update({ name: text }), [GRIM, name]);
      if (i % 60) continue;
      await until(async () => (await server.token(GRIM)).name === name, `Grim is called ${name}`);
      await attack(gm);
      await until(
        async () => (await gm.page.locator("#enfilade-log .log-entry").count()) > 0,
        "it is in the log",
      );
      assert.equal(await isHurtByNow(), false, name);
    }
  });

  test("as error sentences they appear as text", async () => {
    for (const text of HOSTILE_NAMES)
      await gm.do((said) => window.enfilade.seatUi.context.notices.error(said), text);
    const shown = await gm.page.locator("#notifications li").last().innerText();
    assert.ok(shown.length > 10);
    assert.equal(await gm.page.locator("#notifications :is(img, svg, script, iframe, input)").count(), 0);
    assert.equal(await isHurtByNow(), false);
    await gm.do(() => document.getElementById("notifications").replaceChildren()); // to draw them all again takes time
  });

  test("in every field of an entry, choice, overlay and verdict they run nowhere", async () => {
    const windows = ["turn", "log", "layers", "profile", "rules", "proposals"];
    await gm.do(
      async ([names, texts]) => {
        const { seatUi } = window.enfilade;
        for (const name of names) await seatUi.context.windows.open(name);
        const evil = (value, text) => {
          if (typeof value === "string") return text;
          if (Array.isArray(value)) return value.map((one) => evil(one, text));
          if (!value || typeof value !== "object") return value;
          return Object.fromEntries(
            Object.entries(value).map(([key, one]) => [key, KEPT.has(key) ? one : evil(one, text)]),
          );
        };
        const KEPT = new Set([
          "id",
          "kind",
          "type",
          "ruleset",
          "layer",
          "token",
          "target",
          "side",
          "key",
          "layers",
          "profile_schema",
          "catalog",
          "acts",
          "enforcement",
          "at_ms",
        ]);
        const { store } = seatUi.context;
        const { replica, overlay } = store.state;
        const choice = {
          id: "c",
          side: replica.scene.sides[0].id,
          question: "q",
          options: [{ key: "k", label: "l" }],
          default: "k",
          facts: {},
        };
        const verdict = {
          token: store.state.selected,
          target: "tokentokenGrim01",
          seq: replica.seq,
          sentence: "s",
          sight: {
            is_seen: false,
            why: "w",
            cover: "c",
            distance: "d",
            line: [0, 0, 64, 64],
            at: [1, 1],
            blocker: { kind: "wall", id: "i", name: "n" },
          },
          acts: (overlay?.targets ?? []).slice(0, 2),
        };
        for (const text of texts) {
          const log = replica.log.slice(-4).map((entry) =>
            evil(
              {
                ...entry,
                facts: {
                  ...entry.facts,
                  rolls: [{ label: "a", die: "b", faces: ["c"], typed: true }],
                  modifiers: [{ reason: "r", value: 1, rule: "x", counts: true }],
                },
              },
              text,
            ),
          );
          const changed = evil(replica, text);
          store.set({
            replica: { ...changed, log, choice: { ...evil(choice, text), id: text } },
            overlay: overlay && evil(overlay, text),
            verdict: evil(verdict, text),
            hovered: "tokentokenGrim01",
          });
          await new Promise((resolve) => setTimeout(resolve));
        }
        store.set({ replica, overlay, verdict: null });
      },
      [windows, HOSTILE_NAMES],
    );
    assert.equal(await isHurtByNow(), false);
    const planted =
      ".enfilade :is(img, svg:not(.icon), script, iframe, object, embed, video, audio, marquee, style, template)";
    assert.equal(await gm.page.locator(planted).count(), 0);
  });

  test("the page logs no errors", () => {
    const isMissing = (line) => line.includes("status of 404"); // the pictures of the trap and of the later ones
    assert.deepEqual(
      gm.errors.filter((line) => !isMissing(line)),
      [],
    );
  });
});

/** Attacks with the first act in the attack window. */
async function attack(gm) {
  const act = gm.page.locator("#enfilade-attack button.primary").first();
  await gm.page.fill("#enfilade-dice", "6");
  await act.dispatchEvent("click"); // other windows lie over it
  await gm.page.locator("#enfilade-attack .result").waitFor();
  await gm.page.keyboard.press("Escape");
  await gm.do(() => window.enfilade.seatUi.context.commands.undo());
}
