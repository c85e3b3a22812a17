/** Pan and zoom, as pure functions. */

import { CELL, cellAt, tokenCenter, toPlane } from "../../core/draw/geometry.js";
import { tokenRadius } from "../../core/draw/token-marks.js";

/** @import {Cell, Scene, Token, Wall} from "../../../types/contract.js" */
/** @import {Camera} from "../../../types/page.js" */

const NEAREST = 4;
const FURTHEST = 0.03;
const MARGIN = 24;

/**
 * The camera that shows a whole board in a view.
 * @param {[number, number]} board width and height in 64ths
 * @param {[number, number]} view width and height in pixels
 * @returns {Camera}
 */
export function fitCamera([width, height], [viewWidth, viewHeight]) {
  const scale = clamped(Math.min((viewWidth - 2 * MARGIN) / width, (viewHeight - 2 * MARGIN) / height));
  return { scale, left: (viewWidth - width * scale) / 2, top: (viewHeight - height * scale) / 2 };
}

/**
 * Nearer or further by a factor, with the point under the finger kept there.
 * @param {Camera} camera
 * @param {Cell} point in the view, in pixels
 * @param {number} factor
 * @returns {Camera}
 */
export function zoomCamera(camera, [x, y], factor) {
  const scale = clamped(camera.scale * factor);
  const real = scale / camera.scale;
  return { scale, left: x - (x - camera.left) * real, top: y - (y - camera.top) * real };
}

/** @param {Camera} camera @param {number} dx @param {number} dy in pixels @returns {Camera} */
export const panCamera = (camera, dx, dy) => ({ ...camera, left: camera.left + dx, top: camera.top + dy });

/** @param {Camera} camera @param {Cell} point in the view @returns {Cell} in 64ths of the board */
export const toBoard = ({ left, top, scale }, [x, y]) => [(x - left) / scale, (y - top) / scale];

/** @param {Camera} camera @param {Cell} point of the board @returns {Cell} in the view */
export const toView = ({ left, top, scale }, [x, y]) => [x * scale + left, y * scale + top];

/** @param {number} scale */
const clamped = (scale) => Math.min(NEAREST, Math.max(FURTHEST, scale));

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
      : token.at !== null && apart(tokenCenter(scene.grid, token, token.at), point) <= tokenRadius(token) + 4;
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
      (wall) => wall.door !== "none" && distanceToLine(point, toPlane(scene.grid, wall.line)) <= NEAR_DOOR,
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
