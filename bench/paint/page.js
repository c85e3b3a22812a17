/* global PIXI */
// Measures the script time of redrawing 10,000 cells: marks, meshes and draw calls. For comparison, PIXI alone: a mesh
// that does not change, and one Graphics with a polygon for each cell.

import { overlayLayers } from "/scripts/core/draw/overlay-marks.js";
import { CELL, corners } from "/scripts/core/map/geometry.js";
import { Painter } from "/scripts/core/draw/painter.js";
import { LAYERS } from "/scripts/core/game/layers.js";
import { boardCorners, boxTriangles } from "/scripts/core/draw/triangles.js";

const SIDE = 100;
const ROUNDS = 60;
const WARM_UP = 15;

const app = new PIXI.Application({ width: 1600, height: 1000, antialias: true, autoStart: false });
const cells = Array.from({ length: SIDE * SIDE }, (_, i) => [i % SIDE, Math.floor(i / SIDE)]);
const full = Array.from({ length: SIDE }, (_, row) => [row, 0, SIDE - 1]);
// Every third cell of every other row is missing, which makes far more borders than a real field has.
const holes = full.flatMap(([row]) =>
  row % 2 ? [[row, 0, SIDE - 1]] : Array.from({ length: 33 }, (_, i) => [row, 3 * i, 3 * i + 1]),
);
const reach = { budget: 9, cells: cells.map(([x, y]) => [x, y, (x + y) % 10]) };
const area = (layer, runs) => ({ layer, label: "", runs });
const fourLayers = { reach, areas: [area("sight", full), area("blind", holes), area("arc", full)] };

const CASES = {
  "reach with costs, squares": ["square", { reach }],
  "reach with costs, hexes": ["hex_odd_r", { reach }],
  "sight, squares": ["square", { areas: [area("sight", full)] }],
  "sight, hexes": ["hex_odd_q", { areas: [area("sight", full)] }],
  "sight with holes, squares": ["square", { areas: [area("sight", holes)] }],
  "sight with holes, hexes": ["hex_odd_r", { areas: [area("sight", holes)] }],
  "four layers, hexes": ["hex_odd_r", fourLayers],
};

/** Return the script milliseconds of each redraw by case, shortest first. */
window.measured = async () => {
  const found = {
    "PIXI: a mesh that does not change": await measure(staticMesh),
    "PIXI: a Graphics with polygons": await measure(polygons, 8),
  };
  for (const [name, [kind, parts]] of Object.entries(CASES))
    found[name] = await measure(painter(gridOf(kind), parts));
  return found;
};

const gridOf = (kind) => ({ kind, columns: SIDE, rows: SIDE, distance: 1, units: "" });

function painter(grid, parts) {
  const order = LAYERS.map(({ key }) => key);
  return (root) => {
    const target = new Painter(PIXI, root, order);
    const scene = { grid, tokens: [] };
    const empty = { card: [], reach: null, areas: [], targets: [], engagements: [] };
    const overlay = { token: "a", seq: 1, ...empty, ...parts };
    return () => {
      for (const { key, marks } of overlayLayers(scene, overlay)) target.paint(key, marks);
    };
  };
}

function staticMesh(root) {
  const points = boardCorners(gridOf("square")).map((value) => value * CELL);
  const geometry = new PIXI.MeshGeometry(points, points, boxTriangles(SIDE * SIDE));
  root.addChild(new PIXI.Mesh(geometry, new PIXI.MeshMaterial(PIXI.Texture.WHITE)));
  return () => {};
}

function polygons(root) {
  const grid = gridOf("hex_odd_r");
  const pen = root.addChild(new PIXI.Graphics());
  return () => {
    pen.clear();
    pen.beginFill(0x009e73, 0.3);
    for (const cell of cells) pen.drawPolygon(corners(grid, cell));
    pen.endFill();
  };
}

async function measure(begin, rounds = ROUNDS) {
  const root = app.stage.addChild(new PIXI.Container());
  root.scale.set(0.15);
  const redraw = begin(root);
  const times = [];
  for (let round = 0; round < rounds + WARM_UP; round += 1) {
    const start = performance.now();
    redraw();
    app.render();
    times.push(performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  root.destroy({ children: true });
  return times.slice(WARM_UP).sort((a, b) => a - b);
}
