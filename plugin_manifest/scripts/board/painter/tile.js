/** Paints one tile of a map by its plan. */

import { paintFloor } from "./floors.js";
import { paintGround } from "./ground.js";
import { paintHalo, paintLight } from "./light.js";
import { paintHill, paintPatch, paintPit, paintRock, paintTree, paintWater } from "./nature.js";
import { Pen, grown, newCanvas, overlap } from "./pen.js";
import { hashText, noiseAt } from "./random.js";
import { eachAlong } from "./rings.js";
import {
  paintBarrel,
  paintBed,
  paintBox,
  paintCrate,
  paintFence,
  paintFire,
  paintHay,
  paintHearth,
  paintRug,
  paintStall,
  paintTable,
  paintWell,
} from "./things.js";
import { paintWalls } from "./walls.js";

/** @import {Item} from "./items.js" */
/** @import {Light} from "./light.js" */
/** @import {Box, Point} from "./pen.js" */
/** @import {Flame, Plan} from "./plan.js" */
/** @import {WallBody} from "./walls.js" */

/** Raised whenever the painter paints the same map differently, so that no kept tile of another look is shown. */
const VERSION = 3;
/** The side of a tile in pixels. */
export const TILE_PX = 512;

/** The light of night and of day. */
const TIMES = {
  night: { ambient: "#b3bbd0", warmth: 0.4, lift: 0 },
  day: { ambient: "#f4f1e8", warmth: 0.15, lift: 0.24 },
};
/** By day a light is so much weaker. */
const BY_DAY = 0.16;

/** @typedef {{cells: number, column: number, row: number, isDay: boolean}} TileSpec a tile `cells` wide, its place among these, and its light */

/** @param {TileSpec} spec @returns {Box} in cells */
const tileBox = ({ cells, column, row }) => ({
  left: column * cells,
  top: row * cells,
  right: (column + 1) * cells,
  bottom: (row + 1) * cells,
});

/** @param {Plan} plan @param {Box} box @returns {{items: Item[], lights: Light[], flames: Flame[]}} */
function contentOf(plan, box) {
  return {
    items: plan.items.touching(box),
    lights: plan.lights.filter(({ at: [x, y], reach }) =>
      overlap({ left: x - reach, top: y - reach, right: x + reach, bottom: y + reach }, box),
    ),
    flames: plan.flames.filter(({ at: [x, y] }) =>
      overlap({ left: x, top: y, right: x, bottom: y }, grown(box, 2.5)),
    ),
  };
}

/** Return the key of what a tile shows: tiles of equal keys look alike. @param {Plan} plan @param {TileSpec} spec */
export function tileKey(plan, spec) {
  const content = contentOf(plan, tileBox(spec));
  const { cells, column, row, isDay } = spec;
  const place = `${VERSION} ${cells} ${column} ${row} ${isDay ? "day" : "night"} ${plan.ground} ${plan.board}`;
  return `${place} ${hashText(JSON.stringify(content))}`;
}

/** @param {Plan} plan @param {TileSpec} spec @returns {OffscreenCanvas} */
export function paintTile(plan, spec) {
  const { canvas, context } = newCanvas(TILE_PX, TILE_PX);
  const box = tileBox(spec);
  const pen = new Pen(context, TILE_PX / spec.cells, [box.left, box.top]);
  const { items, lights, flames } = contentOf(plan, box);
  paintBase(pen, plan, box);
  const walls = items
    .filter(({ layer }) => layer === "wall")
    .map(({ values }) => /** @type {WallBody} */ (values[0]));
  const below = items.filter(({ layer }) => ["patch", "water", "floor", "rise", "rug"].includes(layer));
  const above = items.filter(({ layer }) => ["thing", "plant"].includes(layer));
  for (const item of below) paintItem(pen, item, box);
  paintWalls(pen, walls);
  for (const item of above) paintItem(pen, item, box);
  paintLight(pen, spec.isDay ? TIMES.day : TIMES.night, spec.isDay ? lights.map(dimmed) : lights);
  for (const { at, radius } of flames) {
    paintFire(pen, at, radius);
    paintHalo(pen, at, radius * 7);
  }
  for (const item of items.filter(({ layer }) => layer === "air")) paintItem(pen, item, box);
  fadeOut(pen, plan, box);
  return canvas;
}

/** @param {Light} light */
const dimmed = (light) => ({ ...light, power: light.power * BY_DAY });

/** @param {Pen} pen @param {Plan} plan @param {Box} box */
function paintBase(pen, { ground, grain }, box) {
  paintGround(pen, ground === "cobble" ? "dirt" : ground, box, grain);
  if (ground === "cobble")
    paintFloor(pen, { kind: "stone", tone: "#81755f", size: 0.34, moss: 0.07, seed: 5 }, box);
  if (ground === "rock")
    paintFloor(pen, { kind: "stone", tone: "#5d5c60", size: 0.9, moss: 0.04, seed: 9 }, box);
}

/** @param {Pen} pen @param {Item} item @param {Box} box the tile's */
function paintItem(pen, item, box) {
  ARTS[item.art](pen, /** @type {any} */ (item.values), box);
}

