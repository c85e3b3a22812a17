/** The scene that this page looks at, taken from Foundry as plain data; the reading is made of that alone. */

/** @import {LiveScene} from "./scene.js" */

/**
 * The viewed scene; null where there is none.
 * @returns {LiveScene | null}
 */
export function liveScene() {
  const { scene } = canvas;
  if (!canvas.ready || !scene) return null;
  return {
    source: scene.toObject(),
    dimensions: scene.dimensions,
    level: canvas.level?.id ?? null,
    diagonals: canvas.grid.diagonals ?? null,
    outlines: Object.fromEntries(
      scene.regions.map((region) => [region.id, region.polygons.map(({ points }) => [...points])]),
    ),
  };
}

/**
 * Whether a document lies in the viewed scene.
 * @param {{parent: Foundry.Scene | null}} document
 */
export const isViewed = ({ parent }) => parent !== null && parent.id === canvas.scene?.id;

/**
 * The state of a door in the viewed scene, in the contract's words; null where it is gone or no door.
 * @param {string} id
 */
export function doorState(id) {
  const wall = canvas.scene?.walls.get(id);
  return wall?.door ? ["closed", "open", "locked"][wall.ds] : null;
}
