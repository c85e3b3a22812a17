/**
 * Sends a tabletop's scene to the table. One page of a GM is the bridge; the server's lease makes sure of it. What is
 * sent is what differs from the last reading *and* from the table, so that the bridge never sends back its own writes.
 */

import { randomHex } from "../core/table/connection.js";
import { RequestError } from "../core/table/credentials.js";
import { BridgeClaim } from "./bridge-claim.js";
import { Outbox } from "./outbox.js";
import { UnfitScene } from "./refusals.js";
import { commandFor, sceneBody, terrainBodies, wallBodies } from "./scene-body.js";
import { gridOf, isOnMiddle } from "./placed-grid.js";

/** @import {Problem, Replica, Token, Wall} from "../../types/contract.js" */
/** @import {TableClient} from "../core/table/table-client.js" */
/** @import {TabletopWriter} from "./writer.js" */
/** @import {Tabletop, TabletopScene, TabletopToken} from "./tabletop.js" */

/**
 * The bridge's events: `lease` (this page became the bridge, or no longer is), `synced` (the table has the scene; the
 * units that the rules cannot use yet), `refused` (the table refused a change of one token), `failed` (it cannot use
 * the scene; null when it can again).
 * @typedef {object} BridgeEvents
 * @property {(isHeld: boolean) => void} lease
 * @property {(unfit: {token: string, name: string, why: string}[]) => void} synced
 * @property {(token: string, problem: Problem) => void} refused
 * @property {(sentence: string | null) => void} failed
 */

const [RECHECK_MS, MAX_RECHECKS] = [400, 5];
/** A token between two cells is on its way, unless it has been still for so long: some people drop them anywhere. */
const STILL_MS = 1_000;
/** The scene is read so long after a change at the latest, even if a write of the table does not end. */
const PATIENCE_MS = 5_000;

/** The beginning of the IDs of entries that a bridge causes: what they change is in the tabletop already. */
const FROM_TABLETOP = "tabletop-";
/** Its own entry reaches a page about when the answer does. */
const [ENTRY_MS, LOOK_MS] = [2_000, 75];

/** Tells whether an entry repeats a change of the tabletop. @param {{id: string}} entry */
export const isFromTabletop = ({ id }) => id.startsWith(FROM_TABLETOP);

/** @param {number} ms */
const after = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** One page's bridge. */
export class SceneBridge {
  /** The last reading. @type {TabletopScene | null} */
  scene = null;
  /** The last reading of each token, as text. @type {Map<string, string>} */
  #tokens = new Map();
  /** The last reading of everything else. */
  #map = "";
  /** @type {Map<string, string>} the last state of each door */
  #doors = new Map();
  /** The times that a token was compared again after a refusal. @type {Map<string, number>} */
  #rechecks = new Map();
  /** The time of the next reading that was put off, and its timer. @type {[number, ReturnType<typeof setTimeout> | undefined]} */
  #later = [Infinity, undefined];
  /** Tokens between two cells, and since when. @type {Map<string, {text: string, since: number}>} */
  #onTheWay = new Map();
  /** @type {{[K in keyof BridgeEvents]: BridgeEvents[K][]}} */
  #listeners = { lease: [], synced: [], refused: [], failed: [] };

