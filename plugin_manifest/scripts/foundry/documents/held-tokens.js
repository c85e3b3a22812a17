/** The held moves of Foundry's tokens, which the world's settings remember: after a reload, and for the page that takes over. */

import { HeldMoves } from "../../tabletop/held-moves.js";
import { tokenPosition } from "../canvas/board-position.js";
import { savedPlace } from "../read/saved-place.js";
import { heldMoves, saveHeldMoves } from "../settings.js";

/** @import {Replica} from "../../../types/contract.js" */
/** @import {Place} from "../../tabletop/held-moves.js" */
/** @import {LiveScene, Source} from "../read/scene.js" */

/** Holds the tokens of one table. */
export class HeldTokens {
  /** @param {string} table */
  constructor(table) {
    this.moves = new HeldMoves({
      read: () => heldMoves(table),
      save: (places) => saveHeldMoves(table, places),
    });
  }

  /** Takes what another page has saved. */
  reload() {
    this.moves.reload();
  }

  /** Keeps the table's place of a token, as long as the token stays where it is in Foundry. @param {Foundry.TokenDocument} token */
  hold(token) {
    return this.moves.hold(token.id, placeNow(token));
  }

  /** Gives a token's place back to Foundry. @param {string} token */
  release(token) {
    return this.moves.release(token);
  }

  /** Gives a token's place back to Foundry if the token is no longer where it was held. @param {Foundry.TokenDocument} token */
  releaseMoved(token) {
    this.moves.keeps(token.id, placeNow(token));
  }

  /** @param {Foundry.TokenDocument} token @returns {boolean} whether it stays where it was when the table moved it */
  has(token) {
    return this.moves.has(token.id, placeNow(token));
  }

  /**
   * Returns a scene as the table is to have it: held tokens, and those that walk there, are at the table's places.
   * @param {LiveScene} live
   * @param {string} scene its ID
   * @param {Replica | null} replica
   * @param {Set<string>} walking tokens on their way to the table's places
   * @returns {LiveScene}
   */
  applyTo(live, scene, replica, walking) {
    const known = new Map(replica?.scene.tokens.map((token) => [token.id, token]));
    const placed = (/** @type {Source} */ source) => {
      const { _id: id, x, y, rotation, width, height } = source;
      const token = known.get(id);
      const isKept = this.moves.keeps(id, { scene, x, y, rotation }) || walking.has(id);
      if (!isKept || !replica || !token?.at) return source;
      return { ...source, ...tokenPosition(replica.scene.grid, token, { x, y, width, height }, live) };
    };
    const tokens = (live.source.tokens ?? []).map(placed);
    return { ...live, source: { ...live.source, tokens } };
  }
}

/** @param {Foundry.TokenDocument} token @returns {Place} */
function placeNow(token) {
  const { x, y, rotation } = savedPlace(token);
  return { scene: token.parent?.id ?? "", x, y, rotation };
}
