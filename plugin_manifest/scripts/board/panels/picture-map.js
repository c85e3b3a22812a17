/**
 * A picture as a map: the GM lays a grid over it by dragging, and sees at once where its lines fall. Two handles
 * mark a corner of the grid and a corner some cells away; fields hold the same numbers for those who type.
 */

import { CELL, boardSize, corners, isHex } from "../../core/map/geometry.js";
import { findGrid } from "../../core/draw/grid-search.js";
import { button, field, selectField } from "../../core/ui/controls.js";
import { el } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";

/** @import {Cell, GridKind} from "../../../types/contract.js" */

/** A grid over a picture, in pixels of the picture. @typedef {{kind: GridKind, cell: number, left: number, top: number}} Fit */
/** @typedef {Fit & {columns: number, rows: number}} WholeFit */

const MIN_CELL = 8;
const MAX_SIDE = 500;
/** A cell that is this much outside the picture still counts. */
const SLACK = 0.1;
/** The second handle is this many cells from the first, so that a small error is spread over them. */
const SPAN = 5;
const START_CELLS = 20;
const HANDLE_PX = 14;
const MAX_HEXES = 4_000;
/** A larger picture is searched for its grid in this size. */
const SEARCH_PX = 1200;
const MOST_ZOOM = 6;

/**
 * Return a fit with the number of whole cells that lie on the picture, at least one.
 * @param {Fit} fit
 * @param {[number, number]} size of the picture
 * @returns {WholeFit}
 */
function wholeFit(fit, [width, height]) {
  const { kind, cell, left, top } = fit;
  const fits = (/** @type {number} */ columns, /** @type {number} */ rows) => {
    const [across, down] = boardSize({ kind, columns, rows, distance: 1, units: "" });
    return [
      (across / CELL) * cell <= width - left + SLACK * cell,
      (down / CELL) * cell <= height - top + SLACK * cell,
    ];
  };
  let [columns, rows] = [1, 1];
  while (columns < MAX_SIDE && fits(columns + 1, 2)[0]) columns += 1;
  while (rows < MAX_SIDE && fits(2, rows + 1)[1]) rows += 1;
  return { ...fit, columns, rows };
}

/**
 * Return a fit whose cell and offset are possible: the offset is less than a cell.
 * @param {Fit} fit
 * @param {[number, number]} size of the picture
 * @returns {Fit}
 */
function soundFit({ kind, cell, left, top }, [width, height]) {
  const most = Math.min(width, height);
  const sound = Math.min(most, Math.max(MIN_CELL, width / MAX_SIDE, height / MAX_SIDE, cell || MIN_CELL));
  const [right, down] = kind.startsWith("hex") ? [sound * 2, sound * 2] : [sound, sound];
  const within = (/** @type {number} */ value, /** @type {number} */ step) =>
    kind === "gridless" ? Math.min(most - sound, Math.max(0, value)) : ((value % step) + step) % step;
  const round = (/** @type {number} */ value) => Math.round(value * 100) / 100;
  return {
    kind,
    cell: round(sound),
    left: round(within(left || 0, right)),
    top: round(within(top || 0, down)),
  };
}

/**
 * Ask for the grid over a picture in a dialog.
 * @param {File} file
 * @param {GridKind[]} kinds that the game is played on
 * @param {() => void} onFail is called if the file is no picture
 * @returns {Promise<WholeFit | null>} null if the GM cancels, or the file is no picture
 */
export async function askForGrid(file, kinds, onFail) {
  const picture = new Image();
  picture.src = URL.createObjectURL(file);
  try {
    await picture.decode();
  } catch {
    onFail();
    return null;
  }
  const fit = await new GridDialog(picture, kinds).ask();
  URL.revokeObjectURL(picture.src);
  return fit;
}

class GridDialog {
  /** @type {{handle: 0 | 1 | null, from: Cell, fit: Fit} | null} */
  #press = null;

