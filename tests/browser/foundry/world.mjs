// The world behind the stand-in host: its documents, its connected users, and the messages between the pages.
// Synthetic: written from Foundry's published API reference, never compared with a running Foundry.

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { extname, join, normalize } from "node:path";
import { declaredSurface } from "./surface.mjs";
import { applied, freshId, listOf } from "./page/changes.js";
import { may } from "./page/roles.js";

const ROOT = new URL("../../../", import.meta.url).pathname;
const PAGE = new URL("./page/", import.meta.url).pathname;
/** The port of the origin that the worker's server allows; one world at a time listens on it. */
const WORLD_PORT = Number(process.env.ENFILADE_TEST_WORLD_PORT ?? 0);
/**
 * The drawn pixels to a CSS pixel where no picture is taken: without a graphics card the CPU draws each, and took
 * three quarters of a test's time for it.
 */
const COARSE = 1 / 4;
const KINDS = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
};

/** A world with its HTTP server. `users` have id, name and isGM; `scenes`, `actors` and `combats` are sources. */
export class World {
  #lines = new Map();

  constructor({
    generation,
    users,
    scenes,
    actors = [],
    combats = [],
    settings = {},
    system = "worldbuilding",
    modules = [],
    module = process.env.ENFILADE_TEST_MODULE ?? join(ROOT, "plugin_manifest"),
    rules = process.env.ENFILADE_TEST_RULES?.split(",") ?? null,
    hasCanvas = true,
    pictures = {},
    permissions = {},
    sharpness = process.env.SCREENSHOT ? 1 : COARSE,
    host = "127.0.0.1",
    port = WORLD_PORT,
    certificate = null,
  }) {
    Object.assign(this, { host, port, certificate }); // the address under which browsers know it; https with a certificate
    this.module = module;
    this.pictures = pictures; // PNG files of the world, by their path
    this.state = {
      generation,
      users,
      system,
      modules,
      settings,
      Scene: scenes,
      Actor: actors,
      Combat: combats,
    };
    Object.assign(this.state, { rules, hasCanvas, sharpness, permissions });
    this.state.ChatMessage = [];
    this.socketTraffic = [];
  }

  async start() {
    const serve = (request, response) => this.#serve(request, response);
    this.server = this.certificate ? createSecureServer(this.certificate, serve) : createServer(serve);
    await new Promise((resolve) => this.server.listen(this.port, "127.0.0.1", resolve));
    this.origin = `${this.certificate ? "https" : "http"}://${this.host}:${this.server.address().port}`;
    return this;
  }

  async stop() {
    for (const lines of this.#lines.values()) for (const line of lines) line.end();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Returns the address of a user's page, with the user's color scheme in Foundry, dark or light, and language. */
  pageOf(user, theme = "dark", language = "en") {
    return `${this.origin}/game?user=${user}&theme=${theme}&language=${language}`;
  }

  /** Returns a document's source. */
  find(type, id, parent = null) {
    return listOf(this.state, type, parent).find((one) => one._id === id);
  }

  /** Makes a user's change, as another page would. */
  change(change, userId) {
    this.#mustBeAllowed(change, userId);
    // Foundry's server refuses a change of a document that is gone, in these words: issues
    // fvtt-fria-ligan/forbidden-lands-foundry-vtt#378, KayelGee/token-attacher#51.
    if (change.action === "update")
      for (const { _id } of change.rows)
        if (!this.find(change.type, _id, change.parent))
          throw new Error(`undefined id [${_id}] does not exist in the EmbeddedCollection collection.`);
    if (change.action === "create") for (const row of change.rows) row._id ??= freshId();
    applied(this.state, change);
    this.#tell({ kind: "documents", change, userId });
    return change.rows;
  }

  #mustBeAllowed({ type, rows, parent, action }, userId) {
    const user = this.state.users.find((one) => one.id === userId);
    if (user.isGM || (type === "ChatMessage" && action === "create")) return;
    const isAllowed = (permission) => may(user, permission, this.state.permissions);
    const isDoorState = ({ _id, ...rest }) => Object.keys(rest).every((key) => key === "ds");
    if (type === "Wall" && action === "update" && rows.every(isDoorState) && isAllowed("WALL_DOORS")) return;
    if (type === "Token" && action === "create" && isAllowed("TOKEN_CREATE")) return;
    if (type === "Token" && action === "delete" && isAllowed("TOKEN_DELETE")) return;
    for (const row of rows) {
      const source = this.find(type, row._id ?? row, parent);
      const actor = source?.actorId && this.find("Actor", source.actorId);
      const owners = (actor || source)?.ownership ?? {};
      if (action !== "update" || (owners[userId] ?? 0) < 3)
        throw new Error(`${user.name} lacks permission to ${action} ${type}`);
    }
  }

  #serve(request, response) {
    const url = new URL(request.url, this.origin);
    const user = url.searchParams.get("user");
    if (url.pathname === "/events") return this.#listen(user, request, response);
    if (request.method === "POST") return this.#act(user, request, response);
    if (url.pathname === "/world.json") return json(response, this.#shownTo(user));
    this.#file(url.pathname, response);
  }

  #shownTo(user) {
    const active = [...this.#lines.keys()];
    return {
      ...this.state,
      me: user,
      active,
      surface: declaredSurface(this.state.generation),
      manifest: this.#manifest(),
    };
  }

  #manifest() {
    return JSON.parse(readFileSync(join(this.module, "module.json"), "utf8"));
  }

