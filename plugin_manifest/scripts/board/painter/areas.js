/** The art of terrain on a painted map: one recipe for each kind of it. */

import { CELL, boardSize, center, isHex } from "../../core/map/geometry.js";
import { artOf } from "./terrain-art.js";
import { marginOf } from "./extent.js";
import { GROUNDS } from "./ground.js";
import { addRock, addThing, addTree, addWall } from "./bodies.js";
import { boxOf } from "./pen.js";
import { noiseAt, seedOf } from "./random.js";
import { eachAlong, grownRings, partsOf, ringsOf } from "./rings.js";

/** @import {Cell, Grid, Terrain} from "../../../types/contract.js" */
/** @import {Items} from "./items.js" */
/** @import {Box, Point} from "./pen.js" */
/** @import {Art} from "./terrain-art.js" */

/**
 * A part of a terrain's cells: where it is, and how it is bordered.
 * @typedef {{grid: Grid, cells: Cell[], board: Point, margin: number, box: Box, rings: Point[][]}} Part
 */

/** Floors and grounds lie under all else. */
const FLOORS = {
  wood: { kind: "wood", tone: "#7b5030" },
  stone: { kind: "stone", tone: "#74726b" },
  cobble: { kind: "stone", tone: "#81755f", size: 0.32, moss: 0.07 },
};
const CLOTHS = ["#a63b32", "#2f5f75", "#4d6b39", "#8a5a1f"];
const BLANKETS = ["#3f5672", "#5a4a6a", "#5d6a43", "#6b3f35"];

/** Add the art of a terrain. @param {Items} items @param {Grid} grid @param {Terrain} terrain */
export function addTerrain(items, grid, terrain) {
  // On a board without cells, terrain is made of squares of an inch.
  const cellGrid = grid.kind === "gridless" ? { ...grid, kind: /** @type {const} */ ("square") } : grid;
  const [width, height] = boardSize(grid);
  const board = /** @type {Point} */ ([width / CELL, height / CELL]);
  const art = artOf(terrain);
  for (const cells of partsOf(cellGrid, terrain.cells)) {
    const rings = ringsOf(cellGrid, cells);
    if (rings.length)
      paintPart(items, art, {
        grid: cellGrid,
        cells,
        board,
        margin: marginOf(grid),
        box: boxOf(rings.flat()),
        rings,
      });
  }
}

/** @param {Items} items @param {Art} art @param {Part} part */
function paintPart(items, art, part) {
  if (art in GROUNDS && art !== "water" && art !== "lava")
    addRings(items, "patch", "patch", soft(part, 0.25), art, 0.35);
  else if (art in FLOORS) {
    const floor = FLOORS[/** @type {keyof typeof FLOORS} */ (art)];
    items.add("floor", "floorRings", part.box, 0.1, part.rings, { ...floor, seed: seedOf(art) % 1000 });
  } else RECIPES[/** @type {keyof typeof RECIPES} */ (art)](items, part);
}

/** @param {Items} items @param {"patch" | "water" | "rise"} layer @param {string} art @param {Point[][]} rings @param {...any} values */
const addRings = (items, layer, art, rings, ...values) =>
  items.add(layer, art, boxOf(rings.flat()), 0.7, rings, ...values);

/** @param {Part} part @param {number} [moved] */
const soft = ({ rings, board, margin, grid }, moved) =>
  grownRings(rings, board, margin, moved, isHex(grid) ? 0.6 : 0.01);

