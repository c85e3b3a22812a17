/**
 * Replays lists of marks on PIXI 7 Graphics. Each layer has its own container; one whose list is the very
 * list it was painted from is left alone.
 */

import { CELL } from "./geometry.js";
import { INK, css } from "./palette.js";
import { patternCanvas } from "./patterns.js";
import { boxesAt, fans, linesAsQuads } from "./quads.js";

/** @import {Mark, Pattern, Style} from "../../types/contract.js" */
/** @import {Container, Graphics, Mesh, Sprite, Text, Texture} from "pixi.js" */

/** @typedef {Graphics | Mesh | Sprite} Drawn */
/** @typedef {{tint: number, alpha: number}} Look */

const TEXT_SHARPNESS = 3;

/** Paints layers of marks into a container. */
export class Painter {
  /** @type {Map<string, {container: Container, marks: Mark[] | null}>} */
  #layers = new Map();
  /** @type {Map<Pattern, Texture>} */
  #patterns = new Map();
  /** @type {Map<string, Text>} */
  #labels = new Map();

  /**
   * @param {typeof import("pixi.js")} pixi PIXI 7, whoever brings it
   * @param {Container} root
   * @param {string[]} order the layers' keys, lowest first
   */
  constructor(pixi, root, order) {
    this.pixi = pixi;
    for (const key of order) {
      const container = new pixi.Container();
      container.eventMode = "none";
      this.#layers.set(key, { container, marks: null });
      root.addChild(container);
    }
  }

  /**
   * Paints a layer anew where its list is another than before.
   * @param {string} key
   * @param {Mark[]} marks
   * @returns {boolean} whether it was painted
   */
  paint(key, marks) {
    const layer = this.#layers.get(key);
    if (!layer || layer.marks === marks) return false;
    layer.marks = marks;
    for (const child of layer.container.removeChildren()) child.destroy();
    for (const child of this.#drawn(marks)) layer.container.addChild(child);
    return true;
  }

  /** @param {string} key @param {boolean} isShown @param {number} [alpha] */
  show(key, isShown, alpha = 1) {
    const container = this.#layers.get(key)?.container;
    if (container) Object.assign(container, { visible: isShown, alpha });
  }

  /** @param {Mark[]} marks one Graphics for each stretch of single shapes, so that the order stays */
  #drawn(marks) {
    /** @type {Drawn[]} */
    const children = [];
    for (const mark of marks) {
      if (mark.kind === "text") children.push(this.#text(mark));
      else if (mark.kind === "texts") children.push(this.#texts(mark));
      else if (mark.kind === "cells") children.push(this.#cells(mark));
      else if (mark.kind === "lines") children.push(this.#lines(mark));
      else this.#shape(this.#pen(children), mark);
    }
    return children;
  }

  /** @param {Mark & {kind: "cells"}} mark */
  #cells({ points, corners, style: { colour, fill = 0, pattern = "solid" } }) {
    const texture = pattern === "solid" ? this.pixi.Texture.WHITE : this.#pattern(pattern);
    return this.#onBoard(new Float32Array(points), corners, texture, { tint: colour, alpha: fill });
  }

  /** @param {Mark & {kind: "lines"}} mark */
  #lines({ points, style: { colour, width = 1, line = 0 } }) {
    const quads = linesAsQuads(points, width);
    return this.#onBoard(quads, 4, this.pixi.Texture.WHITE, { tint: colour, alpha: line });
  }

  /** @param {Mark & {kind: "texts"}} mark */
  #texts({ points, text, size, colour }) {
    const { texture } = this.#label(text, size, colour);
    const [corners, uvs] = boxesAt(points, texture.width, texture.height);
    return this.#mesh(corners, uvs, 4, texture, { tint: 0xffffff, alpha: 1 });
  }

  /**
   * Polygons cut out of a texture that is laid over the board from its corner.
   * @param {Float32Array} points
   * @param {number} corners of each polygon
   * @param {Texture} texture
   * @param {Look} look
   */
  #onBoard(points, corners, texture, look) {
    const uvs = points.map((value) => value / CELL);
    return this.#mesh(points, uvs, corners, texture, look);
  }

  /**
   * @param {Float32Array} points
   * @param {Float32Array} uvs
   * @param {number} corners of each polygon
   * @param {Texture} texture
   * @param {Look} look
   * @returns {Mesh}
   */
  #mesh(points, uvs, corners, texture, look) {
    const parts = /** @type {any[]} */ ([points, uvs, fans(points.length / 2 / corners, corners)]);
    const geometry = new this.pixi.MeshGeometry(parts[0], parts[1], parts[2]); // PIXI 7 has its own type for arrays
    const mesh = new this.pixi.Mesh(geometry, new this.pixi.MeshMaterial(texture));
    return Object.assign(mesh, look); // small meshes are batched, and then a material's own alpha is passed over
  }

  /** @param {Drawn[]} children @returns {Graphics} */
  #pen(children) {
    const last = children.at(-1);
    if (last instanceof this.pixi.Graphics) return last;
    const pen = new this.pixi.Graphics();
    children.push(pen);
    return pen;
  }

  /** @param {Graphics} pen @param {Mark & {kind: "polygon" | "circle"}} mark */
  #shape(pen, mark) {
    const { colour, width = 1, line = 0 } = mark.style;
    pen.lineStyle({ width: line ? width : 0, color: colour, alpha: line, join: this.pixi.LINE_JOIN.ROUND });
    this.#fill(pen, mark.style);
    if (mark.kind === "polygon") pen.drawPolygon(mark.points);
    else pen.drawCircle(...mark.at, mark.radius);
    return pen.endFill();
  }

  /** @param {Graphics} pen @param {Style} style */
  #fill(pen, { colour, fill = 0, pattern = "solid" }) {
    if (!fill || pattern === "none") return;
    if (pattern === "solid") pen.beginFill(colour, fill);
    else pen.beginTextureFill({ texture: this.#pattern(pattern), color: colour, alpha: fill });
  }

  /** @param {Pattern} pattern white, to be tinted */
  #pattern(pattern) {
    const known = this.#patterns.get(pattern);
    if (known) return known;
    const texture = this.pixi.Texture.from(patternCanvas(pattern, "#ffffff"));
    texture.baseTexture.wrapMode = this.pixi.WRAP_MODES.REPEAT;
    texture.baseTexture.mipmap = this.pixi.MIPMAP_MODES.ON;
    this.#patterns.set(pattern, texture);
    return texture;
  }

  /** @param {Mark & {kind: "text"}} mark @returns {Sprite} */
  #text({ at, text, size, colour }) {
    const sprite = new this.pixi.Sprite(this.#label(text, size, colour).texture);
    sprite.anchor.set(0.5);
    sprite.position.set(...at);
    return sprite;
  }

  /** @param {string} text @param {number} size @param {number} colour @returns {Text} */
  #label(text, size, colour) {
    const key = `${size} ${colour} ${text}`;
    const label = this.#labels.get(key) ?? this.#lettering(text, size, colour);
    this.#labels.set(key, label);
    return label;
  }

  /** @param {string} text @param {number} size @param {number} colour */
  #lettering(text, size, colour) {
    const label = new this.pixi.Text(text, {
      fontFamily: "system-ui, 'DejaVu Sans', sans-serif",
      fontWeight: "600",
      fontSize: size,
      fill: css(colour),
      ...(colour === INK
        ? {}
        : { stroke: css(INK), strokeThickness: Math.max(3, size / 5), lineJoin: "round" }),
    });
    label.resolution = TEXT_SHARPNESS;
    label.updateText(true);
    return label;
  }
}
