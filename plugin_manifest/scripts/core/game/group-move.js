/** The move of a group as one act. Pure functions. */

/** @import {Cell, Ruleset, Sent, Token} from "../../../types/contract.js" */

/** The kind of act that moves a group. */
const GROUP_MOVE = "move_group";

/** Return whether the rules move a group by one act. @param {Ruleset} ruleset */
export const hasGroupMoves = ({ acts }) => acts.some(({ kind }) => kind === GROUP_MOVE);

/**
 * Return the act that moves tokens in formation: each by the way of the first, those in front before the others, so
 * that each finds its place free.
 * @param {Token} lead the token that is dragged
 * @param {Token[]} others the rest of the group
 * @param {Cell[]} way the waypoints of the lead, its end last
 * @returns {Sent.Act}
 */
export function groupMove(lead, others, way) {
  const from = /** @type {Cell} */ (lead.at);
  const [x, y] = /** @type {Cell} */ (way.at(-1));
  const ahead = (/** @type {Token} */ { at }) => (at ? at[0] * (x - from[0]) + at[1] * (y - from[1]) : 0);
  const members = [lead, ...others].filter(({ at }) => at).sort((a, b) => ahead(b) - ahead(a));
  const paths = members.map(({ at }) => way.map((step) => shifted(/** @type {Cell} */ (at), from, step)));
  const body = { members: members.map(({ id }) => id), paths };
  return { kind: GROUP_MOVE, token: lead.id, target: "", weapon: "", at: null, facing: null, body };
}

/** @param {Cell} at @param {Cell} from @param {Cell} to @returns {Cell} */
const shifted = (at, from, to) => [at[0] + to[0] - from[0], at[1] + to[1] - from[1]];
