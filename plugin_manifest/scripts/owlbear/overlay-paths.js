/**
 * Marks as the items that Owlbear Rodeo can draw: paths and texts. Its renderer takes no textures, so that patterns are
 * strokes in each cell; and no array of an item may be longer than 8192, so that long paths are split.
 */

import { CELL, center, corners } from "../core/map/geometry.js";
import { INK, css } from "../core/draw/palette.js";
import { toPixels } from "../tabletop/placed-grid.js";
import { strokesOf } from "./stroke-font.js";

/** @import {Mark, Pattern, Style} from "../../types/contract.js" */
/** @import {PlacedGrid} from "../tabletop/tabletop.js" */

/** @typedef {{commands: number[][], style: {fillColor: string, fillOpacity: number, strokeColor: string, strokeOpacity: number, strokeWidth: number}}} DrawnPath */
/** @typedef {{at: {x: number, y: number}, text: string, size: number, color: string}} DrawnText */
/** @typedef {{paths: DrawnPath[], texts: DrawnText[]}} Drawn */

/** @source the design record of fog-nudger: "JSON exceeds array length limit" */
export const MOST_COMMANDS = 8192;
const [MOVE, LINE, CLOSE] = [0, 1, 5];
const CIRCLE_CORNERS = 32;
/** The height of a cell's number, in 64ths. */
const NUMBER_HEIGHT = 18;

/** The middle of a pattern's strokes from that of its cell, in cells: the number of another layer stands in the middle. */
const ASIDE = [-0.29, 0.29];
/** The strokes of each pattern in a cell, in parts of it: so that no layer is told by color alone. @type {Record<string, number[][]>} */
const PATTERNS = {
  right: [[0.3, 0.7, 0.7, 0.3]],
  left: [[0.3, 0.3, 0.7, 0.7]],
  level: [[0.25, 0.5, 0.75, 0.5]],
  upright: [[0.5, 0.25, 0.5, 0.75]],
  cross: [
    [0.38, 0.38, 0.62, 0.62],
    [0.38, 0.62, 0.62, 0.38],
  ],
  dots: [[0.47, 0.5, 0.53, 0.5]],
  zigzag: [
    [0.3, 0.6, 0.43, 0.4],
    [0.43, 0.4, 0.57, 0.6],
    [0.57, 0.6, 0.7, 0.4],
  ],
  bricks: [
    [0.3, 0.42, 0.7, 0.42],
    [0.3, 0.58, 0.7, 0.58],
    [0.5, 0.42, 0.5, 0.58],
  ],
  rings: [
    [0.4, 0.4, 0.6, 0.4],
    [0.6, 0.4, 0.6, 0.6],
    [0.6, 0.6, 0.4, 0.6],
    [0.4, 0.6, 0.4, 0.4],
  ],
};

/**
 * Returns what to draw for marks, in the order of the list.
 * @param {Mark[]} marks
 * @param {PlacedGrid} placed
 * @returns {Drawn}
 */
export function drawnMarks(marks, placed) {
  /** @type {Drawn} */
  const drawn = { paths: [], texts: [] };
  const scale = placed.size / CELL;
  for (const mark of marks) {
    if (mark.kind === "text") {
      const lines = mark.text;
      drawn.texts.push({
        at: toPixels(placed, mark.at),
        text: lines,
        size: mark.size * scale,
        color: css(mark.color),
      });
    } else drawn.paths.push(...pathsOf(mark, placed, scale));
  }
  return drawn;
}

/** @param {Mark} mark @param {PlacedGrid} placed @param {number} scale @returns {DrawnPath[]} */
function pathsOf(mark, placed, scale) {
  const filled = (/** @type {number[][]} */ rings, /** @type {Style} */ style, line = style.line ?? 0) =>
    split(
      rings.map((ring) => ringCommands(ring, placed)),
      fillStyle(style, line, scale),
    );
  switch (mark.kind) {
    case "polygon":
      return filled([mark.points], mark.style);
    case "region":
      return filled(mark.rings, mark.style, 0);
    case "circle":
      return filled([circle(mark.at, mark.radius)], mark.style);
    case "lines":
      return strokes(pairs(mark.points), mark.style, placed, scale);
    case "cells":
      return cellPaths(mark, placed, scale);
    case "texts":
      return numberPaths(mark, placed, scale);
    default:
      return []; // pictures and icons belong to the board page's own tokens
  }
}

