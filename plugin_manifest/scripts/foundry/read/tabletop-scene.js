/** The table's scene in the words that every tabletop shares: pixels of the canvas and compass degrees. */

import { MODULE } from "../settings.js";
import { KINDS, boardCells, boardPosition, tokenSize } from "../canvas/board-position.js";
import { hitPointsAt } from "./hit-points.js";
import { DOOR_STATES, hitPointsLocation } from "./live-scene.js";
import { savedPlace } from "./saved-place.js";

/** @import {Wall} from "../../../types/contract.js" */
/** @import {TabletopScene, TabletopTerrain, TabletopToken, TabletopWall} from "../../tabletop/tabletop.js" */

/** Foundry's numbers for what a wall does to sight, as the server's importer takes them. @type {Record<number, Wall["sight"]>} */
const SIGHT = { 0: "none", 10: "limited", 20: "normal", 30: "proximity", 40: "distance" };
const DOORS = /** @type {const} */ (["none", "door", "secret"]);
const FRIENDLY = 1;
/** The width of the board's cell in the units of a board position. */
const UNITS = 64;

/**
 * Reads a scene.
 * @param {Foundry.Scene} scene
 * @returns {TabletopScene}
 */
export function readTabletopScene(scene) {
  const { type, distance, units } = scene.grid;
  const [columns, rows] = boardCells(scene.grid, scene.dimensions);
  const { left, top, scale } = boardPosition(scene.grid, scene.dimensions);
  return {
    id: scene.id,
    name: scene.name,
    grid: { kind: KINDS[type], columns, rows, distance, units, left, top, size: scale * UNITS },
    tokens: scene.tokens.map(readTabletopToken),
    walls: scene.walls.map(readWall),
    terrain: scene.regions.contents.flatMap(readTerrain),
  };
}

/** Returns the center of a token on the canvas. @param {Foundry.TokenDocument} token */
export function tokenCenterAt(token) {
  const { x, y, width, height } = savedPlace(token);
  const grid = token.parent?.grid;
  const [wide, high] = grid ? tokenSize({ width, height }, grid) : [0, 0];
  return { x: x + wide / 2, y: y + high / 2 };
}

/** @param {Foundry.TokenDocument} token @returns {TabletopToken} */
function readTabletopToken(token) {
  const { width, height, rotation } = savedPlace(token);
  const { actor, path, isTaken } = hitPointsLocation(token);
  const points = hitPointsAt(actor?.system, path, isTaken);
  return {
    id: token.id,
    name: token.name,
    center: tokenCenterAt(token),
    size: [width, height],
    facing: (((rotation + 180) % 360) + 360) % 360,
    hidden: token.hidden,
    side: token.disposition === FRIENDLY ? "players" : "foes",
    hitPoints: points && { value: points.value, most: points.max },
    profile: token.getFlag(MODULE, "profile") ?? null,
    isOut: actor?.statuses.has(CONFIG.specialStatusEffects.DEFEATED) ?? false,
  };
}

/** @param {Foundry.WallDocument} wall @returns {TabletopWall} */
function readWall(wall) {
  const { _id: id, c, move, sight, door, ds } = wall.toObject();
  return {
    id,
    line: c,
    move: move ? "normal" : "none",
    sight: SIGHT[sight] ?? "normal",
    door: DOORS[door] ?? "none",
    state: DOOR_STATES[ds] ?? "closed",
  };
}

/** @param {Foundry.RegionDocument} region @returns {TabletopTerrain[]} one for each of its outlines */
const readTerrain = (region) =>
  (region.polygons ?? region.object?.polygons ?? []).map(({ points }, i) => ({
    ...{ id: i ? `${region.id}-${i}` : region.id, name: region.name, outline: [...points] },
  }));