  /** @param {HTMLImageElement} picture @param {GridKind[]} kinds */
  constructor(picture, kinds) {
    this.picture = picture;
    /** @type {[number, number]} */
    this.size = [picture.naturalWidth, picture.naturalHeight];
    const [width, height] = this.size;
    const kind = kinds.includes("square") ? "square" : kinds[0];
    const found = kind === "square" ? gridIn(picture) : null;
    this.isFound = found !== null;
    const start = found ?? { cell: Math.max(width, height) / START_CELLS, left: 0, top: 0 };
    this.fit = soundFit({ kind, ...start }, this.size);
    this.canvas = el("canvas", {
      id: "fit-canvas",
      tabindex: 0,
      role: "img",
      "aria-label": localize("Fit.Canvas"),
    });
    const kindOptions = kinds.map((one) => /** @type {[string, string]} */ ([one, localize(`Grid.${one}`)]));
    this.kind = selectField("fit-kind", kindOptions, kind);
    this.columns = numberField("fit-columns", 1);
    this.cell = numberField("fit-cell", "any");
    this.left = numberField("fit-left", "any");
    this.top = numberField("fit-top", "any");
    this.result = el("p", { class: "quiet", id: "fit-result", role: "status" });
    this.zoom = el("input", {
      id: "fit-zoom",
      type: "range",
      min: "1",
      max: String(MOST_ZOOM),
      step: "0.5",
      value: "1",
    });
    this.zoom.oninput = () => {
      this.canvas.style.width = this.zoom.value === "1" ? "" : `${100 * Number(this.zoom.value)}%`;
      this.canvas.style.maxWidth = this.canvas.style.maxHeight = this.zoom.value === "1" ? "" : "none";
      this.#set({});
    };
    this.kind.onchange = () => this.#set({ kind: /** @type {GridKind} */ (this.kind.value) });
    this.cell.onchange = () => this.#set({ cell: Number(this.cell.value) });
    this.left.onchange = () => this.#set({ left: Number(this.left.value) });
    this.top.onchange = () => this.#set({ top: Number(this.top.value) });
    this.columns.onchange = () =>
      this.#set({ cell: this.#cellFor(Number(this.columns.value)), left: 0, top: 0 });
    this.canvas.onpointerdown = (event) => this.#down(event);
    this.canvas.onpointermove = (event) => this.#move(event);
    this.canvas.onpointerup = () => (this.#press = null);
    this.canvas.onkeydown = (event) => this.#key(event);
  }

  /** @returns {Promise<WholeFit | null>} */
  ask() {
    return new Promise((resolve) => {
      let answer = /** @type {WholeFit | null} */ (null);
      const use = button(
        "fit-use",
        localize("Fit.Use"),
        () => {
          answer = wholeFit(this.fit, this.size);
          dialog.close();
        },
        { class: "primary" },
      );
      const cancel = button("fit-cancel", localize("ActForm.Cancel"), () => dialog.close());
      const dialog = el(
        "dialog",
        {
          class: "fit",
          "aria-labelledby": "fit-title",
          onclose: () => {
            dialog.remove();
            resolve(answer);
          },
        },
        el("h2", { id: "fit-title" }, localize("Fit.Title")),
        el("p", { class: "quiet", id: "fit-hint" }, localize(this.isFound ? "Fit.Found" : "Fit.Hint")),
        el("div", { class: "fit-view" }, this.canvas),
        el(
          "div",
          { class: "fit-fields" },
          field(localize("Fit.Kind"), this.kind),
          field(localize("Fit.Columns"), this.columns),
          field(localize("Fit.Cell"), this.cell),
          field(localize("Fit.Left"), this.left),
          field(localize("Fit.Top"), this.top),
          field(localize("Fit.Zoom"), this.zoom),
        ),
        this.result,
        el("div", { class: "buttons" }, use, cancel),
      );
      document.body.append(dialog);
      dialog.showModal();
      this.#set({});
    });
  }

  /** Return the width of a cell with which a number of columns fills the picture. @param {number} columns */
  #cellFor(columns) {
    const count = Math.min(MAX_SIDE, Math.max(1, Math.round(columns) || 1));
    const [across] = boardSize({ kind: this.fit.kind, columns: count, rows: 2, distance: 1, units: "" });
    return (this.size[0] * CELL) / across;
  }

