// Acts with an area or a direction, aimed on the map: with a click, a template (12, 13) or a region (14), and confirmed.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { GM, FoundryUser, sceneSource, seatAt, startWorld, tokenSource } from "./foundry/user.mjs";
import { ROOT, launch, newTable, until } from "./harness.mjs";

const [ANN, BO, ORC, FAR] = ["tokentokenAnn000", "tokentokenBo0000", "tokentokenOrc000", "tokentokenFar000"];
const corner = ([column, row]) => ({ x: 400 + 100 * column, y: 300 + 100 * row });
const middle = ([column, row]) => [450 + 100 * column, 350 + 100 * row];

for (const generation of (process.env.GENERATIONS ?? "12 13 14").split(" ").map(Number))
  describe(`an area aimed on the map of Foundry ${generation}`, () => {
    let browser, world, server, gm;

    before(async () => {
      browser = await launch();
      server = await newTable("coup_de_grace");
      const mini = (id, name, at, side, hands) => {
        const flags = { enfilade: { profile: { hands, armor: "unarmored" } } };
        return tokenSource(generation, id, name, null, corner(at), side, { flags, rotation: 0 });
      };
      const tokens = [
        mini(ANN, "Ann", [4, 5], 1, ["air staff"]),
        mini(BO, "Bo", [6, 3], 1, ["air staff"]),
        mini(ORC, "Orc", [7, 6], -1, ["air staff"]),
        mini(FAR, "Far", [12, 8], -1, ["air staff"]),
      ];
      world = await startWorld(generation, {
        scenes: [{ ...sceneSource(generation), walls: [], tokens }],
        actors: [],
      });
      world.state.settings["enfilade.server"] = server.origin;
      gm = await FoundryUser.open(browser, world, GM, { seat: seatAt(server) });
      await until(async () => (await server.token(ANN))?.at, "the table has the scene");
      let { result } = await server.command("act", { act: { kind: "round" } });
      while (result?.waiting) {
        const { id, default: answer } = result.waiting;
        ({ result } = await server.command("choice.answer", { choice: id, answer }));
      }
      await server.command("act", { act: { kind: "activate", token: ANN }, override: "a test" });
      await gm.click(ANN);
      await gm.do(() => window.enfilade.seatUi.context.windows.open("turn"));
    });
    after(async () => {
      await browser?.close();
      await server?.stop();
      await world?.stop();
    });

    const button = () => gm.page.locator("#enfilade-turn .picks button").filter({ hasText: /[Aa]ir staff/ });
    const dialog = () => gm.page.locator("dialog");
    const at = async (id) => String((await server.token(id)).at);
    const marks = () =>
      gm.do(() => canvas.enfilade.children[0].children.filter((layer) => layer.children.length).length);
    /** Draws a shape with the host's own tool for it. */
    const draw = ([column, row]) =>
      gm.do(
        ([isRegion, { x, y }]) => {
          window.host.board.drawnLayer = isRegion ? "regions" : "templates";
          const shape = { type: "rectangle", x, y, width: 100, height: 100 };
          const source = isRegion ? { name: "area", shapes: [shape], behaviors: [] } : { t: "circle", x, y };
          return canvas.scene.createEmbeddedDocuments(isRegion ? "Region" : "MeasuredTemplate", [source]);
        },
        [generation >= 14, corner([column, row])],
      );
    const shapes = () =>
      gm.do(() => {
        const { regions = [], templates = [] } = window.host.state.Scene[0];
        return regions.length + templates.length;
      });

    test("the map shows the directions, and whom the storm catches, before a click; no answer changes nothing", async () => {
      const before = await marks();
      await button().click();
      await gm.seesNotice("Click a marked place");
      await until(async () => (await marks()) > before, "the directions are marked");
      await gm.page.mouse.move(...(await gm.at(middle([9, 5]))), { steps: 2 });
      if (process.env.SCREENSHOT && generation === 13) {
        await gm.do(() => {
          document.getElementById("notifications").replaceChildren();
          Object.assign(document.getElementById("enfilade-turn").style, { left: "68%", top: "1%" });
        });
        await new Promise((resolve) => setTimeout(resolve, 1200)); // the host draws two frames a second
        await gm.page.screenshot({ path: join(ROOT, "docs", "images", "foundry-area.png") });
      }
      await gm.page.mouse.click(...(await gm.at(middle([9, 5]))));
      await dialog().filter({ hasText: "also catches" }).waitFor();
      const text = await dialog().innerText();
      for (const [name, isCaught] of [
        ["Bo", true],
        ["Orc", true],
        ["Far", false],
      ])
        assert.equal(text.includes(name), isCaught, `${name} in: ${text}`);
      await dialog().locator("[data-answer=no]").click();
      assert.equal(await at(ORC), "7,6");
      assert.equal(await gm.do(() => canvas.tokens.controlled.length), 1, "the click selected nothing");
    });

    test("Escape ends the choosing; a click then selects as ever", async () => {
      await button().click();
      await gm.page.keyboard.press("Escape");
      await gm.click(BO);
      await until(() => gm.do((id) => canvas.tokens.controlled[0]?.id === id, BO), "Bo is selected");
      assert.equal(await dialog().count(), 0);
      await gm.do((id) => void canvas.tokens.get(id).control(), ANN); // the window lies over her
      await button().waitFor();
    });

    test("a shape drawn elsewhere, or by nobody's choosing, is left alone", async () => {
      await draw([9, 5]);
      assert.equal(await shapes(), 1);
      assert.equal(await dialog().count(), 0);
      await gm.do(
        (type) => {
          const scene = window.host.state.Scene[0];
          const [{ _id: id }] = [...(scene.regions ?? []), ...(scene.templates ?? [])];
          window.host.board.drawnLayer = "tokens";
          return canvas.scene.deleteEmbeddedDocuments(type, [id]);
        },
        generation >= 14 ? "Region" : "MeasuredTemplate",
      );
    });

    test("a shape drawn with Foundry's tool aims the storm; after the answer it is removed and the act done", async () => {
      await button().click();
      await draw([9, 5]);
      await dialog().filter({ hasText: "also catches" }).locator("[data-answer=yes]").click();
      await until(async () => (await at(ORC)) === "8,6", "the Orc is blown to the east");
      await until(async () => (await at(BO)) === "7,3", "and Bo");
      assert.equal(await at(FAR), "12,8");
      await until(async () => (await shapes()) === 0, "the shape is removed");
    });

    test("the page logs no errors", () => assert.deepEqual(gm.errors, []));
  });
