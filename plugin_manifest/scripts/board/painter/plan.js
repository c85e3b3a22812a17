/**
 * The plan of a painted map: what is to be painted where, worked out from the scene alone. The plan is the same for
 * the same scene, in every browser.
 */

import { CELL, boardSize, center, toPlane } from "../../core/map/geometry.js";
import { addTerrain, middleOf } from "./areas.js";
import { addThing, addWall } from "./bodies.js";
import { furnish, plantMargin } from "./dressing.js";
import { marginOf } from "./extent.js";
import { Items } from "./items.js";
import { visibleRing } from "./light.js";
import { noiseAt } from "./random.js";
import { findRooms } from "./rooms.js";
import { artOf, groundOf } from "./terrain-art.js";

/** @import {Scene, Wall} from "../../../types/contract.js" */
/** @import {Floor} from "./floors.js" */
/** @import {Ground} from "./ground.js" */
/** @import {Light} from "./light.js" */
/** @import {Box, Point} from "./pen.js" */
/** @import {Line, Room, Rooms} from "./rooms.js" */

/** The parts of a scene that a painted map shows. */
/** @typedef {Pick<Scene, "grid" | "walls" | "terrain" | "name">} PaintedScene */

/** @typedef {{at: Point, radius: number}} Flame */
/** @typedef {{ground: Ground | "cobble", grain: number, margin: number, board: Point, items: Items, lights: Light[], flames: Flame[]}} Plan */

const [WARM, FIRE, MOON, LAMP] = ["255,176,96", "255,140,60", "120,150,215", "255,190,130"];
/** The ground of a board of inches is so many times coarser. */
const INCH_GRAIN = 2.2;
/** A room has a lamp for so many cells, and never more than this. */
const [CELLS_A_LAMP, MOST_LAMPS] = [26, 8];
/** Outside, the light changes in spots so far apart. */
const SPOTS = 11;
/** The floors of rooms. */
const FLOORS = {
  wood: [
    { kind: "wood", tone: "#7b5030" },
    { kind: "wood", tone: "#6a452a", isUpright: true },
    { kind: "wood", tone: "#74492b" },
  ],
  stone: [
    { kind: "stone", tone: "#6c7078" },
    { kind: "stone", tone: "#7d796e", size: 0.75 },
  ],
  yard: [{ kind: "stone", tone: "#857660", size: 0.32, moss: 0.07 }],
};
/** A closed part of at most so many cells is no room but a thing or a pillar. */
const PILLAR_CELLS = 1.6;
/** The largest room of a map with several is a yard from this size on. */
const YARD_CELLS = 40;

/** @param {PaintedScene} scene @returns {Plan} */
export function planMap(scene) {
  const { grid } = scene;
  const [width, height] = boardSize(grid);
  const board = /** @type {Point} */ ([width / CELL, height / CELL]);
  const [ground, items] = [groundOf(scene), new Items()];
  const walls = scene.walls.map((wall) => ({
    wall,
    line: /** @type {Line} */ (toPlane(grid, wall.line).map((value) => value / CELL)),
  }));
  const rooms = findRooms(
    board,
    walls.filter(({ wall }) => encloses(wall)).map(({ line }) => line),
  );
  plantMargin(items, ground, board, marginOf(grid), rooms);
  const pillars = addRooms(items, rooms, scene);
  for (const terrain of scene.terrain) if (!terrain.hidden) addTerrain(items, grid, terrain);
  addWalls(items, walls, grid.kind === "gridless" ? 0.5 : 0.28, pillars);
  return {
    ground,
    grain: grid.kind === "gridless" ? INCH_GRAIN : 1,
    margin: marginOf(grid),
    board,
    items,
    ...lightsOf(scene, board, rooms, walls),
  };
}

/** @param {Wall} wall */
const encloses = (wall) => wall.move === "normal" || wall.sight === "normal" || wall.door !== "none";

/** Lay floors; return the boxes of closed parts that are too small for a room. @param {Items} items @param {Rooms} rooms @param {PaintedScene} scene @returns {Box[]} */
function addRooms(items, rooms, scene) {
  const largest = Math.max(0, ...rooms.all.map(({ area }) => area));
  const pillars = [];
  for (const room of rooms.all) {
    const box = boxOfRoom(room, rooms.pitch);
    if (room.area <= PILLAR_CELLS) {
      pillars.push(box);
      if (!isCovered(scene, room)) addPillar(items, box);
      continue;
    }
    const floor = floorOf(room, room.area === largest && largest >= YARD_CELLS && rooms.all.length > 2);
    items.add("floor", "floorRuns", box, 0.1, room.runs, rooms.pitch, floor);
    furnish(items, room, rooms, floor.kind === "wood");
  }
  return pillars;
}

/** @param {Room} room @param {boolean} isYard @returns {Floor} */
function floorOf(room, isYard) {
  const key = isYard ? "yard" : noiseAt(room.seed, 86) < 0.72 ? "wood" : "stone";
  const choices = FLOORS[key];
  return { .../** @type {Floor} */ (choices[room.seed % choices.length]), seed: room.seed % 997 };
}

/** @param {Room} room @param {number} pitch @returns {Box} */
function boxOfRoom({ runs }, pitch) {
  const [rows, firsts, lasts] = [0, 1, 2].map((i) => runs.map((run) => run[i]));
  const least = (/** @type {number[]} */ values) => values.reduce((a, b) => Math.min(a, b));
  const most = (/** @type {number[]} */ values) => values.reduce((a, b) => Math.max(a, b));
  return {
    left: least(firsts) * pitch,
    top: least(rows) * pitch,
    right: (most(lasts) + 1) * pitch,
    bottom: (most(rows) + 1) * pitch,
  };
}

