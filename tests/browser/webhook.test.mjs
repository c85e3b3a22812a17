import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Player, Server, launch, until } from "./harness.mjs";

// No name server resolves a host below .invalid: nothing leaves the machine, and the page shows the failure.
const HOST = "hooks.invalid";

describe("posting the log", () => {
  let server, browser, gm;

  before(async () => {
    server = await new Server({ ENFILADE_WEBHOOK_HOSTS: `discord.com,${HOST}` }).start();
    browser = await launch();
    gm = await Player.join(browser, server.gm);
    await gm.openTab("setup");
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

  test("the GM reads which hosts the log can be posted to", async () => {
    await until(
      async () => /not posted.*discord\.com, hooks\.invalid/.test(await says()),
      "the hosts are named",
    );
    await gm.page.locator("#webhook-test:disabled").waitFor();
  });

  test("another host is refused with a sentence, and the typed URL stays", async () => {
    await set("https://evil.example/api/webhooks/1/x");
    await gm.sees("#notices .is-error", "posts only to discord.com");
    assert.equal(await gm.page.inputValue("#webhook-url"), "https://evil.example/api/webhooks/1/x");
  });

  test("after saving the field is empty, the log notes it, and the result appears below", async () => {
    await set(`https://${HOST}/api/webhooks/117/s3cr3t`);
    await gm.sees(".log-entry", `posted to ${HOST} from now on`);
    await until(
      async () => (await says()).startsWith(`${HOST} could not be reached.`),
      "the outcome is told",
    );
    assert.equal(await gm.page.inputValue("#webhook-url"), "");
    assert.equal((await gm.page.content()).includes("s3cr3t"), false);
  });

  test("a test is an entry of the log, and posting can be stopped", async () => {
    await gm.page.click("#webhook-test");
    await gm.sees(".log-entry", "Test: this log is posted");
    await gm.page.click("#webhook-clear");
    await until(async () => (await says()).startsWith("The log is not posted."), "it is cleared");
  });

  test("a spectator sees nothing of it", async () => {
    const watcher = await Player.join(browser, server.spectator);
    await watcher.sees(".log-entry", "no longer posted");
    assert.equal(await watcher.page.locator("#webhook-status").count(), 0);
  });
});
