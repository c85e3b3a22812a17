/** The scene that the table plays, as plain data. */

import { hitPointsCount, hitPointsSetting } from "../settings.js";
import { countsTaken, hitPointsAt, hitPointsPath } from "./hit-points.js";
import { inheritedProfiles } from "./unit-profile.js";
import { tablePlace, tableScene } from "./table-scene.js";

/** @import {LiveScene} from "./scene.js" */
/** @import {ProfileRules} from "./unit-profile.js" */

/**
 * Returns the table's scene, which this page need not show; null without one.
 * @param {ProfileRules | null} [rules] of the table
 * @returns {LiveScene | null}
 */
export function readLiveScene(rules = null) {
  const place = tablePlace();
  if (!place) return null;
  const { scene, level } = place;
  return {
    source: scene.toObject(),
    grid: scene.grid,
    dimensions: scene.dimensions,
    level,
    diagonals: scene.grid.diagonals ?? null,
    outlines: Object.fromEntries(
      scene.regions.map((region) => [region.id, outlinesOf(region)]).filter(([, lines]) => lines),
    ),
    hitPoints: pointsOf(scene.tokens.map(({ id }) => id)),
    profiles: inheritedProfiles(rules, scene.tokens.contents),
  };
}

/**
 * Returns some tokens of the table's scene, without reading the rest of it; null without a scene.
 * @param {Set<string>} ids
 * @param {ProfileRules | null} [rules] of the table
 * @returns {LiveScene | null}
 */
export function readLiveTokens(ids, rules = null) {
  const place = tablePlace();
  if (!place) return null;
  const { scene, level } = place;
  const { name, width, height, padding, background, shiftX, shiftY, grid } = scene._source;
  const tokens = [...ids].flatMap((id) => scene.tokens.get(id)?.toObject() ?? []);
  return {
    source: { _id: scene.id, name, width, height, padding, background, shiftX, shiftY, grid, tokens },
    grid: scene.grid,
    dimensions: scene.dimensions,
    level,
    diagonals: scene.grid.diagonals ?? null,
    outlines: {},
    hitPoints: pointsOf(tokens.map(({ _id }) => _id)),
    profiles: inheritedProfiles(
      rules,
      scene.tokens.filter(({ id }) => ids.has(id)),
    ),
    links: scene.tokens.map(({ id, actorId, actorLink }) => ({ _id: id, actorId, actorLink })),
  };
}

/**
 * Returns the profiles that tokens of the table's scene have of some actors, by token.
 * @param {Set<string>} actors
 * @param {ProfileRules | null} rules of the table
 */
export const profilesOfActors = (actors, rules) =>
  inheritedProfiles(
    rules,
    tableScene()?.tokens.filter(({ actorId }) => actorId !== null && actors.has(actorId)) ?? [],
  );

/** @param {string[]} ids @returns {Record<string, number>} */
const pointsOf = (ids) =>
  Object.fromEntries(
    ids.flatMap((id) => {
      const points = hitPointsOf(id);
      return points === null ? [] : [[id, points]];
    }),
  );

/**
 * Returns the outlines of a region: its document has them from 13 on, its object on the canvas in 12; null where neither
 * has them.
 * @param {Foundry.RegionDocument} region
 * @returns {number[][] | null}
 */
const outlinesOf = (region) =>
  (region.polygons ?? region.object?.polygons)?.map(({ points }) => [...points]) ?? null;

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
  const { actor, path, isTaken } = hitPointsLocation(tableScene()?.tokens.get(id));
  return hitPointsAt(actor?.system, path, isTaken)?.value ?? null;
}

/**
 * Returns the IDs of an actor's tokens in the table's scene.
 * @param {Foundry.Actor} actor
 * @returns {string[]}
 */
export const tokensOf = (actor) =>
  tableScene()
    ?.tokens.filter((token) => token.actor?.uuid === actor.uuid)
    .map(({ id }) => id) ?? [];

/** Foundry's numbers for the state of a door, in words of the contract. */
export const DOOR_STATES = /** @type {const} */ (["closed", "open", "locked"]);

/**
 * Returns a door's state in the contract's words; null if the wall is no door.
 * @param {string} id
 */
export function doorState(id) {
  const wall = tableScene()?.walls.get(id);
  return wall?.door ? DOOR_STATES[wall.ds] : null;
}