/** The painter of each art; `values` are the item's. @type {Record<string, (pen: Pen, values: any, box: Box) => void>} */
const ARTS = {
  patch: (pen, [rings, ground, softness]) => paintPatch(pen, rings, ground, softness),
  water: (pen, [rings, ground]) => paintWater(pen, rings, ground),
  hill: (pen, [rings, tone, steps]) => paintHill(pen, rings, tone, steps),
  pit: (pen, [rings]) => paintPit(pen, rings),
  floorRuns: (pen, [runs, pitch, floor], box) => {
    pen.context.beginPath();
    for (const [row, first, last] of runs)
      if ((row + 1) * pitch > box.top && row * pitch < box.bottom)
        pen.context.rect(first * pitch, row * pitch, (last + 1 - first) * pitch, pitch);
    pen.clipped(() => paintFloor(pen, floor, box));
  },
  floorRings: (pen, [rings, floor], box) => {
    tracedRings(pen, rings);
    pen.clipped(() => paintFloor(pen, floor, box));
  },
  platform: paintPlatform,
  rug: (pen, [rect, tone]) => paintRug(pen, rect, tone),
  box: (pen, [rect, tone, isAcross]) => paintBox(pen, rect, tone, isAcross),
  crate: (pen, [[x, y], size]) => paintCrate(pen, [x, y], size),
  barrel: (pen, [, at, radius]) => paintBarrel(pen, at, radius),
  table: (pen, [at, radius, seats]) => paintTable(pen, at, radius, seats),
  bed: (pen, [rect, blanket]) => paintBed(pen, rect, blanket),
  hearth: (pen, [rect]) => paintHearth(pen, rect),
  stall: (pen, [rect, stripe]) => paintStall(pen, rect, stripe),
  well: (pen, [at, radius]) => paintWell(pen, at, radius),
  hay: (pen, [rect]) => paintHay(pen, rect),
  fence: (pen, [from, to]) => paintFence(pen, from, to),
  rock: (pen, [at, radius, tone]) => paintRock(pen, at, radius, tone),
  tree: (pen, [at, radius, kind]) => paintTree(pen, at, radius, kind),
  smoke: paintSmoke,
  vortex: paintVortex,
};

/** @param {Pen} pen @param {Point[][]} rings */
function tracedRings({ context }, rings) {
  context.beginPath();
  for (const ring of rings) {
    context.moveTo(...ring[0]);
    for (const point of ring.slice(1)) context.lineTo(...point);
    context.closePath();
  }
}

/** Raised stone with merlons along its edge. @param {Pen} pen @param {[Point[][], import("./floors.js").Floor]} values @param {Box} box */
function paintPlatform(pen, [rings, floor], box) {
  pen.shadowed(0.16, 0.24, 0.3, "rgba(0,0,0,.8)", () => {
    tracedRings(pen, rings);
    pen.context.fillStyle = "#2a2722";
    pen.context.fill();
  });
  tracedRings(pen, rings);
  pen.clipped(() => paintFloor(pen, floor, box));
  tracedRings(pen, rings);
  Object.assign(pen.context, { strokeStyle: "rgba(20,17,12,.7)", lineWidth: 0.08 });
  pen.context.stroke();
  for (const ring of rings)
    eachAlong(ring, 0.55, ([x, y]) => paintBox(pen, [x - 0.14, y - 0.13, 0.28, 0.26], "#a8a08e"));
}

/** @param {Pen} pen @param {[Point]} values */
function paintSmoke({ context }, [[x, y]]) {
  for (let i = 0; i < 7; i += 1) {
    const at = (/** @type {number} */ salt) => noiseAt(x * 64, y * 64, i, salt);
    const [cx, cy, radius] = [x + (at(1) - 0.5) * 0.8, y + (at(2) - 0.5) * 0.8, 0.3 + at(3) * 0.4];
    const puff = context.createRadialGradient(cx, cy, 0, cx, cy, radius);
    puff.addColorStop(0, "rgba(196,200,206,.42)");
    puff.addColorStop(1, "rgba(150,156,166,0)");
    context.fillStyle = puff;
    context.fillRect(cx - radius, cy - radius, radius * 2, radius * 2);
  }
}

/** @param {Pen} pen @param {[Point, number]} values */
function paintVortex(pen, [[x, y], radius]) {
  const { context } = pen;
  const glow = context.createRadialGradient(x, y, 0, x, y, radius * 1.3);
  glow.addColorStop(0, "rgba(190,150,255,.75)");
  glow.addColorStop(1, "rgba(110,70,220,0)");
  context.save();
  context.globalCompositeOperation = "screen";
  context.fillStyle = glow;
  context.fillRect(x - radius * 1.4, y - radius * 1.4, radius * 2.8, radius * 2.8);
  context.restore();
  for (let arm = 0; arm < 7; arm += 1) {
    const points = Array.from({ length: 30 }, (_, i) => {
      const [angle, far] = [i * 0.2 + arm * 0.9, (i / 30) * radius];
      return /** @type {Point} */ ([x + Math.cos(angle) * far, y + Math.sin(angle) * far]);
    });
    pen.line(points, arm % 2 ? "rgba(190,150,255,.5)" : "rgba(126,224,230,.5)", 0.06);
  }
}

/** Let the margin fade out, so that the map has no edge. @param {Pen} pen @param {Plan} plan @param {Box} box */
function fadeOut({ context }, { board: [width, height], margin }, { left, top, right, bottom }) {
  context.save();
  context.globalCompositeOperation = "destination-out";
  const edge = (/** @type {[number, number, number, number]} */ line) => {
    const fade = context.createLinearGradient(...line);
    fade.addColorStop(0, "rgba(0,0,0,1)");
    fade.addColorStop(1, "rgba(0,0,0,0)");
    context.fillStyle = fade;
    context.fillRect(left, top, right - left, bottom - top);
  };
  const [from, to] = [0.3 - margin, -margin * 0.3];
  if (left < 0) edge([from, 0, to, 0]);
  if (right > width) edge([width - from, 0, width - to, 0]);
  if (top < 0) edge([0, from, 0, to]);
  if (bottom > height) edge([0, height - from, 0, height - to]);
  context.restore();
}
