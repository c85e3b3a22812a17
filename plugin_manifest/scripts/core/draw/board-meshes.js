/**
 * A board's cells on the graphics card: their corners are brought there once, and a redraw only says which cells
 * are meant. Meshes are kept for the next redraw, with what belongs to them on the card.
 */

import { boardCorners, boardLabels } from "./triangles.js";

/** @import {Grid} from "../../../types/contract.js" */
/** @import {Mesh, Texture} from "pixi.js" */
/** @import {Triangles} from "./triangles.js" */

/** @typedef {typeof import("pixi.js")} Pixi */

const PAIR_BYTES = 8;

/** The cells of one board, and the places of labels in their middle. */
export class BoardMeshes {
  /** @type {MeshPool | null} */
  #cells = null;
  /** @type {MeshPool | null} */
  #labels = null;

  /** @param {Pixi} pixi @param {Grid} grid */
  constructor(pixi, grid) {
    this.pixi = pixi;
    this.grid = grid;
  }

  /** @param {Grid} grid @returns {boolean} whether its cells are this board's */
  is({ kind, columns, rows }) {
    return this.grid.kind === kind && this.grid.columns === columns && this.grid.rows === rows;
  }

  /** @param {Triangles} triangles @param {Texture} texture laid over the board from its corner @returns {Mesh} measured in cells */
  cells(triangles, texture) {
    const corners = this.#cells ? null : boardCorners(this.grid);
    this.#cells ??= new MeshPool(this.pixi, /** @type {Float32Array} */ (corners));
    return this.#cells.take(triangles, texture);
  }

  /** @param {Triangles} triangles @param {Texture} texture shown whole in each box @returns {Mesh} measured in cells */
  labels(triangles, texture) {
    this.#labels ??= new MeshPool(this.pixi, ...boardLabels(this.grid));
    return this.#labels.take(triangles, texture);
  }

  /** @param {unknown} mesh @returns {boolean} whether it was one of these, and is kept for the next redraw */
  takeBack(mesh) {
    return [this.#cells, this.#labels].some((shelf) => shelf?.takeBack(mesh));
  }

  /** Gives up what it has on the card. */
  destroy() {
    this.#cells?.destroy();
    this.#labels?.destroy();
  }
}

/** Meshes over the same corners. */
class MeshPool {
  /** @type {Set<unknown>} */
  #made = new Set();
  /** @type {Mesh[]} */
  #free = [];

  /** @param {Pixi} pixi @param {Float32Array} corners @param {Float32Array} [uvs] the corners themselves where none are given */
  constructor(pixi, corners, uvs = corners) {
    this.pixi = pixi;
    this.corners = bufferOf(pixi, corners);
    this.uvs = uvs === corners ? this.corners : bufferOf(pixi, uvs);
  }

  /** @param {Triangles} triangles @param {Texture} texture @returns {Mesh} */
  take(triangles, texture) {
    const mesh = this.#free.pop() ?? this.#another();
    mesh.geometry.indexBuffer.update(/** @type {any} */ (triangles)); // PIXI 7 has its own type for arrays
    mesh.texture = texture;
    mesh.position.set(0);
    return mesh;
  }

  /** @param {unknown} mesh */
  takeBack(mesh) {
    if (!this.#made.has(mesh)) return false;
    this.#free.push(/** @type {Mesh} */ (mesh));
    return true;
  }

  destroy() {
    for (const mesh of this.#free) mesh.destroy();
    this.#free = [];
    this.#made.clear();
  }

  #another() {
    const { Buffer, Geometry, Mesh, MeshMaterial, TYPES, Texture } = this.pixi;
    // Each two floats from the very beginning: left to itself, PIXI takes two attributes of one buffer for interleaved.
    const pairs = /** @type {const} */ ([2, false, TYPES.FLOAT, PAIR_BYTES, 0]);
    const geometry = new Geometry()
      .addAttribute("aVertexPosition", this.corners, ...pairs)
      .addAttribute("aTextureCoord", this.uvs, ...pairs)
      .addIndex(new Buffer(undefined, false, true));
    const mesh = new Mesh(geometry, new MeshMaterial(Texture.WHITE));
    mesh.shader.batchable = false; // a batch would copy every corner of the board
    this.#made.add(mesh);
    return mesh;
  }
}

/** @param {Pixi} pixi @param {Float32Array} data that never changes */
const bufferOf = ({ Buffer }, data) => new Buffer(/** @type {any} */ (data), true);
