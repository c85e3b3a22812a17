/* global PIXI */
// Paints 10,000 cells over and over and measures the script's own time: marks, meshes and draw calls.

import { overlayLayers } from "/scripts/core/draw-list.js";
import { Painter } from "/scripts/core/painter.js";
import { LAYERS } from "/scripts/core/palette.js";

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

const CASES = {
  "reach, squares": ["square", { reach: { budget: 9, cells: all.map(([x, y]) => [x, y, (x + y) % 10]) } }],
  "reach, hexes": ["hex_odd_r", { reach: { budget: 9, cells: all.map(([x, y]) => [x, y, (x + y) % 10]) } }],
  "sight, squares": ["square", { areas: [{ layer: "sight", label: "", runs: seen }] }],
  "sight, hexes": ["hex_odd_q", { areas: [{ layer: "sight", label: "", runs: seen }] }],
  "sight full of holes, squares": ["square", { areas: [{ layer: "sight", label: "", runs: holes }] }],
};

/** Script milliseconds of each redraw, shortest first, by case. */
window.measured = async () => {
  const found = {};
  for (const [name, [kind, parts]] of Object.entries(CASES)) found[name] = await times(kind, parts);
  return found;
};

async function times(kind, parts) {
  const root = app.stage.addChild(new PIXI.Container());
  const painter = new Painter(
    PIXI,
    root,
    LAYERS.map(({ key }) => key),
  );
  root.scale.set(0.15);
  const scene = { grid: { kind, columns: SIDE, rows: SIDE, distance: 1, units: "" }, tokens: [] };
  const overlay = { token: "a", seq: 1, card: [], reach: null, areas: [], targets: [], ...parts };
  const taken = [];
  for (let round = 0; round < ROUNDS + WARM; round += 1) {
    const begin = performance.now();
    for (const { key, marks } of overlayLayers(scene, overlay)) painter.paint(key, marks);
    app.render();
    taken.push(performance.now() - begin);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  root.destroy({ children: true });
  return taken.slice(WARM).sort((a, b) => a - b);
}
