/** The body of a token: its side's shape or its portrait, the true base, the notch for the facing, its letters. Pure functions. */

import { baseRadius } from "./bases.js";
import { cellMarks } from "./board-marks.js";
import { pointToward, regularPolygon, tokenCenter } from "../map/geometry.js";
import { INK, IVORY, WHITE, sideStyle } from "./palette.js";
import { initials } from "./token-names.js";
import { circle, hiddenRing } from "./token-rings.js";
import { labelMarks } from "./token-signs.js";
import { tokenRadius } from "./token-size.js";

/** @import {Cell, Grid, Mark, Side, Style, Token} from "../../../types/contract.js" */

/**
 * The look of a token beyond its shape: its portrait with the frame, its label, and signs: a player's own, may act now, has acted, and how many conditions it has.
 * @typedef {{label: string,
 *   portrait?: {key: string, canvas: HTMLCanvasElement} | null, isOwn?: boolean, isReady?: boolean, isDone?: boolean,
 *   conditions?: number}} TokenLook
 */

/** Return the look of a token without a portrait or sign. @param {Token} token @returns {TokenLook} */
export const PLAIN_LOOK = (token) => ({ label: initials(token.name) });

/**
 * Draw a token at a place.
 * @param {Grid} grid
 * @param {Side[]} sides
 * @param {Token} token
 * @param {Cell} at
 * @param {number | null} facing
 * @param {TokenLook} [look]
 * @returns {Mark[]}
 */
export function tokenShape(grid, sides, token, at, facing, look = PLAIN_LOOK(token)) {
  const side = sideStyle(sides.findIndex(({ id }) => id === token.side));
  const place = tokenCenter(grid, token, at);
  const isDown = "downed" in token.conditions;
  const style = { color: side.color, fill: token.hidden ? 0.35 : 1, pattern: /** @type {const} */ ("solid") };
  return [
    ...footprintMarks(grid, token, at, { ...style, fill: style.fill * 0.25, line: 1, width: 3 }),
    ...(grid.kind === "gridless" ? baseMarks(place, token, style) : []),
    ...notch(place, tokenRadius(token), facing, side.color),
    ...(look.portrait
      ? portraitMarks(place, token, look.portrait, isDown)
      : shapeMarks(place, token, side, { ...style, line: 1, width: 3 })),
    ...labelMarks(place, token, look, isDown ? WHITE : side.ink),
  ];
}

/** Draw the true base of a token without a grid: a thin ring, also where the token is drawn larger. @param {Cell} at @param {Token} token @param {Style} style @returns {Mark[]} */
function baseMarks(at, token, { color, fill = 1 }) {
  const ring = (/** @type {Style} */ style) => circle(at, baseRadius(token), style);
  return [
    ring({ color, fill: fill * 0.25, pattern: "solid", line: 0.7, width: 4 }),
    ring({ color: IVORY, line: 0.9, width: 1.5 }),
  ];
}

/**
 * Draw a portrait in its frame: faint while the token is hidden, small and gray while it lies.
 * @param {Cell} at
 * @param {Token} token
 * @param {{key: string, canvas: HTMLCanvasElement}} portrait
 * @param {boolean} isDown
 * @returns {Mark[]}
 */
function portraitMarks([x, y], token, { key, canvas }, isDown) {
  const size = tokenRadius(token) * (isDown ? 1.7 : 2.1);
  const shade = circle([x + 2, y + 4], size * 0.47, { color: INK, fill: 0.45 });
  const alpha = token.hidden ? 0.5 : isDown ? 0.85 : 1;
  return [
    ...(token.hidden ? hiddenRing([x, y], tokenRadius(token)) : [shade]),
    { kind: "picture", at: [x, y], size, key, source: canvas, alpha, ...(isDown && { turn: 80 }) },
  ];
}

/**
 * Draw a token's plain shape, where there is no portrait.
 * @param {Cell} at
 * @param {Token} token
 * @param {ReturnType<typeof sideStyle>} side
 * @param {Style} style
 * @returns {Mark[]}
 */
function shapeMarks([x, y], token, side, style) {
  const isDown = "downed" in token.conditions;
  const shape = sidePolygon(side, [x, y], tokenRadius(token), isDown);
  return [
    { kind: "polygon", points: shape, style: { ...style, color: INK, line: 1, width: 6, fill: 0 } },
    { kind: "polygon", points: shape, style },
    ...(isDown ? [flatCross([x, y], tokenRadius(token))] : []),
  ];
}

/**
 * Draw the cells of a token with a footprint of its own.
 * @param {Grid} grid
 * @param {Token} token
 * @param {Cell} at
 * @param {Style} style
 * @returns {Mark[]}
 */
function footprintMarks(grid, token, at, style) {
  if (!token.body || !token.at) return [];
  const [now, there] = [tokenCenter(grid, token, token.at), tokenCenter(grid, token, at)];
  const dark = { color: INK, line: 0.9, width: 8 };
  const marks = [...cellMarks(grid, token.body.cells, dark), ...cellMarks(grid, token.body.cells, style)];
  return marks.map((mark) => translate(mark, there[0] - now[0], there[1] - now[1]));
}

/** @param {Mark} mark @param {number} dx @param {number} dy @returns {Mark} */
function translate(mark, dx, dy) {
  if (mark.kind === "cells") return { ...mark, shift: [dx, dy] };
  if (!("points" in mark)) return mark;
  return { ...mark, points: mark.points.map((value, i) => value + (i % 2 ? dy : dx)) };
}

/**
 * @param {{corners: number, turn: number}} look
 * @param {Cell} at
 * @param {number} size
 * @param {boolean} isDown flattens the shape
 */
function sidePolygon({ corners, turn }, [x, y], size, isDown) {
  const reach = corners === 4 ? size * (turn ? 1.2 : 1) : size;
  const points = regularPolygon([x, y], reach, corners || 28, turn);
  return isDown ? points.map((value, i) => (i % 2 ? y + (value - y) * 0.55 : value)) : points;
}

/**
 * @param {Cell} at
 * @param {number} size
 * @param {number | null} facing
 * @param {number} color
 * @returns {Mark[]}
 */
function notch(at, size, facing, color) {
  if (facing === null) return [];
  const points = [
    ...pointToward(at, facing, size + 9),
    ...pointToward(at, facing + 22, size + 1),
    ...pointToward(at, facing - 22, size + 1),
  ];
  return [
    { kind: "polygon", points, style: { color: INK, fill: 0, line: 1, width: 6 } },
    { kind: "polygon", points, style: { color, fill: 1, pattern: "solid", line: 1, width: 1 } },
  ];
}

/** Draw the flattened cross of a downed token. @param {Cell} at @param {number} size @returns {Mark} */
function flatCross([x, y], size) {
  const [dx, dy] = [size * 0.8, size * 0.42];
  return {
    kind: "lines",
    points: [x - dx, y - dy, x + dx, y + dy, x - dx, y + dy, x + dx, y - dy],
    style: { color: INK, line: 0.8, width: 3 },
  };
}
