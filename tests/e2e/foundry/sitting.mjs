// Somebody at a page of the stand-in host, and worlds to sit at.

import { World } from "./world.mjs";

const PATIENCE_MS = 20_000;

export const USERS = [
  { id: "gmgmgmgmgmgmgmgm", name: "Gail", isGM: true },
  { id: "playerplayer0001", name: "Pat", isGM: false },
  { id: "playerplayer0002", name: "Quinn", isGM: false },
];
export const [GM, PAT, QUINN] = USERS.map((user) => user.id);

/** A user's page. Errors on it are kept in `errors`. */
export class Sitter {
  static async sitDown(browser, world, user, { context = null, seat = null } = {}) {
    const room = context ?? (await browser.newContext({ viewport: { width: 1280, height: 860 } }));
    const page = await room.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    const sitter = new Sitter(page, room, world);
    page.on("pageerror", (error) => sitter.errors.push(error.message));
    page.on("console", (message) => message.type() === "error" && sitter.errors.push(message.text()));
    if (seat) await sitter.#keepSeat(seat);
    await page.goto(world.pageOf(user));
    await page.locator("body[data-ready=true]").waitFor({ state: "attached" });
    return sitter;
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

  /** Waits until a notice at the top says something. */
  async isTold(text) {
    await this.page.locator("#notifications li").filter({ hasText: text }).first().waitFor();
  }
}

/** The seat that a server's GM link opens, as the module keeps it. */
export const seatAt = ({ table, key }) => ({ table, key });

/** A world in the shape of a generation: a room with a door, and two tokens on either side of it. */
export async function aWorld(generation, more = {}) {
  return new World({
    generation,
    users: structuredClone(USERS),
    scenes: [aScene(generation)],
    actors: ACTORS.map((actor) => structuredClone(actor)),
    ...more,
  }).start();
}

const SIZE = 100;
const wall = (id, c, more = {}) => ({
  _id: id,
  c,
  move: 20,
  sight: 20,
  light: 20,
  sound: 20,
  dir: 0,
  door: 0,
  ds: 0,
  threshold: { light: null, sight: null, sound: null, attenuation: false },
  flags: {},
  ...more,
});

const actor = (id, name, owner) => ({
  _id: id,
  name,
  type: "character",
  system: { attributes: { hp: { value: 12, max: 12 } } },
  statuses: [],
  ownership: { default: 0, ...(owner ? { [owner]: 3 } : {}) },
  flags: {},
});

const ACTORS = [actor("actoractor000001", "Anna", PAT), actor("actoractor000002", "Grim", null)];

/** Synthetic: 14 by 10 squares of 100 pixels with a margin of a quarter, as Foundry writes a scene. */
export function aScene(generation) {
  const at = ([column, row]) => ({ x: 400 + column * SIZE, y: 300 + row * SIZE });
  return {
    _id: "scenescene000001",
    name: "The gatehouse",
    active: true,
    width: 1400,
    height: 1000,
    padding: 0.25,
    grid: {
      type: 1,
      size: SIZE,
      style: "solidLines",
      thickness: 1,
      color: "#000000",
      alpha: 0.2,
      distance: 5,
      units: "ft",
    },
    ...(generation >= 14
      ? {
          levels: [{ _id: "defaultLevel0000", name: "Ground", elevation: { bottom: 0, top: null } }],
          shiftX: 0,
          shiftY: 0,
        }
      : { background: { src: null, offsetX: 0, offsetY: 0 } }),
    walls: [
      wall("wallwallwall0001", [1000, 300, 1000, 700]),
      wall("doordoordoor0001", [1000, 700, 1000, 800], { door: 1 }),
      wall("wallwallwall0002", [1000, 800, 1000, 1300]),
    ].map((one) => (generation >= 14 ? { ...one, levels: ["defaultLevel0000"] } : one)),
    tokens: [
      aToken(generation, "tokentokenAnna01", "Anna", "actoractor000001", at([3, 4]), 1),
      aToken(generation, "tokentokenGrim01", "Grim", "actoractor000002", at([5, 4]), -1),
    ],
    regions: [],
    lights: [],
    sounds: [],
    tiles: [],
    drawings: [],
    notes: [],
    ...(generation < 14 ? { templates: [] } : {}),
    flags: {},
  };
}

const PROFILE = { armour: "light", race: "human", hands: ["sword", "shield"] };

/** A token as a generation writes it. */
export function aToken(generation, id, name, actorId, { x, y }, disposition, more = {}) {
  return {
    _id: id,
    name,
    actorId,
    actorLink: true,
    width: 1,
    height: 1,
    texture: { src: null },
    x,
    y,
    elevation: 0,
    rotation: 0,
    hidden: false,
    disposition,
    bar1: { attribute: "attributes.hp" },
    flags: { enfilade: { profile: PROFILE } },
    ...(generation === 12 ? { hexagonalShape: 0 } : { shape: 4 }),
    ...(generation >= 14 ? { depth: 1, level: "defaultLevel0000" } : {}),
    ...more,
  };
}
