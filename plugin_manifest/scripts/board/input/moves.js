/** Moving and turning tokens. The page shows a move at once; the table decides whether it stands. */

import { isAtCell } from "../../core/map/footprints.js";
import { CELL, isOnBoard, turnStep } from "../../core/map/geometry.js";
import { groupMove, hasGroupMoves, inOrder, shifted } from "../../core/game/group-move.js";
import { canPlay, selectedToken } from "../../core/game/store.js";
import { isInRings } from "../../core/draw/region-marks.js";
import { moveText } from "../../core/ui/move-text.js";
import { localize } from "../../core/ui/i18n.js";

/** @import {Cell, Ruling, Sent, Token} from "../../../types/contract.js" */
/** @import {Ghost} from "../../../types/page.js" */
/** @import {Session} from "../../core/game/session.js" */
/** @import {Store} from "../../core/game/store.js" */

/**
 * An arrow key pushes a token with a footprint this many cells from its anchor, which is outside the footprint.
 */
const FOOTPRINT_STEP = 2;
/** The waypoints of a drag; the server allows one more, the end. */
const MAX_WAYPOINTS = 63;

/** Sends moves and shows the current one as a ghost. */
export class Moves {
  /** The number of moves without an answer. */
  #pending = 0;
  /** @type {Ghost | null} the last move sent */
  #sent = null;
  /** The entry of the last acknowledged move; the acknowledgment arrives before the entry. */
  #expectedSeq = 0;

  /** @param {Store} store @param {Session} session */
  constructor(store, session) {
    this.store = store;
    this.session = session;
    store.subscribe(() => {
      this.#clearGhost();
      this.#dropStray();
    });
  }

  /** @param {Token} token */
  canMove(token) {
    return canPlay(this.store.state, token) && token.at !== null;
  }

  /**
   * Show a dragged token at a cell, with the cost of moving there.
   * @param {Token} token
   * @param {Cell} at
   * @param {boolean} [withGroup] whether the rest of its active group is to move with it, in formation
   */
  drag(token, at, withGroup = false) {
    const { ghost } = this.store.state;
    const [facing, path] = ghost?.token === token.id ? [ghost.facing, ghost.path] : [token.facing, []];
    const group = this.#groupOf(token, withGroup);
    const cost = this.#dragText(token, at, path);
    const text = group.length ? localize("Move.WithGroup", { count: group.length, cost }) : cost;
    this.store.set({ ghost: { token: token.id, at, facing, path, text, group } });
  }

  /**
   * Show a move that waits for a second click on its end, or for Enter.
   * @param {Token} token
   * @param {Cell} at
   * @returns {boolean} false if the token cannot reach it
   */
  plan(token, at) {
    const { overlay, replica } = this.store.state;
    if (!replica || !this.canMove(token) || !overlay?.reach || overlay.token !== token.id) return false;
    const isReached = overlay.reach.bands?.length
      ? overlay.reach.bands.some((band) => isInRings(band, at))
      : overlay.reach.cells.some(([column, row]) => column === at[0] && row === at[1]);
    if (isAtCell(token, at) || !isReached) return false;
    const text = this.#dragText(token, at, []);
    this.store.set({ ghost: { token: token.id, at, facing: token.facing, path: [], text, isPlan: true } });
    this.#showWay(token, at);
    return true;
  }

