/** The activity of the person at a page, and the layers that help with it: one at a time. */

import { canPlay, hasActed, selectedToken } from "./store.js";

/** @import {LayerKey} from "../../../types/contract.js" */
/** @import {TableState} from "../../../types/page.js" */

/**
 * @typedef {"watching" | "ready" | "moving" | "aiming" | "answering" | "advised"} Activity `watching`: nothing of this seat
 *   can be done with what is selected; `ready`: the selected unit can move or act
 */

/** @type {Record<Activity, LayerKey[]>} */
export const LAYERS_OF = {
  watching: [],
  ready: ["reach"],
  moving: ["reach", "reactions"],
  aiming: ["blind", "targets"],
  answering: ["targets"],
  advised: [],
};

/** Return what the person is doing. @param {TableState} state @returns {Activity} */
export function activityOf(state) {
  const { ghost, target, replica, decision, isDeciding } = state;
  if (ghost) return "moving";
  if (target) return "aiming";
  if (replica?.choice && !replica.choice.given) return "answering";
  if (decision || isDeciding) return "advised";
  return isReady(state) ? "ready" : "watching";
}

/** Return whether the selected unit can act now, or no battle is on. @param {TableState} state */
function isReady(state) {
  const token = selectedToken(state);
  if (!token || !state.replica || !canPlay(state, token)) return false;
  const { turn } = state.replica;
  if (!turn.round || turn.is_over) return true;
  if (turn.token) return turn.token === token.id;
  return "active" in token.conditions || (turn.sides.includes(token.side) && !hasActed(token));
}
