/** The move of a group as one act. Pure functions. */

import { cellAt, center, isHex } from "../map/geometry.js";

/** @import {Cell, Grid, Ruleset, Sent, Token} from "../../../types/contract.js" */

/** The kind of act that moves a group. */
const GROUP_MOVE = "move_group";

/** Return whether the rules move a group by one act. @param {Ruleset} ruleset */
export const hasGroupMoves = ({ acts }) => acts.some(({ kind }) => kind === GROUP_MOVE);

/**
 * Return the act that moves tokens in formation: each by the way of the first, those in front before the others, so
 * that each finds its place free.
 * @param {Grid} grid
 * @param {Token} lead the token that is dragged
 * @param {Token[]} others the rest of the group
 * @param {Cell[]} way the waypoints of the lead, its end last
 * @returns {Sent.Act}
 */
export function groupMove(grid, lead, others, way) {
  const from = /** @type {Cell} */ (lead.at);
  const members = inOrder(grid, [lead, ...others], from, /** @type {Cell} */ (way.at(-1)));
  const paths = members.map(({ at }) =>
    way.map((step) => shifted(grid, /** @type {Cell} */ (at), from, step)),
  );
  const body = { members: members.map(({ id }) => id), paths };
  return { kind: GROUP_MOVE, token: lead.id, target: "", weapon: "", at: null, facing: null, body };
}

/**
 * Return the tokens on the board in the order of a move from a cell to another: those in front first.
 * @param {Grid} grid
 * @param {Token[]} tokens
 * @param {Cell} from
 * @param {Cell} to
 */
export function inOrder(grid, tokens, from, to) {
  const [[x, y], [toX, toY]] = [center(grid, from), center(grid, to)];
  const ahead = (/** @type {Token} */ { at }) => {
    const [atX, atY] = center(grid, at ?? from);
    return atX * (toX - x) + atY * (toY - y);
  };
  return tokens.filter(({ at }) => at).sort((a, b) => ahead(b) - ahead(a));
}

/**
 * Return a cell moved as far as from one cell to another. On hexes that is a step on the plane: the same columns and
 * rows lead to another hex from a row that is shifted.
 * @param {Grid} grid
 * @param {Cell} at
 * @param {Cell} from
 * @param {Cell} to
 * @returns {Cell}
 */
export function shifted(grid, at, from, to) {
  if (!isHex(grid)) return [at[0] + to[0] - from[0], at[1] + to[1] - from[1]];
  const [[x, y], [fromX, fromY], [toX, toY]] = [center(grid, at), center(grid, from), center(grid, to)];
  return cellAt(grid, [x + toX - fromX, y + toY - fromY]);
}