  /** Ask the table for the way of a planned move, and show it while the plan stands. @param {Token} token @param {Cell} at */
  async #showWay(token, at) {
    const planned = this.store.state.ghost;
    const found = await this.session.requestPath(token.id, [at]);
    const { ghost } = this.store.state;
    const way = found?.ruling.path ?? [];
    if (ghost && ghost === planned && way.length > 1) this.store.set({ ghost: { ...ghost, way } });
  }

  /**
   * Return the other tokens that move with a token: the picked ones, or with `withGroup` its active group.
   * @param {Token} token
   * @param {boolean} withGroup
   */
  #groupOf({ id, side, conditions }, withGroup) {
    const { replica, picked } = this.store.state;
    if (picked.includes(id)) {
      const others = replica?.scene.tokens.filter((one) => one.id !== id && picked.includes(one.id)) ?? [];
      return others.filter((one) => this.canMove(one)).map((one) => one.id);
    }
    if (!withGroup || !replica || !hasGroupMoves(replica.ruleset) || !("active" in conditions)) return [];
    return replica.scene.tokens
      .filter((one) => one.id !== id && one.side === side && "active" in one.conditions && this.canMove(one))
      .map((one) => one.id);
  }

  /** @param {Token} token @param {Cell} at @param {Cell[]} path @returns {string} */
  #dragText(token, at, path) {
    const { overlay, replica } = this.store.state;
    if (path.length) return localize("Move.Waypoints", { count: path.length });
    return replica ? moveText(overlay, token, at, replica.scene).split("\n")[0] : "";
  }

  /** Let the drag lead through the cell where the dragged token is now. @returns {boolean} whether it did */
  addWaypoint() {
    const { ghost, replica } = this.store.state;
    const token = replica?.scene.tokens.find((other) => other.id === ghost?.token);
    if (!ghost || !token || ghost === this.#sent || isAtCell(token, ghost.at)) return false;
    const last = ghost.path.at(-1);
    if (ghost.path.length >= MAX_WAYPOINTS || String(last) === String(ghost.at)) return false;
    const path = [...ghost.path, ghost.at];
    this.store.set({ ghost: { ...ghost, path, text: this.#dragText(token, ghost.at, path) } });
    return true;
  }

  /** Drop the dragged token. Nothing is sent if it neither moved nor turned. */
  async drop() {
    const { ghost, replica } = this.store.state;
    const token = replica?.scene.tokens.find((other) => other.id === ghost?.token);
    if (!ghost || !replica || !token) return;
    const isSame = isAtCell(token, ghost.at) && token.facing === ghost.facing;
    if (isSame || !isOnBoard(replica.scene.grid, ghost.at)) this.store.set({ ghost: null });
    else if (ghost.group?.length) await this.#dropGroup(token, ghost);
    else await this.#send({ ...ghost, text: "", isPlan: false });
  }

  /**
   * Move a group in formation, by one act.
   * @param {Token} token the dragged one
   * @param {Ghost} ghost
   * @param {string} [override] the GM's reason to break the rules
   */
  async #dropGroup(token, ghost, override = "") {
    const { replica } = this.store.state;
    if (!replica) return;
    const others = replica.scene.tokens.filter(({ id }) => ghost.group?.includes(id));
    if (!hasGroupMoves(replica.ruleset)) return this.#dropPicked(token, others, ghost);
    const act = groupMove(replica.scene.grid, token, others, [...ghost.path, ghost.at]);
    await this.#sendMove("act", { act, override }, { ...ghost, text: "" }, (reason) =>
      this.#dropGroup(token, ghost, reason),
    );
  }

  /**
   * Move picked tokens one by one, those in front first, in a game of others whose rules have no act for it.
   * @param {Token} token the dragged one
   * @param {Token[]} others
   * @param {Ghost} ghost
   */
  async #dropPicked(token, others, ghost) {
    const grid = this.store.state.replica?.scene.grid;
    const from = token.at;
    this.store.set({ ghost: null });
    for (const one of grid && from ? inOrder(grid, [token, ...others], from, ghost.at) : []) {
      if (!grid || !from || !one.at) continue;
      const at = shifted(grid, one.at, from, ghost.at);
      const body = { token: one.id, at, facing: one.facing, path: [], override: "" };
      if (isOnBoard(grid, at)) await this.session.send("token.move", body);
    }
  }

  /** Put a dragged token back. */
  cancel() {
    this.store.set({ ghost: null });
  }

  /**
   * Move the selected token by whole cells.
   * @param {number} columns
   * @param {number} rows
   */
  async step(columns, rows) {
    const token = selectedToken(this.store.state);
    const grid = this.store.state.replica?.scene.grid;
    const from = token && this.#intended(token);
    if (!token || !grid || !from || !this.canMove(token)) return;
    const stride = grid.kind === "gridless" ? CELL : token.body ? FOOTPRINT_STEP : 1;
    const [column, row] = isAtCell(token, from.at) && token.body ? token.body.anchor : from.at;
    const at = /** @type {Cell} */ ([column + columns * stride, row + rows * stride]);
    if (isOnBoard(grid, at)) await this.#send({ ...from, at, path: [] });
  }

  /**
   * Turn the selected token. A token that is being dragged is sent only when it is dropped.
   * @param {1 | -1} direction 1 is clockwise
   */
  async turn(direction) {
    const token = selectedToken(this.store.state);
    const { ghost, replica } = this.store.state;
    const from = token && this.#intended(token);
    if (!token || !replica || !from || !this.canMove(token)) return;
    const facing = ((from.facing ?? 0) + direction * turnStep(replica.scene.grid) + 360) % 360;
    if (ghost && ghost !== this.#sent) this.store.set({ ghost: { ...ghost, facing } });
    else await this.#send({ ...from, facing });
  }

  /**
   * Return the position a token will have after the moves that are still pending.
   * @param {Token} token
   * @returns {Ghost | null}
   */
  #intended(token) {
    const { ghost } = this.store.state;
    if (ghost?.token === token.id) return ghost;
    return token.at ? { token: token.id, at: token.at, facing: token.facing, text: "", path: [] } : null;
  }

  /** @param {Ghost} move @param {string} [override] the GM's reason to break the rules */
  async #send(move, override = "") {
    const { token, at, facing } = move;
    const path = move.path.length ? [...move.path, at] : [];
    const body = { token, at, facing, path, override };
    const ack = await this.#sendMove("token.move", body, move, (reason) => this.#send(move, reason));
    if (!override) this.#warn(ack?.result?.ruling);
  }

  /**
   * Send a command that moves tokens, and keep the ghost until its entry has arrived.
   * @template {"act" | "token.move"} K
   * @param {K} kind
   * @param {Sent.Commands[K]} body
   * @param {Ghost} ghost
   * @param {(reason: string) => Promise<void>} again sends it again with the GM's reason to break the rules
   */
  async #sendMove(kind, body, ghost, again) {
    this.store.set({ ghost });
    this.#sent = ghost;
    this.#pending += 1;
    const offer = { label: localize("Command.Override"), override: again };
    const ack = await this.session.send(kind, body, { offer });
    this.#pending -= 1;
    this.#expectedSeq = Math.max(this.#expectedSeq, ack?.seq ?? 0);
    this.#clearGhost();
    return ack;
  }

  /**
   * Remove the ghost of a sent move once its entry has arrived. Removed earlier, the next step would start from
   * the old cell.
   */
  #clearGhost() {
    const { ghost, replica } = this.store.state;
    if (ghost && ghost === this.#sent && !this.#pending && (replica?.seq ?? 0) >= this.#expectedSeq)
      this.store.set({ ghost: null });
  }

  /** Remove the ghost of a token that is gone, or that this seat may no longer play. */
  #dropStray() {
    const { ghost, replica } = this.store.state;
    const token = replica?.scene.tokens.find(({ id }) => id === ghost?.token);
    if (ghost && replica && !(token && this.canMove(token))) this.store.set({ ghost: null });
  }

  /** Show why a move is illegal, at a table that only warns. @param {Ruling | undefined} ruling */
  #warn(ruling) {
    const isWarned = this.store.state.replica?.scene.enforcement === "warn";
    if (isWarned && ruling && !ruling.allowed)
      this.session.notices.error(localize("Move.Illegal", { reasons: ruling.reasons.join(" ") }));
  }
}
