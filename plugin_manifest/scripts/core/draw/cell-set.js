/**
 * A set of a board's cells, made for fast membership tests and loops: a drag walks the whole board at every
 * step.
 */

/** @import {Run} from "../../../types/contract.js" */

/**
 * One byte for each cell of the bounding box. The box has an empty rim, so that neighbors need no bounds check.
 */
export class CellSet {
  /**
   * @param {number} left
   * @param {number} top
   * @param {number} right
   * @param {number} bottom the bounding box, inclusive
   */
  constructor(left, top, right, bottom) {
    const isEmpty = left > right;
    this.left = isEmpty ? 0 : left - 1;
    this.top = isEmpty ? 0 : top - 1;
    this.width = isEmpty ? 0 : right - left + 3;
    this.height = isEmpty ? 0 : bottom - top + 3;
    this.held = new Uint8Array(this.width * this.height);
  }

  /**
   * @param {number[][]} cells column and row of each; further values are ignored, duplicates allowed
   * @returns {CellSet}
   */
  static of(cells) {
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const cell of cells) {
      left = Math.min(left, cell[0]); // destructuring the cell would cost more than all the rest
      right = Math.max(right, cell[0]);
      top = Math.min(top, cell[1]);
      bottom = Math.max(bottom, cell[1]);
    }
    const set = new CellSet(left, top, right, bottom);
    for (const cell of cells) set.held[set.#index(cell[0], cell[1])] = 1;
    return set;
  }

  /** @param {Run[]} runs @returns {CellSet} */
  static ofRuns(runs) {
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const [row, first, last] of runs) {
      left = Math.min(left, first);
      right = Math.max(right, last);
      top = Math.min(top, row);
      bottom = Math.max(bottom, row);
    }
    const set = new CellSet(left, top, right, bottom);
    for (const [row, first, last] of runs)
      set.held.fill(1, set.#index(first, row), set.#index(last, row) + 1);
    return set;
  }

  /** @returns {number} the number of cells */
  get size() {
    let count = 0;
    for (const one of this.held) count += one;
    return count;
  }

  /**
   * Call a function for each cell, row by row, with the cell's index in `held`.
   * @param {(column: number, row: number, index: number) => void} visit
   */
  each(visit) {
    for (let row = 0, index = 0; row < this.height; row += 1)
      for (let column = 0; column < this.width; column += 1, index += 1)
        if (this.held[index]) visit(this.left + column, this.top + row, index);
  }

  /** @param {number} column @param {number} row */
  #index(column, row) {
    return (row - this.top) * this.width + column - this.left;
  }
}
