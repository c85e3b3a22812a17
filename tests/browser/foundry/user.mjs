// A user's page of the stand-in host, and worlds to open it in.

import { PATIENCE_MS, launch, newTable, until } from "../harness.mjs";
import { ACTORS, GM, USERS, sceneSource } from "./sources.mjs";
import { World } from "./world.mjs";

export { GM, PAT, QUINN, USERS, sceneSource, tokenSource, wall } from "./sources.mjs";

/** The viewport of pages that no test looks at: without a graphics card every pixel costs time. */
export const SMALL = { width: 480, height: 360 };

/** Tells whether an error is the browser's own note that a server, which a test has killed, did not answer. */
export const isOutage = (line) =>
  /net::ERR_(CONNECTION_(REFUSED|RESET|CLOSED)|EMPTY_RESPONSE|SOCKET_NOT_CONNECTED)/.test(line);

/** One user's page. `errors` collects its errors. */
export class FoundryUser {
  static async open(
    browser,
    world,
    userId,
    {
      context = null,
      seat = null,
      viewport = { width: 1280, height: 860 },
      theme = "dark",
      language = "en",
    } = {},
  ) {
    const ownContext = context ?? (await browser.newContext({ viewport }));
    const page = await ownContext.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    const user = new FoundryUser(page, ownContext, world);
    page.on("pageerror", (error) => user.errors.push(error.message));
    page.on("console", (message) => message.type() === "error" && user.errors.push(message.text()));
    if (seat) await user.#saveSeat(seat, userId);
    await page.goto(world.pageOf(userId, theme, language));
    await page.locator("body[data-ready=true]").waitFor({ state: "attached" });
    await user.#findManager();
    return user;
  }

  constructor(page, context, world) {
    Object.assign(this, { page, context, world, errors: [] });
  }

  /** Saves a seat, as an earlier connection would. */
  async #saveSeat(seat, userId) {
    await this.page.addInitScript(
      ([saved, id, isOlder]) => {
        localStorage.setItem("enfilade.kept", JSON.stringify({ [`the-world ${id}`]: { seat: saved } }));
        // The older module of the mutation run keeps seats by world.
        if (isOlder) localStorage.setItem("enfilade.seats", JSON.stringify({ "the-world": saved }));
      },
      [seat, userId, Boolean(process.env.ENFILADE_TEST_RULES)],
    );
  }

  /** Puts the page's connection manager into reach of the tests, as `window.enfilade`. */
  async #findManager() {
    await this.page.evaluate(async () => {
      const { manager } = await import("/modules/enfilade/scripts/foundry/main.js").catch(() => ({}));
      window.enfilade = manager ?? null;
    });
  }

  /** Runs a function in the page, which has Foundry's globals. */
  do(act, argument) {
    return this.page.evaluate(act, argument);
  }

  /** Returns the screen position of a canvas point. */
  at([x, y]) {
    return this.page.evaluate(([px, py]) => window.host.board.toScreen(px, py), [x, y]);
  }

  /** Answers every choice that the table waits for with its default. */
  async answersAll() {
    const open = () => this.do(() => window.enfilade.seatUi.context.store.state.replica.choice);
    for (let choice = await open(); choice; choice = await open())
      await this.do(
        ({ id, default: preset }) => window.enfilade.seatUi.context.commands.answer(id, preset, ""),
        choice,
      );
  }

  /** Drags the mouse between two canvas points. */
  async drag(from, to) {
    await this.page.mouse.move(...(await this.at(from)));
    await this.page.mouse.down();
    await this.page.mouse.move(...(await this.at(to)), { steps: 5 });
    await this.page.mouse.up();
  }

  /** Returns the screen position of a token's center. */
  placeOf(id) {
    return this.page.evaluate(async (token) => {
      const { documents } = window.host;
      while (documents.isAnimated(canvas.tokens.get(token).document))
        await new Promise((resolve) => setTimeout(resolve, 50));
      const { x, y } = canvas.tokens.get(token).center;
      return window.host.board.toScreen(x, y);
    }, id);
  }

  /** Selects a token with a click. */
  async click(id) {
    await this.page.mouse.click(...(await this.placeOf(id)));
  }

  /** Targets a token: moves the pointer over it and presses T. */
  async target(id) {
    await this.page.mouse.move(...(await this.placeOf(id)));
    await this.page.keyboard.press("KeyT");
  }

  /** Has the bridge send the whole scene; returns when the table has it and all that was sent before. */
  syncsAgain() {
    return this.do(() => {
      const { bridge } = window.enfilade;
      const synced = new Promise((resolve) => bridge.on("synced", resolve));
      bridge.outbox.addScene();
      return synced.then(() => {});
    });
  }

  /** Waits until this page has all that its seat was told so far: the GM points at a cell of the grid after it. */
  async hasAll(table) {
    await this.do(() => {
      window.isPointed = false;
      window.enfilade.client.on("ping", () => (window.isPointed = true));
    });
    await table.command("ping", { at: [352, 352] });
    await until(() => this.do(() => window.isPointed), "the page is told of the cell");
  }

  /** Syncs once more and waits until this page has processed every entry that it has. */
  async settles() {
    await this.syncsAgain();
    await until(
      () =>
        this.do(() => {
          const { client } = window.enfilade;
          return game.settings.get("enfilade", "written")[client.link.table] === client.replica.seq;
        }),
      "the page has processed every entry",
    );
  }

  /** Returns a part of what the module keeps for its windows and the canvas. */
  kept(name) {
    return this.do((key) => window.enfilade.seatUi.context.store.state[key], name);
  }

  /** Returns how many things a layer of the module draws on the canvas. */
  drawnIn(layer) {
    return this.do((name) => canvas.enfilade.children[0].getChildByName(name).children.length, layer);
  }

  /** Waits until a notification shows a text. */
  async seesNotice(text) {
    await this.page.locator("#notifications li").filter({ hasText: text }).first().waitFor();
  }
}

/** Returns the GM's seat at a table, as the module saves it. */
export const seatAt = ({ table, key }) => ({ table, key });

/** Starts a world of one Foundry version: a room with a door, and two tokens on either side of it. */
export async function startWorld(generation, more = {}) {
  return new World({
    generation,
    users: structuredClone(USERS),
    scenes: [sceneSource(generation)],
    actors: ACTORS.map((actor) => structuredClone(actor)),
    ...more,
  }).start();
}

/**
 * Opens a GM's page in a new world whose module has a seat at a new table.
 * @returns the four, each to be stopped or closed
 */
export async function openGm(generation, { ruleset, viewport, language, prepare, ...more } = {}) {
  const browser = await launch();
  const context = prepare ? await browser.newContext({ viewport }) : null;
  await prepare?.(context);
  const world = await startWorld(generation, more);
  const server = await newTable(ruleset);
  world.state.settings["enfilade.server"] = server.origin;
  const gm = await FoundryUser.open(browser, world, GM, {
    context,
    seat: seatAt(server),
    viewport,
    language,
  });
  return { browser, world, server, gm };
}
