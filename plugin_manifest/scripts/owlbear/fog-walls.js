/**
 * Walls and doors from fog drawings. Each outline is a wall; doors are those of the extension Dynamic Fog, which keeps
 * them on the drawing. Its own wall items exist only in each client, so they are not read.
 */

import { contoursOf, toScene } from "./outlines.js";

/** @import {Point, TabletopWall} from "../tabletop/tabletop.js" */
/** @import {Contour, Item} from "./outlines.js" */

/** @source C owlbear-rodeo/dynamic-fog src/util/getPluginId.ts and types/Door.ts: only the keys and fields are used */
export const DOORS_KEY = "rodeo.owlbear.dynamic-fog/doors";
const FOG_EXTENSION = /^rodeo\.owlbear\.dynamic-fog/;
const DOOR_ID = /^(.+)-d(\d{1,4})$/;

/** @typedef {{open: boolean, start: {distance: number, index: number}, end: {distance: number, index: number}}} Door */

/** Tells whether a scene uses Dynamic Fog: then its fog drawings are walls. @param {Item[]} items */
export const usesDynamicFog = (items) =>
  items.some(({ metadata }) => Object.keys(metadata ?? {}).some((key) => FOG_EXTENSION.test(key)));

/** Returns the walls of all fog drawings. @param {Item[]} items @returns {TabletopWall[]} */
export const fogWalls = (items) => items.filter(({ layer }) => layer === "FOG").flatMap(wallsOf);

/** @param {Item} item @returns {TabletopWall[]} */
function wallsOf(item) {
  const doors = doorsOf(item);
  return contoursOf(item).flatMap((contour, index) => {
    const own = doors.map((door, i) => ({ door, i })).filter(({ door }) => door.start.index === index);
    return contourWalls(item, contour, index, own);
  });
}

/** @param {Item} item @returns {Door[]} */
export function doorsOf({ metadata }) {
  const doors = metadata?.[DOORS_KEY];
  const isPlace = (/** @type {any} */ place) =>
    Number.isFinite(place?.distance) && Number.isInteger(place?.index);
  return Array.isArray(doors) ? doors.filter((door) => isPlace(door?.start) && isPlace(door?.end)) : [];
}

/**
 * @param {Item} item
 * @param {Contour} contour
 * @param {number} index
 * @param {{door: Door, i: number}[]} doors of this contour
 * @returns {TabletopWall[]}
 */
function contourWalls(item, { points, isClosed }, index, doors) {
  const ring = isClosed ? [...points, points[0]] : points;
  const lengths = ring.map((point, i) =>
    i ? Math.hypot(point.x - ring[i - 1].x, point.y - ring[i - 1].y) : 0,
  );
  const gaps = doors
    .map(({ door }) => ordered(door.start.distance, door.end.distance))
    .sort((a, b) => a[0] - b[0]);
  /** @type {TabletopWall[]} */
  const walls = [];
  let along = 0;
  for (let i = 1; i < ring.length; i++) {
    const [from, to] = [along, along + lengths[i]];
    const at = (/** @type {number} */ distance) =>
      between(ring[i - 1], ring[i], (distance - from) / (to - from || 1));
    for (const [start, end] of without([from, to], gaps))
      walls.push(wall(item, `${item.id}-${index}-${walls.length}`, at(start), at(end)));
    along = to;
  }
  const place = (/** @type {number} */ distance) => pointAlong(ring, lengths, distance);
  for (const { door, i } of doors) {
    const closed = wall(item, `${item.id}-d${i}`, place(door.start.distance), place(door.end.distance));
    walls.push({ ...closed, door: "door", state: door.open ? "open" : "closed" });
  }
  return walls;
}

/** @param {number} a @param {number} b @returns {[number, number]} */
const ordered = (a, b) => (a <= b ? [a, b] : [b, a]);

/** @param {[number, number]} span @param {[number, number][]} gaps in order @returns {[number, number][]} */
function without([from, to], gaps) {
  /** @type {[number, number][]} */
  const left = [];
  let start = from;
  for (const [first, last] of gaps) {
    if (last <= start || first >= to) continue;
    if (first > start) left.push([start, first]);
    start = Math.max(start, last);
  }
  if (start < to) left.push([start, to]);
  return left;
}

/** @param {Point[]} ring @param {number[]} lengths @param {number} distance @returns {Point} */
function pointAlong(ring, lengths, distance) {
  let left = distance;
  for (let i = 1; i < ring.length; i++) {
    if (left <= lengths[i] || i === ring.length - 1)
      return between(ring[i - 1], ring[i], Math.max(0, Math.min(1, left / (lengths[i] || 1))));
    left -= lengths[i];
  }
  return ring[0];
}

/** @param {Point} a @param {Point} b @param {number} part @returns {Point} */
const between = (a, b, part) => ({ x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part });

/** @param {Item} item @param {string} id @param {Point} from @param {Point} to @returns {TabletopWall} */
function wall(item, id, from, to) {
  const [a, b] = [toScene(item, from), toScene(item, to)];
  return { id, line: [a.x, a.y, b.x, b.y], move: "normal", sight: "normal", door: "none", state: "closed" };
}

/** Returns the drawing and the number of a door. @param {string} id @returns {{item: string, index: number} | null} */
export function doorOf(id) {
  const found = DOOR_ID.exec(id);
  return found && { item: found[1], index: Number(found[2]) };
}
