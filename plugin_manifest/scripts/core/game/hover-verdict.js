/** The verdict on the hovered token: after the pointer rests on it, and again whenever the table changes. */

import { RestingQuestion } from "./resting-question.js";

/** @import {TableState} from "../../../types/page.js" */
/** @import {Session} from "./session.js" */
/** @import {Store} from "./store.js" */

/** @typedef {NonNullable<ReturnType<typeof questionOf>>} Question */

/**
 * Keep the state's `verdict` current: from the selected token to the hovered one.
 * @param {Store} store
 * @param {Pick<Session, "requestVerdict">} session
 */
export function hoverVerdict(store, session) {
  const question = new RestingQuestion({
    ask: (/** @type {Question} */ { token, target }) => session.requestVerdict(token, target),
    take: (verdict) => store.set({ verdict }),
    drop(/** @type {Question | null} */ asked) {
      const { verdict } = store.state;
      // The verdict on the same pair stays until the new one has come.
      const isSame = asked && verdict?.token === asked.token && verdict?.target === asked.target;
      if (verdict && !isSame) store.set({ verdict: null });
    },
  });
  store.subscribe((state) => question.put(questionOf(state)));
}

/**
 * Return the verdict that a state calls for. Null if it calls for none: this seat has no overlay of the selected token,
 * no other token is hovered, or the hovered token is off the board.
 * @param {TableState} state
 */
function questionOf({ replica, overlay, selected, hovered }) {
  const isOnBoard = replica?.scene.tokens.some(({ id, at }) => id === hovered && at);
  if (!replica || !selected || !hovered || !isOnBoard) return null;
  if (hovered === selected || overlay?.token !== selected) return null;
  return { epoch: replica.epoch, seq: replica.seq, token: selected, target: hovered };
}

/**
 * Return the next token to inspect from the selected one, in the order of the scene. Null if no token is selected or
 * the board has no other.
 * @param {TableState} state
 * @param {1 | -1} direction
 * @returns {string | null}
 */
export function nextHoverTarget({ replica, selected, hovered }, direction) {
  const others = (replica?.scene.tokens ?? []).filter(({ id, at }) => at && id !== selected);
  if (!selected || !others.length) return null;
  const index = others.findIndex(({ id }) => id === hovered);
  const next = index < 0 ? (direction > 0 ? 0 : others.length - 1) : index + direction;
  return others[(next + others.length) % others.length].id;
}
