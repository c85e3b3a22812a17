/**
 * Walls within the reach of the table. Its server refuses a whole scene for one wall that is further off, and a slip of
 * the hand or another module puts some there. What is so far off blocks nothing on the map.
 */

/** @import {LiveScene, Source} from "./scene.js" */

/** @typedef {[number, number, number, number]} Line from x, y to x, y in pixels of the canvas */
/** @typedef {{x: [number, number], y: [number, number]}} Box the least and the most of each */

/** The server takes 500 cells from the board's corner, which may be a cell away from the map's. */
export const REACH_CELLS = 498;

/**
 * Returns a scene's walls as far as they are within reach; one that is nowhere within is left out.
 * @param {LiveScene} scene
 * @returns {Source[]}
 */
export function wallsInReach(scene) {
  const box = reachOf(scene);
  return wallsOf(scene).flatMap((wall) => {
    const c = isWithin(wall.c, box) ? wall.c : clipped(wall.c, box);
    return c ? [{ ...wall, c }] : [];
  });
}

/**
 * A wall that reaches too far; `isOnMap` if a part of it is on the map all the same.
 * @typedef {{id: string, c: Line, isOnMap: boolean}} FarWall
 */

/** Returns the walls of a scene that reach too far. @param {LiveScene} scene @returns {FarWall[]} */
export function farWalls(scene) {
  const { sceneX: left, sceneY: top, sceneWidth, sceneHeight } = scene.dimensions;
  /** @type {Box} */
  const map = { x: [left, left + sceneWidth], y: [top, top + sceneHeight] };
  const box = reachOf(scene);
  return wallsOf(scene)
    .filter(({ c }) => !isWithin(c, box))
    .map(({ _id: id, c }) => ({ id, c, isOnMap: clipped(c, map) !== null }));
}

/** The values that Foundry gives, as the table's importer takes them (D13 D14 WallData). */
const VALUES = { move: [0, 20], sight: [0, 10, 20, 30, 40], dir: [0, 1, 2], door: [0, 1, 2], ds: [0, 1, 2] };

/** Tells whether another module or a macro has given a wall a value that means nothing. @param {Source} wall */
const isOdd = (wall) =>
  Object.entries(VALUES).some(([key, values]) => wall[key] !== undefined && !values.includes(wall[key]));

/** Returns the walls that are left out for an odd value. @param {LiveScene} scene @returns {Source[]} */
export const oddWalls = ({ source }) => (source.walls ?? []).filter(isOdd);

/**
 * Returns the change that gives a wall values that mean something: the next lower ones.
 * @param {Source} wall
 * @returns {Source}
 */
export function mendedWall(wall) {
  const odd = Object.entries(VALUES).filter(
    ([key, values]) => wall[key] !== undefined && !values.includes(wall[key]),
  );
  const lower = (/** @type {number[]} */ values, /** @type {unknown} */ value) =>
    values.filter((one) => typeof value === "number" && one <= value).pop() ?? values[0];
  return {
    _id: wall._id,
    ...Object.fromEntries(odd.map(([key, values]) => [key, lower(values, wall[key])])),
  };
}

/** @param {LiveScene} scene @returns {Source[]} */
const wallsOf = ({ source }) => (source.walls ?? []).filter((/** @type {Source} */ wall) => !isOdd(wall));

/** @param {LiveScene} scene @returns {Box} which has the whole map in it */
function reachOf({ source, dimensions: { sceneX, sceneY, sceneWidth, sceneHeight } }) {
  const reach = REACH_CELLS * source.grid.size;
  return {
    x: [sceneX - reach, sceneX + Math.max(reach, sceneWidth)],
    y: [sceneY - reach, sceneY + Math.max(reach, sceneHeight)],
  };
}

/** @param {Line} line @param {Box} box */
const isWithin = (line, { x, y }) =>
  line.every((at, i) => {
    const [least, most] = i % 2 ? y : x;
    return Number.isFinite(at) && at >= least && at <= most;
  });

/**
 * Returns the part of a line within a box, in the line's direction; null if there is none (Liang and Barsky).
 * @param {Line} line
 * @param {Box} box
 * @returns {Line | null}
 */
function clipped(line, { x, y }) {
  if (!line.every(Number.isFinite)) return null;
  const [x1, y1, x2, y2] = line;
  const [across, down] = [x2 - x1, y2 - y1];
  let [first, last] = [0, 1];
  for (const [step, room] of [
    [-across, x1 - x[0]],
    [across, x[1] - x1],
    [-down, y1 - y[0]],
    [down, y[1] - y1],
  ]) {
    if (step === 0 && room < 0) return null;
    if (step < 0) first = Math.max(first, room / step);
    else if (step > 0) last = Math.min(last, room / step);
  }
  if (first >= last) return null;
  const at = (/** @type {number} */ share) => [x1 + share * across, y1 + share * down].map(Math.round);
  const [from, to] = [first > 0 ? at(first) : [x1, y1], last < 1 ? at(last) : [x2, y2]];
  return [from[0], from[1], to[0], to[1]];
}
