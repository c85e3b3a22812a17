/** Walls and doors as a list of marks: walls as bodies, doors as leaves between posts. Pure functions. */

import { dashed } from "./board-marks.js";
import { CELL, toPlane } from "../map/geometry.js";
import { GRAY, INK, IVORY, MASONRY, TIMBER, VERMILLION, WHITE } from "./palette.js";

/** @import {Cell, Grid, Mark, Wall} from "../../../types/contract.js" */

/** The width of a wall's body: on a board with cells, on one without, and over a picture, which shows walls itself. */
const [BODY, GRIDLESS_BODY, PICTURE_BODY] = [CELL * 0.28, CELL * 0.5, CELL * 0.15];
/** An open door's leaf stands so far open, in degrees. */
const OPEN = 74;

/**
 * Draw walls and doors. A wall is a body of stone; a wall that blocks only sight or only movement is dashed. A closed
 * door is a leaf between posts, a locked one red with a cross, an open one turned aside; a secret door is marked S.
 * @param {Grid} grid
 * @param {Wall[]} walls with lines as on the wire
 * @param {boolean} [isOnPicture] whether a picture shows the walls, so that narrow bodies do
 * @returns {Mark[]}
 */
export const wallMarks = (grid, walls, isOnPicture = false) => [
  ...bodyMarks(grid, walls, isOnPicture),
  ...doorMarks(grid, walls),
];

/**
 * Draw the bodies of the walls that block movement and sight, and of secret doors.
 * @param {Grid} grid
 * @param {Wall[]} walls
 * @param {boolean} [isOnPicture]
 * @returns {Mark[]}
 */
export function bodyMarks(grid, walls, isOnPicture = false) {
  const points = walls
    .filter((wall) => (wall.door === "none" && isWhole(wall)) || wall.door === "secret")
    .flatMap((wall) => withCorners(toPlane(grid, wall.line)));
  if (!points.length) return [];
  const width = isOnPicture ? PICTURE_BODY : grid.kind === "gridless" ? GRIDLESS_BODY : BODY;
  const light = points.map((value) => value - 1.5);
  return [
    { kind: "lines", points, style: { color: INK, line: isOnPicture ? 0.75 : 0.9, width: width + 5 } },
    { kind: "lines", points, style: { color: MASONRY, line: 1, width } },
    { kind: "lines", points: light, style: { color: IVORY, line: 0.3, width: width * 0.3 } },
  ];
}

/** @param {Wall} wall */
const isWhole = (wall) => wall.move === "normal" && wall.sight === "normal";

/** Lengthen a line a little, so that two that meet have a corner. @param {Wall["line"]} line @returns {Wall["line"]} */
function withCorners([x1, y1, x2, y2]) {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [dx, dy] = [((x2 - x1) / length) * 4, ((y2 - y1) / length) * 4];
  return [x1 - dx, y1 - dy, x2 + dx, y2 + dy];
}

/**
 * Draw what is on the walls: doors, and walls that block only sight or only movement.
 * @param {Grid} grid
 * @param {Wall[]} walls
 * @returns {Mark[]}
 */
export function doorMarks(grid, walls) {
  const all = walls.map((wall) => ({ ...wall, line: toPlane(grid, wall.line) }));
  const partial = all.filter((wall) => wall.door === "none" && !isWhole(wall));
  return [
    ...dashes(partial.flatMap(({ line }) => dashed(line))),
    ...all.filter(({ door }) => door !== "none").flatMap(door),
  ];
}

/** @param {number[]} points @returns {Mark[]} */
function dashes(points) {
  if (!points.length) return [];
  return [
    { kind: "lines", points, style: { color: INK, line: 0.9, width: 7 } },
    { kind: "lines", points, style: { color: GRAY, line: 1, width: 3 } },
  ];
}

/** @param {Wall} wall @returns {Mark[]} */
function door({ line, door: kind, state }) {
  const sign = kind === "secret" ? "S" : state === "locked" ? "×" : "";
  const at = /** @type {Cell} */ ([(line[0] + line[2]) / 2, (line[1] + line[3]) / 2]);
  const leaf = state === "open" ? turned(line, OPEN) : line;
  const color = state === "locked" ? VERMILLION : kind === "secret" ? MASONRY : TIMBER;
  return [
    ...post([line[0], line[1]]),
    ...post([line[2], line[3]]),
    body(leaf, 5.5, { color, fill: 1, pattern: "solid", line: 0, width: 0 }, INK),
    /** @type {Mark} */ ({ kind: "lines", points: leaf, style: { color: IVORY, line: 0.35, width: 2 } }),
    ...(sign ? [/** @type {Mark} */ ({ kind: "text", at, text: sign, size: 18, color: WHITE })] : []),
  ].flat();
}

/** @param {Cell} at @returns {Mark[]} */
const post = ([x, y]) => {
  const square = (/** @type {number} */ half) => [
    x - half,
    y - half,
    x + half,
    y - half,
    x + half,
    y + half,
    x - half,
    y + half,
  ];
  return [
    { kind: "polygon", points: square(11.5), style: { color: INK, fill: 0.9 } },
    { kind: "polygon", points: square(9), style: { color: MASONRY, fill: 1, line: 0.5, width: 1 } },
  ];
};

/** Draw a rectangle around a line with a rim. @param {Wall["line"]} line @param {number} half half its width @param {import("../../../types/contract.js").Style} style @param {number} rim @returns {Mark[]} */
const body = (line, half, style, rim) => [
  { kind: "polygon", points: rectangle(line, half + 2.5), style: { color: rim, fill: 0.9 } },
  { kind: "polygon", points: rectangle(line, half), style },
];

/** Turn a line about its first end. @param {Wall["line"]} line @param {number} degrees @returns {Wall["line"]} */
function turned([x1, y1, x2, y2], degrees) {
  const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
  const [dx, dy] = [x2 - x1, y2 - y1];
  return [x1, y1, x1 + dx * cos - dy * sin, y1 + dx * sin + dy * cos];
}

/**
 * Return the corners of the rectangle around a line.
 * @param {Wall["line"]} line
 * @param {number} half half its width
 */
function rectangle([x1, y1, x2, y2], half) {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [nx, ny] = [(-(y2 - y1) / length) * half, ((x2 - x1) / length) * half];
  return [x1 + nx, y1 + ny, x2 + nx, y2 + ny, x2 - nx, y2 - ny, x1 - nx, y1 - ny];
}
