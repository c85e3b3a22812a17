// Measures the board page in a real browser on a real server, and prints four figures with their goals (one of them
// with its name as the argument):
//
//   weight   bytes of the first page, each file compressed by gzip (goal: 400 kB)
//   start    milliseconds from the navigation to a table that can be used, at a CPU four times slower (goal: 1,500
//            ms): connected, with the units in the tracker, the log, and a button that answers a click; then to the
//            map's first picture. The median of several tries, and the same without the slowdown. The pages draw
//            by software here; a computer with a graphics card has the map earlier
//   panning  milliseconds of script for each frame, and frames a second, while a map of 60 x 60 cells with all layers is panned, from a
//            trace (goal: a median below 8 ms)
//   replay   entries a second that the replay goes through at its fastest speed, while each moves a unit (goal: 30),
//            alone and with all overlays of a unit at each moment. Then how many of them it showed, because without a
//            graphics card it leaves some out, and how many overlays had been read for them

import { gzipSync } from "node:zlib";
import { Player, Server, serveBrowser } from "../../tests/browser/harness.mjs";
import { isReady, pan, setLargeMap, showAllLayers } from "./large-map.mjs";

const TRIES = 9;
const SLOWDOWN = 4;
const FRAMES = 120;
const TURNS = 150;

const browser = await serveBrowser();
const server = await new Server().start();
try {
  const only = process.argv[2];
  if (!only || only === "weight") await measureWeight();
  if (!only || only === "start") await measureStart();
  if (!only || only === "panning") await measurePanning();
  if (!only || only === "replay") await measureReplay();
} finally {
  await browser.close();
  await server.stop();
}

/** Adds up the files of the first page; the table's own pictures are not among them. */
async function measureWeight() {
  const page = await browser.newPage();
  const files = [];
  page.on("response", (response) => {
    const { pathname } = new URL(response.url());
    if (response.ok() && !pathname.startsWith("/api/"))
      files.push(response.body().then((body) => [pathname, body]));
  });
  await page.goto(server.gm);
  await isReady(page);
  const all = (await Promise.all(files)).map(([name, body]) => [gzipSync(body).length, name]);
  const sum = all.reduce((total, [size]) => total + size, 0);
  console.log(`weight   ${(sum / 1000).toFixed(0)} kB compressed in ${all.length} files (goal 400)`);
  for (const [size, name] of all.sort(([a], [b]) => b - a).slice(0, 4))
    console.log(`         ${(size / 1000).toFixed(0).padStart(4)} kB ${name}`);
  await page.close();
}

/** Notes in the page when the parts of the table are there, without questions that would slow it down. */
function noteParts() {
  const PARTS = {
    connected: '#connection[data-state="connected"]',
    units: "#units .unit",
    log: "#log-list .log-entry",
    canvas: "#board canvas",
  };
  const found = (window.partsFound = {});
  const isThere = () => {
    for (const [name, selector] of Object.entries(PARTS))
      if (!(name in found) && document.querySelector(selector)) found[name] = performance.now();
    if (!found.usable && found.connected && found.units && found.log) click();
  };
  // A click is handled once the browser has done all that came before it.
  const click = () => {
    found.usable = Infinity;
    document
      .querySelector("#units .unit")
      .addEventListener("click", () => (found.usable = performance.now()));
    setTimeout(() => document.querySelector("#units .unit").click());
  };
  new MutationObserver(isThere).observe(document, { subtree: true, childList: true, attributes: true });
}

async function measureStart() {
  for (const slowdown of [1, SLOWDOWN]) {
    const tries = [];
    for (let i = 0; i < TRIES; i += 1) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
      const page = await context.newPage();
      await page.addInitScript(noteParts);
      const session = await context.newCDPSession(page);
      await session.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
      await page.goto(server.gm, { waitUntil: "commit" });
      await page.waitForFunction(
        () => window.partsFound?.canvas && window.partsFound.usable < Infinity,
        {},
        { polling: 500 },
      );
      tries.push(await page.evaluate(() => window.partsFound));
      await context.close();
    }
    const median = (part) =>
      tries
        .map((one) => one[part])
        .toSorted((a, b) => a - b)
        [TRIES >> 1].toFixed(0);
    const least = Math.min(...tries.map(({ usable }) => usable)).toFixed(0);
    const goal = slowdown > 1 ? " (goal 1500)" : "";
    console.log(
      `start    CPU x${slowdown}: usable after ${median("usable")} ms, median of ${TRIES}, ${least} at least${goal}; ` +
        `the map after ${median("canvas")} ms`,
    );
  }
}

