/** The marks of the tools: the ruler's line, places that seats point at, drafts of walls and terrain, the frame. */

import { cellMarks } from "../../core/draw/board-marks.js";
import { CELL, cellAt, isHex, isPointy, isShifted, lengthText, toPlane } from "../../core/map/geometry.js";
import { ORANGE, WHITE, YELLOW } from "../../core/draw/palette.js";
import { COLORS, lineMarks } from "../../core/draw/sketch-marks.js";
import { localize } from "../../core/ui/i18n.js";
import { newDrawing } from "../input/sketch-tool.js";

/** @import {Cell, Grid, Mark, Scene} from "../../../types/contract.js" */
/** @import {BoardState} from "../../../types/page.js" */

const LINE = { color: YELLOW, line: 1, width: 4 };

/** @param {BoardState} state @param {Scene} scene @returns {Mark[]} */
export function toolMarks({ ruler, draft, edited, pings, frame, tool }, scene) {
  return [
    ...(ruler ? rulerMarks(scene.grid, ruler) : []),
    ...(tool === "pen" ? penMarks(draft.points) : draftMarks(scene, draft)),
    ...editedMarks(scene, edited),
    ...pings.flatMap(pingMarks),
    ...(frame ? frameMarks(frame) : []),
  ];
}

/** Draw the line that is being drawn, and the pen's tip. @param {Cell[]} points @returns {Mark[]} */
function penMarks(points) {
  const color = COLORS[newDrawing.color];
  const tip = points.at(-1);
  return [
    ...lineMarks(points, color),
    ...(tip ? [/** @type {Mark} */ ({ kind: "circle", at: tip, radius: 6, style: { color, fill: 1 } })] : []),
  ];
}

/** @param {Grid} grid @param {[Cell, Cell]} ends @returns {Mark[]} */
function rulerMarks(grid, [from, to]) {
  const dot = (/** @type {Cell} */ at) =>
    /** @type {Mark} */ ({ kind: "circle", at, radius: 6, style: { color: YELLOW, fill: 1 } });
  return [
    { kind: "lines", points: [...from, ...to], style: { color: 0, line: 0.7, width: 8 } },
    { kind: "lines", points: [...from, ...to], style: LINE },
    dot(from),
    dot(to),
    {
      kind: "text",
      at: [to[0], to[1] - 26],
      text: rulerText(grid, [from, to]),
      size: 20,
      color: WHITE,
      grows: true,
    },
  ];
}

/**
 * Return a length in words: the cells between two places, and the straight distance in the map's units.
 * @param {Grid} grid
 * @param {[Cell, Cell]} ends on the plane
 */
export function rulerText(grid, [from, to]) {
  const straight = Math.hypot(to[0] - from[0], to[1] - from[1]);
  if (grid.kind === "gridless") return lengthText(grid, straight);
  const cells = cellsBetween(grid, cellAt(grid, from), cellAt(grid, to));
  const isNamed = grid.units && grid.units !== "squares" && grid.units !== "hexes";
  const units = isNamed ? ` (${cells * grid.distance} ${grid.units})` : "";
  return `${localize(isHex(grid) ? "Ruler.Hexes" : "Ruler.Squares", { count: cells })}${units}`;
}

/**
 * Return the smallest number of steps between two cells; a diagonal step counts once.
 * @param {Grid} grid
 * @param {Cell} a
 * @param {Cell} b
 */
function cellsBetween(grid, a, b) {
  if (!isHex(grid)) return Math.max(Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1]));
  const [p, q] = [cube(grid, a), cube(grid, b)];
  return Math.max(...p.map((value, i) => Math.abs(value - q[i])));
}

/**
 * Return a hex's cube coordinates: three numbers with the sum 0, of which a step changes two by one.
 * @param {Grid} grid
 * @param {Cell} cell
 * @returns {[number, number, number]}
 */
function cube(grid, [column, row]) {
  const [along, line] = isPointy(grid) ? [column, row] : [row, column];
  const odd = Math.abs(line % 2);
  const q = along - (line + (isShifted(grid, 1) ? -odd : odd)) / 2;
  return [q, line, -q - line];
}

/** @param {Scene} scene @param {BoardState["draft"]} draft @returns {Mark[]} */
function draftMarks({ grid }, { points, cells }) {
  const lines = points.slice(1).flatMap((point, i) => [...points[i], ...point]);
  const dots = points.map(
    (at) => /** @type {Mark} */ ({ kind: "circle", at, radius: 6, style: { color: ORANGE, fill: 1 } }),
  );
  return [
    ...(cells.length ? cellMarks(grid, cells, { color: ORANGE, fill: 0.5, line: 1, width: 3 }) : []),
    ...(lines.length
      ? [/** @type {Mark} */ ({ kind: "lines", points: lines, style: { ...LINE, color: ORANGE, width: 6 } })]
      : []),
    ...dots,
  ];
}

/** @param {Scene} scene @param {string | null} edited @returns {Mark[]} */
function editedMarks({ grid, walls, terrain }, edited) {
  const wall = walls.find(({ id }) => id === edited);
  const patch = terrain.find(({ id }) => id === edited);
  if (patch) return cellMarks(grid, patch.cells, { color: YELLOW, fill: 0.2, line: 1, width: 4 });
  if (!wall) return [];
  const line = toPlane(grid, wall.line);
  const handle = (/** @type {Cell} */ at) =>
    /** @type {Mark} */ ({
      kind: "circle",
      at,
      radius: 9,
      style: { color: YELLOW, fill: 0.8, line: 1, width: 2 },
    });
  return [
    { kind: "lines", points: line, style: { ...LINE, width: 7 } },
    handle([line[0], line[1]]),
    handle([line[2], line[3]]),
  ];
}

/** @param {BoardState["pings"][number]} ping @returns {Mark[]} */
function pingMarks({ at, name }) {
  const ring = (/** @type {number} */ radius) =>
    /** @type {Mark} */ ({ kind: "circle", at, radius, style: { color: YELLOW, line: 1, width: 6 } });
  const text = /** @type {Mark} */ ({
    kind: "text",
    at: [at[0], at[1] - CELL * 0.9],
    text: name || localize("Role.gm"),
    size: 18,
    color: WHITE,
    grows: true,
  });
  return [ring(CELL * 0.2), ring(CELL * 0.45), ring(CELL * 0.7), text];
}

/** @param {[Cell, Cell]} frame @returns {Mark[]} */
const frameMarks = ([[x1, y1], [x2, y2]]) => [
  {
    kind: "polygon",
    points: [x1, y1, x2, y1, x2, y2, x1, y2],
    style: { color: WHITE, fill: 0.12, line: 1, width: 3 },
  },
];
