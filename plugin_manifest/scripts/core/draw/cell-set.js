/** Some of a board's cells, to be asked for by place and run through quickly: a whole board at every step of a drag. */

/** @import {Run} from "../../../types/contract.js" */

/** One byte for each cell in the box round them all, which has an empty rim, so that neighbours need no looking out for. */
export class CellSet {
  /** @param {number} left @param {number} top @param {number} right @param {number} bottom of the box, all of them in it */
  constructor(left, top, right, bottom) {
    const isEmpty = left > right;
    this.left = isEmpty ? 0 : left - 1;
    this.top = isEmpty ? 0 : top - 1;
    this.width = isEmpty ? 0 : right - left + 3;
    this.height = isEmpty ? 0 : bottom - top + 3;
    this.held = new Uint8Array(this.width * this.height);
  }

  /**
   * @param {number[][]} cells each its column and row, whatever follows; one may be named twice
   * @returns {CellSet}
   */
  static of(cells) {
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const cell of cells) {
      left = Math.min(left, cell[0]); // taking a cell apart costs more than all the rest
      right = Math.max(right, cell[0]);
      top = Math.min(top, cell[1]);
      bottom = Math.max(bottom, cell[1]);
    }
    const set = new CellSet(left, top, right, bottom);
    for (const cell of cells) set.held[set.#place(cell[0], cell[1])] = 1;
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
      set.held.fill(1, set.#place(first, row), set.#place(last, row) + 1);
    return set;
  }

  /** @returns {number} how many cells there are */
  get size() {
    let count = 0;
    for (const one of this.held) count += one;
    return count;
  }

  /** @param {(column: number, row: number, place: number) => void} act done for each cell once, row by row, with its place in `held` */
  each(act) {
    for (let row = 0, place = 0; row < this.height; row += 1)
      for (let column = 0; column < this.width; column += 1, place += 1)
        if (this.held[place]) act(this.left + column, this.top + row, place);
  }

  /** @param {number} column @param {number} row */
  #place(column, row) {
    return (row - this.top) * this.width + column - this.left;
  }
}
