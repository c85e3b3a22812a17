import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { GM, QUINN, FoundryUser, seatAt, openGm } from "./foundry/user.mjs";
import { ROOT, becomes, until } from "./harness.mjs";

const [ANNA, GRIM] = ["tokentokenAnna01", "tokentokenGrim01"];

for (const generation of (process.env.GENERATIONS ?? "12 13 14").split(" ").map(Number)) {
  describe(`what if in Foundry ${generation}`, () => {
    let browser, world, server, gm, watcher, entries;
    const panel = (user) => user.page.locator("#enfilade-branch");
    const press = (user, id) => user.page.locator(`#enfilade-branch #${id}`).click();
    const placeOf = async (user, id) =>
      String((await user.kept("replica"))?.scene.tokens.find((token) => token.id === id)?.at);
    /** The place of Foundry's own token, on the canvas. */
    const own = () => gm.do((id) => [canvas.scene.tokens.get(id)].map(({ x, y }) => `${x},${y}`)[0], ANNA);

    before(async () => {
      ({ browser, world, server, gm } = await openGm(generation, { system: "dnd5e" }));
      await until(async () => (await server.token(ANNA)) !== undefined, "Anna is at the table");
      watcher = await FoundryUser.open(browser, world, QUINN, { seat: seatAt(linkOf(server.spectator)) });
      await until(() => watcher.do(() => window.enfilade.client.replica !== null), "the watcher is there");
      await gm.click(ANNA);
      entries = (await server.log()).length;
    });
    after(async () => {
      await browser?.close();
      await server?.stop();
      await world?.stop();
    });

    test("a tool opens a branch of the present, with a frame and its own tokens", async () => {
      await gm.page.locator("[data-tool=enfilade-branch]").click();
      await press(gm, "branch-open");
      await panel(gm).getByText("What if: not in the battle").waitFor();
      await until(
        async () => (await gm.kept("overlay"))?.token === ANNA,
        "Anna's reach in the branch is there",
      );
      assert.equal(await gm.kept("isBranch"), true);
    });

    test("a move in it stays out of the battle and out of Foundry", async () => {
      const before = await own();
      await press(gm, "branch-move");
      await gm.page.mouse.click(...(await gm.at([750, 950])));
      await until(async () => (await placeOf(gm, ANNA)) === "3,6", "Anna has moved in the branch");
      assert.equal(await own(), before);
      assert.deepEqual((await server.token(ANNA)).at, [3, 4]);
      assert.equal((await server.log()).length, entries);
    });

    test("a drag of Foundry's token moves the unit in it, and Foundry's token stays", async () => {
      const before = await own();
      await gm.drag([750, 750], [850, 1050]);
      await until(
        async () => (await placeOf(gm, ANNA)) === "4,7",
        "Anna has followed the drag in the branch",
      );
      assert.equal(await own(), before);
      assert.deepEqual((await server.token(ANNA)).at, [3, 4]);
      assert.equal((await server.log()).length, entries);
      await gm.seesNotice("Foundry's token stays");
    });

    test("a turn of Foundry's token turns the unit in it alone", async () => {
      const facing = async () =>
        (await gm.kept("replica")).scene.tokens.find((token) => token.id === ANNA).facing;
      const now = await gm.do((id) => canvas.scene.tokens.get(id).rotation, ANNA);
      await gm.do((id) => canvas.scene.tokens.get(id).update({ rotation: 90 }), ANNA);
      await until(async () => (await facing()) === 270, "Anna looks to the left in the branch");
      assert.equal(await gm.do((id) => canvas.scene.tokens.get(id).rotation, ANNA), now);
      assert.equal((await server.log()).length, entries);
    });

    test("advice works in it, and moves there alone", async () => {
      await gm.page.locator("[data-tool=enfilade-advice]").click();
      await gm.page.locator("#advice-1").click();
      await until(async () => (await gm.kept("ghost")) !== null, "the token is shown there");
      const { at } = await gm.kept("ghost");
      await gm.page.locator("#advice-move").click();
      await until(async () => (await placeOf(gm, ANNA)) === String(at), "Anna follows the advice");
      assert.deepEqual((await server.token(ANNA)).at, [3, 4]);
      await gm.page.locator("[data-tool=enfilade-advice]").click();
    });

    test("the comparison names what is otherwise than in the battle", async () => {
      await press(gm, "branch-compare");
      await panel(gm).getByRole("rowheader", { name: "Anna" }).waitFor();
      assert.match(await panel(gm).locator("#branch-comparison").innerText(), /Anna\s+D5/);
      if (process.env.SCREENSHOT && generation === 13)
        await gm.page.screenshot({ path: join(ROOT, "docs", "images", "foundry-what-if.png") });
    });

    test("the battle goes on meanwhile, and is not drawn over the branch", async () => {
      await gm.do((id) => canvas.scene.tokens.get(id).update({ x: 1200 }), GRIM);
      await until(async () => String((await server.token(GRIM)).at) === "8,4", "Grim moves in the battle");
      assert.equal(await placeOf(gm, GRIM), "5,4");
    });

    test("a unit that came to the battle later is refused in it", async () => {
      await gm.do((id) => {
        const { _id, ...source } = canvas.scene.tokens.get(id).toObject();
        return canvas.scene.createEmbeddedDocuments("Token", [
          { ...source, _id: "tokentokenLate01", x: 500, y: 1100 },
        ]);
      }, GRIM);
      await until(async () => (await server.token("tokentokenLate01")) !== undefined, "it is in the battle");
      await gm.drag([550, 1150], [650, 1150]);
      await gm.page.locator("#notifications li.warning", { hasText: "is not in this what if" }).waitFor();
      assert.deepEqual((await server.token("tokentokenLate01")).at, [1, 8]);
      await gm.click(ANNA);
    });

    test("undo takes back the branch's last act alone", async () => {
      await press(gm, "branch-undo");
      await until(async () => (await placeOf(gm, ANNA)) === "4,7", "Anna is back in the branch");
      assert.equal(String((await server.token(GRIM)).at), "8,4");
    });

    test("is shown to the table at a press", async () => {
      await press(gm, "branch-show");
      await watcher.page.locator("[data-tool=enfilade-branch]").click();
      await watcher.page.locator("#branch-shown button").click();
      await panel(watcher).getByText("GM’s what if").waitFor();
      await until(async () => (await placeOf(watcher, ANNA)) === "4,7", "the watcher sees Anna there");
      assert.equal(await watcher.page.locator("#branch-drop").isVisible(), false);
      await press(watcher, "branch-back");
      await until(async () => (await placeOf(watcher, ANNA)) === "3,4", "the watcher is back");
    });

    test("thrown away, it leads back to the battle with its tools", async () => {
      await press(gm, "branch-drop");
      await until(async () => !(await gm.kept("isBranch")), "the battle has the page");
      await becomes(() => placeOf(gm, GRIM), "8,4", "Grim is where the battle has him");
      await gm.click(ANNA);
      await until(async () => (await gm.kept("overlay"))?.token === ANNA, "Anna's reach is drawn again");
      assert.deepEqual([...gm.errors, ...watcher.errors], []);
    });
  });
}

/** Reads a seat's link. */
const linkOf = (link) => Object.fromEntries(new URLSearchParams(new URL(link).hash.slice(1)));
