// A first connection: each problem gets a sentence in the window before anything is saved.

import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { GM, PAT, SMALL, FoundryUser, startWorld } from "./foundry/user.mjs";
import { ROOT, Server, launch, until } from "./harness.mjs";

describe("the first connection", () => {
  let browser, world, server, gm;

  before(async () => {
    browser = await launch();
    world = await startWorld(13);
    server = await new Server().start();
    gm = await FoundryUser.open(browser, world, GM, { viewport: SMALL });
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
    await world?.stop();
  });

  const tries = async (link, address = null) => {
    await gm.page.fill("#enfilade-link", link);
    await gm.page.press("#enfilade-link", "Tab"); // the link fills in its address
    if (address !== null) await gm.page.fill("#enfilade-server", address);
    await gm.page.dispatchEvent("#enfilade-connect-go", "click");
  };
  const isSaid = (text) =>
    gm.page.locator("#enfilade-diagnosis").filter({ hasText: text }).waitFor({ state: "attached" });
  const isKept = () => gm.do(() => (localStorage.getItem("enfilade.kept") ?? "").includes("seat"));

  test("the plug opens the window and focuses the link field", async () => {
    await gm.page.dispatchEvent("[data-tool=enfilade-connect]", "click");
    await gm.page.locator("#enfilade-link").waitFor();
    await until(
      () => gm.do(() => document.activeElement.id === "enfilade-link"),
      "the field has the keyboard",
    );
  });

  test("text that is not a link gets a message", async () => {
    await tries("http://somewhere.example");
    await isSaid("That is not a link to a table");
  });

  test("a link fills in its server's address", async () => {
    await gm.page.fill("#enfilade-link", server.gm);
    await gm.page.press("#enfilade-link", "Tab");
    assert.equal(await gm.page.inputValue("#enfilade-server"), server.origin);
  });

  test("a server that does not allow this page names the address and the setting", async () => {
    await tries(server.gm);
    await isSaid(`must add this page's address, ${world.origin}, to the setting ENFILADE_ORIGINS`);
    assert.equal(await isKept(), false);
  });

  test("an address that does not answer gets a message", async () => {
    await tries(server.gm, "http://127.0.0.1:9");
    await isSaid("The address does not answer");
  });

  test("another server's answer gets a message", async () => {
    await tries(server.gm, world.origin);
    await isSaid("it is not an Enfilade server");
  });

  test("an invalid key gets a message and is not saved", async () => {
    await server.kill();
    server.settings = { ENFILADE_ORIGINS: world.origin };
    await server.start();
    await tries(`${server.gm}x`, server.origin);
    await isSaid("your link does not open the table");
    assert.equal(await isKept(), false);
  });

  test("with a valid link the scene reaches the table and the window shows the next step", async () => {
    await tries(server.gm, `${server.origin}/`);
    await isSaid("Connected. Select a token on the map");
    await until(async () => (await server.scene()).name === "The gatehouse", "the scene is on the table");
  });

  test("the window shows a lost and a restored connection", async () => {
    await server.kill();
    await isSaid("Reconnecting.");
    await server.start();
    await isSaid("Connected.");
  });

  test("a player without the relay is asked for a link from the GM", async () => {
    world.state.settings["enfilade.relay"] = false;
    const pat = await FoundryUser.open(browser, world, PAT, { viewport: SMALL });
    await pat.page.dispatchEvent("[data-tool=enfilade-connect]", "click");
    await pat.page.locator("#enfilade-connect").filter({ hasText: "that your GM gave you" }).waitFor();
    await pat.page.close();
  });
});

for (const [version, says] of [
  ["0.99.0", "update the server"],
  ["0.0.1", "update the module"],
])
  test(`a module of version ${version} names the side to update`, async () => {
    const folder = mkdtempSync(join(tmpdir(), "enfilade-other-"));
    cpSync(join(ROOT, "plugin_manifest"), folder, { recursive: true });
    const manifest = JSON.parse(readFileSync(join(folder, "module.json"), "utf8"));
    writeFileSync(join(folder, "module.json"), JSON.stringify({ ...manifest, version }));
    const browser = await launch();
    const world = await startWorld(13, { module: folder });
    const server = await new Server({ ENFILADE_ORIGINS: world.origin }).start();
    try {
      const gm = await FoundryUser.open(browser, world, GM, { viewport: SMALL });
      await gm.page.dispatchEvent("[data-tool=enfilade-connect]", "click");
      await gm.page.fill("#enfilade-link", server.gm);
      await gm.page.press("#enfilade-link", "Tab");
      await gm.page.dispatchEvent("#enfilade-connect-go", "click");
      await gm.page.locator("#enfilade-diagnosis").filter({ hasText: says }).waitFor({ state: "attached" });
    } finally {
      await browser.close();
      await server.stop();
      await world.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });
