import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { GM, SMALL, FoundryUser, startWorld, seatAt } from "./foundry/user.mjs";
import { ROOT, launch, newTable, until } from "./harness.mjs";

const [ANNA, GRIM] = ["tokentokenAnna01", "tokentokenGrim01"];
const GENERATIONS = (process.env.GENERATIONS ?? "12 13 14").split(" ").map(Number);

for (const generation of GENERATIONS)
  describe(`the module's package in Foundry ${generation}`, () => {
    const folder = mkdtempSync(join(tmpdir(), "enfilade-module-"));
    let browser, world, server, gm;

    before(async () => {
      browser = await launch();
      world = await startWorld(generation, { module: folder });
      server = await newTable();
      world.state.settings["enfilade.server"] = server.origin;
      const manifest = await (await fetch(`${server.origin}/foundry/module.json`)).json();
      const zip = join(folder, "module.zip");
      writeFileSync(zip, new Uint8Array(await (await fetch(manifest.download)).arrayBuffer()));
      execFileSync(python(), ["-m", "zipfile", "-e", zip, folder]);
      gm = await FoundryUser.open(browser, world, GM, { seat: seatAt(server), viewport: SMALL });
    });
    after(async () => {
      await browser?.close();
      await server?.stop();
      await world?.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    test("downloaded by its manifest and unpacked it runs, and the scene reaches the table", async () => {
      await until(async () => (await server.scene()).name === "The gatehouse", "the scene is on the table");
    });

    test("its program is one file, with the license beside it", () => {
      assert.ok(existsSync(join(folder, "LICENSE")));
      assert.ok(existsSync(join(folder, "scripts/foundry/main.js")));
      assert.ok(!existsSync(join(folder, "scripts/core")));
    });

    test("a move and an attack from a macro are at the table, with a card in the chat", async () => {
      await gm.do((id) => window.host.drag(id, { x: 800, rotation: 270 }), ANNA);
      await until(async () => (await server.token(ANNA)).facing === 90, "Anna stands before Grim");
      const isDone = await gm.do(
        ([anna, grim]) => game.modules.get("enfilade").api.attack(anna, grim),
        [ANNA, GRIM],
      );
      assert.equal(isDone, true);
      await until(async () => {
        await gm.answersAll(); // a choice may arrive after the answer to the act
        return world.state.ChatMessage.length > 0;
      }, "a card of the attack");
    });

    test("the page logs no errors", () => assert.deepEqual(gm.errors, []));
  });

/** Returns the server's Python. */
const python = () => (process.env.ENFILADE ? "python3" : join(ROOT, ".venv", "bin", "python"));
