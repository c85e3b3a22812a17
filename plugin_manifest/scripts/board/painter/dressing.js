/**
 * Furniture and plants that the map painter adds of its own: they block nothing and look like it. Rugs lie flat, barrels and boxes
 * stand small in the corners of rooms, trees and rocks stand outside of the board.
 */

import { addRock, addThing, addTree } from "./bodies.js";
import { noiseAt } from "./random.js";

/** @import {Items} from "./items.js" */
/** @import {Point} from "./pen.js" */
/** @import {Room, Rooms} from "./rooms.js" */
/** @import {Ground} from "./ground.js" */

const RUGS = ["#6d2a2c", "#2e4a57", "#57375a", "#3f4a2c"];
/** A thing in a corner keeps so far from the middle of the wall. */
const OFF_WALL = 0.17;

/** Furnish a room. @param {Items} items @param {Room} room @param {Rooms} rooms @param {boolean} isWooden */
export function furnish(items, room, rooms, isWooden) {
  if (isWooden && room.reach >= 2 && room.area >= 9) {
    const [width, height] = [2.6, 1.8];
    const [x, y] = room.middle;
    const tone = RUGS[room.seed % RUGS.length];
    const rect = [x - width / 2, y - height / 2, width, height];
    const box = { left: rect[0], top: rect[1], right: rect[0] + width, bottom: rect[1] + height };
    items.add("rug", "rug", box, 0.2, rect, tone);
  }
  if (rooms.pitch === 1 && room.area >= 5)
    for (const corner of cornersOf(room, rooms)) fillCorner(items, corner);
}

/**
 * Return the corners of a room on the board's squares: the square, and the directions to its two walls.
 * @param {Room} room
 * @param {Rooms} rooms
 * @returns {{at: Point, dx: number, dy: number}[]}
 */
function cornersOf(room, rooms) {
  const isIn = (/** @type {number} */ x, /** @type {number} */ y) => rooms.at([x + 0.5, y + 0.5]) === room;
  const corners = [];
  for (const [row, first, last] of room.runs)
    for (const [column, dx] of [
      [first, -1],
      [last, 1],
    ])
      for (const dy of [-1, 1])
        if (!isIn(column, row + dy) && !isIn(column + dx, row + dy))
          corners.push({ at: /** @type {Point} */ ([column, row]), dx, dy });
  return corners;
}

/** @param {Items} items @param {{at: Point, dx: number, dy: number}} corner */
function fillCorner(items, { at: [column, row], dx, dy }) {
  const chance = noiseAt(column, row, dx, dy, 81);
  const place = (/** @type {number} */ size) =>
    /** @type {Point} */ ([
      column + (dx < 0 ? OFF_WALL + size / 2 : 1 - OFF_WALL - size / 2),
      row + (dy < 0 ? OFF_WALL + size / 2 : 1 - OFF_WALL - size / 2),
    ]);
  if (chance < 0.4) {
    const [x, y] = place(0.5);
    addThing(items, "barrel", [x - 0.25, y - 0.25, 0.5, 0.5], [x, y], 0.24);
    const [side, far] = [x - dx * 0.5, y];
    if (chance < 0.2)
      addThing(items, "barrel", [side - 0.22, far - 0.22, 0.44, 0.44], [side, far + dy * 0.02], 0.21);
  } else if (chance < 0.62) {
    const [x, y] = place(0.5);
    addThing(items, "crate", [x - 0.25, y - 0.25, 0.5, 0.5], 0.5);
  }
}

/**
 * Let the land go on around the board, with a few pebbles on it.
 * @param {Items} items
 * @param {Ground | "cobble"} ground
 * @param {Point} board its size in cells
 * @param {number} margin around it
 * @param {Rooms} rooms
 */
export function plantMargin(items, ground, [width, height], margin, rooms) {
  if (ground === "cobble") return;
  const isWooded = ground === "grass" || ground === "moor" || ground === "marsh";
  for (let row = -margin; row < height + margin; row += 1)
    for (let column = -margin; column < width + margin; column += 1) {
      const isOut = column < -1 || row < -1 || column > width || row > height;
      const chance = noiseAt(column, row, 82);
      const at = /** @type {Point} */ ([column + noiseAt(column, row, 83), row + noiseAt(column, row, 84)]);
      const size = noiseAt(column, row, 85);
      if (isOut && isWooded && chance < 0.17)
        addTree(items, at, 0.7 + size * 0.7, ground === "marsh" ? "dusk" : "green");
      else if (isOut && chance > 0.95) addRock(items, at, 0.15 + size * 0.3, "#77726a");
      else if (!isOut && chance > 0.985 && !rooms.at(at)) addRock(items, at, 0.05 + size * 0.05, "#8f8979");
    }
}
