/**
 * Tokens as a list of marks: a shape for the side, letters for the name, a notch for the facing. Pure
 * functions.
 */

import { baseRadius } from "./bases.js";
import { cellMarks } from "./board-marks.js";
import { tokenCenter, regularPolygon, pointToward } from "./geometry.js";
import { INK, IVORY, WHITE, YELLOW, sideStyle } from "./palette.js";
import { labelMarks, pips, signMarks } from "./token-signs.js";
import { areTokensCrowded, tokenRadius } from "./token-size.js";

/** @import {ActStep, Cell, Grid, LogEntry, Mark, Scene, Side, Style, Token} from "../../../types/contract.js" */

/**
 * The look of a token beyond its shape: its portrait with the frame, or the path of its icon in a box of 24 by 24 (""
 * for none), its label, and signs: a player's own, may act now, has acted, and how many conditions it has.
 * @typedef {{icon: string, label: string, picture?: HTMLCanvasElement | null,
 *   portrait?: {key: string, canvas: HTMLCanvasElement} | null, isOwn?: boolean, isReady?: boolean, isDone?: boolean,
 *   conditions?: number}} TokenLook
 */

/** @param {Token} token @returns {TokenLook} */
const PLAIN_LOOK = (token) => ({ icon: "", label: initials(token.name) });

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
function tokenShape(grid, sides, token, at, facing, look = PLAIN_LOOK(token)) {
  const side = sideStyle(sides.findIndex(({ id }) => id === token.side));
  const place = tokenCenter(grid, token, at);
  const isDown = "downed" in token.conditions;
  const style = { color: side.color, fill: token.hidden ? 0.35 : 1, pattern: /** @type {const} */ ("solid") };
  return [
    ...footprintMarks(grid, token, at, { ...style, fill: style.fill * 0.55, line: 1, width: 3 }),
    ...(grid.kind === "gridless" ? baseMarks(place, token, style) : []),
    ...notch(place, tokenRadius(token), facing, side.color),
    ...(look.portrait
      ? portraitMarks(place, token, look.portrait, isDown)
      : shapeMarks(place, token, side, { ...style, line: 1, width: 3 }, look)),
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

/** Draw a dashed frame around a token that only the GM sees. @param {Cell} at @param {number} radius @returns {Mark[]} */
const hiddenRing = (at, radius) => dashedRing(at, radius + 4, HIDDEN, 4);

/** The color of all that only the GM sees. */
const HIDDEN = 0xcdaaf5;

/**
 * Draw a ring of dashes over a dark one.
 * @param {Cell} at
 * @param {number} radius
 * @param {number} color
 * @param {number} width
 * @param {number} [count] of the dashes
 * @returns {Mark[]}
 */
export function dashedRing([x, y], radius, color, width, count = 14) {
  const points = Array.from({ length: count }, (_, i) => i).flatMap((i) =>
    [0, 1, 2].flatMap((k) =>
      [k, k + 1].flatMap((part) => {
        const angle = ((i + (part * 0.62) / 3) / count) * 2 * Math.PI;
        return [x + Math.cos(angle) * radius, y + Math.sin(angle) * radius];
      }),
    ),
  );
  return [
    { kind: "lines", points, style: { color: INK, line: 0.75, width: width + 3 } },
    { kind: "lines", points, style: { color, line: 1, width } },
  ];
}

/**
 * Draw a token's plain shape with its picture or its icon, where no portrait can be drawn.
 * @param {Cell} at
 * @param {Token} token
 * @param {ReturnType<typeof sideStyle>} side
 * @param {Style} style
 * @param {TokenLook} look
 * @returns {Mark[]}
 */
function shapeMarks([x, y], token, side, style, { icon, picture }) {
  const isDown = "downed" in token.conditions;
  const shape = sidePolygon(side, [x, y], tokenRadius(token), isDown);
  const color = token.hidden || isDown ? WHITE : side.ink;
  return [
    { kind: "polygon", points: shape, style: { ...style, color: INK, line: 1, width: 6, fill: 0 } },
    { kind: "polygon", points: shape, style },
    ...(picture ? [pictureMark([x, y], token, picture, isDown)] : []),
    ...(isDown ? [flatCross([x, y], tokenRadius(token))] : []),
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

/** Draw the ring of the token whose turn it is: the color of the next step, which nothing else has. @param {Grid} grid @param {Token} token @returns {Mark[]} */
function activeMarks(grid, token) {
  const at = tokenCenter(grid, token, token.at ?? [0, 0]);
  const radius = tokenRadius(token) + 6;
  return [
    circle(at, radius + 1, { color: IVORY, fill: 0.22 }),
    circle(at, radius, { color: INK, line: 0.85, width: 8 }),
    circle(at, radius, { color: IVORY, line: 1, width: 4.5 }),
    circle(at, radius + 6, { color: IVORY, line: 0.45, width: 2 }),
  ];
}

/** Draw a dashed ring around a token that may act next. @param {Grid} grid @param {Token} token @returns {Mark[]} */
const readyMarks = (grid, token) =>
  dashedRing(tokenCenter(grid, token, token.at ?? [0, 0]), tokenRadius(token) + 6, IVORY, 2.5, 18);
