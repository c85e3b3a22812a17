import assert from "node:assert/strict";
import { kill } from "node:process";
import { after, afterEach, before, describe, test } from "node:test";
import { Player, Server, startSkirmish } from "./harness.mjs";
import { FaultProxy } from "./fault-proxy.mjs";
import { text } from "./text.mjs";

/** The time in which a page is back once the server can be reached again. */
const BACK_MS = 5_000;
/** An outage that is longer than the first attempts to connect again, which follow each other quickly. */
const OUTAGE_MS = 9_000;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

describe("outages", () => {
  let server, browser, proxy, player, notes;

  before(async () => {
    ({ server, browser } = await startSkirmish(await new Server().start()));
    proxy = await FaultProxy.to(server.port);
    player = await Player.join(browser, server.gm.replace(server.origin, proxy.origin));
    notes = 0;
  });
  afterEach(() => proxy.mend());
  after(async () => {
    await browser?.close();
    proxy?.close();
    await server?.stop();
  });

  /** Writes a note that the page misses. */
  const note = () => {
    notes += 1;
    return server.command("note", { text: `The bell strikes ${notes}.` });
  };
  /** Waits until the page shows what it has missed, and returns after how many ms. */
  const back = async (began) => {
    await player.sees("#connection", text("Connection.connected"));
    await player.sees(".log-entry", `The bell strikes ${notes}.`);
    return Date.now() - began;
  };

  test("whose connections are reset", async () => {
    proxy.reset();
    await player.sees("#connection", text("Connection.lost"));
    await note();
    await pause(OUTAGE_MS);
    proxy.mend();
    const took = await back(Date.now());
    console.log(`outages: reset, back after ${took} ms`);
    assert.ok(took < BACK_MS, `${took} ms`);
  });

  test("whose connections stay dead, once the page is in the network again", async () => {
    proxy.fallSilent();
    await player.context.setOffline(true);
    await note();
    await pause(OUTAGE_MS);
    proxy.mend();
    await player.context.setOffline(false);
    const took = await back(Date.now());
    console.log(`outages: dead, back after ${took} ms`);
    assert.ok(took < BACK_MS, `${took} ms`);
  });

  test("that a page slept through, with a restart of the server", async () => {
    const devtools = await player.context.browser().newBrowserCDPSession();
    const { processInfo } = await devtools.send("SystemInfo.getProcessInfo");
    const pages = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => id);
    await player.page.evaluate(() => {
      window.ticks = [Date.now()];
      setInterval(() => window.ticks.push(Date.now()), 100);
    });
    // As in a computer that sleeps, the page's process gets no time; a headless browser freezes no page by itself.
    for (const process of pages) kill(process, "SIGSTOP");
    try {
      await server.kill();
      await server.start();
      await note();
      await pause(OUTAGE_MS);
    } finally {
      for (const process of pages) kill(process, "SIGCONT");
    }
    const took = await back(Date.now());
    console.log(`outages: frozen, back after ${took} ms`);
    assert.ok(took < BACK_MS, `${took} ms`);
    const slept = await player.page.evaluate(() =>
      Math.max(...window.ticks.slice(1).map((tick, i) => tick - window.ticks[i])),
    );
    assert.ok(slept > OUTAGE_MS, `the page ran meanwhile: it slept ${slept} ms`);
  });
});
