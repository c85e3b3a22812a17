// A room of the stand-in: its scene, its players' pages, and the strict rules by which it answers the SDK.

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname } from "node:path";
import { until } from "../harness.mjs";
import { checkItem, checkMessage, Refused, SUBSCRIPTIONS, UNANSWERED, Violation } from "./protocol.mjs";

const PAGE = new URL("./page/", import.meta.url);
const KINDS = { ".html": "text/html", ".js": "text/javascript" };
const ROOM_ID = "room-7f3a";
/** The least time between an item's steps while it is dragged. */
const STEP_MS = 80;
export const DPI = 150;

let made = 0;
const freshId = () => `00000000-0000-4000-8000-${String((made += 1)).padStart(12, "0")}`;

/** Fields that every item has. @source SDK builders/GenericItemBuilder.ts */
export const item = (type, layer, more) => ({
  ...{ id: freshId(), type, layer, name: "Item", visible: true, locked: false, createdUserId: "gm" },
  ...{ zIndex: made, lastModified: "2026-01-01T00:00:00Z", lastModifiedUserId: "gm" },
  ...{ position: { x: 0, y: 0 }, rotation: 0, scale: { x: 1, y: 1 }, metadata: {} },
  ...more,
});

const text = (plainText) => ({
  richText: [],
  plainText,
  style: {},
  type: "PLAIN",
  width: "AUTO",
  height: "AUTO",
});

/** A token of one cell on its middle. `grid.dpi` is the image's own. @source SDK types/items/Image.ts */
export const token = (id, name, [column, row], more = {}) =>
  item("IMAGE", "CHARACTER", {
    ...{ id, name, text: text(name), textItemType: "LABEL" },
    image: { width: 300, height: 300, mime: "image/png", url: "" },
    grid: { dpi: 300, offset: { x: 150, y: 150 } },
    position: { x: (column + 0.5) * DPI, y: (row + 0.5) * DPI },
    ...more,
  });

/** The picture of a map from the origin. */
export const map = (columns, rows, more = {}) =>
  item("IMAGE", "MAP", {
    ...{ id: "map", name: "The yard", text: text(""), textItemType: "LABEL", locked: true },
    image: { width: columns * 70, height: rows * 70, mime: "image/png", url: "" },
    grid: { dpi: 70, offset: { x: 0, y: 0 } },
    ...more,
  });

/** A line of fog. @source SDK types/items/Line.ts */
export const fogLine = (id, [x1, y1], [x2, y2], metadata = {}) =>
  item("LINE", "FOG", {
    ...{ id, metadata, style: {} },
    startPosition: { x: x1 * DPI, y: y1 * DPI },
    endPosition: { x: x2 * DPI, y: y2 * DPI },
  });

/** A room with its HTTP server. Each `join` opens one user's page. */
export class Room {
  /** Messages of the extension that Owlbear's host would not have got from its SDK. */
  violations = [];
  notices = [];
  clients = [];
  /** The writes that the room takes in a second; none is published. */
  writesPerSecond = Infinity;
  writes = [];
  refusals = 0;
  /** The readings of all items, by any page. */
  readings = 0;

  constructor({ items = [], gridType = "SQUARE", scale = "5ft", manifest, isReady = true }) {
    Object.assign(this, { items, gridType, scale, manifest, isReady, metadata: {} });
  }

  async start(port = Number(process.env.ENFILADE_TEST_WORLD_PORT ?? 0)) {
    this.server = createServer(({ url }, response) => {
      const name = new URL(url, "http://x").pathname.slice(1) || "room.html";
      try {
        const body = readFileSync(new URL(name, PAGE));
        response.writeHead(200, { "Content-Type": KINDS[extname(name)] ?? "text/plain" }).end(body);
      } catch {
        response.writeHead(404).end();
      }
    });
    await new Promise((resolve) => this.server.listen(port, "127.0.0.1", resolve));
    this.origin = `http://127.0.0.1:${this.server.address().port}`;
    return this;
  }

