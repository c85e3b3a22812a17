/**
 * Walls as the GM draws them: points snap to the grid, a door cuts the wall behind it, and walls and terrain are
 * found under the pointer. Pure functions. "On the plane" is as the board is drawn; "on the wire" as a scene has it.
 */

import { randomHex } from "../table/connection.js";
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
 * a door cuts. The pieces of a cut wall and the doors in it share the start of their IDs, and its first piece keeps its
 * ID: so the table shows them as the one wall that it was to seats that do not know of a secret door.
 * @param {Scene} scene
 * @param {string} tool "wall", "door", "secret" or "window"
 * @param {Cell[]} points on the plane, at least two
 * @returns {{walls: Wall[], remove: string[]}}
 */
export function drawnWalls(scene, tool, points) {
  const ends = points.map((point) => toWire(scene.grid, point));
  const lines = ends.slice(1).map((end, i) => /** @type {Wall["line"]} */ ([...ends[i], ...end]));
  const long = lines.filter(([x1, y1, x2, y2]) => x1 !== x2 || y1 !== y2);
  const made = long.map((line) => wallOf(newId("w"), line, KINDS[tool]));
  if (!KINDS[tool].door) return { walls: made, remove: [] };
  const [rest, remove, named] = [/** @type {Wall[]} */ ([]), /** @type {string[]} */ ([]), new Set()];
  for (const wall of scene.walls.filter(({ door }) => door === "none")) {
    const doors = made.filter((door) => isOnLine(wall.line, door.line));
    if (!doors.length) continue;
    for (const door of doors) door.line = fitted(wall.line, door.line);
    const parts = doors.reduce(
      (left, door) => left.flatMap((part) => cut(part, door.line)),
      /** @type {Wall["line"][]} */ ([wall.line]),
    );
    const [first, ...others] = parts;
    const unnamed = doors.filter((door) => !named.has(door));
    for (const door of unnamed) named.add(Object.assign(door, { id: pieceId(wall.id) }));
    if (first) rest.push({ ...wall, line: first });
    else if (unnamed.length) unnamed[0].id = wall.id;
    else remove.push(wall.id);
    rest.push(...others.map((line) => ({ ...wall, id: pieceId(wall.id), line })));
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
  threshold: 0,
  ...more,
});

/** Return a random ID: a counted one would tell of walls and terrain that a seat does not know. @param {string} letter */
export const newId = (letter) => `${letter}-${randomHex().slice(0, 12)}`;

/** Return the ID of a piece of a wall, or of a door in it. @param {string} id the wall's */
const pieceId = (id) => `${id.split(".")[0].slice(0, 50)}.${randomHex().slice(0, 12)}`;

/** Return how far points lie along a line, and how far beside it at most. @param {Wall["line"]} line @param {Wall["line"]} other */
function placed([x1, y1, x2, y2], other) {
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const along = (/** @type {number} */ i) => (other[i] - x1) * dx + (other[i + 1] - y1) * dy;
  const beside = (/** @type {number} */ i) => Math.abs((other[i] - x1) * dy - (other[i + 1] - y1) * dx);
  return { length, dx, dy, along: [along(0), along(2)], beside: Math.max(beside(0), beside(2)) };
}

/** Return whether a door lies in a wall. @param {Wall["line"]} wall @param {Wall["line"]} door */
function isOnLine(wall, door) {
  const { length, along, beside } = placed(wall, door);
  return beside <= 1 && Math.max(...along) > 1 && Math.min(...along) < length - 1;
}

/**
 * Return a door's line in the direction of its wall; an end within 1/64 of the wall's is moved there.
 * @param {Wall["line"]} wall
 * @param {Wall["line"]} door
 * @returns {Wall["line"]}
 */
function fitted(wall, door) {
  const { length, along } = placed(wall, door);
  const [start, end, from, to] =
    along[0] <= along[1]
      ? [door.slice(0, 2), door.slice(2), ...along]
      : [door.slice(2), door.slice(0, 2), along[1], along[0]];
  const first = Math.abs(from) <= 1 ? wall.slice(0, 2) : start;
  const last = Math.abs(to - length) <= 1 ? wall.slice(2) : end;
  return /** @type {Wall["line"]} */ ([...first, ...last]);
}

/**
 * Return what is left of a wall behind a door on the same straight line; the wall itself if the door is elsewhere.
 * @param {Wall["line"]} wall
 * @param {Wall["line"]} door
 * @returns {Wall["line"][]}
 */
function cut(wall, door) {
  if (!isOnLine(wall, door)) return [wall];
  const [x1, y1, x2, y2] = wall;
  const { length, dx, dy, along } = placed(wall, door);
  const [start, end] = along.sort((a, b) => a - b);
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
