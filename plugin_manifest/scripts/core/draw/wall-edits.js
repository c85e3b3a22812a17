/**
 * Walls as the GM draws them: points snap to the grid, a door cuts the wall behind it, and walls and terrain are
 * found under the pointer. Pure functions. "On the plane" is as the board is drawn; "on the wire" as a scene has it.
 */

import { CELL, boardSize, cellAt, center, corners, isHex, isPointy, toPlane } from "./geometry.js";

/** @import {Cell, Grid, Scene, Terrain, Wall} from "../../../types/contract.js" */

/** A point snaps to the grid within this distance, in 64ths of a cell. */
const SNAP = CELL * 0.3;
/** @type {Record<string, Partial<Wall>>} what each tool draws */
const KINDS = {
  wall: {},
  door: { door: "door" },
  secret: { door: "secret" },
  window: { sight: "none" },
};

/** Return a point of the plane as on the wire, in whole 64ths. @param {Grid} grid @param {Cell} point @returns {Cell} */
export function toWire(grid, [x, y]) {
  const shorter = Math.sqrt(3) / 2;
  if (!isHex(grid)) return [Math.round(x), Math.round(y)];
  return isPointy(grid) ? [Math.round(x), Math.round(y * shorter)] : [Math.round(x * shorter), Math.round(y)];
}

/**
 * Return the nearest corner, middle of an edge or center of a cell, or else the point itself, inside the board.
 * @param {Grid} grid
 * @param {Cell} point on the plane
 * @returns {Cell}
 */
export function snap(grid, [x, y]) {
  const [width, height] = boardSize(grid);
  const inside = /** @type {Cell} */ ([clamp(x, width), clamp(y, height)]);
  if (grid.kind === "gridless") return nearest(halves(inside), inside);
  const cell = cellAt(grid, inside);
  const around = corners(grid, cell);
  const points = around.flatMap((_, i) => (i % 2 ? [] : [/** @type {Cell} */ ([around[i], around[i + 1]])]));
  const middles = points.map((point, i) => middle(point, points[(i + 1) % points.length]));
  return nearest([...points, ...middles, center(grid, cell)], inside);
}

/** @param {Cell} point @returns {Cell[]} */
const halves = ([x, y]) => [
  [Math.round(x / (CELL / 2)) * (CELL / 2), Math.round(y / (CELL / 2)) * (CELL / 2)],
];

/** @param {number} value @param {number} most */
const clamp = (value, most) => Math.min(most, Math.max(0, value));

/** @param {Cell} a @param {Cell} b @returns {Cell} */
const middle = (a, b) => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];

/** @param {Cell[]} all @param {Cell} point @returns {Cell} */
function nearest(all, point) {
  const best = all.reduce((a, b) => (distance(b, point) < distance(a, point) ? b : a));
  return distance(best, point) <= SNAP ? best : point;
}

/** @param {Cell} a @param {Cell} b */
const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);

/**
 * Return the change of the map that draws walls or doors along points: the new ones, and what is left of a wall that
 * a door cuts.
 * @param {Scene} scene
 * @param {string} tool "wall", "door", "secret" or "window"
 * @param {Cell[]} points on the plane, at least two
 * @returns {{walls: Wall[], remove: string[]}}
 */
export function drawnWalls(scene, tool, points) {
  const ends = points.map((point) => toWire(scene.grid, point));
  const lines = ends.slice(1).map((end, i) => /** @type {Wall["line"]} */ ([...ends[i], ...end]));
  const long = lines.filter(([x1, y1, x2, y2]) => x1 !== x2 || y1 !== y2);
  const newId = freeIds(scene, KINDS[tool].door ? "d" : "w");
  const made = long.map((line) => wallOf(newId(), line, KINDS[tool]));
  if (!KINDS[tool].door) return { walls: made, remove: [] };
  const remove = [];
  const rest = [];
  const freshId = freeIds(scene, "w");
  for (const wall of scene.walls.filter((one) => one.door === "none")) {
    const parts = long.reduce((left, line) => left.flatMap((part) => cut(part, line)), [wall.line]);
    if (parts.length === 1 && String(parts[0]) === String(wall.line)) continue;
    remove.push(wall.id);
    rest.push(...parts.map((line) => ({ ...wall, id: freshId(), line })));
  }
  return { walls: [...made, ...rest], remove };
}