  /**
   * @param {TableClient} client
   * @param {Tabletop} tabletop
   * @param {string} page this page's ID
   * @param {Pick<TabletopWriter, "settled" | "isPending" | "withHeld">} writer writes the table's changes into the tabletop
   */
  constructor(client, tabletop, page, writer) {
    this.client = client;
    this.tabletop = tabletop;
    this.writer = writer;
    this.outbox = new Outbox(() => this.#read());
    this.claim = new BridgeClaim(client, page, {
      mayHave: () => tabletop.canBridge(),
      onAnswer: (isHeld) => this.#take(isHeld),
    });
    client.on("connection", (state) => (state === "connected" ? this.claim.ask() : this.claim.lose()));
    client.on("snapshot", () => this.changed()); // the lease may come before the table's scene
  }

  /**
   * Adds a listener.
   * @template {keyof BridgeEvents} K
   * @param {K} event
   * @param {BridgeEvents[K]} listener
   */
  on(event, listener) {
    this.#listeners[event].push(listener);
  }

  /** @returns {number | null} the number of this page's lease; null if it is not the bridge */
  get lease() {
    return this.claim.number;
  }

  /** Reads the tabletop soon: something has changed there. @param {number} [ms] the time to put it off */
  changed(ms = 0) {
    if (this.lease === null) return;
    if (!ms) return this.outbox.addScene();
    const [next, timer] = this.#later;
    const at = Date.now() + ms;
    if (next <= at) return;
    clearTimeout(timer);
    const read = () => {
      this.#later = [Infinity, undefined];
      this.changed();
    };
    this.#later = [at, setTimeout(read, ms)];
  }

  /** Sends the whole scene again. */
  resync() {
    this.#forget();
    this.changed();
  }

  /**
   * Compares a token again whose refused change was put back: a hand that still drags it may have undone that between
   * two readings. So often at most until the tabletop has the table's state.
   * @param {string} id
   */
  recheck(id) {
    const tries = (this.#rechecks.get(id) ?? 0) + 1;
    if (tries > MAX_RECHECKS) return;
    this.#rechecks.set(id, tries);
    this.compare(id, RECHECK_MS);
  }

  /** Has the table take a token's state, as if it had changed. @param {string} id @param {number} [ms] the time to put it off */
  compare(id, ms = 0) {
    this.#tokens.set(id, ""); // still a token that was there: it may be removed meanwhile
    this.changed(ms);
  }

  close() {
    this.claim.close();
  }

  /** @param {boolean} isHeld */
  #take(isHeld) {
    this.#forget();
    this.outbox.clear();
    this.#emit("lease", isHeld);
    if (isHeld) this.changed();
  }

  #forget() {
    this.#map = "";
    this.#tokens.clear();
    this.#doors.clear();
  }