/** @type {Record<string, (items: Items, part: Part) => void>} */
const RECIPES = {
  water: (items, part) => addRings(items, "water", "water", soft(part), "water"),
  lava: (items, part) => addRings(items, "water", "water", soft(part), "lava"),
  pit: (items, part) => addRings(items, "rise", "pit", soft(part, 0.14)),
  hill: (items, part) => addRings(items, "rise", "hill", roundedRings(part), "#7d7b4d", 4),
  platform: (items, part) => {
    const floor = { ...FLOORS.stone, size: 0.5, moss: 0.05, seed: 17 };
    items.add("rise", "platform", part.box, 0.6, part.rings, floor);
  },
  ruin: (items, part) => {
    items.add("floor", "floorRings", part.box, 0.1, part.rings, {
      ...FLOORS.stone,
      size: 0.45,
      moss: 0.3,
      seed: 23,
    });
    for (const ring of part.rings)
      ring.forEach((from, i) => {
        const to = ring[(i + 1) % ring.length];
        if (noiseAt(from[0] * 64, from[1] * 64, 71) < 0.72) addWall(items, from, to, 0.34, "#948d7f");
      });
    scatter(items, part, 5, [0.06, 0.19], "#857e70");
  },
  rocks: (items, part) =>
    part.cells.length < 4
      ? eachCell(part, (at, salt) => addRocks(items, at, salt))
      : RECIPES.crag(items, part),
  crag: (items, part) => {
    const [x, y] = middleOf(part);
    const radius = Math.sqrt(part.cells.length) * 0.46;
    addRock(items, [x, y], radius, "#968e80");
    for (const ring of part.rings)
      eachAlong(ring, 0.8, ([a, b], random) => {
        const at = /** @type {Point} */ ([a + (x - a) * 0.12 * random(), b + (y - b) * 0.12 * random()]);
        addRock(items, at, 0.08 + random() * 0.2, "#8b8476");
      });
  },
  rubble: (items, part) => {
    eachCell(part, ([x, y], salt) =>
      addRock(items, [x + salt(1) * 0.3, y + salt(2) * 0.3], 0.26 + salt(3) * 0.06, "#8f8979"),
    );
    scatter(items, part, 6, [0.06, 0.2], "#857e70");
  },
  trees: (items, part) =>
    eachCell(part, ([x, y], salt) =>
      addTree(items, [x + salt(1) * 0.35, y + salt(2) * 0.35], 0.66 + salt(3) * 0.2, "green"),
    ),
  bushes: (items, part) =>
    eachCell(part, ([x, y], salt) => {
      for (let i = 0; i < 3; i += 1)
        addTree(items, [x + salt(i) * 0.5, y + salt(i + 9) * 0.5], 0.3 + salt(i + 3) * 0.08, "green");
    }),
  thorns: (items, part) =>
    eachCell(part, ([x, y], salt) => {
      for (let i = 0; i < 4; i += 1)
        addTree(items, [x + salt(i) * 0.6, y + salt(i + 9) * 0.6], 0.2 + salt(i + 3) * 0.06, "thorn");
    }),
  fence: (items, part) => {
    const { left, top, right, bottom } = part.box;
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    const ends =
      right - left > bottom - top
        ? [
            [left + 0.1, y],
            [right - 0.1, y],
          ]
        : [
            [x, top + 0.1],
            [x, bottom - 0.1],
          ];
    items.add("thing", "fence", part.box, 0.4, ...ends);
  },
  stalls: (items, part) =>
    eachRect(part, 1.5, (rect, i) => addThing(items, "stall", rect, CLOTHS[i % CLOTHS.length])),
  well: (items, part) => addRound(items, "well", part, 0.46),
  barrels: (items, part) =>
    eachCell(part, ([x, y], salt) => {
      for (const [dx, dy] of [
        [-0.2, 0.1],
        [0.24, -0.06],
        [0.12, 0.3],
      ])
        addThing(
          items,
          "barrel",
          [x + dx - 0.25, y + dy - 0.25, 0.5, 0.5],
          [x + dx + salt(1) * 0.05, y + dy],
          0.24,
        );
    }),
  hay: (items, { box }) =>
    addThing(items, "hay", [
      box.left + 0.08,
      box.top + 0.08,
      box.right - box.left - 0.16,
      box.bottom - box.top - 0.16,
    ]),
  crates: (items, part) =>
    eachCell(part, ([x, y], salt) => {
      const size = 0.78 + salt(1) * 0.08;
      addThing(items, "crate", [x - size / 2, y - size / 2, size, size], size);
    }),
  table: (items, part) => {
    const { left, top, right, bottom } = part.box;
    const [width, height] = [right - left, bottom - top];
    if (Math.abs(width - height) < 0.2) addRound(items, "table", part, 0.36, 5);
    else
      addThing(
        items,
        "box",
        [left + 0.16, top + 0.16, width - 0.32, height - 0.32],
        "#7a5630",
        height > width,
      );
  },
  bed: (items, { box: { left, top, right, bottom } }) =>
    addThing(
      items,
      "bed",
      [left + 0.06, top + 0.06, right - left - 0.12, bottom - top - 0.12],
      BLANKETS[Math.floor(noiseAt(left, top, 72) * BLANKETS.length)],
    ),
  shelf: (items, { box: { left, top, right, bottom } }) =>
    addThing(
      items,
      "box",
      [left + 0.12, top + 0.12, right - left - 0.24, bottom - top - 0.24],
      "#5c3a1c",
      right - left > bottom - top,
    ),
  rug: (items, { box: { left, top, right, bottom } }) =>
    items.add(
      "rug",
      "rug",
      { left, top, right, bottom },
      0.2,
      [left + 0.1, top + 0.1, right - left - 0.2, bottom - top - 0.2],
      "#6e2b2f",
    ),
  hearth: (items, { box: { left, top, right, bottom } }) =>
    addThing(items, "hearth", [left, top, right - left, bottom - top]),
  // Lights, which paint their flames.
  fire: () => {},
  lamp: () => {},
  smoke: (items, part) => eachCell(part, (at) => items.add("air", "smoke", boxOf([at]), 1, at)),
  vortex: (items, part) =>
    items.add("air", "vortex", part.box, 1, middleOf(part), (part.box.right - part.box.left) / 2),
};

