/**
 * The place of a token. Foundry animates the values of a token's document while it moves, so they are of the way, not of
 * the place (I#11398, I#11122): code that decides or writes takes the saved values from here. The declarations leave no
 * other way, because they give the document's own values no type.
 */

/** @typedef {{x: number, y: number, width: number, height: number, rotation: number, elevation: number}} SavedPlace */

/**
 * Returns the place that the world has saved: corner in pixels, size in grid spaces, rotation in degrees.
 * @param {Foundry.TokenDocument} token
 * @returns {SavedPlace}
 */
export function savedPlace({ _source: { x, y, width, height, rotation, elevation } }) {
  return { x, y, width, height, rotation, elevation };
}
