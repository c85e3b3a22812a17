/* global PIXI */
// Paints 10,000 cells over and over and measures the script's own time: marks, meshes and draw calls. Beside it, in
// the same run, what PIXI takes for a mesh that stands still, and for one Graphics with a polygon for each cell.

import { overlayLayers } from "/scripts/core/draw/overlay-marks.js";
import { CELL, corners } from "/scripts/core/draw/geometry.js";
import { Painter } from "/scripts/core/draw/painter.js";
import { LAYERS } from "/scripts/core/draw/palette.js";
import { boardCorners, boxTriangles } from "/scripts/core/draw/triangles.js";

const SIDE = 100;
const ROUNDS = 60;
const WARM = 15;

const app = new PIXI.Application({ width: 1600, height: 1000, antialias: true, autoStart: false });
const all = Array.from({ length: SIDE * SIDE }, (_, i) => [i % SIDE, Math.floor(i / SIDE)]);
const seen = Array.from({ length: SIDE }, (_, row) => [row, 0, SIDE - 1]);
// Every third cell of every other row is left out: far more borders than a real field has.
const holes = seen.flatMap(([row]) =>
  row % 2 ? [[row, 0, SIDE - 1]] : Array.from({ length: 33 }, (_, i) => [row, 3 * i, 3 * i + 1]),
);
const reach = { budget: 9, cells: all.map(([x, y]) => [x, y, (x + y) % 10]) };
const area = (layer, runs) => ({ layer, label: "", runs });
const together = { reach, areas: [area("sight", seen), area("blind", holes), area("arc", seen)] };

const CASES = {
  "reach with costs, squares": ["square", { reach }],
  "reach with costs, hexes": ["hex_odd_r", { reach }],
  "sight, squares": ["square", { areas: [area("sight", seen)] }],
  "sight, hexes": ["hex_odd_q", { areas: [area("sight", seen)] }],
  "sight full of holes, squares": ["square", { areas: [area("sight", holes)] }],
  "sight full of holes, hexes": ["hex_odd_r", { areas: [area("sight", holes)] }],
  "four layers of that at once, hexes": ["hex_odd_r", together],
};

/** Script milliseconds of each redraw, shortest first, by case. */
window.measured = async () => {
  const found = {
    "bare: a mesh that stands still": await times(still()),
    "bare: a Graphics, polygon by polygon": await times(polygons(), 8),
  };
  for (const [name, [kind, parts]] of Object.entries(CASES))
    found[name] = await times(ours(gridOf(kind), parts));
  return found;
};

const gridOf = (kind) => ({ kind, columns: SIDE, rows: SIDE, distance: 1, units: "" });

function ours(grid, parts) {
  const order = LAYERS.map(({ key }) => key);
  return (root) => {
    const painter = new Painter(PIXI, root, order);
    const scene = { grid, tokens: [] };
    const nothing = { card: [], reach: null, areas: [], targets: [], engagements: [] };
    const overlay = { token: "a", seq: 1, ...nothing, ...parts };
    return () => {
      for (const { key, marks } of overlayLayers(scene, overlay)) painter.paint(key, marks);
    };
  };
}

function still() {
  return (root) => {
    const points = boardCorners(gridOf("square")).map((value) => value * CELL);
    const geometry = new PIXI.MeshGeometry(points, points, boxTriangles(SIDE * SIDE));
    root.addChild(new PIXI.Mesh(geometry, new PIXI.MeshMaterial(PIXI.Texture.WHITE)));
    return () => {};
  };
}

function polygons() {
  const grid = gridOf("hex_odd_r");
  return (root) => {
    const pen = root.addChild(new PIXI.Graphics());
    return () => {
      pen.clear();
      pen.beginFill(0x009e73, 0.3);
      for (const cell of all) pen.drawPolygon(corners(grid, cell));
      pen.endFill();
    };
  };
}

async function times(begin, rounds = ROUNDS) {
  const root = app.stage.addChild(new PIXI.Container());
  root.scale.set(0.15);
  const redraw = begin(root);
  const taken = [];
  for (let round = 0; round < rounds + WARM; round += 1) {
    const start = performance.now();
    redraw();
    app.render();
    taken.push(performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  root.destroy({ children: true });
  return taken.slice(WARM).sort((a, b) => a - b);
}
