/** What lies under a point of the board: a token, a door. Pure. */

import { CELL, cellAt, middle, onPlane } from "../core/geometry.js";
import { radius } from "../core/draw-tokens.js";

/** @import {Cell, Scene, Token, Wall} from "../../types/contract.js" */

const NEAR_DOOR = CELL * 0.22;

/**
 * The token whose shape, or whose body, holds a point; the one drawn last where several do.
 * @param {Scene} scene
 * @param {Cell} point
 * @returns {Token | null}
 */
export function tokenAt(scene, point) {
  const cell = String(cellAt(scene.grid, point));
  const isUnder = (/** @type {Token} */ token) =>
    token.body
      ? token.body.cells.some((own) => String(own) === cell)
      : token.at !== null && apart(middle(scene.grid, token, token.at), point) <= radius(token) + 4;
  return scene.tokens.findLast(isUnder) ?? null;
}

/**
 * The door near a point.
 * @param {Scene} scene
 * @param {Cell} point
 * @returns {Wall | null}
 */
export function doorAt(scene, point) {
  return (
    scene.walls.find(
      (wall) => wall.door !== "none" && distanceToLine(point, onPlane(scene.grid, wall.line)) <= NEAR_DOOR,
    ) ?? null
  );
}

/** @param {Cell} a @param {Cell} b */
const apart = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);

/** @param {Cell} point @param {Wall["line"]} line */
function distanceToLine([x, y], [x1, y1, x2, y2]) {
  const length = (x2 - x1) ** 2 + (y2 - y1) ** 2 || 1;
  const t = Math.max(0, Math.min(1, ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / length));
  return apart([x, y], [x1 + t * (x2 - x1), y1 + t * (y2 - y1)]);
}
