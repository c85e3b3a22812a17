/** The overlays of a unit at the moments of a battle: a replay that plays reads them ahead of the clock. */

/** @import {Overlay} from "../../../types/contract.js" */

/** The overlays asked for at once, those that are there before the next are asked for, and those that are kept. */
export const [BATCH, AHEAD, MAX_KEPT] = [10, 30, 400];

/** Reads the overlays of one unit in one set of layers, each once, and one answer at a time. */
export class PastOverlays {
  /** @type {Map<number, Overlay | null>} by moment; null where the seat has no such unit */
  #known = new Map();
  /** @type {Promise<void> | null} the answer on its way */
  #reading = null;

  /** @param {(start: number, limit: number) => Promise<(Overlay | null)[]>} read may return fewer than it is asked for */
  constructor(read) {
    this.read = read;
  }

  /** Return the overlay at a moment, or null while there is none. @param {number} number */
  peek(number) {
    return this.#known.get(number) ?? null;
  }

  /**
   * Return the overlay at a moment once it is there; rejected if the table refuses it.
   * @param {number} number
   * @returns {Promise<Overlay | null>}
   */
  async at(number) {
    if (!this.#known.has(number)) await this.#reading?.catch(() => {});
    while (!this.#known.has(number)) await this.#readFrom(number, 1);
    return this.peek(number);
  }

  /**
   * Return the overlay at a moment that is played, once it is there, and read those of the next moments up to `last`.
   * @param {number} number
   * @param {number} last
   * @returns {Promise<Overlay | null>} null if the table refuses it
   */
  async play(number, last) {
    try {
      if (!this.#known.has(number)) await this.#reading?.catch(() => {});
      while (!this.#known.has(number)) await this.#readFrom(number, Math.min(BATCH, last - number + 1));
      this.#readAhead(number + 1, last);
      return this.peek(number);
    } catch {
      this.#keep(number, [null]);
      return null;
    }
  }

  /** @param {number} from @param {number} last */
  #readAhead(from, last) {
    let next = from;
    while (this.#known.has(next)) next++;
    if (this.#reading || next > last || next - from >= AHEAD) return;
    this.#readFrom(next, Math.min(BATCH, last - next + 1))
      .then(() => this.#readAhead(from, last))
      .catch(() => {}); // asked for again when it is due
  }

  /** @param {number} start @param {number} limit */
  #readFrom(start, limit) {
    this.#reading ??= this.read(start, limit)
      .then((found) => this.#keep(start, found.length ? found : [null]))
      .finally(() => (this.#reading = null));
    return this.#reading;
  }

  /** @param {number} start @param {(Overlay | null)[]} found */
  #keep(start, found) {
    found.forEach((overlay, i) => this.#known.set(start + i, overlay));
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MAX_KEPT) break;
      this.#known.delete(oldest);
    }
  }
}
