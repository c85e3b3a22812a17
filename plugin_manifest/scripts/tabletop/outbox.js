/**
 * Changes of the world that the table does not have yet. They are batched for a moment and sent as the current
 * state, one message at a time, so that none overtakes another. A failed batch is sent again with what changed since.
 */

/**
 * Changes to send: the whole scene, or tokens and doors by their IDs.
 * @typedef {object} Batch
 * @property {boolean} scene
 * @property {Set<string>} tokens
 * @property {Set<string>} removed
 * @property {Set<string>} displaced tokens that a program has moved: their places are no acts
 * @property {Set<string>} doors
 * @property {Map<string, Point[]>} paths the places that tokens passed on their way, in pixels
 */

/** @typedef {{x: number, y: number}} Point */

/** @typedef {(act: () => void, ms: number) => unknown} Schedule */

const BATCH_MS = 75;
const RETRY_MS = 1_000;
const MAX_RETRY_MS = 15_000;
/** The server allows no more. */
const MAX_WAYPOINTS = 63;

/** Batches changes and sends them. */
export class Outbox {
  #batch = emptyBatch();
  #isScheduled = false;
  #isSending = false;
  #failures = 0;

  /**
   * @param {(batch: Batch) => Promise<void>} send rejected if the batch is to be sent again
   * @param {Schedule} [schedule]
   */
  constructor(send, schedule = (act, ms) => setTimeout(act, ms)) {
    this.send = send;
    this.schedule = schedule;
  }

  addScene() {
    this.#batch.scene = true;
    this.#scheduleFlush(BATCH_MS);
  }

  /** @param {string} id */
  addToken(id) {
    this.#batch.tokens.add(id);
    this.#batch.removed.delete(id);
    this.#scheduleFlush(BATCH_MS);
  }

  /**
   * Adds places that a token passed. They are sent with its position.
   * @param {string} id
   * @param {Point[]} passed
   */
  addWaypoints(id, passed) {
    const path = [...(this.#batch.paths.get(id) ?? []), ...passed];
    if (passed.length) this.#batch.paths.set(id, path.slice(-MAX_WAYPOINTS));
  }

  /** Notes that a program has moved a token. Its position is sent by `addToken`. @param {string} id */
  addDisplaced(id) {
    this.#batch.displaced.add(id);
  }

  /** @param {string} id */
  addRemoval(id) {
    this.#batch.removed.add(id);
    this.#batch.tokens.delete(id);
    this.#scheduleFlush(BATCH_MS);
  }

  /** @param {string} id of a door that was opened, closed or locked */
  addDoor(id) {
    this.#batch.doors.add(id);
    this.#scheduleFlush(BATCH_MS);
  }

  /** Drops everything. */
  clear() {
    this.#batch = emptyBatch();
  }

  /** @param {number} ms */
  #scheduleFlush(ms) {
    if (this.#isScheduled || this.#isSending) return;
    this.#isScheduled = true;
    this.schedule(() => this.#flush(), ms);
  }

  async #flush() {
    this.#isScheduled = false;
    const batch = this.#batch;
    if (isEmpty(batch)) return;
    this.#batch = emptyBatch();
    this.#isSending = true;
    const isSent = await this.send(batch).then(
      () => true,
      () => false,
    );
    this.#isSending = false;
    this.#failures = isSent ? 0 : this.#failures + 1;
    if (!isSent) this.#batch = merge(batch, this.#batch);
    if (!isEmpty(this.#batch)) this.#scheduleFlush(isSent ? BATCH_MS : this.#retryMs());
  }

  #retryMs() {
    return Math.min(MAX_RETRY_MS, RETRY_MS * 2 ** (this.#failures - 1));
  }
}

/** @param {Batch["paths"]} before @param {Batch["paths"]} now @returns {Batch["paths"]} */
function mergePaths(before, now) {
  const ids = new Set([...before.keys(), ...now.keys()]);
  const joined = (/** @type {string} */ id) => [...(before.get(id) ?? []), ...(now.get(id) ?? [])];
  return new Map([...ids].map((id) => [id, joined(id).slice(-MAX_WAYPOINTS)]));
}

/** @returns {Batch} */
export function emptyBatch() {
  return {
    scene: false,
    tokens: new Set(),
    removed: new Set(),
    displaced: new Set(),
    doors: new Set(),
    paths: new Map(),
  };
}

/** @param {Batch} batch */
function isEmpty({ scene, tokens, removed, doors }) {
  return !scene && tokens.size + removed.size + doors.size === 0;
}

/**
 * Merges a batch into a later one; the later state of a token wins.
 * @param {Batch} before
 * @param {Batch} now
 * @returns {Batch}
 */
function merge(before, now) {
  const tokens = new Set([...before.tokens].filter((id) => !now.removed.has(id)));
  const removed = new Set([...before.removed].filter((id) => !now.tokens.has(id)));
  return {
    scene: before.scene || now.scene,
    tokens: new Set([...tokens, ...now.tokens]),
    removed: new Set([...removed, ...now.removed]),
    displaced: new Set([...before.displaced, ...now.displaced]),
    doors: new Set([...before.doors, ...now.doors]),
    paths: mergePaths(before.paths, now.paths),
  };
}
