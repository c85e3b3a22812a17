/** The next step of the turn for this seat: what the dock's filled button, and the space bar, do. */

import { formatOdds } from "../../core/dice/notation.js";
import { tokenCenter } from "../../core/map/geometry.js";
import { targetsByToken } from "../../core/draw/overlay-marks.js";
import { ROUND, canPlay, isGm, nextRoundAct } from "../../core/game/store.js";
import { isOut, turnOrder } from "../../core/game/turn-order.js";
import { localize } from "../../core/ui/i18n.js";

/** @import {Act, Cell, Overlay, Replica, Target, Token} from "../../../types/contract.js" */
/** @import {TableState} from "../../../types/page.js" */

/**
 * @typedef {object} Step
 * @property {string} label
 * @property {string} detail what it leads to; "" if that is plain
 * @property {Act | null} act
 * @property {string} select the unit that is selected first; "" for none
 */

/**
 * Return the next step that this seat may take: start a round, act with a unit, attack, end its turn. There is none
 * until it is known what the selected unit can do.
 * @param {TableState} state
 * @returns {Step | null}
 */
export function nextStep(state) {
  const { replica, overlay, selected } = state;
  if (!replica || replica.choice || replica.turn.is_over) return null;
  const token = replica.scene.tokens.find(({ id }) => id === selected);
  const isOwn = token !== undefined && canPlay(state, token);
  if (isOwn && state.isOverlayDue) return null; // the step of another unit would be the wrong one
  const own =
    isOwn && overlay?.token === selected ? stepOf(state, token, /** @type {Overlay} */ (overlay)) : null;
  return own ?? roundStep(state) ?? otherUnit(state);
}

/** @param {TableState} state @param {Token} token @param {Overlay} overlay @returns {Step | null} */
function stepOf(state, token, overlay) {
  const start = offerOf(overlay, "activate");
  if (start) return { label: `${start.label}: ${token.name}`, detail: "", act: start.act, select: "" };
  const end = offerOf(overlay, "end");
  if (!end) return null;
  const found = bestTarget(state, token);
  const name = state.replica?.scene.tokens.find(({ id }) => id === found?.id)?.name ?? "";
  if (found?.best.legal && !found.best.is_planned && !hasJustAttacked(state, token))
    return {
      label: localize("Dock.AttackOn", { name }),
      detail: [found.best.label, formatOdds(found.best)].join(", "),
      act: found.best.act,
      select: "",
    };
  const left = overlay.reach?.budget && !overlay.reach.bands?.length ? overlay.reach.budget : 0;
  const detail = left ? localize("Dock.Unused", { points: left }) : "";
  return { label: `${end.label}: ${token.name}`, detail, act: end.act, select: "" };
}

/** Return the legal offer of a kind of act without a target. @param {Overlay} overlay @param {string} kind */
export const offerOf = ({ targets }, kind) =>
  targets.find(({ act, legal, target }) => act.kind === kind && legal && !target);

/** @param {TableState} state @returns {Step | null} */
function roundStep(state) {
  const { turn, scene, ruleset } = /** @type {Replica} */ (state.replica);
  const isBetween = !turn.token && !turn.sides.length;
  const opening = ruleset.acts.find(({ kind }) => kind === turn.opening);
  if (opening && isGm(state) && scene.tokens.length)
    return { label: opening.label, detail: "", act: { ...nextRoundAct(), kind: opening.kind }, select: "" };
  const hasRounds = ruleset.acts.some(({ kind }) => kind === ROUND);
  if (!isGm(state) || !hasRounds || !scene.tokens.length || !(isBetween || !turn.round)) return null;
  const label = localize("Turn.StartRound", { round: turn.round + 1 });
  return { label, detail: "", act: nextRoundAct(), select: "" };
}

