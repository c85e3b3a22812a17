/** Moving and turning tokens: what the person means is shown at once, what the table says counts. */

import { isAtCell } from "../../core/draw/footprints.js";
import { CELL, isOnBoard, turnStep } from "../../core/draw/geometry.js";
import { canPlay, selectedToken } from "../../core/game/store.js";

/** @import {Cell, Overlay, Ruling, Token} from "../../../types/contract.js" */
/** @import {Ghost} from "../../../types/page.js" */
/** @import {Session} from "../../core/game/session.js" */
/** @import {Store} from "../../core/game/store.js" */

/** How many cells from its anchor a token with a body of its own is pushed: no cell there is still its own. */
const OUT_OF_BODY = 2;

/** Sends moves and keeps the ghost of the one under way. */
export class Moves {
  /** @param {Store} store @param {Session} session */
  constructor(store, session) {
    this.store = store;
    this.session = session;
    this.underWay = 0;
    /** @type {Ghost | null} the last move that was sent */
    this.sent = null;
    /** The entry that tells of it: an acknowledgement comes before the entry does. */
    this.due = 0;
    store.subscribe(() => this.#settle());
  }

  /** @param {Token} token @returns {boolean} whether this seat may move it */
  canMove(token) {
    return canPlay(this.store.state, token) && token.at !== null;
  }

  /**
   * Shows a token at a cell while it is dragged, with what it would cost to go there.
   * @param {Token} token
   * @param {Cell} at
   */
  drag(token, at) {
    const facing = this.#facing(token);
    this.store.set({
      ghost: { token: token.id, at, facing, text: costText(this.store.state.overlay, token, at) },
    });
  }

  /** Puts the dragged token down: where it stood, nothing happens. */
  async drop() {
    const { ghost, replica } = this.store.state;
    const token = replica?.scene.tokens.find((other) => other.id === ghost?.token);
    if (!ghost || !replica || !token) return;
    const isSame = isAtCell(token, ghost.at) && token.facing === ghost.facing;
    if (isSame || !isOnBoard(replica.scene.grid, ghost.at)) this.store.set({ ghost: null });
    else await this.#send({ ...ghost, text: "" });
  }

  /** Leaves a dragged token where it stood. */
  cancel() {
    this.store.set({ ghost: null });
  }

  /**
   * Moves the selected token by whole cells.
   * @param {number} columns
   * @param {number} rows
   */
  async step(columns, rows) {
    const token = selectedToken(this.store.state);
    const grid = this.store.state.replica?.scene.grid;
    const from = token && this.#meant(token);
    if (!token || !grid || !from || !this.canMove(token)) return;
    const unit = grid.kind === "gridless" ? CELL : token.body ? OUT_OF_BODY : 1;
    const [column, row] = isAtCell(token, from.at) && token.body ? token.body.anchor : from.at;
    const at = /** @type {Cell} */ ([column + columns * unit, row + rows * unit]);
    if (isOnBoard(grid, at)) await this.#send({ ...from, at });
  }

  /**
   * Turns the selected token; one that is being dragged turns in the hand and is sent when it is put down.
   * @param {1 | -1} direction 1 clockwise
   */
  async turn(direction) {
    const token = selectedToken(this.store.state);
    const grid = this.store.state.replica?.scene.grid;
    const from = token && this.#meant(token);
    if (!token || !grid || !from || !this.canMove(token)) return;
    const facing = ((from.facing ?? 0) + direction * turnStep(grid) + 360) % 360;
    if (this.store.state.ghost && this.store.state.ghost !== this.sent)
      this.store.set({ ghost: { ...this.store.state.ghost, facing } });
    else await this.#send({ ...from, facing });
  }

  /** @param {Token} token @returns {Ghost | null} where it is meant to be: its last move may still be on its way */
  #meant(token) {
    const { ghost } = this.store.state;
    if (ghost?.token === token.id) return ghost;
    return token.at ? { token: token.id, at: token.at, facing: token.facing, text: "" } : null;
  }

  /** @param {Token} token */
  #facing(token) {
    const { ghost } = this.store.state;
    return ghost?.token === token.id ? ghost.facing : token.facing;
  }

  /** @param {Ghost} meant @param {string} [override] the game master's reason against the rules */
  async #send(meant, override = "") {
    this.store.set({ ghost: meant });
    this.sent = meant;
    this.underWay += 1;
    const { token, at, facing } = meant;
    const offer = {
      label: "Let it stand",
      does: (/** @type {string} */ reason) => this.#send(meant, reason),
    };
    const ack = await this.session.send("token.move", { token, at, facing, override }, { offer });
    this.underWay -= 1;
    this.due = Math.max(this.due, ack?.seq ?? 0);
    this.#settle();
    if (!override) this.#warn(ack?.result?.ruling);
  }

  /** The ghost of a sent move stays until the table tells of the move, or else the next would start from before it. */
  #settle() {
    const { ghost, replica } = this.store.state;
    if (ghost && ghost === this.sent && !this.underWay && (replica?.seq ?? 0) >= this.due)
      this.store.set({ ghost: null });
  }

  /** @param {Ruling | undefined} ruling says why a move that stands is illegal, at a table that warns */
  #warn(ruling) {
    const isWarned = this.store.state.replica?.scene.enforcement === "warn";
    if (isWarned && ruling && !ruling.allowed)
      this.session.notices.error(`It stands, but: ${ruling.reasons.join(" ")}`);
  }
}

/**
 * What going to a cell would cost, as people say it.
 * @param {Overlay | null} overlay
 * @param {Token} token
 * @param {Cell} at
 */
export function costText(overlay, token, at) {
  if (isAtCell(token, at)) return "";
  if (!overlay?.reach || overlay.token !== token.id) return "";
  const cell = overlay.reach.cells.find(([column, row]) => column === at[0] && row === at[1]);
  return cell ? `costs ${cell[2]} of ${overlay.reach.budget}` : "out of reach";
}
