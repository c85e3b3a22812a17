/**
 * Moves on Foundry's canvas while a branch has the page: what this user moves or turns there acts in the branch, and
 * Foundry's token stays where the battle has it.
 */

import { facings } from "../core/map/geometry.js";
import { localize } from "../core/ui/i18n.js";
import { guarded, onHook } from "./boundary.js";
import { moveToken } from "./branch-switch.js";
import { cellUnder, tokenCell, tokenSize } from "./canvas/board-position.js";
import { savedPlace } from "./read/saved-place.js";
import { isAtTable } from "./read/table-scene.js";
import { isOwnChange } from "./sync/document-hooks.js";

/** @import {Cell, Grid, Replica, Token} from "../../types/contract.js" */
/** @import {SeatUi} from "./seat-ui.js" */

/** The method of a movement that a macro or another module makes (13 and later); all others are the user's own. */
const BY_PROGRAM = "api";
const FIRST_WITH_METHODS = 13;

/** Moves go to the branch one after another, so that a turn starts where the move before it has led. */
let last = Promise.resolve();
/** UIs of branches that have said where a dragged token goes. @type {WeakSet<SeatUi>} */
const explained = new WeakSet();

/**
 * Registers the hooks for as long as the page is open. Both hooks run on the page of the user who moves a token, before
 * Foundry changes it, and refuse the change by returning false.
 * @param {() => SeatUi | null} seatUi
 */
export function registerBranchMoves(seatUi) {
  /** @type {(token: Foundry.TokenDocument, options: Foundry.ChangeOptions) => SeatUi | null} */
  const branchUi = (token, options) => {
    const ui = seatUi();
    return ui?.context.branch && isAtTable(token) && !isOwnChange(options) ? ui : null;
  };
  onHook("preMoveToken", (token, /** @type {Foundry.TokenMovementOperation} */ movement, options) => {
    const ui = branchUi(token, options);
    if (!ui || movement.method === BY_PROGRAM) return undefined;
    const way = [...movement.passed.waypoints, ...movement.pending.waypoints];
    const last = way.pop();
    const places = way.filter(({ explicit, checkpoint }) => explicit || checkpoint);
    return last ? moveInBranch(ui, token, [...places, last], null) : undefined;
  });
  onHook("preUpdateToken", (token, changes, options) => {
    const ui = branchUi(token, options);
    // 12 does not tell a drag from a macro's move; a user moves and turns the tokens that the user controls.
    if (!ui || !canvas.tokens?.get(token.id)?.controlled) return undefined;
    const isMoved = game.release.generation < FIRST_WITH_METHODS && ("x" in changes || "y" in changes);
    if (!isMoved && !("rotation" in changes)) return undefined;
    const saved = savedPlace(token);
    const { x = saved.x, y = saved.y, rotation = null } = changes;
    return moveInBranch(ui, token, isMoved ? [{ x, y }] : [], rotation);
  });
}

/**
 * Moves a token in the branch instead of in Foundry.
 * @param {SeatUi} ui the branch's
 * @param {Foundry.TokenDocument} document
 * @param {{x: number, y: number}[]} way the token's corners at its waypoints and its end; empty for a turn in place
 * @param {number | null} rotation as Foundry counts it; null leaves the facing
 * @returns {false} Foundry's token stays
 */
function moveInBranch(ui, document, way, rotation) {
  const { store, notices } = ui.context;
  const known = () => store.state.replica?.scene.tokens.find(({ id }) => id === document.id);
  const { replica } = store.state;
  const token = known();
  if (!replica || !token?.at) {
    notices.error(localize("Branch.NotHere", { name: document.name }));
    return false;
  }
  const cells = way.map((corner) => cellOf(replica, token, document, corner));
  const end = cells.pop();
  const facing = rotation === null ? null : facingOf(replica.scene.grid, rotation);
  if (!explained.has(ui)) notices.info(localize("Branch.DragHint"));
  explained.add(ui);
  const move = async () => {
    const now = known();
    const at = end ?? now?.at;
    if (now && at) await moveToken(ui.context, now, at, facing, cells);
  };
  last = last.then(guarded("hook", move)).catch(() => {}); // the guard has told of it
  return false;
}

/**
 * Returns the cell of a token with its corner at a point of the canvas.
 * @param {Replica} replica
 * @param {Token} token
 * @param {Foundry.TokenDocument} document
 * @param {{x: number, y: number}} corner
 * @returns {Cell}
 */
function cellOf(replica, token, document, { x, y }) {
  const { width, height } = savedPlace(document);
  if (!token.body) return tokenCell(replica.scene.grid, { x, y, width, height }, canvas);
  const [wide, high] = tokenSize({ width, height }, canvas.grid);
  return cellUnder(replica, token, { x: x + wide / 2, y: y + high / 2 }, canvas);
}

/**
 * Returns the facing for a rotation, by the rules of the server's importer: the nearest that the grid has.
 * @param {Grid} grid
 * @param {number} rotation in Foundry's degrees, clockwise from the bottom of the board
 */
export function facingOf(grid, rotation) {
  const compass = (((rotation + 180) % 360) + 360) % 360;
  if (grid.kind === "gridless") return Math.round(compass) % 360;
  const apart = (/** @type {number} */ facing) => {
    const degrees = Math.abs(facing - compass);
    return Math.min(degrees, 360 - degrees);
  };
  return facings(grid).reduce((best, facing) => (apart(facing) < apart(best) ? facing : best));
}
