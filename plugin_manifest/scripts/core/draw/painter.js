/**
 * Paints lists of marks with PIXI 7. Each layer has its own container and is painted again only for another
 * list.
 */

import { CELL } from "../map/geometry.js";
import { labelCanvas } from "./textures.js";
import { BoardMeshes } from "./board-meshes.js";
import { INK, css } from "./palette.js";
import { patternCanvas } from "./textures.js";
import { NAME_FONT, TEXT_FONT, textGrowth } from "./text-size.js";
import { boxTriangles, cellTriangles, labelTriangles, lineRectangles } from "./triangles.js";

/** @import {Grid, Mark, Pattern, Style} from "../../../types/contract.js" */
/** @import {Container, Graphics, Mesh, Sprite, Text, Texture} from "pixi.js" */

/** @typedef {Container | Graphics | Mesh | Sprite} Drawn */

const TEXT_RESOLUTION = 3;
/** So many texts are kept although no layer shows them: a label that comes back costs nothing. */
const SPARE_TEXTS = 64;

/** Paints layers of marks into a container. */
export class Painter {
  /** @type {Map<string, {container: Container, marks: Mark[] | null}>} */
  #layers = new Map();
  /** @type {Map<string, Texture>} patterns and labels */
  #textures = new Map();
  /** @type {BoardMeshes | null} of the board painted last */
  #meshes = null;
  /** @type {Map<string, Text>} */
  #texts = new Map();
  #spareLimit = SPARE_TEXTS;
  /** @type {WeakMap<Drawn, {size: number, grows: boolean | number}>} the font's size of each text that grows, in 64ths of a cell */
  #sizes = new WeakMap();
  #zoom = 1;
  #hasTexts = true;

  /**
   * @param {typeof import("pixi.js")} pixi PIXI 7, from the host
   * @param {Container} root
   * @param {string[]} order the layers' keys, bottom first
   */
  constructor(pixi, root, order) {
    this.pixi = pixi;
    for (const key of order) {
      const container = new pixi.Container();
      container.name = key;
      container.eventMode = "none";
      this.#layers.set(key, { container, marks: null });
      root.addChild(container);
    }
  }

