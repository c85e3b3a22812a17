/**
 * The painted map of the board: tiles that a worker paints, shown as sprites. Only those in view are asked for, the
 * nearest to the middle first. Where none is ready the flat ground shows, or tiles of another zoom.
 */

import { CELL, boardSize } from "../../core/map/geometry.js";
import { paintedBox } from "./extent.js";
import { overlap } from "./pen.js";

/** @import {Container, Sprite} from "pixi.js" */
/** @import {Scene} from "../../../types/contract.js" */
/** @import {Camera} from "../../../types/page.js" */
/** @import {Box} from "./pen.js" */
/** @import {TileSpec} from "./tile.js" */
/** @import {FromPainter, ToPainter, Wish} from "./worker.js" */

/** @typedef {{spec: TileSpec, key: string, version: number, sprite: Sprite, used: number}} Tile */

const TILE_PX = 512;
/** The widths of tiles in cells, the finest first; a cell is then 128, 64, 32, 16 or 8 pixels wide. */
const WIDTHS = [4, 8, 16, 32, 64];
/** A tile is shown up to this many times larger before finer ones are painted. */
const MOST_STRETCH = 1.25;
/** No more tiles are kept; each takes a megabyte of the graphics card's memory. */
const MOST_TILES = 128;
/** The camera rests so long before more tiles are asked for. */
const REST_MS = 80;
/** The address of the worker's program. */
const PROGRAM = "/plugin/vendor/map-painter.min.js";

/** Return the width of the tiles for a zoom, in cells. @param {number} pixels of the screen for a cell */
export const tileWidth = (pixels) =>
  WIDTHS.findLast((cells) => TILE_PX / cells >= pixels / MOST_STRETCH) ?? WIDTHS[0];

/**
 * Return the tiles that a view needs, from its middle outward.
 * @param {Box} view in cells
 * @param {Box} painted the part of the plane that is painted
 * @param {number} cells a tile's width
 * @returns {[number, number][]} columns and rows
 */
export function tilesIn(view, painted, cells) {
  const [left, right] = [Math.max(view.left, painted.left), Math.min(view.right, painted.right)];
  const [top, bottom] = [Math.max(view.top, painted.top), Math.min(view.bottom, painted.bottom)];
  /** @type {[number, number][]} */
  const found = [];
  for (let row = Math.floor(top / cells); row * cells < bottom; row += 1)
    for (let column = Math.floor(left / cells); column * cells < right; column += 1)
      found.push([column, row]);
  const [x, y] = [(left + right) / 2 / cells - 0.5, (top + bottom) / 2 / cells - 0.5];
  const far = (/** @type {[number, number]} */ [a, b]) => Math.hypot(a - x, b - y);
  return found.sort((a, b) => far(a) - far(b));
}

/** Start the painter's thread; null where a browser has none. @returns {Worker | null} */
export const startPainter = () =>
  typeof Worker === "undefined" || typeof OffscreenCanvas === "undefined" ? null : new Worker(PROGRAM);

/** Shows the painted map of a scene in a container. */
export class MapTiles {
  /** @type {Worker | null} null before the first map without a picture, and where a browser cannot paint in a worker */
  #worker = null;
  /** @type {Map<string, Tile>} by place, width and light */
  #tiles = new Map();
  /** @type {Scene | null} the painted scene; null while a picture lies under the grid */
  #scene = null;
  #version = 0;
  #asked = "";
  #clock = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {{view: Box, cells: number, isDay: boolean} | null} */
  #view = null;
  /** True if tiles of this zoom cover all that is painted in view: nothing below them can be seen. */
  isCovering = false;
  /** True if all of these are painted as the scene is now. */
  isDone = false;

  /** @param {typeof import("pixi.js")} pixi @param {() => void} onPaint is called when the canvas is to be drawn again */
  constructor(pixi, onPaint) {
    this.pixi = pixi;
    this.onPaint = onPaint;
    /** @type {Container} */
    this.container = new pixi.Container();
    this.container.name = "painted";
    this.container.eventMode = "none";
    this.container.sortableChildren = true;
  }

  /** Paint a scene, unless it looks as the one before. @param {Scene} scene @param {boolean} isPainted false if a picture shows the map */
  setScene(scene, isPainted) {
    const { grid, walls, terrain, name } = scene;
    const old = this.#scene;
    if (!isPainted) {
      this.#scene = null;
      this.isCovering = this.isDone = false;
      return this.#clear();
    }
    if (old && old.grid === grid && old.walls === walls && old.terrain === terrain && old.name === name)
      return;
    if (old && JSON.stringify(old.grid) !== JSON.stringify(grid)) this.#clear();
    this.#scene = scene;
    this.#version += 1;
    this.#asked = "";
    this.#worker ??= this.#start();
    const value = { grid, walls, terrain, name };
    this.#send({ scene: { version: this.#version, value } });
    this.#ask();
  }

