/**
 * Speaks for this world at its table: one page of the active GM does, and the server sees to it that it is one.
 * It tells the table the whole scene when it begins and after every break, and from then on what changes.
 */

import { withHitPoints } from "../read/hit-points.js";
import { readScene, readTokens } from "../read/scene.js";
import { Outbox } from "./outbox.js";

/** @import {Problem} from "../../../types/contract.js" */
/** @import {TableClient} from "../../core/table/table-client.js" */
/** @import {LiveScene} from "../read/scene.js" */
/** @import {Batch} from "./outbox.js" */

/**
 * What the bridge asks of the page.
 * @typedef {object} World
 * @property {() => boolean} isMine whether this user's pages are to speak for the world
 * @property {() => LiveScene | null} scene
 * @property {(door: string) => string | null} doorState
 * @property {(token: string) => number | null} hitPoints
 */

/**
 * What came of telling a token.
 * @typedef {{ok: boolean, error?: Problem, ruling?: import("../../../types/contract.js").Ruling}} Told
 */

/**
 * What may be listened for: `held` (whether this page now speaks for the world; false also where another page
 * does), `synced` (the whole scene is on the table, with the importer's notes, where the board's corner is on
 * the canvas, and the tokens that the rules cannot use yet), `told` (what came of each token), `failed` (the
 * table cannot use the scene at all).
 * @typedef {object} BridgeEvents
 * @property {(isHeld: boolean) => void} held
 * @property {(synced: Synced) => void} synced
 * @property {(tokens: Record<string, Told>) => void} told
 * @property {(problem: Problem) => void} failed
 */

/**
 * @typedef {object} Synced
 * @property {string[]} notes
 * @property {{left: number, top: number, size: number}} origin in pixels
 * @property {{token: string, name: string, why: string}[]} unfit
 */

const CLAIM_AGAIN_MS = 3_000;

/** This page's part in speaking for its world. */
export class Bridge {
  /** @type {number | null} the server's word that this page speaks for the world */
  number = null;
  #isAsking = false;
  #isClosed = false;
  /** @type {{[K in keyof BridgeEvents]: BridgeEvents[K][]}} */
  #listeners = { held: [], synced: [], told: [], failed: [] };

  /**
   * @param {TableClient} line
   * @param {World} world
   * @param {string} page this page's own id
   */
  constructor(line, world, page) {
    this.line = line;
    this.world = world;
    this.page = page;
    this.outbox = new Outbox((batch) => this.#say(batch));
    line.on("connection", (state) => (state === "connected" ? this.claim() : this.#lose()));
  }

  /**
   * Has a listener told of something from now on.
   * @template {keyof BridgeEvents} K
   * @param {K} what
   * @param {BridgeEvents[K]} listener
   */
  on(what, listener) {
    this.#listeners[what].push(listener);
  }

  /** Asks to speak for the world, again and again while another page does; never where it is not ours to. */
  async claim() {
    if (this.#isAsking || this.#isClosed || this.line.state !== "connected") return;
    if (!this.world.isMine()) return this.#leave();
    this.#isAsking = true;
    const number = await this.#asked();
    this.#isAsking = false;
    if (number === null) setTimeout(() => this.claim(), CLAIM_AGAIN_MS);
    if (number === this.number && number !== null) return;
    this.number = number;
    this.#tell("held", number !== null);
    if (number !== null) this.outbox.whole();
  }

  /**
   * Somebody changed a token's hit points by hand in Foundry.
   * @param {string} id
   */
  async hitPoints(id) {
    const { replica } = this.line;
    const value = this.world.hitPoints(id);
    if (this.number === null || !replica || value === null) return;
    const token = withHitPoints(replica, id, value);
    if (token) await this.line.send("token.place", { token }).catch(() => {}); // the table's number stands
  }

  /** Says no more. */
  close() {
    this.#isClosed = true;
    this.#lose();
  }

  /** @returns {Promise<number | null>} */
  async #asked() {
    try {
      const ack = await this.line.send("bridge.claim", { page: this.page });
      if (this.#isClosed) return null;
      return ack.result?.number ?? null;
    } catch {
      return null;
    }
  }

  /** Lets another have it. */
  #leave() {
    if (this.number !== null) this.line.send("bridge.claim", { page: null }).catch(() => {});
    this.#lose();
  }

  #lose() {
    this.outbox.clear();
    if (this.number !== null) this.#tell("held", false);
    this.number = null;
  }

  /** @param {Batch} batch */
  async #say(batch) {
    const scene = this.world.scene();
    if (this.number === null || !scene) return;
    if (batch.whole) return this.#sayAll(scene);
    if (batch.tokens.size + batch.gone.size) await this.#sayTokens(scene, batch);
    for (const door of batch.doors) await this.#sayDoor(door);
  }

  /** @param {LiveScene} scene */
  async #sayAll(scene) {
    const answer = await this.#post("", readScene(scene));
    if (answer.ok) this.#tell("synced", answer.result);
  }

  /** @param {LiveScene} scene @param {Batch} batch */
  async #sayTokens(scene, batch) {
    const tokens = scene.source.tokens.filter((/** @type {{_id: string}} */ { _id }) =>
      batch.tokens.has(_id),
    );
    const some = { tokens, gone: [...batch.gone], renewed: [...batch.renewed] };
    const answer = await this.#post("&part=tokens", readTokens(scene, some));
    if (!answer.ok) return;
    this.#tell("told", answer.result.tokens);
    for (const [id, told] of Object.entries(answer.result.tokens))
      if (!told.ok && told.error.retryable) setTimeout(() => this.outbox.token(id), CLAIM_AGAIN_MS);
  }

  /** @param {string} door */
  async #sayDoor(door) {
    const state = this.world.doorState(door);
    await this.line.send("door.set", { wall: door, state }).catch(() => this.outbox.whole());
  }

  /**
   * Posts a reading; what cannot be said now is rejected, to be tried again.
   * @param {string} part
   * @param {object} reading
   */
  async #post(part, reading) {
    const { url, table, key } = this.line.link;
    const address = `${url}/api/tables/${encodeURIComponent(table)}/foundry?bridge=${this.number}${part}`;
    const answer = await fetch(address, {
      method: "POST",
      body: JSON.stringify(reading),
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    });
    const said = await answer.json();
    if (!said.ok) this.#refused(said.error);
    return said;
  }

  /** @param {Problem} problem */
  #refused(problem) {
    if (problem.code === "other-bridge") {
      this.#lose();
      this.claim();
    } else if (problem.code === "stale-base") this.outbox.whole();
    else if (problem.retryable) throw new Error(problem.sentence);
    else this.#tell("failed", problem);
  }

  /**
   * @template {keyof BridgeEvents} K
   * @param {K} what
   * @param {Parameters<BridgeEvents[K]>} told
   */
  #tell(what, ...told) {
    for (const listener of this.#listeners[what]) /** @type {any} */ (listener)(...told);
  }
}