/** Return the middle of some cells. @param {Pick<Part, "grid" | "cells">} part @returns {Point} */
export function middleOf({ grid, cells }) {
  const all = cells.map((cell) => center(grid, cell));
  return /** @type {Point} */ (
    [0, 1].map((axis) => all.reduce((sum, point) => sum + point[axis], 0) / all.length / CELL)
  );
}

/** Visit each cell's middle, with a source of numbers from -1 to 1 for it. @param {Part} part @param {(at: Point, salt: (n: number) => number) => void} visit */
function eachCell({ grid, cells }, visit) {
  for (const cell of cells) {
    const [x, y] = center(grid, cell);
    visit([x / CELL, y / CELL], (n) => noiseAt(...cell, n, 73) * 2 - 1);
  }
}

/** Visit rectangles that fill a part's box, of about such a length. @param {Part} part @param {number} length @param {(rect: [number, number, number, number], i: number) => void} visit */
function eachRect({ box: { left, top, right, bottom } }, length, visit) {
  const [width, height] = [right - left, bottom - top];
  const isLevel = width >= height;
  const count = Math.max(1, Math.round(Math.max(width, height) / length));
  for (let i = 0; i < count; i += 1)
    if (isLevel)
      visit([left + (width * i) / count + 0.03, top + 0.05, width / count - 0.06, height - 0.1], i);
    else visit([left + 0.05, top + (height * i) / count + 0.03, width - 0.1, height / count - 0.06], i);
}

/** Replace the corners of a hill: it is round. @param {Part} part @returns {Point[][]} */
function roundedRings({ box: { left, top, right, bottom } }) {
  const [x, y, rx, ry] = [(left + right) / 2, (top + bottom) / 2, (right - left) / 2, (bottom - top) / 2];
  return [
    Array.from({ length: 20 }, (_, i) => {
      const [angle, far] = [(i / 20) * 2 * Math.PI, 1.06 + (noiseAt(left, top, i, 74) - 0.5) * 0.1];
      return /** @type {Point} */ ([x + Math.cos(angle) * rx * far, y + Math.sin(angle) * ry * far]);
    }),
  ];
}

/** @param {Items} items @param {Point} at @param {(n: number) => number} salt */
function addRocks(items, [x, y], salt) {
  addRock(items, [x + salt(1) * 0.06, y + salt(2) * 0.06], 0.4 + salt(3) * 0.05, "#7e776b");
  addRock(items, [x + 0.3 * Math.sign(salt(4)), y + 0.3], 0.16, "#79736a");
}

/** Strew small rocks over a part's cells. @param {Items} items @param {Part} part @param {number} count a cell @param {Point} radii @param {string} tone */
function scatter(items, part, count, [least, most], tone) {
  eachCell(part, ([x, y], salt) => {
    for (let i = 0; i < count; i += 1) {
      const radius = least + ((salt(i + 40) + 1) / 2) * (most - least);
      addRock(items, [x + salt(i + 20) * 0.45, y + salt(i + 30) * 0.45], radius, tone);
    }
  });
}

/** @param {Items} items @param {string} art @param {Part} part @param {number} share of the part's smaller side @param {...any} values */
function addRound(items, art, part, share, ...values) {
  const { left, top, right, bottom } = part.box;
  const radius = Math.min(right - left, bottom - top) * share;
  items.add("thing", art, part.box, 0.5, middleOf(part), radius, ...values);
}