  /**
   * Show the part of the map in view.
   * @param {Camera} camera
   * @param {number} width of the view in pixels
   * @param {number} height
   * @param {number} density pixels of the screen for each of these
   * @param {boolean} isDay
   */
  setView({ left, top, scale }, width, height, density, isDay) {
    const unit = scale * CELL;
    const view = {
      left: -left / unit,
      top: -top / unit,
      right: (width - left) / unit,
      bottom: (height - top) / unit,
    };
    this.#view = { view, cells: tileWidth(unit * density), isDay };
    clearTimeout(this.#timer);
    // Painting takes time from the frames of a pan or a zoom, so the first tiles alone are asked for at once.
    if (this.#tiles.size) this.#timer = setTimeout(() => this.#ask(), REST_MS);
    else this.#ask();
    this.#arrange();
  }

  /** Free all tiles and end the worker. */
  destroy() {
    clearTimeout(this.#timer);
    this.#clear();
    this.#worker?.terminate();
    this.#worker = null;
  }

  /** @returns {Worker | null} */
  #start() {
    const worker = startPainter();
    if (worker) worker.onmessage = ({ data }) => this.#take(data);
    return worker;
  }

  /** @param {ToPainter} message */
  #send(message) {
    this.#worker?.postMessage(message);
  }

  /** Return the wishes for the tiles in view that are not as the scene is now. @returns {Wish[]} */
  #missing() {
    if (!this.#scene || !this.#view) return [];
    const { view, cells, isDay } = this.#view;
    return tilesIn(view, paintedBox(this.#scene.grid), cells).flatMap(([column, row]) => {
      const spec = { cells, column, row, isDay };
      const tile = this.#tiles.get(placeOf(spec));
      if (tile) tile.used = this.#clock += 1;
      return tile?.version === this.#version ? [] : [{ ...spec, has: tile?.key ?? "" }];
    });
  }

  /** Ask for what is missing, unless just this was asked for last. */
  #ask() {
    const wishes = this.#missing();
    const asked = wishes.map(placeOf).join(" ");
    if (asked === this.#asked) return;
    this.#asked = asked;
    this.#send({ wishes });
  }

  /** @param {FromPainter} answer */
  #take({ version, spec, key, picture }) {
    if (!this.#scene) return picture?.close();
    const place = placeOf(spec);
    const known = this.#tiles.get(place);
    if (picture) {
      const sprite = known?.sprite ?? this.#newSprite(spec);
      const before = sprite.texture;
      sprite.texture = this.pixi.Texture.from(/** @type {any} */ (picture));
      // A tile is shown at 0.6 to 1.25 times its size, but for the widest: smaller copies would only take time, a third
      // of each frame without a graphics card.
      if (spec.cells < WIDTHS[WIDTHS.length - 1])
        sprite.texture.baseTexture.mipmap = this.pixi.MIPMAP_MODES.OFF;
      if (known) before.destroy(true);
      this.#tiles.set(place, { spec, key, version, sprite, used: (this.#clock += 1) });
    } else if (known) known.version = version;
    this.#dropOld();
    this.#arrange();
    this.onPaint();
  }

  /** @param {TileSpec} spec @returns {Sprite} */
  #newSprite({ cells, column, row }) {
    const sprite = new this.pixi.Sprite();
    sprite.position.set(column * cells * CELL, row * cells * CELL);
    sprite.scale.set((cells * CELL) / TILE_PX);
    sprite.zIndex = -cells;
    const box = {
      left: column * cells,
      top: row * cells,
      right: (column + 1) * cells,
      bottom: (row + 1) * cells,
    };
    // Inside of the board a tile hides all below it, and blending would only take time.
    if (this.#scene && isInside(box, this.#scene.grid)) sprite.blendMode = this.pixi.BLEND_MODES.NONE;
    this.container.addChild(sprite);
    return sprite;
  }

  /** Show the tiles of this zoom, and those of others only while some of this are missing. */
  #arrange() {
    if (!this.#view || !this.#scene) return;
    const { view, cells, isDay } = this.#view;
    const all = [...this.#tiles.values()];
    const own = tilesIn(view, paintedBox(this.#scene.grid), cells).map(([column, row]) =>
      this.#tiles.get(placeOf({ cells, column, row, isDay })),
    );
    const isWhole = (this.isCovering = own.every((tile) => tile));
    this.isDone = own.every((tile) => tile?.version === this.#version);
    for (const { spec, sprite } of all) {
      const isOwn = spec.cells === cells && spec.isDay === isDay;
      const width = spec.cells;
      const box = {
        left: spec.column * width,
        top: spec.row * width,
        right: (spec.column + 1) * width,
        bottom: (spec.row + 1) * width,
      };
      sprite.visible = (isOwn || !isWhole) && overlap(box, view);
      sprite.zIndex = isOwn ? 1 : -width - (spec.isDay === isDay ? 0 : 1_000);
    }
  }

  #dropOld() {
    if (this.#tiles.size <= MOST_TILES) return;
    const oldest = [...this.#tiles]
      .sort(([, a], [, b]) => a.used - b.used)
      .slice(0, this.#tiles.size - MOST_TILES);
    for (const [place, tile] of oldest) this.#drop(place, tile);
  }

  /** @param {string} place @param {Tile} tile */
  #drop(place, { sprite }) {
    this.#tiles.delete(place);
    sprite.destroy({ texture: true, baseTexture: true });
  }

  #clear() {
    for (const [place, tile] of [...this.#tiles]) this.#drop(place, tile);
    this.#asked = "";
  }
}

/** Return whether a box of cells lies inside of the board. @param {Box} box @param {Scene["grid"]} grid */
function isInside({ left, top, right, bottom }, grid) {
  const [width, height] = boardSize(grid);
  return left >= 0 && top >= 0 && right * CELL <= width && bottom * CELL <= height;
}

/** @param {TileSpec} spec */
const placeOf = ({ cells, column, row, isDay }) => `${cells},${column},${row},${isDay ? 1 : 0}`;
