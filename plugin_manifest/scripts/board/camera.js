/** Pan and zoom, as pure functions. */

/** @import {Cell} from "../../types/contract.js" */
/** @import {Camera} from "../../types/page.js" */

const NEAREST = 4;
const FURTHEST = 0.03;
const MARGIN = 24;

/**
 * The camera that shows a whole board in a view.
 * @param {[number, number]} board width and height in 64ths
 * @param {[number, number]} view width and height in pixels
 * @returns {Camera}
 */
export function fitted([width, height], [viewWidth, viewHeight]) {
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
export function zoomed(camera, [x, y], factor) {
  const scale = clamped(camera.scale * factor);
  const real = scale / camera.scale;
  return { scale, left: x - (x - camera.left) * real, top: y - (y - camera.top) * real };
}

/** @param {Camera} camera @param {number} dx @param {number} dy in pixels @returns {Camera} */
export const panned = (camera, dx, dy) => ({ ...camera, left: camera.left + dx, top: camera.top + dy });

/** @param {Camera} camera @param {Cell} point in the view @returns {Cell} in 64ths of the board */
export const toBoard = ({ left, top, scale }, [x, y]) => [(x - left) / scale, (y - top) / scale];

/** @param {Camera} camera @param {Cell} point of the board @returns {Cell} in the view */
export const toView = ({ left, top, scale }, [x, y]) => [x * scale + left, y * scale + top];

/** @param {number} scale */
const clamped = (scale) => Math.min(NEAREST, Math.max(FURTHEST, scale));
