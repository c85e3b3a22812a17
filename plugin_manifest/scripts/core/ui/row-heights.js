/**
 * The heights of the rows of a long list: the place of a row, and the row at a place, without a walk over all rows
 * (a Fenwick tree). Lengths are pixels.
 */
export class RowHeights {
  /** @type {number[]} */
  #heights = [];
  /** Sums of ranges: entry i (from 1) covers the rows from i - (i & -i) to i - 1. @type {number[]} */
  #sums = [0];

  get length() {
    return this.#heights.length;
  }

  /** Add a row at the end. @param {number} height */
  push(height) {
    this.#heights.push(height);
    const i = this.#heights.length;
    let sum = height;
    for (let step = 1; step < (i & -i); step *= 2) sum += this.#sums[i - step];
    this.#sums.push(sum);
  }

  /** Remove the rows from an index on. @param {number} length */
  cut(length) {
    this.#heights.length = Math.min(length, this.#heights.length);
    this.#sums.length = this.#heights.length + 1;
  }

  /** @param {number} index */
  get(index) {
    return this.#heights[index];
  }

  /** @param {number} index @param {number} height */
  set(index, height) {
    const change = height - this.#heights[index];
    if (!change) return;
    this.#heights[index] = height;
    for (let i = index + 1; i < this.#sums.length; i += i & -i) this.#sums[i] += change;
  }

  /** Return the height of all rows before an index. @param {number} index */
  before(index) {
    let sum = 0;
    for (let i = index; i > 0; i -= i & -i) sum += this.#sums[i];
    return sum;
  }

  /** Return the row at a distance from the top; the last row below the end. @param {number} distance */
  at(distance) {
    let [found, rest] = [0, distance];
    let step = 1;
    while (step * 2 <= this.length) step *= 2;
    for (; step >= 1; step /= 2) {
      const next = found + step;
      if (next > this.length || this.#sums[next] > rest) continue;
      found = next;
      rest -= this.#sums[next];
    }
    return Math.min(found, Math.max(0, this.length - 1));
  }
}
