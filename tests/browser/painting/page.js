/* global PIXI */
// Paints cells with the shared painter and reads the pixels.

import { cellMarks } from "/scripts/core/draw/board-marks.js";
import { CELL, boardSize, center, corners } from "/scripts/core/map/geometry.js";
import { Painter } from "/scripts/core/draw/painter.js";

const SCALE = 0.5;
const RED = { color: 0xff0000, fill: 1, pattern: "solid" };

const app = new PIXI.Application({ width: 640, height: 640, autoStart: false, backgroundAlpha: 0 });
const root = app.stage.addChild(new PIXI.Container());
root.scale.set(SCALE);
const painter = new Painter(PIXI, root, ["one", "two"]);

/** Paints a layer: each of `sets` is a list of cells, or of cells with a text in each. */
window.paint = (key, grid, sets) =>
  painter.paint(
    key,
    sets.flatMap(({ cells, text = "", shift = [0, 0], style = RED }) =>
      text
        ? [{ kind: "texts", grid, cells, text, color: 0xffffff }]
        : cellMarks(grid, cells, style).map((mark) => ({ ...mark, shift })),
    ),
  );

/** Writes a text at a zoom, and returns the height of its pixels on the page; 0 if it is not there. */
window.heightOfText = (zoom, size) => {
  root.scale.set(zoom);
  painter.setZoom(zoom);
  painter.paint("one", [{ kind: "text", at: [320, 320], text: "HHHH", size, color: 0xffffff, grows: true }]);
  app.render();
  const [width, height] = [640, 640];
  const pixels = app.renderer.extract.pixels(app.stage, new PIXI.Rectangle(0, 0, width, height));
  const rows = Array.from({ length: height }, (_, y) =>
    pixels.subarray(4 * y * width, 4 * (y + 1) * width).some((value, i) => i % 4 === 0 && value > 128),
  );
  painter.paint("one", []);
  root.scale.set(SCALE);
  painter.setZoom(SCALE);
  return rows.lastIndexOf(true) - rows.indexOf(true) + (rows.includes(true) ? 1 : 0);
};

window.gone = () => painter.destroy();

/** Returns how much of a cell is red: "whole", "none", or "part", sampled at its center and near each corner. */
window.looksOf = (grid) => {
  app.render();
  const [width, height] = boardSize(grid).map((length) => Math.ceil(length * SCALE));
  const frame = new PIXI.Rectangle(0, 0, width, height);
  const pixels = app.renderer.extract.pixels(app.stage, frame);
  const isRed = ([x, y]) => pixels[4 * (Math.floor(y * SCALE) * width + Math.floor(x * SCALE)) + 3] > 128;
  return Array.from({ length: grid.columns * grid.rows }, (_, i) => {
    const cell = [i % grid.columns, Math.floor(i / grid.columns)];
    const points = corners(grid, cell);
    const [x, y] = grid.kind === "gridless" ? cell.map((value) => (value + 0.5) * CELL) : center(grid, cell);
    const near = Array.from({ length: points.length / 2 }, (_, n) =>
      [points[2 * n] - x, points[2 * n + 1] - y].map((value, axis) => [x, y][axis] + value * 0.8),
    );
    const red = [[x, y], ...near].filter(isRed).length;
    return red === 0 ? "none" : red === near.length + 1 ? "whole" : "part";
  });
};
window.isReady = true;
