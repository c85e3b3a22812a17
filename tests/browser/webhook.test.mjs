import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Player, Server, launch, until } from "./harness.mjs";

// No name server knows a host below .invalid: nothing leaves the machine, and the page is told so.
const HOST = "hooks.invalid";

describe("posting the log", () => {
  let server, browser, gm;

  before(async () => {
    server = await new Server({ ENFILADE_WEBHOOK_HOSTS: `discord.com,${HOST}` }).start();
    browser = await launch();
    gm = await Player.sitDown(browser, server.gm);
    await gm.page.click("#tab-setup");
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  const says = () => gm.page.textContent("#webhook-status");
  const set = async (url) => {
    await gm.page.fill("#webhook-url", url);
    await gm.page.press("#webhook-url", "Enter");
  };

  test("the game master reads where the log could be posted", async () => {
    assert.match(await says(), /not posted.*discord\.com, hooks\.invalid/);
    assert.equal(await gm.page.isDisabled("#webhook-test"), true);
  });

  test("another host is refused in a sentence, and what was typed stays", async () => {
    await set("https://evil.example/api/webhooks/1/x");
    await gm.sees("#notices .is-error", "posts only to discord.com");
    assert.equal(await gm.page.inputValue("#webhook-url"), "https://evil.example/api/webhooks/1/x");
  });

  test("once it is set the field is empty, the log says so, and the outcome stands below", async () => {
    await set(`https://${HOST}/api/webhooks/117/s3cr3t`);
    await gm.sees(".log-entry", `posted to ${HOST} from now on`);
    await until(
      async () => (await says()).startsWith(`${HOST} could not be reached.`),
      "the outcome is told",
    );
    assert.equal(await gm.page.inputValue("#webhook-url"), "");
    assert.equal((await gm.page.content()).includes("s3cr3t"), false);
  });

  test("a test is a line of the log, and an end can be made of it", async () => {
    await gm.page.click("#webhook-test");
    await gm.sees(".log-entry", "A test: this log is posted");
    await gm.page.click("#webhook-clear");
    await until(async () => (await says()).startsWith("The log is not posted."), "it is cleared");
  });

  test("who only watches sees nothing of it", async () => {
    const watcher = await Player.sitDown(browser, server.spectator);
    await watcher.sees(".log-entry", "no longer posted");
    assert.equal(await watcher.page.locator("#webhook-status").count(), 0);
  });
});
