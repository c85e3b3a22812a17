/** The remarks that the GM has had: each cause is told once for a scene, and again only when something new comes to it. */

/** A token that lacks something. @typedef {{token: string, name: string, why: string}} Unfit */

/** Remembers what was told, for as long as the page is open. */
export class Remarks {
  /** The tokens that were told of, by scene. @type {Map<string, Set<string>>} */
  #known = new Map();

  /**
   * Notes the tokens of a scene that lack something.
   * @param {string} scene
   * @param {Unfit[]} unfit
   * @returns {boolean} whether the GM does not know of one of them yet
   */
  tell(scene, unfit) {
    const known = this.#known.get(scene) ?? new Set();
    const isNew = unfit.some(({ token, why }) => !known.has(`${token} ${why}`));
    this.#known.set(scene, new Set([...known, ...unfit.map(({ token, why }) => `${token} ${why}`)]));
    return isNew;
  }
}
