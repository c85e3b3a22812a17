/** The order in which units act, as each game has it: one by one by initiative, side after side, or all in secret. */

import { inNameOrder } from "../ui/names.js";
import { hasActed } from "./store.js";

/** @import {Replica, Token, TurnState} from "../../../types/contract.js" */

/**
 * @typedef {object} TurnOrder
 * @property {"individual" | "sides" | "secret"} kind
 * @property {Token[]} acted those that have had their turn in this round
 * @property {Token | null} now
 * @property {string} slot the side that chooses the next unit; "" if a unit acts, or if no side chooses
 * @property {Token[]} ready those that are still to come, the next first
 * @property {Token[]} out those out of action
 * @property {{done: number, of: number} | null} chosen how many of this seat's secret answers are given
 */

/** The track with a unit's place in the round, and the one with its number. */
const [PLACE, NUMBER] = ["order", "initiative"];

/** @param {Token} token */
export const isOut = ({ conditions }) => "out" in conditions;

/**
 * Return a unit's initiative in a game in which each has its own; null in others.
 * @param {Token} token
 * @param {TurnState} turn
 */
export const initiativeOf = ({ id, tracks }, { order }) =>
  order.find(({ token }) => token === id)?.number ?? (PLACE in tracks ? (tracks[NUMBER] ?? null) : null);

/** @param {Replica} replica @returns {TurnOrder} */
export function turnOrder({ scene, turn, choice }) {
  const out = scene.tokens.filter(isOut);
  const all = scene.tokens.filter((token) => !isOut(token));
  const now = all.find(({ id, conditions }) => id === turn.token || "active" in conditions) ?? null;
  const rest = all.filter((token) => token !== now);
  const chosen = choice?.is_sealed ? answers([choice, ...(choice.others ?? [])]) : null;
  if (turn.order.length) return inGivenOrder(turn, { all, now, out, chosen });
  const isIndividual = all.some(({ tracks }) => PLACE in tracks);
  const bySide = inSideOrder(rest, scene.sides, isIndividual ? [] : turn.sides);
  const ordered = isIndividual ? bySide.toSorted((a, b) => placeOf(a) - placeOf(b)) : bySide;
  return {
    kind: chosen ? "secret" : isIndividual ? "individual" : "sides",
    acted: ordered.filter(hasActed),
    now,
    slot: !now && turn.sides.length === 1 ? turn.sides[0] : "",
    ready: ordered.filter((token) => !hasActed(token)),
    out: inNameOrder(out),
    chosen,
  };
}

/**
 * Return the order that the rules give: who stands before the unit that acts has had its turn.
 * @param {TurnState} turn
 * @param {{all: Token[], now: Token | null, out: Token[], chosen: TurnOrder["chosen"]}} parts
 * @returns {TurnOrder}
 */
function inGivenOrder({ order }, { all, now, out, chosen }) {
  const place = (/** @type {Token} */ { id }) => {
    const found = order.findIndex(({ token }) => token === id);
    return found < 0 ? order.length : found;
  };
  const ordered = all.filter((token) => token !== now).toSorted((a, b) => place(a) - place(b));
  const isBefore = (/** @type {Token} */ token) => now !== null && place(token) < place(now);
  return {
    ...{ kind: "individual", now, slot: "", chosen },
    acted: ordered.filter(isBefore),
    ready: ordered.filter((token) => !isBefore(token)),
    out: inNameOrder(out),
  };
}

/** @param {Token} token */
const placeOf = ({ tracks }) => tracks[PLACE] ?? Infinity;

/**
 * Count the units that have answered all that they are asked, and all units that are asked.
 * @param {{token: string, given?: string}[]} choices
 */
function answers(choices) {
  const asked = new Set(choices.map(({ token }) => token));
  const open = new Set(choices.filter(({ given }) => !given).map(({ token }) => token));
  return { done: asked.size - open.size, of: asked.size };
}

/**
 * Return units side by side, those of the next sides first, and by name within a side.
 * @param {Token[]} tokens
 * @param {{id: string}[]} sides
 * @param {string[]} next
 */
function inSideOrder(tokens, sides, next) {
  const rank = (/** @type {Token} */ { side }) =>
    (next.includes(side) ? 0 : sides.length) + sides.findIndex(({ id }) => id === side);
  return inNameOrder(tokens).toSorted((a, b) => rank(a) - rank(b));
}
