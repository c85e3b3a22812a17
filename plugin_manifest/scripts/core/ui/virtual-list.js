/**
 * A long list of which only the rows in view, and some beside them, are in the page: a row more costs the same at ten
 * thousand rows as at ten. Rows differ in height, which is measured when a row has been in view.
 */

import { render, repeat } from "../../../vendor/lit-html.min.js";
import { el } from "./dom.js";
import { RowHeights } from "./row-heights.js";

/** The pixels above and below the view in which rows are in the page. */
const BESIDE_PX = 800;
/** The height of a row that was never in view. */
const USUAL_PX = 36;
/** The list follows new rows if it was scrolled to within this distance of its end. */
const FOLLOW_PX = 60;

/**
 * Shows rows in an element that scrolls.
 * @template {{key: string}} T
 */
export class VirtualList {
  #heights = new RowHeights();
  /** @type {T[]} */
  #rows = [];
  /** True while the end is in view; it stays in view as rows are added. */
  isAtEnd = true;
  #frame = 0;
  /** The height of the view that was shown last. */
  #view = 0;

  /**
   * @param {HTMLElement} host scrolls
   * @param {{template: (row: T, index: number, all: number) => unknown, onTop?: () => void}} options the template of a
   *   row is one element; `onTop` is called when the first row is in view
   */
  constructor(host, { template, onTop }) {
    this.host = host;
    this.template = template;
    this.onTop = onTop;
    this.above = el("div", { "aria-hidden": "true" });
    this.list = el("ol", {});
    this.below = el("div", { "aria-hidden": "true" });
    host.append(this.above, this.list, this.below);
    host.addEventListener("scroll", () => this.#scrolled());
    new ResizeObserver(() => {
      if (host.clientHeight) this.show(); // nothing is drawn while it is off the screen
    }).observe(host);
  }

  /**
   * Show other rows. Those before `same` are the ones that it has already.
   * @param {T[]} rows
   * @param {number} same
   */
  setRows(rows, same) {
    this.#heights.cut(same);
    for (let i = this.#heights.length; i < rows.length; i += 1) this.#heights.push(USUAL_PX);
    this.#rows = rows;
    this.show();
  }

  /** Show rows that were added before all others; what is in view stays there. @param {T[]} rows @param {number} added */
  setRowsBefore(rows, added) {
    const [index, rest] = this.#top();
    const heights = new RowHeights();
    for (let i = 0; i < rows.length; i += 1)
      heights.push(i < added ? USUAL_PX : (this.#heights.get(i - added) ?? USUAL_PX));
    this.#heights = heights;
    this.#rows = rows;
    this.isAtEnd = false;
    this.show([index + added, rest]);
  }

  /** Scroll to the end, and stay there as rows are added. */
  toEnd() {
    this.isAtEnd = true;
    this.show();
  }

  #scrolled() {
    const { scrollHeight, scrollTop, clientHeight } = this.host;
    if (clientHeight !== this.#view) return; // it was folded or the page turned: no person has scrolled
    this.isAtEnd = scrollHeight - scrollTop - clientHeight < FOLLOW_PX;
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.show());
  }

  /** Return the row at the top of the view, and how much of it is above. @returns {[number, number]} */
  #top() {
    const index = this.#heights.at(this.host.scrollTop);
    return [index, this.host.scrollTop - this.#heights.before(index)];
  }

  /** Put the rows in view into the page, again if rows have changed. @param {[number, number]} [top] the row that stays at the top */
  show(top = this.#top()) {
    const view = (this.#view = this.host.clientHeight);
    const all = this.#rows.length;
    let start = this.isAtEnd ? Infinity : this.#heights.before(top[0]) + top[1];
    // Rows that come into view turn out taller or lower than thought: twice is enough for any.
    for (let turn = 0; turn < 2; turn += 1) {
      const whole = this.#heights.before(all);
      const at = Math.max(0, Math.min(start, whole - view));
      const first = this.#heights.at(at - BESIDE_PX);
      const last = Math.min(all, this.#heights.at(at + view + BESIDE_PX) + 1);
      this.#put(first, last);
      this.above.style.height = `${this.#heights.before(first)}px`;
      this.below.style.height = `${this.#heights.before(all) - this.#heights.before(last)}px`;
      if (!this.isAtEnd) start = this.#heights.before(top[0]) + top[1];
    }
    if (this.isAtEnd) this.host.scrollTop = this.host.scrollHeight;
    else if (Math.abs(this.host.scrollTop - start) >= 1) this.host.scrollTop = start;
    if (all && view && this.#heights.at(this.host.scrollTop) === 0) this.onTop?.();
  }

  /** @param {number} first @param {number} last */
  #put(first, last) {
    const shown = this.#rows.slice(first, last);
    const template = (/** @type {T} */ row, /** @type {number} */ i) =>
      this.template(row, first + i, this.#rows.length);
    render(
      repeat(shown, ({ key }) => key, template),
      this.list,
    );
    [...this.list.children].forEach((row, i) => {
      const height = /** @type {HTMLElement} */ (row).offsetHeight;
      if (height) this.#heights.set(first + i, height);
    });
  }
}