/** Return the step to another unit of this seat whose turn it can be. @param {TableState} state @returns {Step | null} */
function otherUnit(state) {
  const replica = /** @type {Replica} */ (state.replica);
  const { now, ready } = turnOrder(replica);
  const { turn, scene } = replica;
  const able = now ? [now] : ready.filter(({ side }) => turn.sides.includes(side));
  const own = able.filter((one) => one.at && one.id !== state.selected && canPlay(state, one));
  const token = nearestToEnemy(scene, own);
  if (!token || !turn.round) return null;
  const detail = scene.sides.find(({ id }) => id === token.side)?.name ?? "";
  return { label: localize("Dock.ActWith", { name: token.name }), detail, act: null, select: token.id };
}

/**
 * Return the unit with an enemy nearest to it, who likely has something to do; the first of equal ones.
 * @param {Replica["scene"]} scene
 * @param {Token[]} units
 * @returns {Token | undefined}
 */
function nearestToEnemy(scene, units) {
  const { grid, tokens } = scene;
  const centerOf = (/** @type {Token} */ one) => tokenCenter(grid, one, /** @type {Cell} */ (one.at));
  const distance = (/** @type {Token} */ unit) => {
    const isAlly = allyTest(scene, unit);
    const [x, y] = centerOf(unit);
    const enemies = tokens.filter((one) => one.at && !isOut(one) && !isAlly(one.id)).map(centerOf);
    return Math.min(Infinity, ...enemies.map(([a, b]) => Math.hypot(a - x, b - y)));
  };
  return units
    .map((unit) => ({ unit, near: distance(unit) }))
    .reduce(
      (best, one) => (!best || one.near < best.near ? one : best),
      /** @type {{unit: Token, near: number} | null} */ (null),
    )?.unit;
}

/** Return whether the last thing that happened was this unit's attack. @param {TableState} state @param {Token} token */
function hasJustAttacked({ replica }, { id }) {
  const last = replica?.log.findLast(({ kind }) => kind === "act" || kind.startsWith("choice."));
  return Boolean(last?.facts.target) && last?.facts.token === id;
}

/**
 * Return the enemy that a unit hits most likely; an impossible attack if there is no other.
 * @param {TableState} state
 * @param {Token} token
 * @returns {{id: string, best: Target} | null}
 */
export function bestTarget({ overlay, replica }, token) {
  if (!overlay || !replica) return null;
  const found = targetsInOrder(replica, overlay, token).enemies[0];
  if (!found) return null;
  const [id, acts] = found;
  // To defend against an enemy is likelier than to hit it, and no attack.
  const best = acts.find(({ act, legal, chance }) => act.kind !== "defend" && legal && chance[0] > 0);
  return { id, best: best ?? acts[0] };
}

/**
 * Return the targets of a unit, each with its acts: enemies by their odds, and allies apart.
 * @param {Replica} replica
 * @param {Overlay} overlay
 * @param {Token} token
 */
export function targetsInOrder({ scene }, overlay, token) {
  const isAlly = allyTest(scene, token);
  const all = [...targetsByToken(overlay)];
  const odds = (/** @type {Target} */ { legal, chance: [part, whole] }) => (legal ? part / whole : -1);
  const sorted = all.toSorted(([, [a]], [, [b]]) => odds(b) - odds(a));
  return {
    enemies: sorted.filter(([id]) => !isAlly(id)),
    allies: sorted.filter(([id]) => isAlly(id)),
  };
}

/** Return a test whether a unit is on a unit's side or team. @param {Replica["scene"]} scene @param {Token} token */
function allyTest({ sides, tokens }, token) {
  const teamOf = (/** @type {string} */ side) => sides.find(({ id }) => id === side)?.team || side;
  const sideOf = new Map(tokens.map(({ id, side }) => [id, side]));
  return (/** @type {string} */ id) => teamOf(sideOf.get(id) ?? "") === teamOf(token.side);
}

/**
 * Return whether an act would harm an ally: enemies get the same act, so it is no help.
 * @param {Replica} replica
 * @param {Overlay} overlay
 * @param {Token} token
 * @param {Target} target
 */
export function isHarmOfAlly({ scene }, overlay, token, target) {
  const isAlly = allyTest(scene, token);
  if (!target.target || target.target === token.id || !isAlly(target.target)) return false;
  return overlay.targets.some(
    ({ act, target: other }) => other && !isAlly(other) && act.kind === target.act.kind,
  );
}