/** @param {Mark & {kind: "cells"}} mark @param {PlacedGrid} placed @param {number} scale */
function cellPaths({ grid, cells, style, shift: [dx, dy] = [0, 0] }, placed, scale) {
  /** @type {number[][]} */
  const rings = [];
  /** @type {number[][]} */
  const hatching = [];
  const pattern = PATTERNS[/** @type {Pattern} */ (style.pattern ?? "solid")] ?? [];
  cells.each((column, row) => {
    rings.push(corners(grid, [column, row]).map((value, i) => value + (i % 2 ? dy : dx)));
    const [middleX, middleY] = center(grid, [column, row]);
    const [x, y] = [middleX + ASIDE[0] * CELL, middleY + ASIDE[1] * CELL];
    for (const [x1, y1, x2, y2] of pattern)
      hatching.push([
        x + dx + (x1 - 0.5) * CELL,
        y + dy + (y1 - 0.5) * CELL,
        x + dx + (x2 - 0.5) * CELL,
        y + dy + (y2 - 0.5) * CELL,
      ]);
  });
  const fill = (style.fill ?? 0) * (pattern.length ? 0.5 : 1);
  const commands = rings.map((ring) => ringCommands(ring, placed));
  return [
    ...split(commands, fillStyle({ ...style, fill, pattern: "solid" }, 0, scale)),
    ...strokes(
      hatching,
      { color: style.color, line: Math.min(1, 2 * (style.fill ?? 0)), width: 3 },
      placed,
      scale,
    ),
  ];
}

/** @param {Mark & {kind: "texts"}} mark @param {PlacedGrid} placed @param {number} scale */
function numberPaths({ grid, cells, text, color }, placed, scale) {
  const lines = cells.flatMap(([column, row]) => strokesOf(text, center(grid, [column, row]), NUMBER_HEIGHT));
  return [
    ...strokes(lines, { color: INK, line: 0.9, width: 6 }, placed, scale),
    ...strokes(lines, { color, line: 1, width: 2.5 }, placed, scale),
  ];
}

/** @param {number[]} points @returns {number[][]} */
const pairs = (points) => Array.from({ length: points.length / 4 }, (_, i) => points.slice(4 * i, 4 * i + 4));

/** @param {[number, number]} at @param {number} radius */
const circle = ([x, y], radius) =>
  Array.from({ length: CIRCLE_CORNERS }, (_, i) => (2 * Math.PI * i) / CIRCLE_CORNERS).flatMap((angle) => [
    x + radius * Math.cos(angle),
    y + radius * Math.sin(angle),
  ]);

/** @param {number[]} ring @param {PlacedGrid} placed @returns {number[][]} */
function ringCommands(ring, placed) {
  const commands = [];
  for (let i = 0; i < ring.length; i += 2) {
    const { x, y } = toPixels(placed, [ring[i], ring[i + 1]]);
    commands.push([i ? LINE : MOVE, x, y]);
  }
  return [...commands, [CLOSE]];
}

/** @param {number[][]} lines @param {Style} style @param {PlacedGrid} placed @param {number} scale */
function strokes(lines, { color, line = 1, width = 1 }, placed, scale) {
  const commands = lines.map(([x1, y1, x2, y2]) => {
    const [a, b] = [toPixels(placed, [x1, y1]), toPixels(placed, [x2, y2])];
    return [
      [MOVE, a.x, a.y],
      [LINE, b.x, b.y],
    ];
  });
  const style = { fillColor: css(color), fillOpacity: 0, strokeColor: css(color), strokeOpacity: line };
  return split(commands, { ...style, strokeWidth: Math.max(1, width * scale) });
}

/** @param {Style} style @param {number} line @param {number} scale @returns {DrawnPath["style"]} */
function fillStyle({ color, fill = 0, pattern = "solid", width = 1 }, line, scale) {
  return {
    fillColor: css(color),
    fillOpacity: pattern === "none" ? 0 : fill,
    strokeColor: css(color),
    strokeOpacity: line,
    strokeWidth: line ? Math.max(1, width * scale) : 0,
  };
}

/** Splits parts into paths that the host takes. @param {number[][][]} parts @param {DrawnPath["style"]} style @returns {DrawnPath[]} */
function split(parts, style) {
  /** @type {DrawnPath[]} */
  const paths = [];
  for (const part of parts) {
    const last = paths.at(-1);
    if (last && last.commands.length + part.length <= MOST_COMMANDS) last.commands.push(...part);
    else paths.push({ commands: [...part], style });
  }
  return paths;
}
