// A long evening at one table: 3,000 entries, with a GM's page, two players' and a spectator's. Measures after 250 entries
// and at the end: the page's memory and elements, and the time from an act to its overlay on the GM's page. The end may cost
// at most 1.3 times the beginning. A page that is loaded again must show the same log.
//
//   node bench/board/evening.mjs [ENTRIES]

import assert from "node:assert/strict";
import { Player, Server, launch, miniature, serveBrowser, until } from "../../tests/browser/harness.mjs";

const ENTRIES = Number(process.argv[2] ?? 3000);
const EARLY = Math.min(250, Math.floor(ENTRIES / 4));
const MOST = 1.3;
const ACTS = 15;
const SIZE = { viewport: { width: 1440, height: 900 } };

const chromium = await serveBrowser();
process.env.ENFILADE_TEST_BROWSER = chromium.wsEndpoint();
const server = await (await new Server().start()).clear();
const browser = await launch();
try {
  await server.command("token.place", miniature("Anna", "blue", [3, 5], ["sword", "shield"]));
  await server.command("token.place", miniature("Grim", "red", [9, 2], ["axe", "shield"]));
  const gm = await Player.join(browser, server.gm, SIZE);
  const others = [
    await Player.join(browser, await server.seatPlayer("Mia", ["Anna"]), SIZE),
    await Player.join(browser, await server.seatPlayer("Tom", ["Grim"]), SIZE),
    await Player.join(browser, server.spectator, SIZE),
  ];
  await gm.page.click("#pick-Anna");
  await gm.sees("#dock h2", "Anna");
  let [entries, side] = [0, 0];
  const move = async () => {
    side = 1 - side;
    await server.command("token.move", { token: "Anna", at: [3 + side, 5], facing: 90 * side });
    entries += 1;
  };
  const playTo = async (count) => {
    while (entries < count) {
      await move();
      if (entries % 5 === 0) {
        await server.command("note", {
          text: `Entry ${entries} of a long evening.`,
          secret: entries % 10 === 0,
        });
        entries += 1;
      }
    }
  };
  await playTo(EARLY);
  const early = await measure(gm, move);
  await playTo(ENTRIES);
  const late = await measure(gm, move);
  for (const key of Object.keys(early)) {
    const ratio = late[key] / early[key];
    console.log(
      `${key}: ${early[key].toFixed(1)} after ${EARLY} entries, ${late[key].toFixed(1)} after ${entries}: ${ratio.toFixed(2)}`,
    );
  }
  await server.command("note", { text: "The evening ends.", secret: false });
  const lines = async ({ page }) => {
    await page.locator(".log-entry", { hasText: "The evening ends." }).waitFor();
    return (await page.locator(".log-entry .log-text").allInnerTexts()).slice(-10);
  };
  const old = await lines(gm);
  await gm.page.reload();
  assert.deepEqual(await lines(gm), old, "a page that was loaded again shows the same end of the log");
  const slow = Object.keys(early).filter((key) => late[key] > MOST * early[key]);
  const errors = [gm, ...others].flatMap((player) => player.errors);
  assert.deepEqual([slow, errors], [[], []]);
  console.log("evening: PASS");
} finally {
  await browser.close();
  await server.stop();
  await chromium.close();
}

/** Returns the memory and the elements of a page, and the median time from an act to its overlay. */
async function measure({ page, context }, move) {
  const times = [];
  for (let i = 0; i < ACTS; i += 1) {
    const place = await page.locator("#dock .dock-name p").first().innerText();
    const began = performance.now();
    await move();
    const isShown = (before) =>
      document.querySelector("#dock .dock-name p")?.innerText !== before &&
      document.querySelector("#panel-token .card")?.getAttribute("aria-busy") === "false";
    await until(() => page.evaluate(isShown, place), "the overlay is there", 5);
    times.push(performance.now() - began);
  }
  const session = await context.newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  const { nodes } = await session.send("Memory.getDOMCounters");
  await session.detach();
  return {
    "heap in MB": usedSize / 2 ** 20,
    "DOM nodes": nodes,
    "ms to the overlay": times.sort((a, b) => a - b)[ACTS >> 1],
  };
}
