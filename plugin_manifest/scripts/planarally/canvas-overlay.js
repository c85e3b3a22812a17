/** The overlay on a canvas of its own over PlanarAlly's layers, which moves with them and takes no pointer. */

import { paintMarks } from "../core/draw/canvas-painter.js";
import { CELL, center } from "../core/map/geometry.js";
import { LAYERS } from "../core/game/layers.js";
import { el } from "../core/ui/dom.js";
import { toPixels } from "../tabletop/placed-grid.js";
import { Frames } from "./frames.js";

/** @import {Cell, Mark} from "../../types/contract.js" */
/** @import {PlacedGrid} from "../tabletop/tabletop.js" */
/** @import {ModApi} from "./app.js" */

const ORDER = LAYERS.map(({ key }) => /** @type {string} */ (key));
/** The distance of a label from the middle of its place, in cells. */
const BESIDE = 0.7;

/** Draws layers of marks, and a label. */
export class OverlayCanvas {
  /** @type {Map<string, Mark[]>} */
  layers = new Map();
  /** @type {PlacedGrid | null} */
  #grid = null;
  /** @type {{at: Cell, lines: string[]} | null} */
  #label = null;
  #view = "";
  #isChanged = false;
  canvas = el("canvas", { class: "enfilade-overlay", "aria-hidden": "true" });
  label = el("div", { class: "enfilade-label", role: "status", hidden: true });

  /** @param {ModApi} api */
  constructor(api) {
    this.api = api;
    this.frames = new Frames(() => this.#draw());
  }

  /** @param {string} layer @param {Mark[]} marks @param {PlacedGrid} grid */
  show(layer, marks, grid) {
    if (marks.length) this.layers.set(layer, marks);
    else this.layers.delete(layer);
    this.#grid = grid;
    this.#change();
  }

  /** @param {Cell | null} at @param {string[]} lines @param {PlacedGrid} grid */
  showLabel(at, lines, grid) {
    this.#label = at && { at, lines };
    this.#grid = grid;
    this.label.replaceChildren(...lines.map((line) => el("p", {}, line)));
    this.#change();
  }

  #change() {
    this.#isChanged = true;
    this.frames.watch(this.layers.size > 0 || this.#label !== null);
    this.frames.wake();
  }

  /** Draws what is shown where the map is now, if either has changed; returns whether it has. */
  #draw() {
    const { zoom, panX, panY } = this.api.systemsState.position.readonly;
    const { innerWidth: wide, innerHeight: high, devicePixelRatio: dense } = window;
    const view = [zoom, panX, panY, wide, high, dense].join(" ");
    if (view === this.#view && !this.#isChanged) return false;
    // The page builds its board anew with each room.
    if (!this.canvas.isConnected) document.getElementById("board")?.append(this.canvas, this.label);
    [this.#view, this.#isChanged] = [view, false];
    this.#paint();
    return true;
  }

  #paint() {
    const { zoom, panX, panY } = this.api.systemsState.position.readonly;
    const { innerWidth: wide, innerHeight: high, devicePixelRatio: dense } = window;
    const { canvas } = this;
    if (canvas.width !== wide * dense || canvas.height !== high * dense)
      Object.assign(canvas, { width: wide * dense, height: high * dense });
    const pen = canvas.getContext("2d");
    if (!pen) return;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, canvas.width, canvas.height);
    const grid = this.#grid;
    this.label.hidden = !grid || !this.#label;
    if (!grid) return;
    const scale = (zoom * grid.size) / CELL;
    const [left, top] = [(grid.left + panX) * zoom, (grid.top + panY) * zoom];
    pen.setTransform(scale * dense, 0, 0, scale * dense, left * dense, top * dense);
    const place = (/** @type {string} */ key) => (ORDER.includes(key) ? ORDER.indexOf(key) : ORDER.length);
    for (const [, marks] of [...this.layers].sort(([a], [b]) => place(a) - place(b)))
      paintMarks(pen, marks, scale);
    if (this.#label) {
      const { x, y } = toPixels(grid, center(grid, this.#label.at));
      const [atX, atY] = [(x + grid.size * BESIDE + panX) * zoom, (y + panY) * zoom];
      Object.assign(this.label.style, {
        left: `${Math.min(atX, wide - 280)}px`,
        top: `${Math.max(0, atY)}px`,
      });
    }
  }
}
