/** PlanarAlly's shapes as the tabletop's scene: those of the floor that this user sees. */

import { placeGrid } from "../tabletop/placed-grid.js";
import { terrainOf } from "../tabletop/terrain-words.js";

/** @import {GridKind} from "../../types/contract.js" */
/** @import {Area} from "../tabletop/placed-grid.js" */
/** @import {TabletopScene, TabletopToken, TabletopWall} from "../tabletop/tabletop.js" */
/** @import {ModApi, Shape, Tracker} from "./app.js" */

/** A cell's width in pixels, between the flat sides of a hex. @source client/src/core/grid/index.ts */
const CELL = 50;
const RADIUS = CELL / Math.sqrt(3);
/** The kinds of grid, and the middle of one cell of each. @type {Record<string, {kind: GridKind, middle: {x: number, y: number}}>} */
const GRIDS = {
  SQUARE: { kind: "square", middle: { x: CELL / 2, y: CELL / 2 } },
  POINTY_HEX: { kind: "hex_odd_r", middle: { x: 0, y: RADIUS } },
  FLAT_HEX: { kind: "hex_odd_q", middle: { x: RADIUS, y: 0 } },
};
const TOKEN_TYPES = new Set(["circulartoken", "assetrect"]);
const TOKEN_LAYERS = new Set(["tokens", "dm"]);
/** Names of trackers that mean hit points. */
const HIT_POINTS = /^(hp|hit ?points?|health|wounds|lp|leben)$/i;
const FULL_TURN = 360;

/** Returns the shapes of the floor that is shown. @param {ModApi} api @returns {Shape[]} */
export function shapesShown({ systemsState: { floors } }) {
  const floor = floors.raw.floors[floors.raw.floorIndex];
  return floor ? [...window.idMap.values()].filter(({ floorId }) => floorId === floor.id) : [];
}

/** Tells whether a shape is a token. @param {Shape} shape */
export const isToken = ({ type, layerName }) => TOKEN_TYPES.has(type) && TOKEN_LAYERS.has(layerName ?? "");

/**
 * Reads the scene; null while there is none.
 * @param {ModApi} api
 * @param {Record<string, Record<string, unknown>>} profiles by the tokens' own IDs
 * @returns {TabletopScene | null}
 */
export function readScene(api, profiles) {
  const { locationSettings, floors } = api.systemsState;
  const { roomName } = api.systemsState.game.raw;
  const { activeLocation, gridType, useGrid, unitSize, unitSizeUnit } = locationSettings.raw;
  const floor = floors.raw.floors[floors.raw.floorIndex];
  if (!floor || !activeLocation) return null;
  const shapes = shapesShown(api);
  const { kind, middle } = GRIDS[gridType.value] ?? GRIDS.SQUARE;
  return {
    id: `${activeLocation}-${floor.id}`,
    name: `${roomName} ${activeLocation} ${floor.name}`.slice(0, 200),
    grid: placeGrid({
      kind: useGrid.value ? kind : "gridless",
      ...{ size: CELL, middle, area: mapArea(shapes), distance: unitSize.value, units: unitSizeUnit.value },
    }),
    tokens: shapes.filter(isToken).map((shape) => token(api, shape, profiles)),
    walls: shapes.filter((shape) => !isToken(shape)).flatMap((shape) => wallsOf(api, shape)),
    terrain: shapes
      .filter((shape) => !isToken(shape) && terrainOf(nameOf(api, shape)))
      .map((shape) => ({ id: idOf(api, shape), name: nameOf(api, shape), outline: shape.points.flat() })),
  };
}

/** @param {ModApi} api @param {Shape} shape @returns {string} the shape's ID for all users */
export const idOf = (api, { id }) => api.getGlobalId(id) ?? "";

/** @param {ModApi} api @param {Shape} shape */
const nameOf = ({ systemsState: { properties } }, { id }) => properties.readonly.data.get(id)?.name ?? "";

