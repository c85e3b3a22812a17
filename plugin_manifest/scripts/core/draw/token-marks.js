/**
 * Tokens as a list of marks: a shape for the side, letters for the name, a notch for the facing. Pure
 * functions.
 */

import { baseRadius } from "./bases.js";
import { cellMarks } from "./board-marks.js";
import { CELL, tokenCenter, regularPolygon, pointToward } from "./geometry.js";
import { INK, PURPLE, WHITE, YELLOW, sideStyle } from "./palette.js";
import { localize } from "../ui/i18n.js";

/** @import {ActStep, Cell, Grid, LogEntry, Mark, Scene, Side, Style, Token} from "../../../types/contract.js" */

/**
 * The look of a token beyond its shape: the path of its icon in a box of 24 by 24 ("" for none), its label, and
 * signs.
 * @typedef {{icon: string, label: string, picture?: HTMLCanvasElement | null, isOwn?: boolean, isDone?: boolean}} TokenLook
 */

/** @param {Token} token @returns {TokenLook} */
const PLAIN_LOOK = (token) => ({ icon: "", label: initials(token.name) });

const MAX_PIPS = 8;
/** The greatest radius of the shape on a token with a footprint, in cells. */
const MAX_RADIUS = 0.8;

/**
 * Draw every token on the board.
 * @param {Scene} scene
 * @param {{selected: string | null, picked?: string[], maxHitPoints: Record<string, number>, lookOf?: (token: Token) => TokenLook}} options
 *   `lookOf` gives a token a icon and signs
 * @returns {Mark[]}
 */