  /**
   * Paint a layer, unless it already shows this very list.
   * @param {string} key
   * @param {Mark[]} marks
   * @returns {boolean} whether it was painted
   */
  paint(key, marks) {
    const layer = this.#layers.get(key);
    if (!layer || layer.marks === marks) return false;
    layer.marks = marks;
    for (const child of layer.container.removeChildren())
      if (!this.#meshes?.release(child)) child.destroy({ children: true });
    for (const child of this.#build(marks)) layer.container.addChild(child);
    if (this.#texts.size > this.#spareLimit) this.#dropTexts();
    return true;
  }

  /** Leave texts out, which take as long to write as all else to draw, until they are switched on. @param {boolean} hasTexts */
  setTexts(hasTexts) {
    this.#hasTexts = hasTexts;
    for (const [key, layer] of this.#layers) {
      const { marks } = layer;
      if (!marks?.some(({ kind }) => kind === "text")) continue;
      layer.marks = null;
      this.paint(key, marks);
    }
  }

  /** Free the texts that no layer shows. */
  #dropTexts() {
    const marks = [...this.#layers.values()].flatMap((layer) => layer.marks ?? []);
    const shown = new Set(marks.filter(({ kind }) => kind === "text").map(textKey));
    for (const [key, text] of this.#texts) {
      if (shown.has(key)) continue;
      text.destroy(true);
      this.#texts.delete(key);
    }
    this.#spareLimit = this.#texts.size + SPARE_TEXTS;
  }

  /** @param {string} key @param {boolean} isVisible @param {number} [alpha] */
  show(key, isVisible, alpha = 1) {
    const container = this.#layers.get(key)?.container;
    if (container) Object.assign(container, { visible: isVisible, alpha });
  }

  /** Keep texts readable at a zoom. @param {number} zoom pixels for each 64th of a cell */
  setZoom(zoom) {
    if (zoom === this.#zoom) return;
    this.#zoom = zoom;
    for (const { container } of this.#layers.values())
      for (const child of container.children) this.#fitText(/** @type {Drawn} */ (child));
  }

  /** @param {Drawn} drawn */
  #fitText(drawn) {
    const text = this.#sizes.get(drawn);
    if (!text) return;
    const growth = textGrowth(text.size, this.#zoom, text.grows);
    drawn.visible = growth > 0;
    if (growth) drawn.scale.set(growth);
  }

  /** Remove everything painted and free the graphics card's memory. */
  destroy() {
    for (const key of this.#layers.keys()) this.paint(key, []);
    this.#meshes?.destroy();
    this.#meshes = null;
    for (const drawn of [...this.#textures.values(), ...this.#texts.values()]) drawn.destroy(true);
  }

  /**
   * Build the display objects. Consecutive polygons and circles share one Graphics, which keeps the order.
   * @param {Mark[]} marks
   */
  #build(marks) {
    /** @type {Drawn[]} */
    const children = [];
    for (const mark of marks) {
      if (mark.kind === "text") children.push(...(this.#hasTexts ? [this.#text(mark)] : []));
      else if (mark.kind === "picture") children.push(this.#picture(mark));
      else if (mark.kind === "texts") children.push(this.#labels(mark));
      else if (mark.kind === "cells") children.push(this.#cells(mark));
      else if (mark.kind === "lines") children.push(this.#lines(mark));
      else if (mark.kind === "region") children.push(this.#region(mark));
      else this.#shape(this.#pen(children), mark);
    }
    return children;
  }

  /** @param {Mark & {kind: "cells"}} mark */
  #cells({ grid, cells, style: { color, fill = 0, pattern = "solid" }, shift: [x, y] = [0, 0] }) {
    const texture = pattern === "solid" ? this.pixi.Texture.WHITE : this.#pattern(pattern);
    const mesh = this.#meshesOf(grid).cells(cellTriangles(grid, cells), texture);
    mesh.position.set(x, y);
    mesh.scale.set(CELL);
    return Object.assign(mesh, { tint: color, alpha: fill });
  }

  /** @param {Mark & {kind: "texts"}} mark */
  #labels({ grid, cells, text, color }) {
    const mesh = this.#meshesOf(grid).labels(labelTriangles(grid, cells), this.#label(text, color));
    mesh.scale.set(CELL);
    return mesh;
  }

  /** @param {Grid} grid */
  #meshesOf(grid) {
    if (this.#meshes?.fits(grid)) return this.#meshes;
    this.#meshes?.destroy();
    return (this.#meshes = new BoardMeshes(this.pixi, grid));
  }

  /** @param {Mark & {kind: "lines"}} mark */
  #lines({ points, style: { color, width = 1, line = 0 } }) {
    const corners = /** @type {any} */ (lineRectangles(points, width)); // PIXI 7 has its own type for arrays
    const triangles = /** @type {any} */ (boxTriangles(points.length / 4));
    const geometry = new this.pixi.MeshGeometry(corners, corners, triangles);
    const mesh = new this.pixi.Mesh(geometry, new this.pixi.MeshMaterial(this.pixi.Texture.WHITE));
    return Object.assign(mesh, { tint: color, alpha: line }); // PIXI applies the mesh's own alpha when batched, too
  }

  /**
   * Fill a region whose rings overlap: a mask shows each pixel once, so that no part is filled twice.
   * @param {Mark & {kind: "region"}} mark
   */
  #region({ rings, style }) {
    const { Container, Graphics } = this.pixi;
    const mask = new Graphics().beginFill(INK);
    for (const ring of rings) mask.drawPolygon(ring);
    const { x, y, width, height } = mask.endFill().getLocalBounds();
    const cover = new Graphics();
    this.#fill(cover, style);
    cover.drawRect(x, y, width, height).endFill();
    const region = new Container();
    region.addChild(mask, cover);
    cover.mask = mask;
    return region;
  }

  /**
   * Return the Graphics at the end of the list, new if there is none.
   * @param {Drawn[]} children
   * @returns {Graphics}
   */
  #pen(children) {
    const last = children.at(-1);
    if (last instanceof this.pixi.Graphics) return last;
    const pen = new this.pixi.Graphics();
    children.push(pen);
    return pen;
  }

  /** @param {Graphics} pen @param {Mark & {kind: "polygon" | "circle"}} mark */
  #shape(pen, mark) {
    const { color, width = 1, line = 0 } = mark.style;
    pen.lineStyle({ width: line ? width : 0, color, alpha: line, join: this.pixi.LINE_JOIN.ROUND });
    this.#fill(pen, mark.style);
    if (mark.kind === "polygon") pen.drawPolygon(mark.points);
    else pen.drawCircle(...mark.at, mark.radius);
    return pen.endFill();
  }

  /** @param {Graphics} pen @param {Style} style */
  #fill(pen, { color, fill = 0, pattern = "solid" }) {
    if (!fill || pattern === "none") return;
    if (pattern === "solid") pen.beginFill(color, fill);
    else pen.beginTextureFill({ texture: this.#pattern(pattern), color, alpha: fill });
  }

  /** Return a pattern's texture, white, for tinting. @param {Pattern} pattern */
  #pattern(pattern) {
    return this.#cached(`pattern ${pattern}`, () => {
      const texture = this.pixi.Texture.from(patternCanvas(pattern, "#ffffff"));
      texture.baseTexture.wrapMode = this.pixi.WRAP_MODES.REPEAT;
      return texture;
    });
  }

  /** @param {string} text @param {number} color */
  #label(text, color) {
    return this.#cached(`label ${color} ${text}`, () => this.pixi.Texture.from(labelCanvas(text, color)));
  }

  /** @param {string} key @param {() => Texture} make */
  #cached(key, make) {
    const cached = this.#textures.get(key);
    if (cached) return cached;
    const texture = make();
    texture.baseTexture.mipmap = this.pixi.MIPMAP_MODES.ON;
    this.#textures.set(key, texture);
    return texture;
  }

  /** @param {Mark & {kind: "picture"}} mark @returns {Sprite} */
  #picture({ at, size, key, source, alpha, turn = 0 }) {
    const texture = this.#cached(`picture ${key}`, () => this.pixi.Texture.from(source));
    const sprite = new this.pixi.Sprite(texture);
    sprite.anchor.set(0.5);
    sprite.position.set(...at);
    sprite.width = sprite.height = size;
    return Object.assign(sprite, { alpha, angle: turn });
  }

  /** @param {Mark & {kind: "text"}} mark @returns {Sprite} */
  #text(mark) {
    const { at, size } = mark;
    const key = textKey(mark);
    const source = this.#texts.get(key) ?? this.#newText(mark);
    this.#texts.set(key, source);
    const sprite = new this.pixi.Sprite(source.texture);
    sprite.anchor.set(0.5);
    sprite.position.set(...at);
    if (mark.grows) this.#sizes.set(sprite, { size, grows: mark.grows });
    this.#fitText(sprite);
    return sprite;
  }

  /** @param {Mark & {kind: "text"}} mark */
  #newText({ text, size, color, isName = false }) {
    const label = new this.pixi.Text(text, {
      fontFamily: isName ? NAME_FONT : TEXT_FONT,
      fontStyle: isName ? "italic" : "normal",
      fontWeight: isName ? "700" : "600",
      fontSize: size,
      fill: css(color),
      ...(color === INK
        ? {}
        : { stroke: css(INK), strokeThickness: Math.max(3, size / 5), lineJoin: "round" }),
    });
    label.resolution = TEXT_RESOLUTION;
    label.updateText(true);
    return label;
  }
}

/** @param {any} mark a text @returns {string} equal for equal textures */
const textKey = ({ text, size, color, isName = false }) => `${size} ${color} ${isName} ${text}`;