/** Return whether a terrain says what stands in a closed part. @param {PaintedScene} scene @param {Room} room */
function isCovered({ grid, terrain }, { middle: [x, y] }) {
  const holds = (/** @type {number[]} */ point) => Math.hypot(point[0] / CELL - x, point[1] / CELL - y) < 0.6;
  return terrain.some(({ cells }) => cells.some((cell) => holds(center(cellsOf(grid), cell))));
}

/** @param {Items} items @param {Box} box */
function addPillar(items, { left, top, right, bottom }) {
  if (noiseAt(left, top, 87) < 0.6)
    addThing(
      items,
      "crate",
      [left + 0.04, top + 0.04, right - left - 0.08, bottom - top - 0.08],
      right - left - 0.08,
    );
  else addThing(items, "box", [left, top, right - left, bottom - top], "#8a8478");
}

/** @param {Items} items @param {{wall: Wall, line: Line}[]} walls @param {number} width @param {Box[]} pillars their lines have no body */
function addWalls(items, walls, width, pillars) {
  for (const {
    wall,
    line: [x1, y1, x2, y2],
  } of walls) {
    const isWhole = wall.move === "normal" && wall.sight === "normal" && wall.door !== "door";
    const isPillar = pillars.some(
      ({ left, top, right, bottom }) =>
        Math.min(x1, x2) >= left - 0.01 &&
        Math.max(x1, x2) <= right + 0.01 &&
        Math.min(y1, y2) >= top - 0.01 &&
        Math.max(y1, y2) <= bottom + 0.01,
    );
    if (isWhole && !isPillar) addWall(items, [x1, y1], [x2, y2], width, "#8f8778");
  }
}

/** Return the grid of terrain: on a board without cells, squares of an inch. @param {PaintedScene["grid"]} grid */
const cellsOf = (grid) => ({
  ...grid,
  kind: grid.kind === "gridless" ? /** @type {const} */ ("square") : grid.kind,
});

/**
 * Return the lights: lamps in rooms, fires, and spots of light outside.
 * @param {PaintedScene} scene
 * @param {Point} board
 * @param {Rooms} rooms
 * @param {{wall: Wall, line: Line}[]} walls
 * @returns {{lights: Light[], flames: Flame[]}}
 */
function lightsOf({ grid, terrain }, board, rooms, walls) {
  const dark = walls
    .filter(({ wall }) => wall.sight !== "none" && wall.state !== "open")
    .map(({ line }) => line);
  const light = (
    /** @type {Point} */ at,
    /** @type {number} */ reach,
    /** @type {string} */ color,
    /** @type {number} */ power,
  ) => ({
    at,
    reach,
    color,
    power,
    ring: visibleRing(at, dark, reach),
  });
  const flames = terrain
    .filter(({ hidden }) => !hidden)
    .flatMap((area) => {
      const [art, cells] = [artOf(area), cellsOf(grid)];
      if (art === "lamp")
        return area.cells.map((cell) => ({ at: middleOf({ grid: cells, cells: [cell] }), radius: 0.09 }));
      if (art !== "fire" && art !== "hearth") return [];
      return [{ at: middleOf({ grid: cells, cells: area.cells }), radius: 0.26 }];
    });
  const lamps = rooms.all
    .filter(({ area }) => area > PILLAR_CELLS)
    .flatMap((room) =>
      lampsOf(room, rooms.pitch).map((at) => light(at, 5 + Math.min(2.5, room.reach), WARM, 0.62)),
    );
  // A hearth's own walls would shut its light in.
  const fires = flames.map(({ at, radius }) => {
    const far = dark.filter(
      ([x1, y1, x2, y2]) => Math.hypot((x1 + x2) / 2 - at[0], (y1 + y2) / 2 - at[1]) > 0.75,
    );
    const reach = radius > 0.2 ? 8.5 : 5;
    return { at, reach, color: radius > 0.2 ? FIRE : WARM, power: 0.85, ring: visibleRing(at, far, reach) };
  });
  const spots = [];
  for (let row = -1; row * SPOTS < board[1] + marginOf(grid); row += 1)
    for (let column = -1; column * SPOTS < board[0] + marginOf(grid); column += 1) {
      const at = /** @type {Point} */ (
        [0, 1].map((axis) => ([column, row][axis] + noiseAt(column, row, 88 + axis)) * SPOTS)
      );
      const isMoon = noiseAt(column, row, 90) < 0.55;
      if (!rooms.at(at)) spots.push(light(at, 9, isMoon ? MOON : LAMP, isMoon ? 0.42 : 0.28));
    }
  return { lights: [...lamps, ...fires, ...spots], flames };
}

/** Spread lamps over a room: each as far as possible from the others. @param {Room} room @param {number} pitch @returns {Point[]} */
function lampsOf({ runs, middle, area }, pitch) {
  const places = runs.flatMap(([row, first, last]) =>
    [0.25, 0.75].map(
      (part) => /** @type {Point} */ ([(first + (last + 1 - first) * part) * pitch, (row + 0.5) * pitch]),
    ),
  );
  const lamps = [middle];
  const gap = (/** @type {Point} */ [x, y]) => Math.min(...lamps.map(([a, b]) => Math.hypot(a - x, b - y)));
  while (lamps.length < Math.min(MOST_LAMPS, area / CELLS_A_LAMP)) {
    const next = places.reduce((best, place) => (gap(place) > gap(best) ? place : best));
    if (gap(next) < 3) break;
    lamps.push(next);
  }
  return lamps;
}
