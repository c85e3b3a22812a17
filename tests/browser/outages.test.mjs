// Pages whose connections break, die or are slept through, and what brings them back.

import assert from "node:assert/strict";
import { kill } from "node:process";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { causesOf, noteCauses, pausesOf } from "./causes.mjs";
import { Player, Server, startSkirmish, until } from "./harness.mjs";
import { FaultProxy } from "./fault-proxy.mjs";
import { text } from "./text.mjs";

/** The longest pause that a page plans before it tries again: so soon it is back once the server can be reached. */
const LONGEST_PAUSE_MS = 4_000;
/** The pauses grow until this attempt, and not after it. */
const LAST_LONGER = 5;
/** A page that has heard nothing for so long connects anew when it is in the network again. */
const SILENT_MS = 2_000;
/** A pause of a page's clock by which it notices that it slept is shorter. */
const SLEEP_MS = 9_000;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

describe("outages", () => {
  let server, browser, proxy, player, notes;

  before(async () => {
    ({ server, browser } = await startSkirmish(await new Server().start()));
    proxy = await FaultProxy.to(server.port);
    const newContext = async (options) => {
      const context = await browser.newContext(options);
      await noteCauses(context);
      return context;
    };
    player = await Player.join({ ...browser, newContext }, server.gm.replace(server.origin, proxy.origin));
    notes = 0;
  });
  beforeEach(() => player.page.evaluate(() => (window.causes = [])));
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
  /** Returns why the page has tried to connect, oldest first. */
  const attempts = () => causesOf(player.page, "connect");
  /** Waits until the page shows what it has missed, and checks that it has planned no longer pause. */
  const isBack = async () => {
    await player.sees("#connection", text("Connection.connected"));
    await player.sees(".log-entry", `The bell strikes ${notes}.`);
    const tried = await attempts();
    assert.ok(Math.max(0, ...pausesOf(tried)) <= LONGEST_PAUSE_MS, `attempts by ${tried}`);
    return tried;
  };

  test("whose connections are reset", async () => {
    proxy.reset();
    await player.sees("#connection", text("Connection.lost"));
    await note();
    await until(
      async () => pausesOf(await attempts()).length >= LAST_LONGER,
      "the page tries as seldom as it ever does",
    );
    proxy.mend();
    await isBack();
  });

  test("whose connections stay dead, once the page is in the network again", async () => {
    proxy.fallSilent();
    await player.context.setOffline(true);
    await note();
    await pause(SILENT_MS);
    proxy.mend();
    await player.context.setOffline(false);
    assert.ok((await isBack()).includes("online"), "it tries at once, and waits for no timer");
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
      await pause(SLEEP_MS);
    } finally {
      for (const process of pages) kill(process, "SIGCONT");
    }
    await isBack();
    const slept = await player.page.evaluate(() =>
      Math.max(...window.ticks.slice(1).map((tick, i) => tick - window.ticks[i])),
    );
    assert.ok(slept > SLEEP_MS, `the page ran meanwhile: it slept ${slept} ms`);
  });
});
