// Measures the board page of this tree beside that of another one, in turn, and prints what this one takes of the other:
//
//   node bench/board/paired.mjs FOLDER [PAIRS]
//
// FOLDER is a checkout of the other commit, with its environment and its built page (`make install` there).
//
//   map        milliseconds from the navigation to the first picture of a demo's map
//   select     milliseconds from a click on a unit, on a map of 60 x 60 cells, to the last picture that it brings
//   pan        milliseconds a frame of a pan over that map with a unit selected, with the layers that a page opens with
//   pan, all   the same with all layers
//
// Each is given as wall clock and as processor time of the page's process and of the one that draws. A wall clock is of use
// on an idle machine alone. Motion is reduced, so that a page at rest draws nothing.

import { join, resolve } from "node:path";
import { ROOT, SHARP, Server, serveBrowser } from "../../tests/browser/harness.mjs";
import { isReady, pan, setLargeMap, showAllLayers } from "./large-map.mjs";

const [FOLDER, PAIRS = "7"] = process.argv.slice(2);
const [FRAMES, CLICKS] = [120, 8];
/** A page rests once it has drawn nothing for so many milliseconds. */
const REST_MS = 500;
const VIEW = {
  viewport: { width: 1440, height: 900 },
  deviceScaleFactor: SHARP,
  colorScheme: "dark",
  reducedMotion: "reduce",
};

if (!FOLDER)
  throw new Error("Name a checkout of the other commit: node bench/board/paired.mjs FOLDER [PAIRS]");
const browser = await serveBrowser();
const system = await browser.newBrowserCDPSession();
const trees = { now: await serve(ROOT), base: await serve(resolve(FOLDER)) };
try {
  const tries = [];
  for (let i = 0; i < Number(PAIRS); i += 1) {
    const order = i % 2 ? ["base", "now"] : ["now", "base"];
    const pair = {};
    for (const name of order) pair[name] = await measure(trees[name]);
    tries.push(pair);
    const walls = Object.entries(pair.now).filter(([name]) => !/, (page|drawing)$/.test(name));
    const said = walls.map(([name, ms]) => `${name} ${ms.toFixed(0)} of ${pair.base[name].toFixed(0)} ms`);
    process.stderr.write(`pair ${i + 1} of ${PAIRS}: ${said.join("; ")}\n`);
  }
  for (const name of Object.keys(tries[0].now)) {
    const [now, base] = ["now", "base"].map((side) => median(tries.map((pair) => pair[side][name])));
    const ratio = median(tries.map((pair) => pair.now[name] / pair.base[name]));
    console.log(
      `${name.padEnd(22)} ${now.toFixed(1).padStart(8)} ms, base ${base.toFixed(1).padStart(8)} ms, ratio ${ratio.toFixed(2)}`,
    );
  }
} finally {
  await browser.close();
  for (const { server, demo } of Object.values(trees)) for (const one of [server, demo]) await one.stop();
}

/** Starts two servers of a tree: one with the large map, and one with the demo. */
async function serve(folder) {
  const settings = { PYTHONPATH: join(folder, "server"), ENFILADE: join(folder, ".venv", "bin", "enfilade") };
  const [server, demo] = [await new Server(settings).start(), await new Server(settings).start()];
  await setLargeMap(server);
  return { server, demo };
}

async function measure({ server, demo }) {
  const results = {};
  const note = async (name, times, act) => {
    const before = await processorMs();
    const wall = await act();
    const used = await processorMs();
    results[name] = wall;
    for (const kind of ["page", "drawing"]) results[`${name}, ${kind}`] = (used[kind] - before[kind]) / times;
  };
  await withPage(demo.gm, async (page) => {
    await note("map", 1, async () => {
      await page.goto(demo.gm, { waitUntil: "commit" });
      await isReady(page);
      await rests(page);
      return page.evaluate(() => window.draws.first);
    });
  });
  await withPage(server.gm, async (page) => {
    await page.goto(server.gm);
    await isReady(page);
    await isPainted(page);
    await page.click("#fit");
    await select(page, "Anna");
    await note("select", CLICKS, async () => {
      const waits = [];
      for (let i = 0; i < CLICKS; i += 1) waits.push(await select(page, i % 2 ? "Anna" : "Unit-1"));
      return median(waits);
    });
    const panned = async () => 1000 / (await pan(page, FRAMES));
    await page.click("#fit");
    await rests(page);
    await note("pan", FRAMES, panned);
    await showAllLayers(page);
    await page.click("#fit");
    await rests(page);
    await note("pan, all", FRAMES, panned);
  });
  return results;
}

async function withPage(link, act) {
  const context = await browser.newContext(VIEW);
  const page = await context.newPage();
  await page.addInitScript(noteDraws);
  await act(page);
  await context.close();
}

/** Notes in the page when its map was drawn first and last. */
function noteDraws() {
  window.draws = { first: 0, last: 0 };
  for (const { prototype } of [WebGLRenderingContext, WebGL2RenderingContext])
    for (const name of ["drawElements", "drawArrays"]) {
      const draw = prototype[name];
      prototype[name] = function (...given) {
        const now = performance.now();
        window.draws.first ||= now;
        window.draws.last = now;
        return draw.apply(this, given);
      };
    }
}

/** Waits until a page's map is painted, where pages paint maps. */
async function isPainted(page) {
  const paints = await page.evaluate(() => "painted" in document.querySelector("#board").dataset);
  if (paints) await page.waitForSelector("#board[data-painted=true]");
  await rests(page);
}

/** Waits until a page has drawn nothing for a while. */
function rests(page) {
  return page.waitForFunction(
    (rest) => window.draws.last && performance.now() - window.draws.last > rest,
    REST_MS,
    { polling: 100 },
  );
}

/** Picks a unit; returns the milliseconds to the last picture that this brings. */
async function select(page, unit) {
  const began = await page.evaluate((id) => {
    const now = performance.now();
    document.querySelector(`#pick-${id}`).click();
    return now;
  }, unit);
  await page.waitForTimeout(REST_MS);
  await rests(page);
  return page.evaluate((from) => window.draws.last - from, began);
}

/** The processor time in milliseconds so far of all pages' processes, and of the one that draws. */
async function processorMs() {
  const { processInfo } = await system.send("SystemInfo.getProcessInfo");
  const sum = (type) =>
    processInfo.reduce((total, one) => total + (one.type === type ? one.cpuTime * 1000 : 0), 0);
  return { page: sum("renderer"), drawing: sum("GPU") };
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}