  /** @param {Partial<Fit>} change */
  #set(change) {
    this.fit = soundFit({ ...this.fit, ...change }, this.size);
    const whole = wholeFit(this.fit, this.size);
    this.cell.value = String(this.fit.cell);
    this.left.value = String(this.fit.left);
    this.top.value = String(this.fit.top);
    this.columns.value = String(whole.columns);
    this.result.textContent = localize("Fit.Result", { columns: whole.columns, rows: whole.rows });
    this.#draw(whole);
  }

  /** @param {WholeFit} whole */
  #draw(whole) {
    const [width, height] = this.size;
    const scale = Math.min(1, this.canvas.parentElement ? 1400 / Math.max(width, height) : 1);
    this.canvas.width = Math.max(1, Math.round(width * scale));
    this.canvas.height = Math.max(1, Math.round(height * scale));
    const pen = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    pen.drawImage(this.picture, 0, 0, this.canvas.width, this.canvas.height);
    const unit = (whole.cell / CELL) * scale;
    pen.translate(whole.left * scale, whole.top * scale);
    for (const [color, line] of /** @type {[string, number][]} */ ([
      ["rgb(0 0 0 / 60%)", 3],
      ["#56b4e9", 1.5],
    ])) {
      pen.strokeStyle = color;
      pen.lineWidth = line;
      pen.stroke(gridPath(whole, unit));
    }
    const span = SPAN * whole.cell * scale;
    for (const at of [0, span]) {
      pen.beginPath();
      pen.arc(at, at, HANDLE_PX / this.#shrink(), 0, 2 * Math.PI);
      pen.fillStyle = at ? "#e69f00" : "#f0e442";
      pen.fill();
      pen.strokeStyle = "#14171c";
      pen.lineWidth = 3;
      pen.stroke();
    }
    pen.resetTransform();
  }

  /** Return how many pixels on the screen a pixel of the canvas has. */
  #shrink() {
    return (this.canvas.clientWidth || this.canvas.width) / this.canvas.width;
  }

  /** @param {PointerEvent} event @returns {Cell} in pixels of the picture */
  #at(event) {
    const box = this.canvas.getBoundingClientRect();
    const scale = this.size[0] / box.width;
    return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
  }

  /** @param {PointerEvent} event */
  #down(event) {
    const from = this.#at(event);
    const { left, top, cell } = this.fit;
    const near = ((HANDLE_PX + 8) * this.size[0]) / this.canvas.getBoundingClientRect().width;
    const isOn = (/** @type {number} */ far) => Math.hypot(from[0] - left - far, from[1] - top - far) <= near;
    this.#press = { handle: isOn(SPAN * cell) ? 1 : isOn(0) ? 0 : null, from, fit: this.fit };
    this.canvas.setPointerCapture(event.pointerId);
  }

  /** Pull the far handle to size the cells; anything else moves the grid. @param {PointerEvent} event */
  #move(event) {
    if (!this.#press) return;
    const { handle, from, fit } = this.#press;
    const [x, y] = this.#at(event);
    const [dx, dy] = [x - from[0], y - from[1]];
    if (handle === 1) this.#set({ ...fit, cell: fit.cell + (dx + dy) / 2 / SPAN });
    else this.#set({ ...fit, left: fit.left + dx, top: fit.top + dy });
  }

  /** Move the grid by arrow keys, and size its cells by plus and minus. @param {KeyboardEvent} event */
  #key(event) {
    const step = event.shiftKey ? 10 : 1;
    const { left, top, cell } = this.fit;
    /** @type {Record<string, Partial<Fit>>} */
    const changes = {
      ArrowLeft: { left: left - step },
      ArrowRight: { left: left + step },
      ArrowUp: { top: top - step },
      ArrowDown: { top: top + step },
      "+": { cell: cell + step / 4 },
      "-": { cell: cell - step / 4 },
    };
    if (!changes[event.key]) return;
    event.preventDefault();
    this.#set(changes[event.key]);
  }
}

/** Return the grid in a picture, in its pixels; null if none is found. @param {HTMLImageElement} picture */
function gridIn(picture) {
  const { naturalWidth: width, naturalHeight: height } = picture;
  const scale = Math.min(1, SEARCH_PX / Math.max(width, height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  if (!pen) return null;
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const found = findGrid(pen.getImageData(0, 0, canvas.width, canvas.height));
  return found && { cell: found.cell / scale, left: found.left / scale, top: found.top / scale };
}

/** @param {string} id @param {number | string} step */
const numberField = (id, step) => el("input", { id, type: "number", step, min: 0 });

/** @param {WholeFit} whole @param {number} unit the pixels of a 64th of a cell */
function gridPath({ kind, columns, rows }, unit) {
  const path = new Path2D();
  const grid = { kind, columns, rows, distance: 1, units: "" };
  const [width, height] = boardSize(grid);
  if (isHex(grid) && columns * rows <= MAX_HEXES) {
    for (let row = 0; row < rows; row += 1)
      for (let column = 0; column < columns; column += 1) {
        const points = corners(grid, [column, row]);
        points.forEach(
          (value, i) => i % 2 === 0 && path[i ? "lineTo" : "moveTo"](value * unit, points[i + 1] * unit),
        );
        path.closePath();
      }
    return path;
  }
  const last = kind === "gridless" ? 1 : columns;
  for (let column = 0; column <= last; column += 1) {
    const x = ((column * width) / last) * unit;
    path.moveTo(x, 0);
    path.lineTo(x, height * unit);
  }
  const end = kind === "gridless" ? 1 : rows;
  for (let row = 0; row <= end; row += 1) {
    const y = ((row * height) / end) * unit;
    path.moveTo(0, y);
    path.lineTo(width * unit, y);
  }
  return path;
}