  async stop() {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Opens a user's page in a context of its own. */
  async join(browser, { id, role }, viewport = { width: 1024, height: 700 }) {
    const context = await browser.newContext({ viewport });
    const page = await context.newPage();
    const client = {
      id,
      role,
      page,
      context,
      local: [],
      selection: undefined,
      frames: new Map(),
      errors: [],
    };
    client.tools = new Map();
    page.on("pageerror", (error) => client.errors.push(error.message));
    page.on("console", (message) => message.type() === "error" && client.errors.push(message.text()));
    this.clients.push(client);
    await page.exposeFunction("toRoom", (frame, message) => this.#receive(client, frame, message));
    await page.goto(this.origin);
    // Owlbear's page fetches the manifest, so that it needs Access-Control-Allow-Origin. @source DOC manifest
    client.manifest = await page.evaluate((url) => fetch(url).then((answer) => answer.json()), this.manifest);
    await this.#paint(client);
    await page.evaluate(
      (options) => window.openFrame(options),
      this.#frame(client, "background", client.manifest.background_url),
    );
    this.#tell("OBR_PARTY_EVENT_CHANGE", (one) => ({ players: this.#others(one) }));
    return client;
  }

  /** Opens the extension's popover, and returns its frame. */
  async openAction(client) {
    await client.page.evaluate(
      (options) => window.openFrame(options),
      this.#frame(client, "action", client.manifest.action.popover),
    );
    return this.frame(client, "action");
  }

  async closeAction(client) {
    client.frames.delete("action");
    await client.page.evaluate(() => window.closeFrame("action"));
  }

  /** Returns a frame of the extension when it has a page. */
  async frame(client, name) {
    const element = await client.page.waitForSelector(`#frame-${name}`, { state: "attached" });
    return element.contentFrame();
  }

  /** @source SDK common/getDetails.ts and messages/MessageBus.ts */
  #frame(client, name, path) {
    const { origin } = new URL(this.manifest);
    const url = new URL(path, origin);
    url.searchParams.set("obrref", Buffer.from(`${this.origin} ${ROOM_ID}`).toString("base64"));
    const ref = freshId();
    client.frames.set(name, { ref, subscriptions: new Set() });
    return { name, url: url.href, origin, ready: { id: "OBR_READY", data: { ref, userId: client.id } } };
  }

  /** Selects tokens in a user's page. */
  select(client, ...ids) {
    client.selection = ids.length ? ids : undefined;
    this.#tell("OBR_PLAYER_EVENT_CHANGE", (one) => (one === client ? { player: this.#player(one) } : null));
  }

  /**
   * Drags a token through cells, as another hand would: the room tells of each step. Only the last step is on the middle
   * of a cell. In each cell on the way the hand rests until a page has read the token there. @source FN
   */
  async drag(id, ...cells) {
    const moved = this.find(id);
    let readings = 0;
    for (const [i, [column, row]] of cells.entries()) {
      if (i) await until(() => this.readings > readings, "a page reads the token on its way");
      const inside = i === cells.length - 1 ? 0.5 : 0.7;
      const to = { x: (column + inside) * DPI, y: (row + inside) * DPI };
      const from = moved.position;
      for (let step = 1; step <= 4; step++) {
        moved.position = {
          x: from.x + ((to.x - from.x) * step) / 4,
          y: from.y + ((to.y - from.y) * step) / 4,
        };
        ({ readings } = this);
        this.#changed();
        await new Promise((resolve) => setTimeout(resolve, STEP_MS));
      }
    }
  }

  /** Changes items by hand. */
  change(id, change) {
    change(this.find(id));
    this.#changed();
  }

  add(...items) {
    this.items.push(...items);
    this.#changed();
  }

  remove(id) {
    this.items = this.items.filter((one) => one.id !== id);
    this.#changed();
  }

  /** Opens another scene, or none. */
  openScene(items) {
    this.isReady = items !== null;
    this.items = items ?? [];
    this.metadata = {};
    for (const client of this.clients) client.local = [];
    this.#tell("OBR_SCENE_EVENT_READY_CHANGE", () => ({ ready: this.isReady }));
  }

  find(id) {
    return this.items.find((one) => one.id === id);
  }

  /** The cell of a token's middle. */
  cellOf(id) {
    const { x, y } = this.find(id).position;
    return [Math.floor(x / DPI), Math.floor(y / DPI)];
  }

  /** Moves the pointer inside the extension's tool. @source SDK types/Tool.ts */
  async point(client, [x, y], target) {
    const event = {
      pointerPosition: { x, y },
      target,
      altKey: false,
      shiftKey: false,
      ctrlKey: false,
      metaKey: false,
    };
    for (const id of client.tools.get("modes") ?? [])
      await this.#emit(client, "background", "OBR_TOOL_MODE_EVENT_TOOL_MOVE", { id, context: {}, event });
  }

  async useTool(client) {
    for (const id of client.tools.get("modes") ?? [])
      await this.#emit(client, "background", "OBR_TOOL_MODE_EVENT_ACTIVATE", { id, context: {} });
  }

  /** Clicks the extension's entry of a token's menu. @source SDK types/ContextMenu.ts */
  async clickMenu(client, id) {
    const menu = client.tools.get("menu");
    const context = { items: [this.find(id)], selectionBounds: {} };
    await this.#emit(client, "background", "OBR_CONTEXT_MENU_EVENT_CLICK", {
      id: menu.id,
      context,
      elementId: "e",
    });
  }

  async #receive(client, name, message) {
    try {
      const frame = client.frames.get(name);
      if (!frame) return null; // a page that was closed meanwhile
      if (message.ref !== frame.ref) throw new Violation(`ref of ${message.id}`);
      checkMessage(message);
      if (UNANSWERED.test(message.id)) {
        const wanted = message.id.replace("UNSUBSCRIBE", "SUBSCRIBE");
        if (wanted === message.id) frame.subscriptions.add(wanted);
        else frame.subscriptions.delete(wanted);
        return null;
      }
      const data = this.#answer(client, message.id, message.data ?? {}) ?? {};
      return { id: `${message.id}_RESPONSE${message.nonce}`, data };
    } catch (problem) {
      if (problem instanceof Refused) {
        this.refusals += 1;
        return { id: `${message.id}_ERROR${message.nonce}`, data: problem.body };
      }
      this.violations.push(problem.message);
      return null;
    }
  }

  #answer(client, id, data) {
    switch (id) {
      case "OBR_PLAYER_GET_ROLE":
        return { role: client.role };
      case "OBR_PLAYER_GET_SELECTION":
        return { selection: client.selection };
      case "OBR_PARTY_GET_PLAYERS":
        return { players: this.#others(client) };
      case "OBR_SCENE_IS_READY":
        return { ready: this.isReady };
      case "OBR_SCENE_GET_METADATA":
        return { metadata: this.#inScene(this.metadata) };
      case "OBR_SCENE_SET_METADATA":
        this.#limit();
        if (client.role !== "GM") throw new Refused("PermissionError", "metadata");
        Object.assign(this.#inScene(this.metadata), data.update);
        return this.#tell("OBR_SCENE_METADATA_EVENT_CHANGE", () => ({ metadata: this.metadata }));
      case "OBR_SCENE_ITEMS_GET_ALL_ITEMS":
        this.readings += 1;
        return { items: this.#inScene(this.items) };
      case "OBR_SCENE_ITEMS_GET_ITEMS":
        return { items: this.#inScene(this.items).filter((one) => data.ids.includes(one.id)) };
      case "OBR_SCENE_ITEMS_UPDATE_ITEMS":
        return this.#update(client, data.updates);
      case "OBR_SCENE_LOCAL_GET_ALL_ITEMS":
        return { items: client.local };
      case "OBR_SCENE_LOCAL_ADD_ITEMS":
        this.#limit();
        for (const one of this.#inScene(data.items)) checkItem(one);
        client.local.push(...data.items);
        return this.#paint(client);
      case "OBR_SCENE_LOCAL_DELETE_ITEMS":
        this.#limit();
        client.local = client.local.filter((one) => !data.ids.includes(one.id));
        return this.#paint(client);
      case "OBR_SCENE_GRID_GET_DPI":
        return { dpi: DPI };
      case "OBR_SCENE_GRID_GET_TYPE":
        return { type: this.gridType };
      case "OBR_SCENE_GRID_GET_SCALE": // the only bare answer
        return {
          raw: this.scale,
          parsed: { multiplier: parseFloat(this.scale), unit: this.scale.replace(/[\d.]/g, ""), digits: 0 },
        };
      case "OBR_SCENE_GRID_SNAP_POSITION":
        return { position: { x: 0, y: 0 } }; // a middle of a hex lies on the origin here
      case "OBR_CONTEXT_MENU_CREATE":
        return void client.tools.set("menu", data);
      case "OBR_TOOL_CREATE":
        return void client.tools.set("tool", data);
      case "OBR_TOOL_MODE_CREATE":
        return void client.tools.set("modes", [...(client.tools.get("modes") ?? []), data.id]);
      case "OBR_ACTION_OPEN":
        return void this.openAction(client);
      case "OBR_NOTIFICATION_SHOW":
        if (!["DEFAULT", "ERROR", "INFO", "SUCCESS", "WARNING"].includes(data.variant))
          throw new Violation(data.variant);
        this.notices.push({ to: client.id, text: data.message });
        return { id: freshId() };
      case "OBR_PLAYER_SELECT":
        return this.select(client, ...data.items);
      default:
        throw new Violation(`no answer to ${id}`);
    }
  }

  /** Throws for a question about a scene that is not there. */
  #inScene(value) {
    if (!this.isReady) throw new Refused("NotReady", "no scene");
    return value;
  }

  /** @source GG, DU: "RateLimitHit", "Too many requests" */
  #limit() {
    const now = Date.now();
    this.writes = this.writes.filter((time) => now - time < 1000);
    if (this.writes.length >= this.writesPerSecond) throw new Refused("RateLimitHit", "Too many requests");
    this.writes.push(now);
  }

  /** Each update has the item's ID and type, and whole values of changed keys. @source SDK scene/SceneItemsApi.ts */
  #update(client, updates) {
    this.#limit();
    for (const { id, type, ...changes } of updates) {
      const known = this.find(id);
      if (!known) continue;
      if (known.type !== type) throw new Violation(`type of ${id}`);
      const isOwner = known.createdUserId === client.id && ["CHARACTER", "MOUNT"].includes(known.layer);
      if (client.role !== "GM" && !isOwner) throw new Refused("PermissionError", id);
      const after = { ...known, ...changes, lastModifiedUserId: client.id };
      checkItem(after);
      Object.assign(known, after);
    }
    this.#changed();
  }

  /** Owlbear tells its own client of its writes too. */
  #changed() {
    this.#tell("OBR_SCENE_ITEMS_EVENT_CHANGE", () => ({ items: this.items }));
    for (const client of this.clients) this.#paint(client);
  }

  #player = ({ id, role, selection }) => ({
    id,
    role,
    selection,
    name: id,
    color: "#fff",
    metadata: {},
    connectionId: id,
    syncView: false,
  });

  #others(client) {
    return this.clients.filter((one) => one !== client).map((one) => this.#player(one));
  }

  #tell(id, dataFor) {
    for (const client of this.clients)
      for (const [name, frame] of client.frames) {
        const data = dataFor(client);
        if (data && frame.subscriptions.has(SUBSCRIPTIONS[id])) this.#emit(client, name, id, data);
      }
  }

  async #emit(client, name, id, data) {
    const message = structuredClone({ id, data });
    await client.page.evaluate(([to, sent]) => window.emit(to, sent), [name, message]).catch(() => {});
  }

  async #paint(client) {
    const state = { items: this.items, local: client.local, dpi: DPI };
    await client.page.evaluate((shown) => window.paint(shown), state).catch(() => {});
  }
}
