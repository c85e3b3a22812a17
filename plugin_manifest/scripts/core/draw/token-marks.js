/** Tokens as lists of marks: those on the board, a dragged one, and those of a step of an act. Pure functions. */

import { tokenCenter } from "../map/geometry.js";
import { dashed } from "./board-marks.js";
import { IVORY, WHITE, YELLOW } from "./palette.js";
import { activeMarks, readyMarks, ringMark } from "./token-rings.js";
import { PLAIN_LOOK, tokenShape } from "./token-shape.js";
import { pips, signMarks } from "./token-signs.js";
import { areTokensCrowded, tokenRadius } from "./token-size.js";

/** @import {ActStep, Cell, Grid, Mark, Scene, Token} from "../../../types/contract.js" */
/** @import {TokenLook} from "./token-shape.js" */

/** The length of a dot of a planned move's way, in 64ths of a cell. */
const WAY_DASH = 6;

/**
 * Draw every token on the board.
 * @param {Scene} scene
 * @param {{selected: string | null, picked?: string[], maxHitPoints: Record<string, number>, lookOf?: (token: Token) => TokenLook}} options
 *   `lookOf` gives a token its portrait, label and signs
 * @returns {Mark[]}
 */
export function tokenMarks(scene, { selected, picked = [], maxHitPoints, lookOf = PLAIN_LOOK }) {
  const active = scene.conditions.active;
  return scene.tokens.flatMap((token) => {
    if (!token.at) return [];
    const highlights = [
      token.id === selected || picked.includes(token.id) ? ringMark(scene.grid, token, WHITE, 4) : [],
      token.id === active ? activeMarks(scene.grid, token) : [],
      !selected && !areTokensCrowded() && lookOf(token).isReady && token.id !== active
        ? readyMarks(scene.grid, token)
        : [],
    ];
    return [
      ...highlights.flat(),
      ...tokenShape(scene.grid, scene.sides, token, token.at, token.facing, lookOf(token)),
      ...signMarks(scene.grid, token, lookOf(token)),
      ...pips(scene.grid, token, maxHitPoints[token.id] ?? 0),
    ];
  });
}

/**
 * Draw a dragged token with a text above it: the cost, or that the cell is out of reach.
 * @param {Scene} scene
 * @param {Token} token
 * @param {{at: Cell, facing: number | null, text: string}} ghost
 * @param {TokenLook} [look]
 * @returns {Mark[]}
 */
export function ghostMarks(scene, token, { at, facing, text }, look = PLAIN_LOOK(token)) {
  const [x, y] = tokenCenter(scene.grid, token, at);
  const marks = tokenShape(scene.grid, scene.sides, token, at, facing, look);
  const label = /** @type {Mark} */ ({
    kind: "text",
    at: [x, y - tokenRadius(token) - 14],
    text,
    size: 18,
    color: WHITE,
    grows: true,
  });
  return text ? [...marks, label] : marks;
}

/**
 * Draw the way of a planned move: dots on a dark band, from where the token stands to its end.
 * @param {Grid} grid
 * @param {Token} token
 * @param {Cell[]} way each cell, the first and the last included
 * @returns {Mark[]}
 */
export function wayMarks(grid, token, way) {
  const places = way.map((at) => tokenCenter(grid, token, at));
  const lines = places.slice(1).flatMap((place, i) => [...places[i], ...place]);
  return [
    { kind: "lines", points: lines, style: { color: 0, line: 0.6, width: 14 } },
    { kind: "lines", points: dashed(lines, WAY_DASH), style: { color: IVORY, line: 1, width: 6 } },
  ];
}

/**
 * Draw a step of an act: a ring around the token that acts, and an arrow to its target.
 * @param {Scene} scene as it is after the step
 * @param {ActStep} step
 * @returns {Mark[]}
 */
export function stepMarks({ grid, tokens }, { token: id, target: targetId }) {
  const token = tokens.find((other) => other.id === id);
  const target = tokens.find((other) => other.id === targetId);
  if (!token?.at) return [];
  const ring = ringMark(grid, token, YELLOW, 5);
  if (!target?.at) return ring;
  const [from, to] = [tokenCenter(grid, token, token.at), tokenCenter(grid, target, target.at)];
  const style = { color: YELLOW, line: 1, width: 6 };
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
  const [dx, dy] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  const tip = /** @type {Cell} */ ([to[0] - dx * 20, to[1] - dy * 20]);
  const wing = (/** @type {number} */ side) =>
    /** @type {Cell} */ ([tip[0] - dx * 22 + side * dy * 14, tip[1] - dy * 22 - side * dx * 14]);
  return [
    ...ring,
    { kind: "lines", points: [...from, ...tip], style },
    { kind: "polygon", points: [...tip, ...wing(1), ...wing(-1)], style: { color: YELLOW, fill: 1 } },
  ];
}
