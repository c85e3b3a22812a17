/**
 * What the table has not been told yet. Changes are gathered for a moment and said as what is so now, however
 * often it changed; one message at a time, so that none overtakes another. What could not be said is said
 * later, together with what has changed since.
 */

/**
 * What is to be told: the whole scene, or tokens and doors by their ids.
 * @typedef {object} Batch
 * @property {boolean} whole
 * @property {Set<string>} tokens
 * @property {Set<string>} gone
 * @property {Set<string>} renewed tokens with a new profile
 * @property {Set<string>} doors
 */

/** @typedef {(act: () => void, ms: number) => unknown} Later */

const GATHER_MS = 75;
const RETRY_MS = 1_000;
const RETRY_MOST_MS = 15_000;

/** Gathers changes and hands them on. */
export class Outbox {
  #batch = emptyBatch();
  #isWaiting = false;
  #isSending = false;
  #failures = 0;

  /**
   * @param {(batch: Batch) => Promise<void>} send rejected where it could not be said
   * @param {Later} [later] waits
   */
  constructor(send, later = (act, ms) => setTimeout(act, ms)) {
    this.send = send;
    this.later = later;
  }

  /** The whole scene is news. */
  whole() {
    this.#batch.whole = true;
    this.#soon(GATHER_MS);
  }

  /** @param {string} id @param {{isRenewed?: boolean}} [how] */
  token(id, { isRenewed = false } = {}) {
    this.#batch.tokens.add(id);
    this.#batch.gone.delete(id);
    if (isRenewed) this.#batch.renewed.add(id);
    this.#soon(GATHER_MS);
  }

  /** @param {string} id of a token that has left */
  gone(id) {
    this.#batch.gone.add(id);
    this.#batch.tokens.delete(id);
    this.#soon(GATHER_MS);
  }

  /** @param {string} id of a door that was opened, closed or locked */
  door(id) {
    this.#batch.doors.add(id);
    this.#soon(GATHER_MS);
  }

  /** Forgets everything: nobody is to be told any more, or all at once later. */
  clear() {
    this.#batch = emptyBatch();
  }

  /** @param {number} ms */
  #soon(ms) {
    if (this.#isWaiting || this.#isSending) return;
    this.#isWaiting = true;
    this.later(() => this.#flush(), ms);
  }

  async #flush() {
    this.#isWaiting = false;
    const batch = this.#batch;
    if (isEmpty(batch)) return;
    this.#batch = emptyBatch();
    this.#isSending = true;
    const isSaid = await this.send(batch).then(
      () => true,
      () => false,
    );
    this.#isSending = false;
    this.#failures = isSaid ? 0 : this.#failures + 1;
    if (!isSaid) this.#batch = both(batch, this.#batch);
    if (!isEmpty(this.#batch)) this.#soon(isSaid ? GATHER_MS : this.#pause());
  }

  #pause() {
    return Math.min(RETRY_MOST_MS, RETRY_MS * 2 ** (this.#failures - 1));
  }
}

/** @returns {Batch} */
export function emptyBatch() {
  return { whole: false, tokens: new Set(), gone: new Set(), renewed: new Set(), doors: new Set() };
}

/** @param {Batch} batch */
function isEmpty({ whole, tokens, gone, doors }) {
  return !whole && tokens.size + gone.size + doors.size === 0;
}

/**
 * What was to be said before and what is news now; the later word on a token counts.
 * @param {Batch} before
 * @param {Batch} now
 * @returns {Batch}
 */
function both(before, now) {
  const tokens = new Set([...before.tokens].filter((id) => !now.gone.has(id)));
  const gone = new Set([...before.gone].filter((id) => !now.tokens.has(id)));
  return {
    whole: before.whole || now.whole,
    tokens: new Set([...tokens, ...now.tokens]),
    gone: new Set([...gone, ...now.gone]),
    renewed: new Set([...before.renewed, ...now.renewed]),
    doors: new Set([...before.doors, ...now.doors]),
  };
}
