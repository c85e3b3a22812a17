import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { GM, SMALL, FoundryUser, startWorld, seatAt } from "./foundry/user.mjs";
import { ROOT, launch, newTable, until } from "./harness.mjs";

describe("the module's package", () => {
  const folder = mkdtempSync(join(tmpdir(), "enfilade-module-"));
  let browser, world, server;

  before(async () => {
    browser = await launch();
    world = await startWorld(13, { module: folder });
    server = await newTable();
    world.state.settings["enfilade.server"] = server.origin;
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
    await world?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test("downloaded by its manifest and unpacked it runs, and the scene reaches the table", async () => {
    const manifest = await (await fetch(`${server.origin}/foundry/module.json`)).json();
    const zip = join(folder, "module.zip");
    writeFileSync(zip, new Uint8Array(await (await fetch(manifest.download)).arrayBuffer()));
    execFileSync(python(), ["-m", "zipfile", "-e", zip, folder]);
    const gm = await FoundryUser.open(browser, world, GM, { seat: seatAt(server), viewport: SMALL });
    await until(async () => (await server.scene()).name === "The gatehouse", "the scene is on the table");
    assert.deepEqual(gm.errors, []);
  });
});

/** Returns the server's Python. */
const python = () => (process.env.ENFILADE ? "python3" : join(ROOT, ".venv", "bin", "python"));
