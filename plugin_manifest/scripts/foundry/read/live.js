/** The scene that this page looks at, taken from Foundry as plain data; the reading is made of that alone. */

import { hitPointsPath } from "../settings.js";
import { hitPointsAt, hitPointsPathOf } from "./hit-points.js";

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
 * The hit points of a token in the viewed scene, where its game system keeps them.
 * @param {string} id
 * @returns {number | null}
 */
export function hitPointsOf(id) {
  const token = canvas.scene?.tokens.get(id);
  const bar = token?.getBarAttribute("bar1")?.attribute ?? "";
  const path = hitPointsPathOf(game.system.id, hitPointsPath(), bar);
  return hitPointsAt(token?.actor?.system, path)?.value ?? null;
}

/**
 * The tokens in the viewed scene that an actor stands behind.
 * @param {Foundry.Actor} actor
 * @returns {string[]}
 */
export const tokensOf = (actor) =>
  canvas.scene?.tokens.filter((token) => token.actor?.uuid === actor.uuid).map(({ id }) => id) ?? [];

/**
 * The state of a door in the viewed scene, in the contract's words; null where it is gone or no door.
 * @param {string} id
 */
export function doorState(id) {
  const wall = canvas.scene?.walls.get(id);
  return wall?.door ? ["closed", "open", "locked"][wall.ds] : null;
}