/** Pans a large map with a selected unit and all layers, and reads the script's time from a trace. */
async function measurePanning() {
  await setLargeMap(server);
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(server.gm);
  await isReady(page);
  await page.click("#pick-Anna");
  await showAllLayers(page);
  const session = await context.newCDPSession(page);
  const events = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...value));
  await session.send("Tracing.start", {
    categories: "devtools.timeline,v8.execute",
    transferMode: "ReportEvents",
  });
  const rate = await pan(page, FRAMES);
  const ended = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
  await session.send("Tracing.end");
  await ended;
  const moves = events
    .filter(({ name, args }) => name === "EventDispatch" && args?.data?.type === "pointermove")
    .map(({ dur = 0 }) => dur / 1000)
    .sort((a, b) => a - b);
  const at = (part) => moves[Math.min(moves.length - 1, Math.floor(moves.length * part))].toFixed(2);
  console.log(
    `panning  ${at(0.5)} ms of script a frame, median of ${moves.length}; 95 in 100 below ${at(0.95)} (goal 8); ` +
      `${rate.toFixed(1)} frames a second`,
  );
  await context.close();
}

/** Plays a battle of turns back at its fastest speed, and counts the entries that the board shows. */
async function measureReplay() {
  const { grid, tokens } = await server.scene();
  const onBoard = tokens.filter(({ at }) => at);
  for (let i = 0; i < TURNS; i += 1) {
    const { id, at } = onBoard[i % onBoard.length];
    const body = { token: id, at, facing: (i % 8) * 45, path: [], override: "a bench" };
    await server.command("token.move", body);
  }
  const player = await Player.join(browser, server.gm, { viewport: { width: 1440, height: 900 } });
  const { page } = player;
  player.grid = grid;
  let overlays = 0;
  page.on("response", async (answer) => {
    if (answer.url().includes("replay?token="))
      overlays += (await answer.json()).overlays.filter(Boolean).length;
  });
  await page.click("#fit");
  await page.click("#past-open");
  const slider = page.locator("#past-slider");
  const last = Number(await slider.getAttribute("max"));
  const speeds = await page.locator("#past-speed option").evaluateAll((all) => all.map(({ value }) => value));
  await page.selectOption("#past-speed", speeds.at(-1));
  for (const unit of [null, onBoard[0]]) {
    await slider.fill(String(last - TURNS));
    if (unit) await page.mouse.click(...(await player.at(unit.at)));
    await page.waitForTimeout(1_000);
    overlays = 0;
    const shown = await page.evaluate(play);
    const [[began, from], [ended, to]] = [shown[0], shown.at(-1)];
    const rate = (((to - from) * 1000) / (ended - began)).toFixed(1);
    console.log(
      `replay   ${rate} entries a second over ${to - from} entries (goal 30); ${shown.length} shown` +
        (unit ? `, ${overlays} overlays read ahead` : ""),
    );
  }
  await player.context.close();
}

/** Presses play in the page; returns the number of each entry that is shown, with its time. */
async function play() {
  const count = document.querySelector("#past-count");
  const number = () => Number(count.textContent.split("/")[0]);
  const steps = [];
  const seen = new MutationObserver(() => steps.push([performance.now(), number()]));
  seen.observe(count, { childList: true, characterData: true, subtree: true });
  document.querySelector("#past-play").click();
  const end = Number(document.querySelector("#past-slider").max);
  while (number() !== end) await new Promise(requestAnimationFrame);
  seen.disconnect();
  return steps;
}