export function tokenMarks(scene, { selected, picked = [], maxHitPoints, lookOf = PLAIN_LOOK }) {
  const active = scene.conditions.active;
  return scene.tokens.flatMap((token) => {
    if (!token.at) return [];
    const highlights = [
      token.id === selected || picked.includes(token.id) ? ringMark(scene.grid, token, WHITE, 4) : [],
      token.id === active ? activeMarks(scene.grid, token) : [],
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

/** Return the radius of a token's shape. @param {Pick<Token, "size" | "body">} token */
export function tokenRadius({ size, body }) {
  if (body) return CELL * Math.min(MAX_RADIUS, 0.3 * Math.sqrt(body.cells.length));
  return CELL * 0.36 * Math.min(...size) + CELL * 0.1 * (Math.min(...size) - 1);
}

const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: "grapheme" });
/** Characters that may form one letter with their neighbors; only a text with one is worth the time to split it. */
const JOINED = /[\u{10000}-\u{10ffff}\u200d\ufe0f\p{M}]/u;

/** Split a text into what a reader takes for its letters: an emoji of several parts is one. @param {string} text */
export const lettersOf = (text) =>
  JOINED.test(text) ? Array.from(GRAPHEMES.segment(text), ({ segment }) => segment) : [...text];

/**
 * Abbreviate a name: two initials at most, and two digits of its number.
 * @param {string} name
 */
export function initials(name) {
  const number = name.match(/(\d+)\s*$/)?.[1] ?? "";
  const parts = name
    .replace(/\d+\s*$/, "")
    .split(/[\s-]+/)
    .filter(Boolean);
  const letters = parts.slice(0, 2).map((part) => lettersOf(part)[0].toUpperCase());
  return letters.join("") + number.slice(-2);
}

/**
 * Return the full hit points of each token, as the table states them: they do not depend on how long a page is open.
 * @param {Record<string, {most: number}>} bars
 * @returns {Record<string, number>}
 */
export const fullHitPoints = (bars) =>
  Object.fromEntries(Object.entries(bars).map(([id, { most }]) => [id, most]));

/**
 * Return the greatest hit points that each token is known to have had, from the scene and the log.
 * @param {Scene} scene
 * @param {LogEntry[]} log
 * @returns {Record<string, number>}
 */
export function maxHitPoints(scene, log) {
  /** @type {Record<string, number>} */
  const found = {};
  const note = (/** @type {string} */ id, /** @type {number} */ points) =>
    (found[id] = Math.max(found[id] ?? 0, points));
  for (const token of scene.tokens) note(token.id, token.tracks.hp ?? 0);
  for (const { facts } of log) if (facts.target && facts.hit_points) note(facts.target, facts.hit_points[0]);
  for (const event of log.flatMap((entry) => entry.events)) {
    if (event.type === "token_placed") note(event.token.id, event.token.tracks.hp ?? 0);
    if (event.type === "track_set" && event.track === "hp") note(event.holder, event.value ?? 0);
    if (event.type === "track_set" && event.track === "hp" && "was" in event)
      note(event.holder, Number(event.was));
  }
  return found;
}

/**
 * @param {Grid} grid
 * @param {Side[]} sides
 * @param {Token} token
 * @param {Cell} at
 * @param {number | null} facing
 * @param {TokenLook} [look]
 * @returns {Mark[]}
 */
function tokenShape(grid, sides, token, at, facing, { icon, label, picture } = PLAIN_LOOK(token)) {
  const look = sideStyle(sides.findIndex((side) => side.id === token.side));
  const [x, y] = tokenCenter(grid, token, at);
  const isDown = "downed" in token.conditions;
  const fill = token.hidden ? 0.35 : 1;
  const shape = sidePolygon(look, [x, y], tokenRadius(token), isDown);
  const style = { color: look.color, fill, pattern: /** @type {const} */ ("solid"), line: 1, width: 3 };
  const base = { color: look.color, fill: fill * 0.25, pattern: style.pattern, line: 1, width: 2 };
  const color = token.hidden || isDown ? WHITE : look.ink;
  return [
    ...footprintMarks(grid, token, at, { ...style, fill: fill * 0.55 }),
    ...(grid.kind === "gridless" ? [circle([x, y], baseRadius(token), base)] : []),
    ...notch([x, y], tokenRadius(token), facing, look.color),
    { kind: "polygon", points: shape, style: { ...style, color: INK, line: 1, width: 6, fill: 0 } },
    { kind: "polygon", points: shape, style },
    ...(picture ? [pictureMark([x, y], token, picture, isDown)] : []),
    ...(isDown ? [flatCross([x, y], tokenRadius(token))] : []),
    ...(icon || picture
      ? [
          ...(icon && !picture
            ? [
                /** @type {Mark} */ ({
                  kind: "icon",
                  at: [x, y],
                  size: tokenRadius(token) * 1.5,
                  path: icon,
                  color,
                }),
              ]
            : []),
          /** @type {Mark} */ ({
            kind: "text",
            at: [x - tokenRadius(token) * 0.85, y - tokenRadius(token) * 0.85],
            text: label,
            size: 13,
            color: WHITE,
            grows: true,
          }),
        ]
      : [
          /** @type {Mark} */ ({
            kind: "text",
            at: [x, token.hidden ? y - 5 : y],
            text: label,
            size: (token.body ? 30 : 20 * Math.min(...token.size)) * fitting(label),
            color,
            grows: true,
          }),
        ]),
    ...(token.hidden
      ? [
          /** @type {Mark} */ ({
            kind: "text",
            at: [x, y + 12],
            text: localize("Mark.Hidden"),
            size: 11,
            color: WHITE,
            grows: true,
          }),
        ]
      : []),
  ];
}

/**
 * Draw a token's picture inside its side's shape, faint if the token is hidden or down.
 * @param {Cell} at
 * @param {Token} token
 * @param {HTMLCanvasElement} source
 * @param {boolean} isDown
 * @returns {Mark}
 */
function pictureMark(at, token, source, isDown) {
  const alpha = token.hidden ? 0.5 : isDown ? 0.6 : 1;
  return { kind: "picture", at, size: tokenRadius(token) * 1.75, key: token.image, source, alpha };
}

/** A label longer than two letters is smaller, so that it stays on its shape. @param {string} label */
const fitting = (label) => Math.min(1, 2.2 / Math.max(1, label.length));

/**
 * Draw signs beside a token: a star for a player's own, a check mark after its turn.
 * @param {Grid} grid
 * @param {Token} token
 * @param {TokenLook} look
 * @returns {Mark[]}
 */
function signMarks(grid, token, { isOwn, isDone }) {
  const [x, y] = tokenCenter(grid, token, token.at ?? [0, 0]);
  const far = tokenRadius(token) * 0.9;
  const sign = (/** @type {string} */ text, /** @type {number} */ down) =>
    /** @type {Mark} */ ({
      kind: "text",
      at: [x + far, y + down],
      text,
      size: 16,
      color: WHITE,
      grows: true,
    });
  return [...(isOwn ? [sign("★", -far)] : []), ...(isDone ? [sign("✓", far)] : [])];
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

/** @param {Cell} at @param {number} radius @param {Style} style @returns {Mark} */
const circle = (at, radius, style) => ({ kind: "circle", at, radius, style });

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
    ...pointToward(at, facing + 32, size + 1),
    ...pointToward(at, facing - 32, size + 1),
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

/** @param {Grid} grid @param {Token} token @param {number} color @param {number} width @returns {Mark[]} */
function ringMark(grid, token, color, width) {
  const at = tokenCenter(grid, token, token.at ?? [0, 0]);
  return [
    {
      kind: "circle",
      at,
      radius: tokenRadius(token) + 7,
      style: { color: INK, line: 0.8, width: width + 4 },
    },
    { kind: "circle", at, radius: tokenRadius(token) + 7, style: { color, line: 1, width } },
  ];
}

/**
 * Draw brackets at the corners of the active token.
 * @param {Grid} grid
 * @param {Token} token
 * @returns {Mark[]}
 */
function activeMarks(grid, token) {
  const [x, y] = tokenCenter(grid, token, token.at ?? [0, 0]);
  const [far, near] = [tokenRadius(token) + 8, tokenRadius(token) - 5];
  const points = [-1, 1].flatMap((h) =>
    [-1, 1].flatMap((v) => [
      x + h * far,
      y + v * near,
      x + h * far,
      y + v * far,
      x + h * far,
      y + v * far,
      x + h * near,
      y + v * far,
    ]),
  );
  return [
    { kind: "lines", points, style: { color: INK, line: 0.9, width: 8 } },
    { kind: "lines", points, style: { color: YELLOW, line: 1, width: 4 } },
  ];
}

/**
 * Draw hit points as dots below the token (above, if its notch points down), filled for those left; as numbers if
 * they are many.
 * @param {Grid} grid
 * @param {Token} token
 * @param {number} max
 * @returns {Mark[]}
 */
function pips(grid, token, max) {
  const left = token.tracks.hp;
  if (left === undefined || max <= 0) return [];
  const [x, y] = tokenCenter(grid, token, token.at ?? [0, 0]);
  const facesDown = token.facing !== null && Math.abs(token.facing - 180) <= 45;
  const below = y + (tokenRadius(token) + 1) * (facesDown ? -1 : 1);
  if (max > MAX_PIPS)
    return [{ kind: "text", at: [x, below], text: `${left}/${max}`, size: 13, color: WHITE, grows: true }];
  return Array.from({ length: max }, (_, i) => {
    const style = {
      color: i < left ? WHITE : PURPLE,
      fill: i < left ? 1 : 0,
      pattern: /** @type {const} */ ("solid"),
      line: 1,
      width: 1.5,
    };
    const at = /** @type {Cell} */ ([x + (i - (max - 1) / 2) * 10, below]);
    return /** @type {Mark[]} */ ([
      { kind: "circle", at, radius: 5, style: { color: INK, fill: 1, pattern: "solid" } },
      { kind: "circle", at, radius: 3, style },
    ]);
  }).flat();
}
