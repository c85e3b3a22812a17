/**
 * The things that the table lacks of a scene: tokens without a profile, walls that it cannot use, what its importer left out.
 * Each cause is told once for a scene, and again only when something new comes to it; the window of missing things has all.
 */

import { localize } from "../../core/ui/i18n.js";
import { stripMarkup } from "../documents/conversion.js";
import { REACH_CELLS } from "../read/walls.js";

/** @import {Source} from "../read/scene.js" */
/** @import {FarWall} from "../read/walls.js" */
/** @import {Synced} from "../sync/bridge.js" */

/** A token that lacks something. @typedef {{token: string, name: string, why: string}} Unfit */

/** A notification names so many tokens. */
const SHOWN_NAMES = 5;

/** The causes of one scene, and which of them were told while the page was open. */
export class Missing {
  /** Foundry's ID of the scene. */
  scene = "";
  /** @type {Unfit[]} */
  unfit = [];
  /** @type {FarWall[]} */
  far = [];
  /** @type {Source[]} */
  odd = [];
  /** The table's remarks on what it reads in its own way: nothing to mend. @type {string[]} */
  notes = [];
  /** The things that were told, by scene. @type {Map<string, Set<string>>} */
  #told = new Map();
  /** @type {(() => void)[]} */
  #listeners = [];

  /** @param {() => void} listener called after every change */
  subscribe(listener) {
    this.#listeners.push(listener);
  }

  /** @returns {number} of the causes that the GM can mend */
  get count() {
    return [this.unfit, this.far, this.odd].filter(({ length }) => length > 0).length;
  }

  /**
   * Takes what a sync has left out.
   * @param {string} scene
   * @param {Synced} synced
   * @returns {string[]} what the GM does not know yet, a sentence for each cause
   */
  take(scene, { unfit, far, odd, notes }) {
    Object.assign(this, { scene, unfit, far, odd, notes });
    this.#emit();
    const told = [
      this.#isNew(unfit.map(({ token, why }) => `${token} ${why}`)) &&
        localize("bridge.unfit", { names: namesOf(unfit) }),
      this.#isNew(far.map(({ id }) => `far ${id}`)) &&
        localize("FarWalls.Notice", { count: far.length, cells: REACH_CELLS }),
      this.#isNew(odd.map(({ _id: id }) => `odd ${id}`)) &&
        localize("bridge.oddWalls", { count: odd.length }),
    ];
    return told.filter((text) => text !== false);
  }

  /** Takes out tokens that the table has taken. @param {string[]} tokens */
  takeOut(tokens) {
    const left = this.unfit.filter(({ token }) => !tokens.includes(token));
    if (left.length === this.unfit.length) return;
    this.unfit = left;
    this.#emit();
  }

  /** Notes what is told, and says whether one of it is new. @param {string[]} causes */
  #isNew(causes) {
    const known = this.#told.get(this.scene) ?? new Set();
    this.#told.set(this.scene, new Set([...known, ...causes]));
    return causes.some((one) => !known.has(one));
  }

  #emit() {
    for (const listener of this.#listeners) listener();
  }
}

/** @param {Unfit[]} unfit */
function namesOf(unfit) {
  const names = unfit.map(({ name }) => stripMarkup(name));
  const some = names.slice(0, SHOWN_NAMES).join(", ");
  return names.length > SHOWN_NAMES ? localize("bridge.andMore", { names: some, count: names.length }) : some;
}
