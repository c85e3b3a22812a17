/** The past of a battle: the scene after each entry, folded from pages of the log. */

import { withFootprints } from "../map/footprints.js";
import { fold } from "../table/fold.js";

/** @import {LogEntry, Area, ReplayPage, Scene} from "../../../types/contract.js" */

/** The entries of a page, and the pages that are kept. */
export const [PAGE, MAX_PAGES] = [200, 30];

/**
 * The battle after an entry: its number (0 before the first), the scene, the entry (null before the first) and the round.
 * @typedef {{number: number, scene: Scene, entry: LogEntry | null, round: number, regions: Area[]}} Moment
 */

/** Finds moments, and reads each page of the log once. */
export class Past {
  /** @type {Map<number, Promise<Moment[]>>} */
  #pages = new Map();
  /** @type {Map<number, Moment[]>} the pages that have arrived */
  #known = new Map();

  /** @param {(start: number) => Promise<ReplayPage>} read returns a page by the number before its first entry */
  constructor(read) {
    this.read = read;
  }

  /** Return a moment, or null while its page is not there. @param {number} number */
  peek(number) {
    const start = startOf(number);
    return this.#known.get(start)?.[number - start] ?? null;
  }

  /** @param {number} number @returns {Promise<Moment>} */
  async moment(number) {
    const start = startOf(number);
    const known = await this.#page(start);
    if (known[number - start]) return known[number - start];
    this.forget(start); // the log has grown since
    const page = await this.#page(start);
    return page[number - start] ?? page[page.length - 1];
  }

  /** Read a page again when it is needed next. @param {number} start */
  forget(start) {
    this.#pages.delete(start);
    this.#known.delete(start);
  }

  /** @param {number} start */
  #page(start) {
    const known = this.#pages.get(start);
    if (known) return known;
    const page = this.read(start).then((found) => {
      const moments = momentsOf(found);
      this.#known.set(start, moments);
      return moments;
    });
    page.catch(() => this.forget(start));
    this.#pages.set(start, page);
    const [oldest] = this.#pages.keys();
    if (this.#pages.size > MAX_PAGES) this.forget(oldest);
    return page;
  }
}

/** @param {number} number */
const startOf = (number) => Math.floor(number / PAGE) * PAGE;

/**
 * Return the moments of a page: before its first entry, and after each.
 * @param {ReplayPage} page
 * @returns {Moment[]}
 */
export function momentsOf({ start, scene: first, entries, bodies, rounds, regions }) {
  let [bare, body] = [first, bodies[0] ?? {}];
  const look = (/** @type {Scene} */ scene) => withFootprints(scene, body, regions);
  /** @type {Moment[]} */
  const moments = [{ number: start, scene: look(first), entry: null, round: rounds[0], regions }];
  entries.forEach((entry, i) => {
    const after = entry.events.reduce(fold, bare);
    const isSame = after === bare && !bodies[i + 1];
    [bare, body] = [after, bodies[i + 1] ?? body];
    const scene = isSame ? moments[i].scene : look(after);
    moments.push({ number: start + i + 1, scene, entry, round: rounds[i + 1], regions });
  });
  return moments;
}
