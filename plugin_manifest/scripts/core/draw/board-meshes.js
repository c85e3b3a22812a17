/**
 * A board's cells on the graphics card. Their corners are uploaded once; a redraw uploads only the indexes of the
 * cells to draw. Meshes are pooled for the next redraw.
 */

import { boardCorners, boardLabels } from "./triangles.js";

/** @import {Grid} from "../../../types/contract.js" */
/** @import {Mesh, Texture} from "pixi.js" */
/** @import {Triangles} from "./triangles.js" */

/** @typedef {typeof import("pixi.js")} Pixi */

const PAIR_BYTES = 8;

/** The cells of one board, and the label boxes at their centers. */
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

  /** Return whether a grid has the same cells. @param {Grid} grid @returns {boolean} */
  fits({ kind, columns, rows }) {
    return this.grid.kind === kind && this.grid.columns === columns && this.grid.rows === rows;
  }

  /**
   * @param {Triangles} triangles
   * @param {Texture} texture tiled over the board
   * @returns {Mesh} in units of cells
   */
  cells(triangles, texture) {
    const corners = this.#cells ? null : boardCorners(this.grid);
    this.#cells ??= new MeshPool(this.pixi, /** @type {Float32Array} */ (corners));
    return this.#cells.take(triangles, texture);
  }

  /**
   * @param {Triangles} triangles
   * @param {Texture} texture shown in each box
   * @returns {Mesh} in units of cells
   */
  labels(triangles, texture) {
    this.#labels ??= new MeshPool(this.pixi, ...boardLabels(this.grid));
    return this.#labels.take(triangles, texture);
  }

  /** Return a mesh to its pool. @param {unknown} mesh @returns {boolean} false if it belongs to no pool here */
  release(mesh) {
    return [this.#cells, this.#labels].some((pool) => pool?.release(mesh));
  }

  /** Free the graphics card's memory. */
  destroy() {
    this.#cells?.destroy();
    this.#labels?.destroy();
  }
}

/** Meshes that share one buffer of corners. */
class MeshPool {
  /** @type {Set<unknown>} */
  #made = new Set();
  /** @type {Mesh[]} */
  #free = [];

  /** @param {Pixi} pixi @param {Float32Array} corners @param {Float32Array} [uvs] by default the corners */
  constructor(pixi, corners, uvs = corners) {
    this.pixi = pixi;
    this.corners = bufferOf(pixi, corners);
    this.uvs = uvs === corners ? this.corners : bufferOf(pixi, uvs);
  }

  /** @param {Triangles} triangles @param {Texture} texture @returns {Mesh} */
  take(triangles, texture) {
    const mesh = this.#free.pop() ?? this.#create();
    mesh.geometry.indexBuffer.update(/** @type {any} */ (triangles)); // PIXI 7 has its own type for arrays
    mesh.texture = texture;
    mesh.position.set(0);
    return mesh;
  }

  /** @param {unknown} mesh */
  release(mesh) {
    if (!this.#made.has(mesh)) return false;
    this.#free.push(/** @type {Mesh} */ (mesh));
    return true;
  }

  destroy() {
    for (const mesh of this.#free) mesh.destroy();
    this.#free = [];
    this.#made.clear();
  }

  #create() {
    const { Buffer, Geometry, Mesh, MeshMaterial, TYPES, Texture } = this.pixi;
    // Explicit stride and offset, because PIXI takes two attributes of one buffer for interleaved.
    const pairs = /** @type {const} */ ([2, false, TYPES.FLOAT, PAIR_BYTES, 0]);
    const geometry = new Geometry()
      .addAttribute("aVertexPosition", this.corners, ...pairs)
      .addAttribute("aTextureCoord", this.uvs, ...pairs)
      .addIndex(new Buffer(undefined, false, true));
    const mesh = new Mesh(geometry, new MeshMaterial(Texture.WHITE));
    mesh.shader.batchable = false; // batching would copy every corner of the board
    this.#made.add(mesh);
    return mesh;
  }
}

/** @param {Pixi} pixi @param {Float32Array} data static */
const bufferOf = ({ Buffer }, data) => new Buffer(/** @type {any} */ (data), true);
