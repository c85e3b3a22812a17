/**
 * Sends the table's scene. One page of a GM is the bridge: the server's lease makes sure of it, and any page with a
 * link takes over.
 * The bridge sends the whole scene when it gets the lease and after every reconnect, then only changes.
 */

import { BridgeClaim } from "../../tabletop/bridge-claim.js";
import { Outbox } from "../../tabletop/outbox.js";
import { withHitPoints } from "../read/hit-points.js";
import { readScene, readTokens } from "../read/scene.js";
import { farWalls, oddWalls } from "../read/walls.js";
import { TokenPictures } from "./token-pictures.js";

/** @import {Problem, Ruling, Wall} from "../../../types/contract.js" */
/** @import {TableClient} from "../../core/table/table-client.js" */
/** @import {LiveScene, Source} from "../read/scene.js" */
/** @import {FarWall} from "../read/walls.js" */
/** @import {Batch} from "../../tabletop/outbox.js" */

/**
 * The page as the bridge reads it.
 * @typedef {object} World
 * @property {() => LiveScene | null} scene
 * @property {(ids: Set<string>) => LiveScene | null} tokens reads some tokens alone
 * @property {(actors: Set<string>) => Record<string, Record<string, unknown>>} profilesOf returns the profiles that tokens have
 *   of these actors, by token
 * @property {(door: string) => Wall["state"] | null} doorState
 * @property {(token: string) => number | null} hitPoints
 */

/** The table's answer for one token. @typedef {{ok: boolean, error?: Problem, ruling?: Ruling}} TokenResult */

/**
 * The bridge's events: `lease` (this page became the bridge, or another page is), `changed` (a user or another module
 * changed a token in Foundry), `synced` (the table has the whole scene), `results` (the table's answer for each token, and
 * the tokens that a program moved), `failed` (the table cannot use the scene).
 * @typedef {object} BridgeEvents
 * @property {(isHeld: boolean) => void} lease
 * @property {(token: Foundry.TokenDocument) => void} changed
 * @property {(synced: Synced) => void} synced
 * @property {(tokens: Record<string, TokenResult>, displaced: Set<string>) => void} results
 * @property {(problem: Problem) => void} failed
 */

/**
 * @typedef {object} Synced
 * @property {string[]} notes the importer's
 * @property {{left: number, top: number, size: number}} origin the board's corner on the canvas, in pixels
 * @property {{token: string, name: string, why: string}[]} unfit tokens that the rules cannot use yet
 * @property {Source[]} odd walls that are left out for an odd value
 * @property {FarWall[]} far walls that the table gets in part, or not at all
 */

const RETRY_MS = 3_000;
/** So often hit points are sent again to a table that has changed meanwhile. */
const MAX_TRIES = 5;
/** A changed actor is read so long after it has changed. */
const PREPARED_MS = 75;
/** A request without an answer ends after so long; then it is sent again. */
const REQUEST_MS = 60_000;
/** The scene is read so long after it has changed at the latest, even if a write does not end. */
const PATIENCE_MS = 5_000;

/** @param {number} ms */
const after = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** One page's bridge to its table. */
export class Bridge {
  /** Ends the requests of this lease. */
  #requests = new AbortController();
  /** Tokens whose hit points a user changed in Foundry while there was no table. @type {Set<string>} */
  #unsentPoints = new Set();
  /**
   * Tokens with a new profile that the table does not have yet: a whole scene leaves the table's profiles, so these are
   * sent after it, and what is changed while there is no table is sent when there is one.
   * @type {Set<string>}
   */
  #newProfiles = new Set();
  /** The profiles that tokens had of their actors when they were sent last. @type {Map<string, string>} */
  #inherited = new Map();
  /** Actors that have changed a moment ago. @type {Set<string>} */
  #changedActors = new Set();
  /** @type {{[K in keyof BridgeEvents]: BridgeEvents[K][]}} */
  #listeners = { lease: [], changed: [], synced: [], results: [], failed: [] };
  /** Set while the lease has come before the table's scene, whose rules say what a profile is. */
  #awaitsTable = false;
  /** Foundry's ID of the scene that was read last. @type {string | null} */
  scene = null;
  /** @type {() => Promise<unknown>} */
  #written = () => Promise.resolve();
  /** @type {(live: LiveScene, scene: string) => LiveScene} */
  #placed = (live) => live;

