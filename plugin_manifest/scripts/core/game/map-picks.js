/** Places on the map that stand for something to choose: an act at a target or a cell, an answer to a question. */

import { CELL, center, tokenCenter } from "../map/geometry.js";

/** @import {Act, Cell, ChoiceOption, Grid, Target, Token} from "../../../types/contract.js" */

/**
 * Something to choose, and where: at tokens, at a cell, or in a direction from a token (degrees, 0 is up). The label of
 * one that `isTold` names whom it catches.
 * @template T
 * @typedef {{value: T, label: string, tokens: string[], at: Cell | null, toward: {token: string, facing: number} | null, caught: string[], isTold?: boolean}} Pick
 */

/** @typedef {{grid: Grid, tokens: readonly Token[]}} Board */

/** A pick farther than this from the chosen point is not meant, in 64ths of a cell. */
const FARTHEST = 64 * 1.5;

/** Return the picks of legal acts that differ by their place; not of those that are only planned. @param {readonly Target[]} targets @returns {Pick<Target>[]} */
export function actPicks(targets) {
  return targets
    .filter(({ legal, is_planned: isPlanned }) => legal && !isPlanned)
    .filter(({ act }) => act.target || act.at || act.facing !== null)
    .map((value) => {
      const { act, label, caught = [] } = value;
      const isAimed = !act.target && !act.at && act.facing !== null;
      return {
        value,
        label,
        caught: [...caught],
        tokens: act.target ? [act.target] : [],
        at: act.at,
        toward: isAimed ? { token: act.token, facing: act.facing ?? 0 } : null,
      };
    });
}

/** Return the picks of the answers to a question that are about tokens or cells. @param {readonly ChoiceOption[]} options @returns {Pick<string>[]} */
export const answerPicks = (options) =>
  options
    .filter(({ tokens, at }) => tokens?.length || at)
    .map(({ key, label, tokens = [], at = null }) => ({
      ...{ value: key, label, at, toward: null, caught: [] },
      tokens: at ? [] : [...tokens],
    }));

/** Return the pick of an act that is aimed at a cell, with whom it catches there. @param {Act} act @param {string} label @param {readonly string[]} caught @returns {Pick<Act>} */
export const aimedPick = (act, label, caught) => ({
  ...{ value: act, label, at: act.at, toward: null, tokens: [] },
  ...{ caught: [...caught], isTold: true },
});

/**
 * Return the direction of a point from the middle of its cell, one of eight in degrees; null near the middle.
 * @param {Grid} grid
 * @param {Cell} cell
 * @param {Cell} point in 64ths of a cell
 */
export function facingInCell(grid, cell, [x, y]) {
  const [middleX, middleY] = center(grid, cell);
  if (Math.hypot(x - middleX, y - middleY) < CELL / 5) return null;
  return (Math.round((Math.atan2(x - middleX, middleY - y) * 4) / Math.PI + 8) % 8) * 45;
}

/**
 * Return the pick that a point on the board means: the nearest of those at places near it, else that in its direction.
 * @template T
 * @param {Pick<T>[]} picks
 * @param {Board} scene
 * @param {[number, number]} point in 64ths of a cell
 * @returns {Pick<T> | null}
 */
export function pickAt(picks, scene, point) {
  let best = /** @type {Pick<T> | null} */ (null);
  let least = Infinity;
  for (const pick of picks) {
    const cost = pick.toward ? aside(pick.toward, scene, point) : distance(pick, scene, point);
    if (cost < least) [best, least] = [pick, cost];
  }
  return best;
}

/**
 * Return how far a point is from a pick's cell, or else from the nearest of its tokens; infinite if that is too far.
 * @param {Pick<unknown>} pick
 * @param {Board} scene
 * @param {[number, number]} point
 */
function distance({ tokens, at }, scene, [x, y]) {
  const centers = at
    ? [center(scene.grid, at)]
    : tokens.map((id) => middle(id, scene)).filter((one) => one !== null);
  const nearest = Math.min(...centers.map(([cx, cy]) => Math.hypot(cx - x, cy - y)));
  return nearest <= FARTHEST ? nearest : Infinity;
}

/** Return the angle between a pick's direction and a point. @param {{token: string, facing: number}} toward @param {Board} scene @param {[number, number]} point */
function aside({ token, facing }, scene, [x, y]) {
  const from = middle(token, scene);
  if (!from) return Infinity;
  const angle = (Math.atan2(x - from[0], from[1] - y) * 180) / Math.PI;
  return Math.abs(((angle - facing + 540) % 360) - 180);
}

/** @param {string} id @param {Board} scene @returns {readonly [number, number] | null} */
function middle(id, { grid, tokens }) {
  const token = tokens.find((one) => one.id === id);
  return token?.at ? tokenCenter(grid, token, token.at) : null;
}
