// A PlanarAlly server of its own: a copy of a built checkout, with empty data and statistics off.

import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { io } from "socket.io-client";
import { freePort, until } from "../browser/harness.mjs";

const ROOM = "probe";
const PASSWORD = "correct horse";

/** One server with one room, whose GM is `gm`. */
export class PlanarAlly {
  async start() {
    this.folder = mkdtempSync(join(tmpdir(), "planarally-"));
    const source = join(process.env.PLANARALLY, "server");
    const isData = (path) => ["data", ".venv", "__pycache__"].some((name) => path === join(source, name));
    cpSync(source, this.folder, { recursive: true, filter: (path) => !isData(path) });
    mkdirSync(join(this.folder, "data"), { recursive: true });
    this.port = await freePort();
    this.origin = `http://127.0.0.1:${this.port}`;
    const config = [
      "[webserver.connection]",
      'type = "hostport"',
      'host = "127.0.0.1"',
      `port = ${this.port}`,
      "[stats]",
      "enabled = false",
      "enable_export = false",
    ];
    writeFileSync(join(this.folder, "data", "config.toml"), `${config.join("\n")}\n`);
    await this.run();
    return this;
  }

  async run() {
    this.output = "";
    this.process = spawn(process.env.PLANARALLY_PYTHON, ["-u", "planarally.py", "serve"], {
      cwd: this.folder,
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [this.process.stdout, this.process.stderr])
      stream.on("data", (data) => (this.output = `${this.output}${data}`.slice(-20_000)));
    const isUp = () =>
      fetch(`${this.origin}/api/version`).then(
        ({ ok }) => ok,
        () => false,
      );
    await until(isUp, `PlanarAlly answers:\n${this.output}`).catch(() => {
      throw new Error(`PlanarAlly did not start:\n${this.output}`);
    });
  }

  async end() {
    const ended = new Promise((resolve) => this.process.once("exit", resolve));
    this.process.kill("SIGKILL");
    await ended;
  }

  async stop() {
    this.socket?.close();
    await this.end();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Makes a user and logs the browser's context in. */
  async register(context, username) {
    const data = { username, password: PASSWORD };
    const answer = await context.request.post(`${this.origin}/api/register`, { data });
    if (!answer.ok()) throw new Error(`register ${username}: ${answer.status()} ${await answer.text()}`);
    await context.request.post(`${this.origin}/api/login`, { data });
  }

  /** Makes the room with the mod, as its GM. */
  async makeRoom(context, mod) {
    await context.request.post(`${this.origin}/api/rooms`, { data: { name: ROOM, logo: -1 } });
    const uploaded = await context.request.post(`${this.origin}/api/mod/upload`, {
      data: mod,
      headers: { "Content-Type": "application/octet-stream" },
    });
    if (!uploaded.ok()) throw new Error(`upload: ${uploaded.status()} ${await uploaded.text()}`);
    const { tag, version, hash } = await uploaded.json();
    const cookies = await context.cookies(this.origin);
    this.cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
    await this.connect();
    this.socket.emit("Mods.Room.Link", { tag, version, hash });
  }

  /** Connects the GM's own socket, by which tests act as another hand. */
  async connect() {
    this.socket?.close();
    this.socket = io(`${this.origin}/planarally`, {
      ...{ transports: ["websocket"], query: { user: "gm", room: ROOM }, forceNew: true },
      extraHeaders: { Cookie: this.cookie },
    });
    this.shapes = new Map();
    const info = new Promise((resolve) => this.socket.once("Room.Info.Set", resolve));
    this.socket.on("Board.Floor.Set", ({ layers }) => {
      for (const { name, shapes } of layers)
        for (const shape of shapes ?? []) this.shapes.set(shape.uuid, { ...shape, layer: name });
    });
    const loaded = new Promise((resolve) => this.socket.once("Location.Loaded", resolve));
    await new Promise((resolve) => this.socket.once("connect", resolve));
    this.socket.emit("Location.Load");
    this.invitation = (await info).invitationCode;
    await loaded;
  }

  /** Returns a shape as PlanarAlly's server has stored it. */
  async stored(uuid) {
    await this.connect();
    return this.shapes.get(uuid);
  }

  add(shape, layer = "tokens", floor = "ground") {
    this.socket.emit("Shape.Add", { temporary: false, shape, floor, layer });
    return shape.uuid;
  }

  async invite(context) {
    const answer = await context.request.post(`${this.origin}/api/invite`, {
      data: { code: this.invitation },
    });
    if (!answer.ok()) throw new Error(`invite: ${answer.status()}`);
  }

  /** Opens the room in a browser's context, past the notice of a new version. */
  async open(context) {
    const { version, release } = await (await context.request.get(`${this.origin}/api/version`)).json();
    const page = await context.newPage();
    const errors = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await page.addInitScript((known) => localStorage.setItem("last-version", known), release ?? version);
    await page.goto(`${this.origin}/game/gm/${ROOM}`);
    await page.waitForFunction(() => globalThis.enfilade && globalThis.idMap?.size > 0, null, {
      timeout: 30_000,
    });
    return { page, errors };
  }
}
