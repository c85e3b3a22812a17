/**
 * Moves at the table that the tabletop's tokens have not made: the GM has not decided, wants none, or the tabletop refused
 * one. Such a token has its place at the table until it moves in the tabletop; the bridge does not take the move back.
 */

/** @typedef {{scene: string, x: number, y: number, rotation: number}} Place of a token in the tabletop when the table moved it */

/**
 * The memory of the places of one table, which outlasts a reload.
 * @typedef {object} PlaceStore
 * @property {() => Record<string, Place>} read by token
 * @property {(places: Record<string, Place>) => unknown} save
 */

/** The held moves of one table. */
export class HeldMoves {
  #saving = 0;

  /** @param {PlaceStore} store */
  constructor(store) {
    this.store = store;
    /** @type {Record<string, Place>} by token */
    this.places = store.read();
  }

  /** Takes what another page has saved. */
  reload() {
    if (!this.#saving) this.places = this.store.read();
  }

  /** Keeps the table's place of a token, as long as the token stays where it is in the tabletop. @param {string} token @param {Place} now */
  async hold(token, now) {
    await this.#save({ ...this.places, [token]: now });
  }

  /** Gives a token's place back to the tabletop. @param {string} token */
  async release(token) {
    if (!(token in this.places)) return;
    const { [token]: _, ...others } = this.places;
    await this.#save(others);
  }

  /** Tells whether a token stays where it was when the table moved it. @param {string} token @param {Place} now */
  has(token, now) {
    return isAt(this.places[token], now);
  }

  /**
   * Tells whether the table's place of a token counts. One that has moved in the tabletop is held no longer.
   * @param {string} token
   * @param {Place} now
   */
  keeps(token, now) {
    if (!(token in this.places)) return false;
    if (this.has(token, now)) return true;
    this.release(token);
    return false;
  }

  /** @param {Record<string, Place>} places */
  async #save(places) {
    this.places = places;
    this.#saving += 1;
    await Promise.resolve(this.store.save(places)).finally(() => (this.#saving -= 1));
  }
}

/** @param {Place | undefined} held @param {Place} now */
const isAt = (held, now) =>
  held !== undefined &&
  held.scene === now.scene &&
  held.x === now.x &&
  held.y === now.y &&
  held.rotation === now.rotation;
