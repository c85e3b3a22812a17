// Somebody at a page of the stand-in host, and worlds to sit at.

import { until } from "../harness.mjs";
import { World } from "./world.mjs";
import { ACTORS, USERS, sceneSource } from "./sources.mjs";

export { GM, PAT, QUINN, USERS, sceneSource, tokenSource } from "./sources.mjs";

const PATIENCE_MS = 20_000;

/** Small, for pages that nobody looks at: where no graphics card is, every pixel is worked out. */
export const SMALL = { width: 480, height: 360 };

/** A user's page. Errors on it are kept in `errors`. */
export class FoundryUser {
  static async join(
    browser,
    world,
    user,
    { context = null, seat = null, viewport = { width: 1280, height: 860 } } = {},
  ) {
    const room = context ?? (await browser.newContext({ viewport }));
    const page = await room.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    const user = new FoundryUser(page, room, world);
    page.on("pageerror", (error) => user.errors.push(error.message));
    page.on("console", (message) => message.type() === "error" && user.errors.push(message.text()));
    if (seat) await user.#keepSeat(seat);
    await page.goto(world.pageOf(user));
    await page.locator("body[data-ready=true]").waitFor({ state: "attached" });
    return user;
  }

  constructor(page, context, world) {
    Object.assign(this, { page, context, world, errors: [] });
  }

  /** As if the GM had connected this browser before. */
  async #keepSeat(seat) {
    await this.page.addInitScript((kept) => {
      localStorage.setItem("enfilade.seats", JSON.stringify({ "the-world": kept }));
    }, seat);
  }

  /** Runs a function in the page, where Foundry's globals are. */
  do(act, argument) {
    return this.page.evaluate(act, argument);
  }

  /** Where a point of the canvas is on the screen. */
  at([x, y]) {
    return this.page.evaluate(([px, py]) => window.host.board.toScreen(px, py), [x, y]);
  }

  /** Drags with the mouse from one point of the canvas to another. */
  async drag(from, to) {
    await this.page.mouse.move(...(await this.at(from)));
    await this.page.mouse.down();
    await this.page.mouse.move(...(await this.at(to)), { steps: 5 });
    await this.page.mouse.up();
  }

  /** Where the middle of a token is on the screen. */
  placeOf(id) {
    return this.page.evaluate((token) => {
      const { x, y } = canvas.tokens.get(token).center;
      return window.host.board.toScreen(x, y);
    }, id);
  }

  /** Selects a token with a click. */
  async click(id) {
    await this.page.mouse.click(...(await this.placeOf(id)));
  }

  /** Targets a token: the pointer over it, and T. */
  async target(id) {
    await this.page.mouse.move(...(await this.placeOf(id)));
    await this.page.keyboard.press("KeyT");
  }

  /** Has the bridge send the whole scene, and waits until the table has taken it and all that was said before. */
  syncsAgain() {
    return this.do(() => {
      const { bridge } = game.modules.get("enfilade").api;
      const synced = new Promise((resolve) => bridge.on("synced", resolve));
      bridge.outbox.addScene();
      return synced.then(() => {});
    });
  }

  /** Waits until this page has decided what to write for every entry that it has, after one more exchange with the table. */
  async settles() {
    await this.syncsAgain();
    await until(
      () =>
        this.do(() => {
          const { client } = game.modules.get("enfilade").api;
          return game.settings.get("enfilade", "written")[client.link.table] === client.replica.seq;
        }),
      "the page has processed every entry",
    );
  }

  /** Waits until a notice at the top says something. */
  async seesNotice(text) {
    await this.page.locator("#notifications li").filter({ hasText: text }).first().waitFor();
  }
}

/** The seat that a server's GM link opens, as the module keeps it. */
export const seatAt = ({ table, key }) => ({ table, key });

/** A world in the shape of a generation: a room with a door, and two tokens on either side of it. */
export async function startWorld(generation, more = {}) {
  return new World({
    generation,
    users: structuredClone(USERS),
    scenes: [sceneSource(generation)],
    actors: ACTORS.map((actor) => structuredClone(actor)),
    ...more,
  }).start();
}
