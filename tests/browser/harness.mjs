// The real server, a real browser, and a user's actions on the board page.

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { fitCamera, toView } from "../../plugin_manifest/scripts/board/page/camera.js";
import { coveredEdges } from "../../plugin_manifest/scripts/board/page/free-area.js";
import { boardSize, center } from "../../plugin_manifest/scripts/core/map/geometry.js";
import { startServer } from "./server-process.mjs";
import { text as textOf } from "./text.mjs";

/** Required, not imported: an import reads the 3.6 MB of Playwright's program once more, for the names in it. */
const { chromium } = createRequire(import.meta.url)("playwright-core");

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
export const MAP = join(ROOT, "server", "enfilade", "maps", "suite-of-rooms.uvtt");
const GRID = { kind: "square", columns: 14, rows: 10, distance: 1, units: "squares" };
const BROWSERS = [
  process.env.CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/snap/bin/chromium",
];
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--enable-unsafe-swiftshader",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
// Smooth edges are for pictures of the docs: drawn without a graphics card they take a third of its work.
if (!process.env.SCREENSHOT) FLAGS.push("--webgl-antialiasing-mode=none");
/** The viewport of a page: without a graphics card every pixel costs time, and few tests look at a large page. */
const VIEWPORT = { width: 1024, height: 700 };
/** The drawn pixels to a CSS pixel. A quarter of the pixels takes half the time; SHARP is for tests of pixels or layout. */
export const [SHARP, COARSE] = [1, process.env.SCREENSHOT ? 1 : 1 / 2];
/** Only a test that fails waits as long: on a machine with nine busy processes to a core, 20 s were too few. */
export const PATIENCE_MS = 60_000;
/** The words of a note that a page sends after all that a test wants to see, or not to see. */
const FENCE = "Nothing more is to come.";
let fences = 0;
/** `until` puts its question at least so often. */
const LONGEST_PAUSE_MS = 250;
const [LOWEST_PORT, PORTS] = [12_000, 18_000];

const SIDES = ["Blue", "Red"].map((name) => ({
  id: name.toLowerCase(),
  name,
  team: "",
  tracks: {},
  conditions: {},
}));

