// The pictures of Foundry's tokens at the table: uploaded by the GM's browser, shown on the board, and changed with the
// token until the GM sets another at the table.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { FoundryUser, GM, SMALL, seatAt, sceneSource, startWorld } from "./foundry/user.mjs";
import { Player, launch, newTable, until } from "./harness.mjs";
import { png, unitPicture } from "./png.mjs";

const [ANNA, GRIM] = ["tokentokenAnna01", "tokentokenGrim01"];
const FROM_FOUNDRY = /^\/api\/tables\/[\w-]+\/assets\/[\w-]+#tabletop$/;

for (const generation of (process.env.GENERATIONS ?? "12 13 14").split(" ").map(Number))
  describe(`pictures of tokens in Foundry ${generation}`, () => {
    let browser, world, server, gm, board;

    before(async () => {
      browser = await launch();
      const scene = sceneSource(generation);
      const texture = (id, src) => (scene.tokens.find(({ _id }) => _id === id).texture = { src });
      texture(ANNA, "worlds/gate/anna smith.png");
      texture(GRIM, "icons/svg/mystery-man.svg");
      const picture = (color) => png(300, 400, () => color);
      world = await startWorld(generation, {
        scenes: [scene],
        pictures: { "/worlds/gate/anna smith.png": picture([200, 30, 60]), "/b.png": picture([20, 200, 60]) },
      });
      server = await newTable();
      Object.assign(world.state.settings, { "enfilade.server": server.origin });
      gm = await FoundryUser.open(browser, world, GM, { seat: seatAt(server), viewport: SMALL });
    });
    after(async () => {
      await browser?.close();
      await world?.stop();
    });

    const imageOf = async (id) => (await server.token(id))?.image ?? "";
    const setTexture = (id, src) =>
      gm.do(
        ([token, address]) => canvas.scene.tokens.get(token).update({ texture: { src: address } }),
        [id, src],
      );

    test("the picture is at the table, in one entry, and on the board; a token without one has none", async () => {
      await until(async () => FROM_FOUNDRY.test(await imageOf(ANNA)), "Anna's picture is at the table");
      assert.equal(await imageOf(GRIM), "");
      board = await Player.join(browser, server.gm);
      const shown = board.page.locator(`#pick-${ANNA} image`);
      await shown.waitFor({ state: "attached" });
      const address = (await shown.getAttribute("href")).split("#")[0];
      const answer = await fetch(`${server.origin}${address}`, { headers: { Connection: "close" } });
      assert.equal(answer.headers.get("content-type"), "image/webp");
      assert.ok((await answer.arrayBuffer()).byteLength < 20_000, "it was scaled down");
    });

    test("another picture in Foundry follows; a video, and one that is not there, change nothing", async () => {
      const first = await imageOf(ANNA);
      await setTexture(ANNA, "b.png");
      await until(async () => ![first, ""].includes(await imageOf(ANNA)), "the new picture is at the table");
      const second = await imageOf(ANNA);
      assert.match(second, FROM_FOUNDRY);
      for (const src of ["anna.webm", "gone.png", "data:image/png;base64,AAAA"]) await setTexture(ANNA, src);
      await setTexture(GRIM, "b.png");
      await until(async () => FROM_FOUNDRY.test(await imageOf(GRIM)), "Grim's picture came after those");
      assert.equal(await imageOf(ANNA), second);
    });

    test("a picture that the GM sets at the table stays", async () => {
      await board.page.click(`#pick-${ANNA}`);
      await board.openTab("token");
      await board.page.click("#edit-open");
      await board.page.setInputFiles("#edit-picture", unitPicture());
      await until(async () => !(await imageOf(ANNA)).includes("#"), "the table has its own picture");
      const own = await imageOf(ANNA);
      await setTexture(ANNA, "worlds/gate/anna smith.png");
      await setTexture(GRIM, "worlds/gate/anna smith.png");
      await until(async () => (await imageOf(GRIM)).length > 0, "Grim's is there");
      await until(async () => (await imageOf(GRIM)) !== own, "the change has arrived");
      assert.equal(await imageOf(ANNA), own);
      assert.deepEqual(board.errors, []);
    });
  });
