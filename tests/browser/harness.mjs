// The real server, a real browser, and the eyes and hands of whoever sits before it.

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { fitCamera, toView } from "../../plugin_manifest/scripts/board/page/camera.js";
import { boardSize, center } from "../../plugin_manifest/scripts/core/draw/geometry.js";

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
const PATIENCE_MS = 20_000;

const SIDES = ["Blue", "Red"].map((name) => ({
  id: name.toLowerCase(),
  name,
  team: "",
  tracks: {},
  conditions: {},
}));

/** A server on a port of its own (or a given one) with a data folder that outlives it, and perhaps settings. */
export class Server {
  constructor(data = mkdtempSync(join(tmpdir(), "enfilade-e2e-")), settings = {}) {
    this.data = data;
    this.settings = settings;
  }

  /** Starts it and waits for the lines with the links of one ruleset's table. */
  async start(port = 0, title = "Coup-de-Grace") {
    const program = process.env.ENFILADE ?? join(ROOT, ".venv", "bin", "enfilade");
    this.process = spawn(program, ["serve", "--port", String(port), "--data", this.data], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, ...this.settings },
    });
    const links = new RegExp(`${title}\nGM link: (\\S+)\nSpectator link: (\\S+)\n`);
    const said = await this.#saying(links);
    [, this.gm, this.spectator] = said;
    const { origin, hash } = new URL(this.gm);
    const parts = new URLSearchParams(hash.slice(1));
    Object.assign(this, {
      origin,
      port: Number(new URL(origin).port),
      table: parts.get("table"),
      key: parts.get("key"),
    });
    return this;
  }

  #saying(wanted) {
    return new Promise((resolve, reject) => {
      let out = "";
      const fail = () => reject(new Error(`The server did not start:\n${out}`));
      const timer = setTimeout(fail, 3 * PATIENCE_MS);
      const hear = (data) => {
        out += data;
        const said = out.match(wanted);
        if (said) (clearTimeout(timer), resolve(said));
      };
      this.process.stdout.on("data", hear);
      this.process.stderr.on("data", (data) => (out += data));
      this.process.once("exit", fail);
    });
  }

  /** Kills it as a power cut would. */
  async kill() {
    const gone = new Promise((resolve) => this.process.once("exit", resolve));
    this.process.kill("SIGKILL");
    await gone;
  }

  async stop() {
    await this.kill();
    rmSync(this.data, { recursive: true, force: true });
  }

  /** The scene as the server has it. */
  async scene() {
    const answer = await fetch(`${this.origin}/api/tables/${this.table}/scene`, {
      headers: { Authorization: `Bearer ${this.key}` },
    });
    return answer.json();
  }

  async token(id) {
    return (await this.scene()).tokens.find((token) => token.id === id);
  }

  /** The entries of the table's whole log. */
  async log() {
    const answer = await fetch(`${this.origin}/api/tables/${this.table}/log`, {
      headers: { Authorization: `Bearer ${this.key}` },
    });
    const lines = (await answer.text()).trimEnd().split("\n");
    return lines.slice(1, -1).map((line) => JSON.parse(line.slice(line.indexOf(" "))));
  }

  /** Clears the table of its demo battle and names two sides for a test's own. */
  async clear() {
    await this.command("scene.set", {
      scene: { ...(await this.scene()), tokens: [], sides: SIDES, tracks: {}, conditions: {} },
    });
    return this;
  }

  /** Sends a command over HTTP, to set a scene for a test. */
  async command(kind, body) {
    const command = { v: 1, id: crypto.randomUUID(), kind, base: null, body };
    const answer = await (
      await fetch(`${this.origin}/api/tables/${this.table}/commands`, {
        method: "POST",
        headers: { Authorization: `Bearer ${this.key}`, "Content-Type": "application/json" },
        body: JSON.stringify(command),
      })
    ).json();
    if (!answer.ok) throw new Error(JSON.stringify(answer.error));
    return answer;
  }
}

export async function launch() {
  const path = BROWSERS.find((candidate) => candidate && existsSync(candidate));
  if (!path) throw new Error("No Chromium was found; name one in CHROMIUM.");
  return chromium.launch({ executablePath: path, args: FLAGS });
}

/** Somebody at a board page. Errors on the page are kept in `errors`. */
export class Player {
  static async sitDown(browser, link, options = {}) {
    const player = await Player.knock(browser, link, options);
    await player.sees("#line", "Connected");
    return player;
  }

  /** Opens a link, whatever comes of it. */
  static async knock(browser, link, options = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options });
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

  /** Waits until an element shows a text. */
  async sees(selector, text) {
    await this.page.locator(selector).filter({ hasText: text }).first().waitFor({ state: "visible" });
  }

  /** Waits until nothing shows a text any more. */
  async seesNo(selector, text) {
    await this.page.locator(selector).filter({ hasText: text }).first().waitFor({ state: "hidden" });
  }

  /** Where a cell's middle is on the screen while the whole board is shown. */
  async at(cell) {
    const box = await this.page.locator("#board").boundingBox();
    const [x, y] = toView(fitCamera(boardSize(this.grid), [box.width, box.height]), center(this.grid, cell));
    return [box.x + x, box.y + y];
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
    await this.page.click("#tab-setup");
    await this.page.setInputFiles("#map-file", path);
    await this.sees("#table-name", "suite-of-rooms");
  }

  async place(unit, side, cell) {
    await this.page.click("#tab-setup");
    await this.page.selectOption("#place-unit", unit);
    await this.page.selectOption("#place-side", side);
    const before = await this.page.locator(".log-entry").count();
    await this.page.click("#place-go");
    await this.clickCell(cell);
    await this.page.locator(".log-entry").nth(before).waitFor();
    await this.page.click("#place-go");
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

  async lastEntry() {
    return this.page.locator(".log-entry").last().innerText();
  }

  async press(...keys) {
    await this.page.locator("#board").focus();
    for (const key of keys) await this.page.keyboard.press(key);
  }
}

/** Waits until a question is answered with yes; its answers may be promises. */
export async function until(question, what) {
  const end = Date.now() + PATIENCE_MS;
  while (Date.now() < end) {
    if (await question()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`Waited in vain until ${what}.`);
}

/** A token as the contract has it, for `Server.command("token.place", ...)`. */
export const miniature = (id, side, at, hands, more = {}) => ({
  token: { id, name: id, side, at, facing: 0, profile: { armour: "light", race: "human", hands }, ...more },
});

/** A server with two miniatures on a map and a hidden third, and its game master at the board. */
export async function aSkirmish() {
  const server = await (await new Server().start()).clear();
  const browser = await launch();
  const gm = await Player.sitDown(browser, server.gm);
  await gm.bringMap();
  await server.command("token.place", miniature("Anna", "blue", [3, 5], ["sword", "shield"]));
  await server.command("token.place", miniature("Grim", "red", [3, 2], ["axe", "shield"]));
  const lurker = miniature("Lurker", "red", [4, 5], ["mace", "fist"], { hidden: true });
  await server.command("token.place", lurker);
  return { server, browser, gm };
}
