/**
 * The end of a movement of a token. From 13 on a movement goes on after the call that began it: by checkpoints, which regions
 * add, each with an update of its own. 13 answers at the first checkpoint, 14 at the end (I#13572). It may be stopped or
 * paused on its way, or another move of the token may take its place.
 */

import { guarded } from "../boundary.js";
import { savedPlace } from "../read/saved-place.js";

/** @typedef {"there" | "stopped" | "overtaken"} Ending */

/** A movement that has not ended after so long never will: a page in the background walks no token. */
const PATIENCE_MS = 20_000;
/** Hooks that end a movement on its way (13 and later). */
const STOPS = ["stopToken", "pauseToken"];

/** Watches one movement that this page makes of a token. */
export class Arrival {
  /** @type {[name: string, id: number][]} */
  #hooks = [];
  /** @type {(ending: Ending) => void} */
  #end = () => {};
  /** @type {Promise<Ending>} */
  #ending = new Promise((resolve) => (this.#end = resolve));

  /**
   * @param {Foundry.TokenDocument} token
   * @param {{x: number, y: number}} target where it is to end
   */
  constructor(token, target) {
    const isIt = (/** @type {Foundry.TokenDocument} */ { id, parent }) =>
      id === token.id && parent?.id === token.parent?.id;
    const isThere = () => savedPlace(token).x === target.x && savedPlace(token).y === target.y;
    this.#on("updateToken", (changed, changes, options) => {
      if (!isIt(changed) || !("x" in changes || "y" in changes)) return;
      if (options.enfilade?.origin !== "server") this.#end("overtaken");
      else if (isThere()) this.#end("there");
    });
    this.#on("deleteToken", (gone) => isIt(gone) && this.#end("overtaken"));
    for (const hook of STOPS) this.#on(hook, (stopped) => isIt(stopped) && this.#end("stopped"));
    this.isThere = isThere;
  }

  /**
   * Returns how the movement has ended, once it has.
   * @param {boolean} isMoving what the call that began it has answered
   * @returns {Promise<Ending>}
   */
  async ending(isMoving) {
    if (this.isThere()) this.#end("there");
    const patience = setTimeout(() => this.#end("stopped"), isMoving ? PATIENCE_MS : 0);
    const ending = await this.#ending;
    clearTimeout(patience);
    for (const [name, id] of this.#hooks) Hooks.off(name, id);
    return ending;
  }

  /** @param {string} name @param {(...args: any[]) => unknown} act */
  #on(name, act) {
    this.#hooks.push([name, Hooks.on(name, guarded("hook", act))]);
  }
}
