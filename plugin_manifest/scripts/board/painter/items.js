/**
 * The things on a painted map, as plain values: each item has its layer, the box that it may touch, and the values of
 * its art. A tile shows the items that touch it, and nothing else decides what it looks like.
 */

import { grown, overlap } from "./pen.js";

/** @import {Box} from "./pen.js" */

/** The layers from bottom to top. */
export const LAYERS = /** @type {const} */ ([
  "patch",
  "water",
  "floor",
  "rise",
  "rug",
  "wall",
  "thing",
  "plant",
  "air",
]);

/** @typedef {{layer: typeof LAYERS[number], art: string, box: Box, values: any[]}} Item */

const BUCKET = 8;

/** Items, found by the part of the map that they touch. */
export class Items {
  /** @type {Item[]} in the order in which they were added */
  all = [];
  /** @type {Map<string, number[]>} */
  #buckets = new Map();

  /** @param {Item["layer"]} layer @param {string} art @param {Box} box @param {number} reach how far the art goes beyond the box @param {...any} values */
  add(layer, art, box, reach, ...values) {
    const item = { layer, art, box: grown(box, reach), values };
    this.all.push(item);
    eachBucket(item.box, (key) => {
      const bucket = this.#buckets.get(key) ?? [];
      bucket.push(this.all.length - 1);
      this.#buckets.set(key, bucket);
    });
  }

  /** Return the items that touch a box, by layer and then as they were added. @param {Box} box @returns {Item[]} */
  touching(box) {
    const found = new Set();
    eachBucket(box, (key) => this.#buckets.get(key)?.forEach((index) => found.add(index)));
    return [...found]
      .sort((a, b) => a - b)
      .map((index) => this.all[index])
      .filter((item) => overlap(item.box, box))
      .sort((a, b) => LAYERS.indexOf(a.layer) - LAYERS.indexOf(b.layer));
  }
}

/** @param {Box} box @param {(key: string) => void} visit */
function eachBucket({ left, top, right, bottom }, visit) {
  for (let row = Math.floor(top / BUCKET); row * BUCKET < bottom; row += 1)
    for (let column = Math.floor(left / BUCKET); column * BUCKET < right; column += 1)
      visit(`${column} ${row}`);
}