/** @param {ModApi} api @param {Shape} shape @param {Record<string, Record<string, unknown>>} profiles @returns {TabletopToken} */
function token(api, shape, profiles) {
  const { systems, systemsState } = api;
  const known = systemsState.properties.readonly.data.get(shape.id);
  const { x, y } = shape.getSize(systemsState.locationSettings.raw.gridType.value);
  const tracker = hitPointTracker(systems.trackers.getAll(shape.id));
  const id = idOf(api, shape);
  const degrees = Math.round((shape.angle * FULL_TURN) / (2 * Math.PI));
  return {
    id,
    name: nameOf(api, shape),
    center: { x: shape.center.x, y: shape.center.y },
    size: [x || 1, y || 1],
    facing: ((degrees % FULL_TURN) + FULL_TURN) % FULL_TURN,
    hidden: (known?.isInvisible ?? false) || shape.layerName === "dm",
    side: [...systems.access.getOwners(shape.id)].length ? "players" : "foes",
    hitPoints: tracker ? { value: tracker.value, most: tracker.maxvalue || null } : null,
    profile: profiles[id] ?? null,
    isOut: known?.isDefeated ?? false,
  };
}

/** Returns the tracker of hit points: by its name, else the first that is drawn at the token. @param {Tracker[]} trackers */
export const hitPointTracker = (trackers) =>
  trackers.find(({ name }) => HIT_POINTS.test(name.trim())) ?? trackers.find(({ draw }) => draw) ?? null;

/** @param {ModApi} api @param {Shape} shape @returns {TabletopWall[]} */
function wallsOf({ systems, systemsState, getGlobalId }, shape) {
  const known = systemsState.properties.readonly.data.get(shape.id);
  const isDoor = systems.door.isDoor(shape.id);
  if (!known || (!isDoor && !known.blocksMovement && !known.blocksVision)) return [];
  const mode = systems.door.export(shape.id).options?.toggleMode ?? "both";
  const blocks = isDoor
    ? { move: mode !== "vision", sight: mode !== "movement" }
    : { move: known.blocksMovement, sight: known.blocksVision !== 0 };
  const isOpen = isDoor && !(mode === "vision" ? known.blocksVision : known.blocksMovement);
  const ends = shape.isClosed ? [...shape.points, shape.points[0]] : shape.points;
  return ends.slice(1).map(([x, y], i) => ({
    id: `${getGlobalId(shape.id)}-${i}`,
    line: [ends[i][0], ends[i][1], x, y],
    move: blocks.move ? "normal" : "none",
    sight: blocks.sight ? "normal" : "none",
    door: isDoor ? "door" : "none",
    state: isOpen ? "open" : "closed",
  }));
}

/** Returns the area of the map's pictures; null without any. @param {Shape[]} shapes @returns {Area | null} */
function mapArea(shapes) {
  const points = shapes
    .filter(({ layerName, type }) => layerName === "map" && type === "assetrect")
    .flatMap((one) => one.points);
  if (!points.length) return null;
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
}

/** Returns what changes when the scene does: cheap enough for ten times a second. @param {ModApi} api */
export function sceneKey(api) {
  const { locationSettings, floors, properties } = api.systemsState;
  const { activeLocation, gridType, useGrid, unitSize } = locationSettings.raw;
  const parts = [activeLocation, floors.raw.floorIndex, gridType.value, useGrid.value, unitSize.value];
  for (const shape of shapesShown(api)) {
    const known = properties.readonly.data.get(shape.id);
    const flags = [known?.isInvisible, known?.isDefeated, known?.blocksMovement, known?.blocksVision].map(
      Number,
    );
    const points = isToken(shape) ? hitPointTracker(api.systems.trackers.getAll(shape.id))?.value : "";
    const { x, y } = shape.center;
    parts.push(
      `${shape.id} ${x} ${y} ${shape.angle} ${flags} ${known?.name} ${points} ${shape.layerName} ${shape.points.length}`,
    );
  }
  return parts.join("|");
}