  #file(path, response) {
    const picture = this.pictures[decodeURIComponent(path)];
    if (picture) return response.writeHead(200, { "Content-Type": "image/png" }).end(picture);
    const file = this.#place(normalize(decodeURIComponent(path)));
    try {
      const text = readFileSync(file);
      response
        .writeHead(200, { "Content-Type": KINDS[extname(file)] ?? "application/octet-stream" })
        .end(text);
    } catch {
      response.writeHead(404).end();
    }
  }

  #place(path) {
    if (path === "/game") return join(PAGE, "host.html");
    if (path === "/pixi.js") return join(ROOT, "node_modules/pixi.js/dist/pixi.min.js");
    if (path.startsWith("/fontawesome/"))
      return join(ROOT, "node_modules/@fortawesome/fontawesome-free", path.slice("/fontawesome/".length));
    if (path.startsWith("/sources/")) return join(ROOT, "plugin_manifest", path.slice("/sources/".length));
    const ours = path.match(/^\/modules\/[^/]+\/(.*)$/);
    return ours ? join(this.module, ours[1]) : join(PAGE, path);
  }

  #listen(user, request, response) {
    const lines = this.#lines.get(user) ?? new Set();
    const isNew = !this.#lines.has(user);
    this.#lines.set(user, lines.add(response));
    response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
    response.write("\n");
    if (isNew) this.#tell({ kind: "connected", user, active: true });
    request.on("close", () => {
      lines.delete(response);
      if (lines.size || !this.#lines.delete(user)) return;
      this.#tell({ kind: "connected", user, active: false });
    });
  }

  async #act(user, request, response) {
    let text = "";
    for await (const part of request) text += part;
    const act = JSON.parse(text);
    try {
      json(response, { done: this.#do(act, user) ?? null });
    } catch (problem) {
      json(response, { error: problem.message });
    }
  }

  #do(act, user) {
    if (act.kind === "documents") return this.change(act.change, user);
    if (act.kind === "stop") return this.#tell(act);
    const who = this.state.users.find((one) => one.id === user);
    if (act.kind === "flag") {
      if (act.user !== user && !who.isGM) throw new Error(`${who.name} lacks permission to update User`);
      const { flags } = Object.assign(who, { flags: who.flags ?? {} });
      flags[act.scope] = { ...flags[act.scope], [act.key]: act.value };
      return this.#tell(act);
    }
    if (act.kind === "setting") {
      if (!may(who, "SETTINGS_MODIFY", this.state.permissions))
        throw new Error(`${who.name} lacks permission to update Setting`);
      this.state.settings[act.key] = act.value;
      return this.#tell(act);
    }
    return this.#relay(act, user);
  }

  /** Sends a module's message to all other pages; from 13 on only to its recipients. */
  #relay({ channel, data, recipients, page }, sender) {
    const { id, socket } = this.#manifest();
    if (!socket || channel !== `module.${id}`) return; // Foundry's server drops other channels
    const { generation } = this.state;
    const chosen = generation >= 13 ? recipients : null;
    const to = [...this.#lines.keys()].filter((user) => !chosen || chosen.includes(user));
    this.socketTraffic.push({ channel, data, sender, to });
    for (const user of to) this.#tell({ kind: "socket", channel, data, sender, page }, user);
  }

  #tell(message, user = null) {
    for (const [who, lines] of this.#lines)
      if (user === null || who === user)
        // When the world stops, all lines end, and the close of one would be told to the others.
        for (const line of lines) if (!line.writableEnded) line.write(`data: ${JSON.stringify(message)}\n\n`);
  }
}

function json(response, value) {
  response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(value));
}
