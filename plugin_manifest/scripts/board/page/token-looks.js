/** The looks of the map's tokens by the state of the page: portraits, labels, and signs of whose turn it is. */

import { canPlay, hasActed } from "../../core/game/store.js";
import { initialsOf } from "./token-art.js";

/** @import {Token} from "../../../types/contract.js" */
/** @import {TableState} from "../../../types/page.js" */
/** @import {TokenLook} from "../../core/draw/token-shape.js" */
/** @import {TokenPortraits} from "./token-portraits.js" */

/** The conditions that a token shows by how it is drawn. */
const DRAWN_CONDITIONS = new Set(["active", "activated", "acted", "downed", "out"]);

/**
 * Return the look of each token: its portrait, a label that no other token has, whether it is the
 * player's own, may act now or has acted, and its conditions.
 * @param {TableState} state
 * @param {TokenPortraits} portraits
 * @returns {(token: Token) => TokenLook}
 */
export function lookOf(state, portraits) {
  const { replica } = state;
  const labels = initialsOf(replica?.scene.tokens ?? []);
  return (token) => ({
    label: labels.get(token.id) ?? "",
    portrait: replica && portraits.get(token, replica.scene),
    isOwn: replica?.role === "player" && canPlay(state, token),
    isReady: canPlay(state, token) && isNext(replica, token),
    isDone: hasActed(token),
    conditions: Object.keys(token.conditions).filter(
      (name) => replica?.ruleset.conditions[name] && !DRAWN_CONDITIONS.has(name),
    ).length,
  });
}

/** Return whether a token is one of those that may act next. @param {TableState["replica"]} replica @param {Token} token */
function isNext(replica, token) {
  if (!replica?.turn || replica.turn.is_over || hasActed(token)) return false;
  const { token: one, sides, round } = replica.turn;
  const isDown = "downed" in token.conditions || "out" in token.conditions;
  return round > 0 && !isDown && (one ? one === token.id : sides.includes(token.side));
}
