/**
 * Walls as the GM draws them: points snap to the grid, a door cuts the wall behind it, and walls and terrain are
 * found under the pointer. Pure functions. "On the plane" is as the board is drawn; "on the wire" as a scene has it.
 */

import { randomHex } from "../table/connection.js";
import { doors, secretDoors } from "./wall-cuts.js";
import { CELL, boardSize, cellAt, center, corners, isHex, isPointy, toPlane } from "../map/geometry.js";

/** @import {Cell, Grid, Scene, Terrain, Wall} from "../../../types/contract.js" */

/** A point snaps to the grid within this distance, in 64ths of a cell. */
const SNAP = CELL * 0.3;
/** The shortest wall or door, in 64ths of a cell: ends are rounded, so that a shorter one lies in no wall for sure. */
const SHORTEST = 3;
/** A brush marks the cell under it this often on its way, in 64ths of a cell. */
const BRUSH_STEP = CELL / 8;
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
  const long = lines.filter(([x1, y1, x2, y2]) => Math.hypot(x2 - x1, y2 - y1) >= SHORTEST);
  const made = long.map((line) => wallOf(newId("w"), line, KINDS[tool]));
  if (!KINDS[tool].door) return { walls: made, remove: [] };
  const put = tool === "secret" ? secretDoors(scene.walls, made) : doors(scene.walls, made);
  const kept = new Set(put.walls.map(({ id }) => id));
  return { walls: put.walls, remove: [...put.gone].filter((id) => !kept.has(id)) };
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

/**
 * Return the cells that a brush paints from one point to the next, which a quick hand or a busy page sets far apart.
 * @param {Grid} grid
 * @param {Cell} from on the plane
 * @param {Cell} to on the plane
 * @returns {Cell[]} those on the board, each once
 */
export function brushCells(grid, [x1, y1], [x2, y2]) {
  const steps = Math.max(1, Math.ceil(Math.hypot(x2 - x1, y2 - y1) / BRUSH_STEP));
  const cells = Array.from({ length: steps + 1 }, (_, i) => {
    const t = i / steps;
    return paintCell(grid, [x1 + t * (x2 - x1), y1 + t * (y2 - y1)]);
  });
  return joined([], cells).filter(([x, y]) => x >= 0 && y >= 0 && x < grid.columns && y < grid.rows);
}

/** Return cells with others, each once. @param {Cell[]} cells @param {Cell[]} more @returns {Cell[]} */
export const joined = (cells, more) => [
  ...new Map([...cells, ...more].map((cell) => [String(cell), cell])).values(),
];

/**
 * Return the change of the map that paints cells: like terrain grows.
 * @param {Scene} scene
 * @param {Omit<Terrain, "id" | "cells" | "height">} wanted
 * @param {Cell[]} cells
 * @returns {{terrain: Terrain[]} | null} null if all are such terrain already
 */
export function paintedTerrain(scene, wanted, cells) {
  const isLike = (/** @type {any} */ patch) =>
    Object.entries(wanted).every(([key, value]) => patch[key] === value);
  const same = scene.terrain.find(isLike) ?? { height: 0, ...wanted, id: newId("t"), cells: [] };
  const all = joined(same.cells, cells);
  return all.length > same.cells.length ? { terrain: [{ ...same, cells: all }] } : null;
}

/**
 * Return the change of the map that gives a wall or a patch of terrain other properties.
 * @template {"walls" | "terrain"} K
 * @param {Scene} scene
 * @param {K} kind
 * @param {string} id
 * @param {(now: Scene[K][number]) => Partial<Scene[K][number]>} change returns them
 * @returns {{[kind: string]: Scene[K]} | null} null if it is gone
 */
export function changedPart(scene, kind, id, change) {
  const found = scene[kind].find((one) => one.id === id);
  return found ? { [kind]: /** @type {any} */ ([{ ...found, ...change(found) }]) } : null;
}

/**
 * Return the change of the map that takes one cell from a patch of terrain; the patch goes with its last.
 * @param {Scene} scene
 * @param {string} id the patch's
 * @param {Cell} cell
 * @returns {{terrain: Terrain[]} | {remove: string[]} | null} null if the cell is gone
 */
export function erasedTerrain(scene, id, cell) {
  const patch = scene.terrain.find((one) => one.id === id);
  const cells = patch?.cells.filter((own) => String(own) !== String(cell)) ?? [];
  if (!patch || cells.length === patch.cells.length) return null;
  return cells.length ? { terrain: [{ ...patch, cells }] } : { remove: [id] };
}

/** @param {Cell} point @param {Wall["line"]} line */
export function distanceToLine([x, y], [x1, y1, x2, y2]) {
  const length = (x2 - x1) ** 2 + (y2 - y1) ** 2 || 1;
  const t = Math.max(0, Math.min(1, ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / length));
  return Math.hypot(x - x1 - t * (x2 - x1), y - y1 - t * (y2 - y1));
}
