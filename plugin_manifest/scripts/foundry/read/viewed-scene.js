/** The scene that this page shows, as plain data. */

import { hitPointsCount, hitPointsSetting } from "../settings.js";
import { countsTaken, hitPointsAt, hitPointsPath } from "./hit-points.js";

/** @import {LiveScene} from "./scene.js" */

/**
 * Returns the viewed scene; null before the canvas is ready.
 * @returns {LiveScene | null}
 */
export function readViewedScene() {
  const { scene } = canvas;
  if (!canvas.ready || !scene) return null;
  return {
    source: scene.toObject(),
    dimensions: scene.dimensions,
    level: canvas.level?.id ?? null,
    diagonals: canvas.grid.diagonals ?? null,
    outlines: Object.fromEntries(scene.regions.map((region) => [region.id, outlinesOf(region)])),
    hitPoints: Object.fromEntries(
      scene.tokens.map(({ id }) => [id, hitPointsOf(id)]).filter(([, points]) => points !== null),
    ),
  };
}

/**
 * Returns the outlines of a region: its document has them from 13 on, its object on the canvas in 12.
 * @param {Foundry.RegionDocument} region
 * @returns {number[][]}
 */
const outlinesOf = (region) =>
  (region.polygons ?? region.object?.polygons ?? []).map(({ points }) => [...points]);

/** @param {{parent: Foundry.Scene | null}} document whether it belongs to the viewed scene */
export const isViewed = ({ parent }) => parent !== null && parent.id === canvas.scene?.id;

/**
 * Returns the actor of a token and the path to its hit points.
 * @param {Foundry.TokenDocument | null | undefined} token
 * @returns {{actor: Foundry.Actor | null, path: string, isTaken: boolean}} `isTaken`: the number counts wounds taken
 */
export function hitPointsLocation(token) {
  const bar = token?.getBarAttribute("bar1")?.attribute ?? "";
  const path = hitPointsPath(game.system.id, hitPointsSetting(), bar);
  return { actor: token?.actor ?? null, path, isTaken: countsTaken(game.system.id, hitPointsCount()) };
}

/**
 * Returns the hit points of a token; null if its game system has none.
 * @param {string} id
 * @returns {number | null}
 */
export function hitPointsOf(id) {
  const { actor, path, isTaken } = hitPointsLocation(canvas.scene?.tokens.get(id));
  return hitPointsAt(actor?.system, path, isTaken)?.value ?? null;
}

/**
 * Returns the IDs of an actor's tokens in the viewed scene.
 * @param {Foundry.Actor} actor
 * @returns {string[]}
 */
export const tokensOf = (actor) =>
  canvas.scene?.tokens.filter((token) => token.actor?.uuid === actor.uuid).map(({ id }) => id) ?? [];

/**
 * Returns a door's state in the contract's words; null if the wall is no door.
 * @param {string} id
 */
export function doorState(id) {
  const wall = canvas.scene?.walls.get(id);
  return wall?.door ? ["closed", "open", "locked"][wall.ds] : null;
}