  async #read() {
    if (this.lease === null || !this.client.replica) return;
    try {
      await Promise.race([this.writer.settled(), after(PATIENCE_MS)]);
      // What the table changes from here on is not in what is read, and must not be taken back.
      const { replica } = this.client;
      const scene = await this.tabletop.readScene();
      if (scene && replica && this.lease !== null) await this.#send(this.writer.withHeld(scene), replica);
      this.#emit("failed", null);
    } catch (problem) {
      this.#handle(problem);
    }
  }

  /** Tells of a scene that the table cannot use. @param {unknown} problem thrown if it is to be read again */
  #handle(problem) {
    const isRequest = problem instanceof RequestError;
    if (problem instanceof UnfitScene) return this.#emit("failed", problem.message);
    if (isRequest && !problem.problem.retryable && problem.problem.code !== "stale-base")
      return this.#emit("failed", problem.message);
    this.#forget();
    throw problem;
  }

  /** @param {TabletopScene} scene @param {Replica} replica the table when the scene was read */
  async #send(scene, replica) {
    this.scene = scene;
    const doors = new Map(
      scene.walls.filter(({ door }) => door !== "none").map(({ id, state }) => [id, state]),
    );
    const map = mapText(scene);
    if (map !== this.#map || hasNewSide(scene, replica)) {
      const { result } = await this.#command("scene.sync", sceneBody(scene, replica), replica.seq);
      this.#map = map;
      this.#doors = doors;
      this.#tokens = new Map(scene.tokens.map((token) => [token.id, JSON.stringify(token)]));
      return this.#emit("synced", result?.unfit ?? []);
    }
    await this.#sendDoors(doors, replica);
    await this.#sendTokens(scene);
  }

  /** @param {Map<string, Wall["state"]>} doors @param {Replica} replica */
  async #sendDoors(doors, replica) {
    for (const [id, state] of doors) {
      if (this.#doors.get(id) === state) continue;
      const known = replica.scene.walls.find((wall) => wall.id === id);
      if (known && known.state !== state) await this.#command("door.set", { wall: id, state });
      this.#doors.set(id, state);
    }
  }

  /** @param {TabletopScene} scene */
  async #sendTokens(scene) {
    const here = new Set(scene.tokens.map(({ id }) => id));
    for (const id of [...this.#tokens.keys()].filter((known) => !here.has(known))) {
      const isKnown = this.client.replica?.scene.tokens.some((token) => token.id === id);
      if (isKnown) await this.#try(id, { kind: "token.remove", body: { token: id } });
      this.#tokens.delete(id);
    }
    for (const token of scene.tokens) {
      const text = JSON.stringify(token);
      if (this.#tokens.get(token.id) === text || !this.client.replica) continue;
      if (this.writer.isPending(token.id)) this.changed(RECHECK_MS); // it has the table's state before the last
      if (this.writer.isPending(token.id) || this.#isOnTheWay(scene, token, text)) continue;
      const { replica } = this.client;
      const command = commandFor(scene, token, replica);
      this.#tokens.set(token.id, text);
      if (command) await this.#try(token.id, command, command.kind === "token.place" ? replica.seq : null);
      else this.#rechecks.delete(token.id);
    }
  }

  /**
   * Sends a command, and waits until this page's copy of the table has what it changed: the next reading is compared with
   * that.
   * @param {any} kind of a command
   * @param {object} body
   * @param {number | null} [base]
   */
  async #command(kind, body, base = null) {
    const ack = await this.client.send(kind, body, base, `${FROM_TABLETOP}${randomHex()}`);
    const end = Date.now() + ENTRY_MS;
    while ((this.client.replica?.seq ?? Infinity) < (ack.seq ?? 0) && Date.now() < end) await after(LOOK_MS);
    return ack;
  }

  /** @param {TabletopScene} scene @param {TabletopToken} token @param {string} text */
  #isOnTheWay({ grid }, { id, center, size }, text) {
    const before = JSON.parse(this.#tokens.get(id) || "{}").center;
    const isMoved = before && (before.x !== center.x || before.y !== center.y);
    if (!isMoved || isOnMiddle(grid, center, size)) return this.#onTheWay.delete(id) && false;
    const known = this.#onTheWay.get(id);
    const since = known?.text === text ? known.since : Date.now();
    this.#onTheWay.set(id, { text, since });
    const left = since + STILL_MS - Date.now();
    if (left > 0) this.changed(left);
    else this.#onTheWay.delete(id);
    return left > 0;
  }

  /**
   * Sends a change of a token. One that says all of its state has a base: what the table has changed meanwhile would be
   * taken back, so the token is compared again.
   * @param {string} token
   * @param {{kind: any, body: object}} command
   * @param {number | null} [base]
   */
  async #try(token, { kind, body }, base = null) {
    try {
      await this.#command(kind, body, base);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      if (error.problem.code === "stale-base") return this.compare(token);
      if (error.problem.retryable) throw error;
      this.#emit("refused", token, error.problem);
    }
  }

  /**
   * @template {keyof BridgeEvents} K
   * @param {K} event
   * @param {Parameters<BridgeEvents[K]>} values
   */
  #emit(event, ...values) {
    for (const listener of this.#listeners[event]) /** @type {any} */ (listener)(...values);
  }
}

/** Returns everything but the tokens and the doors' states, to compare. @param {TabletopScene} scene */
function mapText(scene) {
  const walls = wallBodies(scene).map(({ state: _, ...wall }) => wall);
  const { left, top, size } = scene.grid;
  return JSON.stringify([
    scene.id,
    scene.name,
    gridOf(scene.grid),
    left,
    top,
    size,
    walls,
    terrainBodies(scene),
  ]);
}

/** Tells whether a new token is of a side that the table lacks. @param {TabletopScene} scene @param {Replica} replica */
function hasNewSide({ tokens }, { scene }) {
  const known = new Map(scene.tokens.map((/** @type {Token} */ token) => [token.id, token]));
  return tokens.some(({ id, side }) => !known.has(id) && !scene.sides.some((one) => one.id === side));
}
