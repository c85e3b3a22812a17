/**
 * Moves at the table that Foundry's tokens have not made: the GM has not decided, wants none, or another module refused
 * one. Such a token has its place at the table until it moves in Foundry; the bridge does not take the move back.
 */

import { tokenPosition } from "../canvas/board-position.js";
import { savedPlace } from "../read/saved-place.js";
import { heldMoves, saveHeldMoves } from "../settings.js";

/** @import {Replica} from "../../../types/contract.js" */
/** @import {LiveScene, Source} from "../read/scene.js" */

/** @typedef {{scene: string, x: number, y: number, rotation: number}} Place of a token in Foundry when the table moved it */

/** Remembers them for one table, in the world's settings: after a reload, and for the page that takes over. */
export class HeldMoves {
  #saving = 0;

  /** @param {string} table */
  constructor(table) {
    this.table = table;
    /** @type {Record<string, Place>} by token */
    this.places = heldMoves(table);
  }

  /** Takes what another page has saved. */
  reload() {
    if (!this.#saving) this.places = heldMoves(this.table);
  }

  /** Keeps the table's place of a token, as long as the token stays where it is in Foundry. @param {Foundry.TokenDocument} token */
  async hold(token) {
    await this.#save({ ...this.places, [token.id]: placeNow(token) });
  }

  /** Gives a token's place back to Foundry. @param {string} token */
  async release(token) {
    if (!(token in this.places)) return;
    const { [token]: _, ...others } = this.places;
    await this.#save(others);
  }

  /** @param {Foundry.TokenDocument} token @returns {boolean} whether it stays where it was when the table moved it */
  has(token) {
    return isAt(this.places[token.id], placeNow(token));
  }

  /**
   * Returns a scene as the table is to have it: held tokens are at the table's places. A token that has moved in Foundry
   * is held no longer.
   * @param {LiveScene} live
   * @param {string} scene its ID
   * @param {Replica | null} replica
   * @returns {LiveScene}
   */
  applyTo(live, scene, replica) {
    const known = new Map(replica?.scene.tokens.map((token) => [token.id, token]));
    const placed = (/** @type {Source} */ source) => {
      const { _id: id, x, y, rotation, width, height } = source;
      const token = known.get(id);
      if (!(id in this.places)) return source;
      if (!isAt(this.places[id], { scene, x, y, rotation })) this.release(id);
      if (!(id in this.places) || !replica || !token?.at) return source;
      return { ...source, ...tokenPosition(replica.scene.grid, token, { x, y, width, height }, live) };
    };
    const tokens = (live.source.tokens ?? []).map(placed);
    return { ...live, source: { ...live.source, tokens } };
  }

  /** @param {Record<string, Place>} places */
  async #save(places) {
    this.places = places;
    this.#saving += 1;
    await saveHeldMoves(this.table, places).finally(() => (this.#saving -= 1));
  }
}

/** @param {Foundry.TokenDocument} token @returns {Place} */
function placeNow(token) {
  const { x, y, rotation } = savedPlace(token);
  return { scene: token.parent?.id ?? "", x, y, rotation };
}

/** @param {Place | undefined} held @param {Place} now */
const isAt = (held, now) =>
  held !== undefined &&
  held.scene === now.scene &&
  held.x === now.x &&
  held.y === now.y &&
  held.rotation === now.rotation;