/** @param {string} id @param {Wall["line"]} line @param {Partial<Wall>} more @returns {Wall} */
const wallOf = (id, line, more) => ({
  id,
  line,
  move: "normal",
  sight: "normal",
  one_way: "both",
  door: "none",
  state: "closed",
  ...more,
});

/** Return a function that gives IDs that the scene's walls and terrain do not have. @param {Scene} scene @param {string} letter */
export function freeIds(scene, letter) {
  const taken = new Set([...scene.walls, ...scene.terrain].map(({ id }) => id));
  let number = 0;
  return () => {
    do number += 1;
    while (taken.has(`${letter}${number}`));
    return `${letter}${number}`;
  };
}

/**
 * Return what is left of a wall behind a door on the same straight line; the wall itself if the door is elsewhere.
 * @param {Wall["line"]} wall
 * @param {Wall["line"]} door
 * @returns {Wall["line"][]}
 */
function cut(wall, door) {
  const [x1, y1, x2, y2] = wall;
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const off = (/** @type {number} */ x, /** @type {number} */ y) => Math.abs((x - x1) * dy - (y - y1) * dx);
  if (off(door[0], door[1]) > 1 || off(door[2], door[3]) > 1) return [wall];
  const along = (/** @type {number} */ x, /** @type {number} */ y) => (x - x1) * dx + (y - y1) * dy;
  const [start, end] = [along(door[0], door[1]), along(door[2], door[3])].sort((a, b) => a - b);
  if (end <= 1 || start >= length - 1) return [wall];
  const at = (/** @type {number} */ far) => [Math.round(x1 + dx * far), Math.round(y1 + dy * far)];
  return [
    ...(start > 1 ? [/** @type {Wall["line"]} */ ([x1, y1, ...at(start)])] : []),
    ...(end < length - 1 ? [/** @type {Wall["line"]} */ ([...at(end), x2, y2])] : []),
  ];
}

/**
 * Return the wall or door nearest to a point, within a distance.
 * @param {Scene} scene
 * @param {Cell} point on the plane
 * @param {number} most the distance
 * @returns {Wall | null}
 */
export function wallAt(scene, point, most) {
  const far = scene.walls.map((wall) => distanceToLine(point, toPlane(scene.grid, wall.line)));
  const best = far.indexOf(Math.min(...far));
  return far.length && far[best] <= most ? scene.walls[best] : null;
}

/** Return the topmost terrain that covers a point. @param {Scene} scene @param {Cell} point @returns {Terrain | null} */
export function terrainAt({ grid, terrain }, point) {
  const cell = String(paintCell(grid, point));
  return terrain.findLast(({ cells }) => cells.some((own) => String(own) === cell)) ?? null;
}

/** Return the cell that terrain is painted on; on a board without cells a square inch. @param {Grid} grid @param {Cell} point @returns {Cell} */
export function paintCell(grid, [x, y]) {
  return grid.kind === "gridless" ? [Math.floor(x / CELL), Math.floor(y / CELL)] : cellAt(grid, [x, y]);
}

/** @param {Cell} point @param {Wall["line"]} line */
export function distanceToLine([x, y], [x1, y1, x2, y2]) {
  const length = (x2 - x1) ** 2 + (y2 - y1) ** 2 || 1;
  const t = Math.max(0, Math.min(1, ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / length));
  return Math.hypot(x - x1 - t * (x2 - x1), y - y1 - t * (y2 - y1));
}