/** Returns a free port below the range of outgoing connections, so that it stays free while a server restarts. */
export async function freePort() {
  for (;;) {
    const port = LOWEST_PORT + Math.floor(Math.random() * PORTS);
    const probe = createServer();
    const isFree = await new Promise((resolve) => {
      probe.once("error", () => resolve(false));
      probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}

/**
 * Fetches without keeping the connection: a pooled connection outlives the server that a test kills, and the next
 * request on it is reset.
 */
const request = (url, { headers = {}, ...options } = {}) =>
  fetch(url, { ...options, headers: { ...headers, Connection: "close" } });

/** A table on a server, read and changed over HTTP with the GM's key. */
export class Table {
  constructor({ origin, table, key, spectatorKey }) {
    this.seat({ origin, table, key, spectatorKey });
  }

  seat({ origin, table, key, spectatorKey }) {
    const board = `${origin}/board/#table=${table}&key=`;
    const links = { gm: `${board}${key}`, spectator: `${board}${spectatorKey}` };
    Object.assign(this, { origin, table, key, ...links });
  }

  #headers = () => ({ Authorization: `Bearer ${this.key}` });
  #url = (path) => `${this.origin}/api/tables/${this.table}/${path}`;

  /** Returns the server's scene. */
  async scene() {
    return (await request(this.#url("scene"), { headers: this.#headers() })).json();
  }

  async token(id) {
    return (await this.scene()).tokens.find((token) => token.id === id);
  }

  /** Returns the table's members. */
  async members() {
    return (await (await request(this.#url("seats"), { headers: this.#headers() })).json()).members;
  }

  /** Returns the entries of the table's whole log. */
  async log() {
    const lines = await (await request(this.#url("log"), { headers: this.#headers() })).text();
    return lines
      .trimEnd()
      .split("\n")
      .slice(1, -1)
      .map((line) => JSON.parse(line.slice(line.indexOf(" "))));
  }

  /** Removes every token and names two sides for a test. */
  async clear() {
    await this.command("scene.set", {
      scene: { ...(await this.scene()), tokens: [], sides: SIDES, tracks: {}, conditions: {} },
    });
    return this;
  }

  /** Sends a command, to set a scene for a test; throws the table's problem. */
  async command(kind, body) {
    const command = { v: 1, id: crypto.randomUUID(), kind, base: null, body };
    const answer = await request(this.#url("commands"), {
      method: "POST",
      headers: { ...this.#headers(), "Content-Type": "application/json" },
      body: JSON.stringify(command),
    });
    const ack = await answer.json();
    if (!ack.ok) throw new Error(JSON.stringify(ack.error));
    return ack;
  }

  /** Seats a player with tokens, and returns the player's link. */
  async seatPlayer(name, tokens) {
    const post = async (path, body, key) => {
      const headers = { "Content-Type": "application/json", ...(key && { Authorization: `Bearer ${key}` }) };
      const answer = await request(this.#url(path), { method: "POST", headers, body: JSON.stringify(body) });
      if (!answer.ok) throw new Error(await answer.text());
      return answer.json();
    };
    const { secret } = await post("invitations", { role: "player" }, this.key);
    const { seat, key } = await post("seats", { invitation: secret, name });
    await post(`seats/${seat}/approve`, { tokens }, this.key);
    return `${this.origin}/board/#table=${this.table}&key=${key}`;
  }

  /** Leaves the table to the shared server, which ends with the run. */
  async stop() {}
}

/** Makes a table of a ruleset on the worker's server, empty or with the game's ready-made battle. */
export async function newTable(ruleset = "coup_de_grace", { battle = false } = {}) {
  const origin = process.env.ENFILADE_TEST_SERVER;
  if (!origin) throw new Error("Run this file by: node tests/browser/run.mjs NAME");
  const answer = await request(`${origin}/api/tables`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ ruleset, name: battle ? "" : "A test's table", battle }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  const { table, gm_key: key, spectator_key: spectatorKey } = await answer.json();
  return new Table({ origin, table, key, spectatorKey });
}

/** A test's own server, for tests that kill it or need settings. Its data survives a kill. */
export class Server extends Table {
  constructor(settings = {}) {
    super({});
    this.data = mkdtempSync(join(tmpdir(), "enfilade-browser-"));
    this.settings = settings;
  }

  /** Starts it on its port and takes the demo table of one ruleset. */
  async start(title = "Coup-de-Grace") {
    this.port ??= await freePort();
    this.process = await startServer(["--port", String(this.port), "--data", this.data], this.settings);
    const links = await this.#output(new RegExp(`${title}\nGM link: (\\S+)\nSpectator link: (\\S+)\n`));
    const [gm, spectator] = links.slice(1).map((link) => new URL(link));
    const keyOf = ({ hash }) => new URLSearchParams(hash.slice(1)).get("key");
    const table = new URLSearchParams(gm.hash.slice(1)).get("table");
    this.seat({ origin: gm.origin, table, key: keyOf(gm), spectatorKey: keyOf(spectator) });
    return this;
  }

  #output(wanted) {
    return new Promise((resolve, reject) => {
      let out = "";
      const fail = () => reject(new Error(`The server did not start:\n${out}`));
      const timer = setTimeout(fail, 3 * PATIENCE_MS);
      this.process.output.on("data", (data) => {
        out += data;
        const found = out.match(wanted);
        if (found) (clearTimeout(timer), resolve(found));
      });
      this.process.hasEnded.then(fail);
    });
  }

  /** Kills it as a power cut would. */
  async kill() {
    process.kill(this.process.pid, "SIGKILL");
    await this.process.hasEnded;
  }

  async stop() {
    await this.kill();
    rmSync(this.data, { recursive: true, force: true });
  }
}

function browserPath() {
  const path = BROWSERS.find((candidate) => candidate && existsSync(candidate));
  if (!path) throw new Error("No Chromium was found; name one in CHROMIUM.");
  return path;
}

let shared = null;

/** Starts the browser of this process, which `launch` hands out. */
export async function serveBrowser() {
  shared = await launchWith([]);
  return shared;
}

/** Starts a browser of one test's own, with more flags. */
export const launchWith = (flags) =>
  chromium.launch({ executablePath: browserPath(), args: [...FLAGS, ...flags] });

/**
 * Returns the browser of this process. `close` closes every context that was made of it and waits for that: a page that
 * outlives its test would come back to the next test's world.
 */
export async function launch(deviceScaleFactor = COARSE) {
  if (!shared?.isConnected()) await serveBrowser(); // a browser that broke down takes one file with it
  const browser = shared;
  const contexts = [];
  const newContext = async (options) => {
    const context = await browser.newContext({ deviceScaleFactor, ...options });
    contexts.push(context);
    return patient(context);
  };
  return {
    isSharp: deviceScaleFactor >= SHARP,
    newContext,
    newPage: async (options) => (await newContext(options)).newPage(),
    close: () => Promise.all(contexts.splice(0).map((context) => context.close())),
  };
}

/** Has a page or all pages of a context wait as long as `until`. */
function patient(pages) {
  pages.setDefaultTimeout(PATIENCE_MS);
  return pages;
}

/** A user of the board page. `errors` collects the page's errors. */
export class Player {
  static async join(browser, link, options = {}) {
    const player = await Player.open(browser, link, options);
    await player.isAtTable();
    return player;
  }

  /**
   * Opens a link without waiting for a connection. A coarse page paints no map unless `paints` says so, because the
   * painter's thread is a fourth of the work of a page that opens. Nor does it move anything unless `reducedMotion` says
   * so: two seconds of motion are a hundred frames.
   */
  static async open(browser, link, { paints = browser.isSharp ?? true, ...options } = {}) {
    const colorScheme = process.env.SCREENSHOT ? "dark" : "light";
    const reducedMotion = (browser.isSharp ?? true) ? "no-preference" : "reduce";
    const usual = { viewport: VIEWPORT, colorScheme, reducedMotion };
    const context = await browser.newContext({ ...usual, ...options });
    // Unfolded on any screen but a phone's, as a GM would have left it.
    await context.addInitScript(() => {
      try {
        localStorage.setItem("enfilade.log", localStorage.getItem("enfilade.log") ?? "open");
      } catch {
        // a page without an address has no storage
      }
    });
    if (!paints) await context.addInitScript(() => delete window.Worker); // as in a browser that cannot paint in a thread
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    const player = new Player(page, context);
    page.on("pageerror", (error) => player.errors.push(error.message));
    page.on("console", (message) => message.type() === "error" && player.errors.push(message.text()));
    await page.goto(link);
    return player;
  }

  constructor(page, context) {
    Object.assign(this, { page, context, errors: [], grid: GRID });
  }

  /** Waits until the page is connected, has the table's state, and draws its map: it is connected before it has either. */
  async isAtTable() {
    await this.sees("#connection", textOf("Connection.connected"));
    await this.page.locator("#log-list[data-seq]").waitFor({ state: "attached" });
    await this.page.locator("#board[data-painted]").waitFor({ state: "attached" });
  }

  /** Waits until the page has an entry of the log, by the answer to the command that made it, and so all before it. */
  async has({ seq }) {
    const isThere = (wanted) => Number(document.getElementById("log-list")?.dataset.seq ?? 0) >= wanted;
    await this.page.waitForFunction(isThere, seq);
  }

  /** Waits until a connected page has all that its seat was told so far: the GM points at a cell of the grid after it. */
  async hasAll(table) {
    await this.page.evaluate(() => (document.getElementById("announcer").textContent = ""));
    await table.command("ping", { at: [352, 352] });
    await this.sees("#announcer", textOf("Ping.At", { name: textOf("Role.gm"), cell: "F6" }));
  }

  /** Waits until the table has all that this GM's page has sent so far: a note that it sends after it. */
  async hasSentAll() {
    const words = `${FENCE} ${(fences += 1)}`;
    await this.page.evaluate((note) => {
      document.getElementById("note-text").value = note;
      document.getElementById("note").requestSubmit();
    }, words);
    await this.page.locator(".log-entry", { hasText: words }).waitFor({ state: "attached" });
  }

  /** Waits until an element shows a text. */
  async sees(selector, text) {
    await this.page.locator(selector).filter({ hasText: text }).first().waitFor({ state: "visible" });
  }

  /** Waits until no element shows a text. */
  async seesNo(selector, text) {
    await this.page.locator(selector).filter({ hasText: text }).first().waitFor({ state: "hidden" });
  }

  /** Returns the screen position of a cell's center while the whole board is shown. */
  async at(cell) {
    const box = await this.page.locator("#board").boundingBox();
    const hasColumn = await this.page.evaluate(() =>
      ["has-log", "has-sheet", "has-advice", "has-plan"].some((name) =>
        document.body.classList.contains(name),
      ),
    );
    const view = [box.width, box.height];
    const camera = fitCamera(boardSize(this.grid), view, coveredEdges(view, hasColumn));
    const [x, y] = toView(camera, center(this.grid, cell));
    return [box.x + x, box.y + y];
  }

  /** Opens a tab of the drawer, or the log. */
  async openTab(name) {
    const tab = this.page.locator(name === "log" ? "#log-fold" : `#tab-${name}`);
    if (!(await tab.isVisible())) await (name === "log" ? this.closeDrawer() : this.page.click("#menu"));
    const isOpen = await tab.evaluate((button) =>
      [button.getAttribute("aria-selected"), button.getAttribute("aria-expanded")].includes("true"),
    );
    if (!isOpen) await tab.click();
  }

  /** Shows what searches, counts, saves and verifies the log. */
  async openLogTools() {
    await this.openTab("log");
    const opener = this.page.locator("#log-tools-open");
    if ((await opener.getAttribute("aria-expanded")) !== "true") await opener.click();
  }

  /** Unfolds the dice in the panel of an attack, which stays so. */
  async openAttackDice() {
    await this.page.locator("#attack-more").evaluate((details) => (details.open = true));
  }

  /** Closes all notices, so that a later one of the same words is another. */
  async closesNotices() {
    await this.page.evaluate(() =>
      document.querySelectorAll("#notices .notice > button").forEach((button) => button.click()),
    );
  }

  async closeDrawer() {
    if (await this.page.locator("#drawer-close").isVisible()) await this.page.click("#drawer-close");
  }

  /** Returns a picture of the map without the panels over it, as text to compare. */
  async mapPicture() {
    const show = (opacity) =>
      this.page.evaluate((value) => {
        for (const panel of document.querySelectorAll(".glass, .prompt, #notices, #map > :not(#board)"))
          panel.style.opacity = value;
      }, opacity);
    await show("0");
    const picture = await this.page.locator("#board").screenshot();
    await show("");
    return picture.toString("base64");
  }

  async clickCell(cell) {
    await this.page.click("#fit");
    await this.page.mouse.click(...(await this.at(cell)));
  }

  async drag(from, to, { during = async () => {} } = {}) {
    await this.page.click("#fit");
    await this.page.mouse.move(...(await this.at(from)));
    await this.page.mouse.down();
    await this.page.mouse.move(...(await this.at(to)), { steps: 6 });
    await during();
    await this.page.mouse.up();
  }

  async bringMap(path = MAP) {
    await this.openTab("setup");
    await this.page.setInputFiles("#map-file", path);
    await this.sees("#notices", "Map imported");
  }

  async place(unit, side, cell) {
    await this.openTab("setup");
    await this.page.selectOption("#place-unit", unit);
    await this.page.selectOption("#place-side", side);
    const before = await this.entryCount();
    await this.page.click("#place-toggle");
    await this.clickCell(cell);
    await until(async () => (await this.entryCount()) > before, "the log has the unit");
    await this.page.click("#place-toggle");
  }

  /**
   * Gives the usual answer to each prompt until `isOver`. A prompt stays open until its answer has come back, so the
   * next is looked for when it has gone: a second click on it would wait for a button that never returns.
   */
  async answerUntil(isOver, what) {
    await until(async () => {
      const button = await this.page.$(".prompt .answers button.primary");
      if (!button) return isOver();
      await button.evaluate((open) => open.click());
      await button.waitForElementState("hidden");
    }, what);
  }

  /** Returns how many entries the log has that pass its filter; the page holds those in view alone. */
  async entryCount() {
    return Number((await this.page.locator("#log-list").getAttribute("data-entries")) ?? 0);
  }

  async lastEntry() {
    return this.page.locator(".log-entry").last().innerText();
  }

  async press(...keys) {
    await this.page.locator("#board").focus();
    for (const key of keys) await this.page.keyboard.press(key);
  }
}

/**
 * Waits until a condition holds; it may return a promise. It is put again after each pause. The pauses grow, because on a
 * busy machine the questions themselves, as pictures and readings of the whole scene, would keep it busy.
 */
export async function until(question, what, pauseMs = 50) {
  const end = Date.now() + PATIENCE_MS;
  for (
    let pause = pauseMs;
    Date.now() < end;
    pause = Math.max(pauseMs, Math.min(pause * 1.3, LONGEST_PAUSE_MS))
  ) {
    if (await question()) return;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  throw new Error(`Waited in vain until ${what}.`);
}

/** Waits until a reading equals what is expected, and fails with how they differ if it never does. */
export async function becomes(read, expected, what) {
  let last;
  const isSame = async () => isDeepStrictEqual((last = await read()), expected);
  await until(isSame, what).catch(() => assert.deepEqual(last, expected, what));
}

/** Waits until the words of a page have not changed for a while: for pictures, which have nothing better to wait for. */
export async function settled(page) {
  let before = "";
  await until(
    async () => {
      const words = await page.evaluate(
        () => document.body.innerText + document.querySelectorAll("[aria-busy=true]").length,
      );
      const isSame = words === before;
      before = words;
      return isSame;
    },
    "the page rests",
    600,
  );
}

/** Waits until the map in view is painted, for pictures. */
export async function isPainted(page) {
  await page.waitForSelector("#board[data-painted=true]", { timeout: 60_000 });
  await page.waitForTimeout(400); // the last tile is faded in, and panels have folded
}

/** Returns a token of the contract, for `command("token.place", ...)`. */
export const miniature = (id, side, at, hands, more = {}) => ({
  token: { id, name: id, side, at, facing: 0, profile: { armor: "light", race: "human", hands }, ...more },
});

/** Sets a table with two miniatures on a map and a hidden third, and its GM at the board. */
export async function startSkirmish(table = null, sharpness = COARSE) {
  const server = await (table ?? (await newTable())).clear();
  const browser = await launch(sharpness);
  const gm = await Player.join(browser, server.gm);
  await gm.bringMap();
  await server.command("token.place", miniature("Anna", "blue", [3, 5], ["sword", "shield"]));
  await server.command("token.place", miniature("Grim", "red", [3, 2], ["axe", "shield"]));
  const lurker = miniature("Lurker", "red", [4, 5], ["mace", "fist"], { hidden: true });
  await server.command("token.place", lurker);
  return { server, browser, gm };
}
