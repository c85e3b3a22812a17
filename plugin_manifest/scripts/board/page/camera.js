/** Pan, zoom and hit tests, as pure functions. */

import { CELL, cellAt, toPlane, tokenCenter } from "../../core/map/geometry.js";
import { tokenRadius } from "../../core/draw/token-size.js";
import { distanceToLine } from "../../core/draw/wall-edits.js";

/** @import {Cell, Scene, Token, Wall} from "../../../types/contract.js" */
/** @import {Camera} from "../../../types/page.js" */
/** @import {Insets} from "./free-area.js" */

const MAX_SCALE = 4;
const MIN_SCALE = 0.03;
const MARGIN = 12;
/** Nothing covers the view. */
const FREE = { left: 0, top: 0, right: 0, bottom: 0 };
/** The browser rounds the places of panels to whole pixels. */
const ROUNDING = 2;
const TOKEN_MARGIN = 4;
const DOOR_MARGIN = CELL * 0.22;

/**
 * Return the camera that shows a whole board in the part of a view that panels leave free.
 * @param {[number, number]} board width and height in 64ths of a cell
 * @param {[number, number]} view width and height in pixels
 * @param {Insets} [covered] what panels cover at the view's edges
 * @returns {Camera}
 */
export function fitCamera([width, height], [viewWidth, viewHeight], { left, top, right, bottom } = FREE) {
  const free = [viewWidth - left - right, viewHeight - top - bottom];
  const scale = clampScale(Math.min((free[0] - 2 * MARGIN) / width, (free[1] - 2 * MARGIN) / height));
  return { scale, left: left + (free[0] - width * scale) / 2, top: top + (free[1] - height * scale) / 2 };
}

/**
 * Zoom by a factor; the board point under the pointer stays there.
 * @param {Camera} camera
 * @param {Cell} point in the view, in pixels
 * @param {number} factor
 * @returns {Camera}
 */
export function zoomCamera(camera, [x, y], factor) {
  const scale = clampScale(camera.scale * factor);
  const applied = scale / camera.scale;
  return { scale, left: x - (x - camera.left) * applied, top: y - (y - camera.top) * applied };
}

/** @param {Camera} camera @param {number} dx @param {number} dy in pixels @returns {Camera} */
export const panCamera = (camera, dx, dy) => ({ ...camera, left: camera.left + dx, top: camera.top + dy });

/** @param {Camera} camera @param {Cell} point in the view @returns {Cell} in 64ths on the board */
export const toBoard = ({ left, top, scale }, [x, y]) => [(x - left) / scale, (y - top) / scale];

/** @param {Camera} camera @param {Cell} point on the board @returns {Cell} in the view */
export const toView = ({ left, top, scale }, [x, y]) => [x * scale + left, y * scale + top];

/**
 * Return the part of a view, from its upper left corner, that a panel leaves free. On a phone a panel lies at the lower
 * edge or at the right one, and covers it whole; one that lies elsewhere leaves the view as it is.
 * @param {Cell} view its width and height in pixels
 * @param {{offsetLeft: number, offsetTop: number, offsetWidth: number, offsetHeight: number} | null} panel in the view
 * @returns {Cell} width and height
 */
export function freePart([width, height], panel) {
  if (!panel) return [width, height];
  const { offsetLeft: left, offsetTop: top } = panel;
  const isAtEdge =
    left + panel.offsetWidth > width - ROUNDING && top + panel.offsetHeight > height - ROUNDING;
  if (isAtEdge && left < ROUNDING) return [width, top];
  if (isAtEdge && top < ROUNDING) return [left, height];
  return [width, height];
}

/** @param {number} scale */
const clampScale = (scale) => Math.min(MAX_SCALE, Math.max(MIN_SCALE, scale));

/**
 * Return the topmost token whose shape or footprint contains a point.
 * @param {Scene} scene
 * @param {Cell} point on the board
 * @returns {Token | null}
 */
export function tokenAt(scene, point) {
  const cell = String(cellAt(scene.grid, point));
  const contains = (/** @type {Token} */ token) =>
    token.body
      ? token.body.cells.some((own) => String(own) === cell)
      : token.at !== null &&
        distance(tokenCenter(scene.grid, token, token.at), point) <= tokenRadius(token) + TOKEN_MARGIN;
  return scene.tokens.findLast(contains) ?? null;
}

/**
 * Return the door near a point.
 * @param {Scene} scene
 * @param {Cell} point on the board
 * @returns {Wall | null}
 */
export function doorAt(scene, point) {
  const isNear = (/** @type {Wall} */ wall) =>
    distanceToLine(point, toPlane(scene.grid, wall.line)) <= DOOR_MARGIN;
  return scene.walls.find((wall) => wall.door !== "none" && isNear(wall)) ?? null;
}

/** @param {Cell} a @param {Cell} b */
const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