  /**
   * @param {TableClient} client
   * @param {World} world
   * @param {string} page this page's ID
   * @param {() => boolean} mayHave tells whether this page's user may be the bridge
   */
  constructor(client, world, page, mayHave) {
    this.client = client;
    this.world = world;
    this.outbox = new Outbox((batch) => this.#send(batch));
    this.pictures = new TokenPictures(client.link);
    this.claim = new BridgeClaim(client, page, { mayHave, onAnswer: (isHeld) => this.#take(isHeld) });
    client.on("connection", (state) => (state === "connected" ? this.claim.ask() : this.claim.lose()));
    client.on("snapshot", () => {
      if (this.#awaitsTable && this.lease !== null) this.outbox.addScene();
    });
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

  /**
   * Has the scene read only once the table's changes are written into it.
   * @param {() => Promise<unknown>} written
   * @param {(live: LiveScene, scene: string) => LiveScene} placed returns the scene with the places that count
   */
  readAfter(written, placed) {
    this.#written = written;
    this.#placed = placed;
  }

  /** Tells the listeners that a user or another module changed a token in Foundry. @param {Foundry.TokenDocument} token */
  tellChanged(token) {
    if (this.lease !== null) this.#emit("changed", token);
  }

  /** @returns {number | null} the number of this page's lease; null if another page is the bridge */
  get lease() {
    return this.claim.number;
  }

  /** @returns {boolean} whether the table answers this page, so that it knows which page is the bridge */
  get isConnected() {
    return this.claim.isConnected;
  }

  /** Tells whether the table is still to get a token's hit points from Foundry. @param {string} token */
  owesPoints(token) {
    return this.#unsentPoints.has(token);
  }

  /** Sends the whole scene with a new lease, and nothing without one. @param {boolean} isHeld */
  async #take(isHeld) {
    if (!isHeld) {
      this.outbox.clear();
      this.#requests.abort();
      this.#requests = new AbortController();
      if (this.isConnected) this.#newProfiles.clear(); // another page sends them
    }
    this.#emit("lease", isHeld);
    if (!isHeld) return;
    this.outbox.addScene();
    for (const token of this.#unsentPoints) await this.sendHitPoints(token);
    this.#unsentPoints.clear();
  }

  /**
   * Sends a token's hit points after a user changed them in Foundry. They go with all of the token's state, so they are
   * sent again if the table has changed meanwhile. If it refuses them its number stays.
   * @param {string} id
   */
  async sendHitPoints(id) {
    if (!this.isConnected) this.#unsentPoints.add(id);
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const [{ replica }, value] = [this.client, this.world.hitPoints(id)]; // a user may have changed them again
      if (this.lease === null || !replica || value === null) return;
      const token = withHitPoints(replica, id, value);
      if (!token) return;
      const sent = this.client.send("token.place", { token }, replica.seq);
      const code = await sent.then(
        () => "",
        ({ problem }) => problem?.code,
      );
      if (code !== "stale-base") return;
    }
  }

  /**
   * Sends the tokens of an actor whose profile has become another by it. A moment later: the actor's system has then
   * prepared its values, and several changes are one.
   * @param {{id: string}} actor the world's, or the copy that an unlinked token has: both have one ID
   */
  renewProfiles({ id }) {
    if (this.#changedActors.size === 0) setTimeout(() => this.#sendChangedProfiles(), PREPARED_MS);
    this.#changedActors.add(id);
  }

  #sendChangedProfiles() {
    const actors = new Set(this.#changedActors);
    this.#changedActors.clear();
    for (const [id, profile] of Object.entries(this.world.profilesOf(actors)))
      if (this.#inherited.get(id) !== JSON.stringify(profile)) this.sendProfile(id);
  }

  /** Sends a token with its new profile, which replaces the table's. @param {string} id */
  sendProfile(id) {
    this.#newProfiles.add(id);
    this.outbox.addToken(id);
  }

  /** Stops sending. */
  close() {
    this.claim.close();
  }

  /** @param {Batch} batch */
  async #send(batch) {
    this.#awaitsTable = !this.client.replica;
    if (this.#awaitsTable) return;
    await Promise.race([this.#written(), after(PATIENCE_MS)]);
    // A few tokens need no reading of hundreds of walls.
    const live = batch.scene ? this.world.scene() : this.world.tokens(batch.tokens);
    if (this.lease === null || !live) return;
    // What a changed actor gave its tokens before is compared a moment later.
    if (this.#changedActors.size === 0)
      for (const [id, profile] of Object.entries(live.profiles ?? {}))
        this.#inherited.set(id, JSON.stringify(profile));
    const scene = this.#placed(live, live.source._id);
    if (batch.scene) {
      this.scene = live.source._id;
      // What the table has changed since this entry is not in the scene, and must not be taken back.
      const { seq } = this.client.replica ?? {};
      const base = seq === undefined ? "" : `&base=${seq}`;
      const answer = await this.#post(base, readScene(scene, this.#imageOf));
      if (!answer.ok) return;
      if (answer.result.is_stale) return this.outbox.addScene();
      this.#emit("synced", { ...answer.result, far: farWalls(scene), odd: oddWalls(scene) });
      this.#sendPictures(scene.source.tokens ?? []);
      for (const id of this.#newProfiles) this.outbox.addToken(id);
      return;
    }
    if (batch.tokens.size + batch.removed.size) await this.#sendTokens(scene, batch);
    for (const door of batch.doors) {
      const state = this.world.doorState(door);
      if (!state) this.outbox.addScene();
      else await this.client.send("door.set", { wall: door, state }).catch(() => this.outbox.addScene());
    }
  }

  /** Uploads the pictures that the table lacks; then the scene is sent again with them. @param {Source[]} tokens */
  async #sendPictures(tokens) {
    const imageAt = (/** @type {string} */ id) =>
      this.client.replica?.scene.tokens.find((token) => token.id === id)?.image ?? "";
    const ready = await this.pictures.upload(tokens, imageAt);
    if (ready.length) this.outbox.addScene();
  }

  #imageOf = (/** @type {Source} */ token) => this.pictures.addressOf(token);

  /** @param {LiveScene} scene @param {Batch} batch */
  async #sendTokens(scene, batch) {
    const { tokens } = scene.source;
    const renewed = [...batch.tokens].filter((id) => this.#newProfiles.has(id));
    for (const id of renewed) this.#newProfiles.delete(id); // one that changes once more is added again
    const some = {
      ...{ tokens, gone: [...batch.removed], renewed },
      ...{ displaced: [...batch.displaced], paths: batch.paths },
    };
    const keep = () => renewed.forEach((id) => this.#newProfiles.add(id));
    const sent = this.#post("&part=tokens", readTokens(scene, some, this.#imageOf));
    const answer = await sent.catch((problem) => {
      keep();
      throw problem;
    });
    if (!answer.ok) return keep();
    this.#emit("results", answer.result.tokens, batch.displaced);
    this.#sendPictures(tokens);
    for (const [id, result] of Object.entries(answer.result.tokens)) {
      if (result.ok || !result.error.retryable) continue;
      if (renewed.includes(id)) this.#newProfiles.add(id);
      setTimeout(() => this.outbox.addToken(id), RETRY_MS);
    }
  }

  /**
   * Posts a reading; rejected if it is to be sent again.
   * @param {string} part
   * @param {object} reading
   */
  async #post(part, reading) {
    const { url, table, key } = this.client.link;
    const address = `${url}/api/tables/${encodeURIComponent(table)}/foundry?bridge=${this.lease}${part}`;
    // The time ends one request, the lease's end all of them.
    const signal = AbortSignal.any([this.#requests.signal, AbortSignal.timeout(REQUEST_MS)]);
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    const response = await fetch(address, { method: "POST", body: JSON.stringify(reading), headers, signal });
    const answer = await response.json();
    if (!answer.ok) this.#handleProblem(answer.error);
    return answer;
  }

  /** @param {Problem} problem */
  #handleProblem(problem) {
    if (problem.code === "other-bridge") {
      this.claim.lose();
      this.claim.ask();
    } else if (problem.code === "stale-base") this.outbox.addScene();
    else if (problem.retryable) throw new Error(problem.sentence);
    else this.#emit("failed", problem);
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
