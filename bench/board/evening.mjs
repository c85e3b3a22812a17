// A long evening at one table: 3,000 entries, with a GM's page, two players' and a spectator's. At its end the GM's page
// may cost at most 1.3 times what it did after 250 entries: its memory, its elements, and the time from an act to its
// overlay. The times are taken act by act beside a second table of 250 entries, so that a busy machine slows both. A page
// that is loaded again must look like the old one, pixel by pixel.
//
//   node bench/board/evening.mjs [ENTRIES]

import assert from "node:assert/strict";
import {
  Player,
  SHARP,
  Server,
  isPainted,
  launch,
  miniature,
  newTable,
  serveBrowser,
  until,
} from "../../tests/browser/harness.mjs";

const ENTRIES = Number(process.argv[2] ?? 3000);
const EARLY = Math.min(250, Math.floor(ENTRIES / 4));
const MOST = 1.3;
const ACTS = 15;
const SIZE = { viewport: { width: 1440, height: 900 } };
/** The other pages are small: drawn without a graphics card, they take the time of the one that is measured. */
const SMALL = { viewport: { width: 640, height: 480 } };
const PATIENCE = { timeout: 120_000, polling: 100 };

const chromium = await serveBrowser();
const server = await (await new Server().start()).clear();
process.env.ENFILADE_TEST_SERVER = new URL(server.gm).origin;
const browser = await launch(SHARP);
try {
  const long = await sitDown(server);
  await long.playTo(EARLY);
  const early = await weigh(long.gm);
  await long.playTo(ENTRIES);
  const late = await weigh(long.gm);
  const young = await sitDown(await newTable());
  await young.playTo(EARLY);
  const times = { young: [], long: [] };
  for (let i = 0; i < ACTS; i += 1) {
    times.young.push(await timeOfAct(young));
    times.long.push(await timeOfAct(long));
  }
  early["ms to the overlay"] = median(times.young);
  late["ms to the overlay"] = median(times.long);
  for (const key of Object.keys(early))
    console.log(
      `${key}: ${early[key].toFixed(1)} after ${EARLY} entries, ${late[key].toFixed(1)} after ${long.count()}: ` +
        (late[key] / early[key]).toFixed(2),
    );
  const pages = [...long.pages, ...young.pages];
  const slow = Object.keys(early).filter((key) => late[key] > MOST * early[key]);
  assert.deepEqual([slow, pages.flatMap(({ errors }) => errors)], [[], []]);
  await looksTheSame(long);
  console.log("evening: PASS");
} finally {
  await browser.close();
  await server.stop();
  await chromium.close();
}

/** Seats a GM, two players and a spectator at a table, with a miniature for each player. */
async function sitDown(table) {
  await table.command("token.place", miniature("Anna", "blue", [3, 5], ["sword", "shield"]));
  await table.command("token.place", miniature("Grim", "red", [9, 2], ["axe", "shield"]));
  const gm = await Player.join(browser, table.gm, SIZE);
  const others = [
    await Player.join(browser, await table.seatPlayer("Mia", ["Anna"]), SMALL),
    await Player.join(browser, await table.seatPlayer("Tom", ["Grim"]), SMALL),
    await Player.join(browser, table.spectator, SMALL),
  ];
  const pages = [gm, ...others];
  for (const { page } of pages) await isPainted(page); // four maps at once take the time of others
  await gm.page.click("#pick-Anna");
  await gm.sees("#dock h2", "Anna");
  let [entries, side] = [0, 0];
  const move = async () => {
    side = 1 - side;
    await table.command("token.move", { token: "Anna", at: [3 + side, 5], facing: 90 * side });
    entries += 1;
    return ["D6", "E6"][side];
  };
  const playTo = async (count) => {
    let place = "";
    while (entries < count) {
      place = await move();
      if (entries % 50 === 0) {
        await gm.page.waitForFunction(isAt, place, PATIENCE); // no page is asked to play in fast motion
        process.stdout.write(`\r${entries} entries`);
      }
      if (entries % 5) continue;
      const text = `Entry ${entries} of a long evening.`;
      await table.command("note", { text, secret: entries % 10 === 0 });
      entries += 1;
    }
    // What is still under way when a page is weighed would count as kept.
    await gm.page.waitForFunction(isAt, place, PATIENCE);
    for (const one of pages) await one.hasAll(table);
  };
  return { gm, pages, move, playTo, count: () => entries };
}

/** Tells whether the dock names a place; runs in the page. */
function isAt(place) {
  return document.querySelector("#dock .dock-name p")?.innerText.endsWith(place);
}

/** Returns the memory and the elements of a page. */
async function weigh({ page, context }) {
  const session = await context.newCDPSession(page);
  // What one collection finalizes, the next one frees.
  for (let i = 0; i < 2; i += 1) await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  const elements = await page.evaluate(() => document.querySelectorAll("*").length);
  return { "heap in MB": usedSize / 2 ** 20, "elements of the page": elements };
}

/** Returns the milliseconds from an act to its overlay on the GM's page. */
async function timeOfAct({ gm: { page }, move }) {
  const began = performance.now();
  const place = await move();
  const isShown = (wanted) =>
    document.querySelector("#dock .dock-name p")?.innerText.endsWith(wanted) &&
    document.querySelector("#panel-token .card")?.getAttribute("aria-busy") === "false";
  await until(() => page.evaluate(isShown, place), "the overlay is there", 5);
  return performance.now() - began;
}

/** Compares the GM's page with the same page loaded again. */
async function looksTheSame({ gm }) {
  /** Waits until nothing is painted any more. */
  const pictured = async () => {
    await gm.page.locator("#panel-token .card[aria-busy=false]").waitFor({ state: "attached" });
    await gm.page.mouse.move(700, 450);
    let last = Buffer.alloc(0);
    for (let same = 0; same < 3;) {
      await gm.page.waitForTimeout(700);
      const next = await gm.page.screenshot({ animations: "disabled" });
      same = next.equals(last) ? same + 1 : 0;
      last = next;
    }
    return last;
  };
  await gm.page.click("#fit");
  const before = await pictured();
  await gm.page.reload();
  await gm.page.click("#pick-Anna");
  await gm.sees("#dock h2", "Anna");
  await gm.page.click("#fit");
  const after = await pictured();
  const count = await gm.page.evaluate(
    countUnlike,
    [before, after].map((one) => one.toString("base64")),
  );
  assert.equal(count, 0, "a page that was loaded again looks like the old one");
}

/** Counts the pixels that differ by more than a rounding of the graphics; runs in a page. */
async function countUnlike(pictures) {
  const ROUNDING = 8;
  const [one, other] = await Promise.all(
    pictures.map(async (picture) => {
      const bytes = Uint8Array.from(atob(picture), (sign) => sign.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes]));
      const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
      pen.drawImage(bitmap, 0, 0);
      return pen.getImageData(0, 0, bitmap.width, bitmap.height).data;
    }),
  );
  return one.filter((value, i) => Math.abs(value - other[i]) > ROUNDING).length;
}

/** Returns the middle one of some values. */
function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}
