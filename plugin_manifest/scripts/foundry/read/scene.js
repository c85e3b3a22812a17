/**
 * A reading of a Foundry scene: the fields that the table needs, in Foundry's own format. The server imports it like
 * an exported scene.
 */

import { wallsInReach } from "./walls.js";

/** @typedef {Record<string, any>} Source a document in Foundry's format (toObject) */

/**
 * The table's scene on this page.
 * @typedef {object} LiveScene
 * @property {Source} source
 * @property {Foundry.Grid} grid
 * @property {Foundry.SceneDimensions} dimensions the map's position on the padded canvas
 * @property {string | null} level the table's (14)
 * @property {number | null} diagonals how Foundry's rulers count diagonals, 0 to 6
 * @property {Record<string, number[][]>} outlines of the regions that this page knows them of, by their IDs
 * @property {Source[]} [links] every token of the scene with its actor, if `source` has only some of them
 * @property {Record<string, Record<string, unknown>>} [profiles] of tokens that have none of their own, by their IDs
 * @property {Record<string, number>} hitPoints of tokens, by their IDs: they count for those that come to the table
 */

const TOKEN = [
  "_id",
  "name",
  "x",
  "y",
  "width",
  "height",
  "rotation",
  "elevation",
  "hidden",
  "disposition",
  "shape",
  "hexagonalShape",
];
const WALL = ["_id", "c", "move", "sight", "light", "sound", "dir", "door", "ds"];
const BEHAVIOR = ["type", "disabled", "system"];
const TILE = ["x", "y", "width", "height", "rotation", "anchorX", "anchorY", "elevation", "hidden", "levels"];
/** The server refuses a whole scene for one number beyond its limits, and players may set those of their tokens. */
const LIMITS = {
  pixels: 1e7,
  spaces: [0.01, 500],
  cellsHigh: 10_000 / 64,
  letters: 200,
  hitPoints: 1e6,
  key: 64,
  profile: 16_000,
};
/** Fields of a token whose change the table needs. */
const TABLE_KEYS = new Set([...TOKEN, "level"]);

/** @typedef {(token: Source) => string} ImageOf the address of a token's picture at the table; "" without one */

/**
 * Reads a whole scene.
 * @param {LiveScene} scene
 * @param {ImageOf} [imageOf]
 * @returns {Source}
 */
export function readScene(scene, imageOf = () => "") {
  const { source } = scene;
  return {
    ...readBoard(scene),
    tokens: (source.tokens ?? []).map((/** @type {Source} */ token) =>
      readToken(token, scene, imageOf(token)),
    ),
    walls: wallsInReach(scene).map(readWall),
    regions: (source.regions ?? []).map((/** @type {Source} */ region) => readRegion(region, scene.outlines)),
    tiles: (source.tiles ?? []).filter((/** @type {Source} */ tile) => tile.elevation > 0).map(readTile),
    levels: (source.levels ?? []).map((/** @type {Source} */ level) =>
      definedOnly({ _id: level._id, name: nameOf(level.name), elevation: ends(level.elevation) }),
    ),
  };
}

/**
 * Reads some tokens.
 * @param {LiveScene} scene
 * @param {{tokens: Source[], gone: string[], renewed: string[], displaced: string[], paths: Map<string, {x: number, y: number}[]>}} some `gone` are
 *   removed tokens, `renewed` have a new profile, a program has moved those in `displaced`, `paths` have the places that tokens passed
 * @param {ImageOf} [imageOf]
 * @returns {Source}
 */
export function readTokens(scene, { tokens, gone, renewed, displaced, paths }, imageOf = () => "") {
  const withPath = (/** @type {Source} */ token) => {
    const path = paths.get(token._id)?.map(({ x, y }) => ({ x: pixel(x), y: pixel(y) }));
    const read = readToken(token, scene, imageOf(token));
    return path ? { ...read, path } : read;
  };
  return { ...readBoard(scene), tokens: tokens.map(withPath), gone, renewed, displaced };
}

/**
 * Tells whether the table needs a change of a token.
 * @param {Record<string, any>} changes
 */
export const changesTable = (changes) =>
  Object.keys(changes).some((key) => TABLE_KEYS.has(key)) || hasNewProfile(changes) || hasNewPicture(changes);

/** Tells whether a change gives a token another picture. @param {Record<string, any>} changes */
export const hasNewPicture = (changes) => changes.texture?.src !== undefined;

/**
 * Tells whether a change gives a token another profile.
 * @param {Record<string, any>} changes
 */
export const hasNewProfile = (changes) => changes.flags?.enfilade?.profile !== undefined;

/** @param {LiveScene} scene */
function readBoard({ source, dimensions, level, diagonals, links }) {
  const { width, height, padding, background, shiftX, shiftY, foregroundElevation } = source;
  const { sceneX, sceneY, sceneWidth, sceneHeight } = dimensions;
  return {
    ...definedOnly({ name: nameOf(source.name), width, height, padding, shiftX, shiftY, level, diagonals }),
    ...definedOnly({ foregroundElevation }),
    ...(background ? { background: pick(background, ["offsetX", "offsetY"]) } : {}),
    ...(source.flags?.core?.legacyHex ? { flags: { core: { legacyHex: true } } } : {}), // the size of its hexes
    grid: pick(source.grid, ["type", "size", "distance", "units"]),
    dimensions: { sceneX, sceneY, sceneWidth, sceneHeight },
    linked: linkedTokens(links ?? source.tokens ?? []),
  };
}

/**
 * Returns the tokens of each actor that several tokens are linked to: they are one figure, with one number of hit points.
 * @param {Source[]} tokens
 * @returns {string[][]}
 */
function linkedTokens(tokens) {
  /** @type {Map<string, string[]>} */
  const groups = new Map();
  for (const { _id, actorId, actorLink } of tokens)
    if (actorLink && actorId) groups.set(actorId, [...(groups.get(actorId) ?? []), _id]);
  return [...groups.values()].filter(({ length }) => length > 1);
}

/**
 * Reads a token, with its numbers within the server's limits: one far outside is off the board all the same.
 * @param {Source} token
 * @param {LiveScene} scene
 * @param {string} image
 */
function readToken(token, { source, hitPoints, profiles }, image) {
  const { name, x, y, width, height, elevation = 0, level } = token;
  const profile = token.flags?.enfilade?.profile ?? profiles?.[token._id];
  const high = LIMITS.cellsHigh * source.grid.distance;
  const points = hitPoints[token._id];
  return {
    ...pick(token, TOKEN),
    ...definedOnly({ name: nameOf(name), level, x: pixel(x), y: pixel(y) }),
    ...definedOnly({
      width: spaces(width),
      height: spaces(height),
      elevation: within(elevation, -high, high),
    }),
    ...(image ? { image } : {}),
    ...(Number.isInteger(points) && points >= 0 && points <= LIMITS.hitPoints ? { hitPoints: points } : {}),
    ...(isProfile(profile) ? { flags: { enfilade: { profile } } } : {}),
  };
}

/**
 * Returns a name within the server's limit. Half of an emoji is no text, and the server refuses it.
 * @param {string | null | undefined} name
 */
const nameOf = (name) =>
  name
    ?.slice(0, LIMITS.letters)
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "");

/** @param {number} value @param {number} least @param {number} most */
const within = (value, least, most) =>
  Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : value;

/** @param {number} value */
const pixel = (value) => within(value, -LIMITS.pixels, LIMITS.pixels);

/** @param {number} value */
const spaces = (value) => within(value, LIMITS.spaces[0], LIMITS.spaces[1]);

/** Tells whether a flag can be a profile; a token with any other counts as one without. @param {any} profile */
const isProfile = (profile) =>
  profile !== null &&
  typeof profile === "object" &&
  !Array.isArray(profile) &&
  Object.keys(profile).every((key) => key.length <= LIMITS.key) &&
  JSON.stringify(profile).length <= LIMITS.profile;

/** @param {Source} wall */
function readWall(wall) {
  const heights = wall.flags?.["wall-height"];
  return {
    ...pick(wall, WALL),
    ...definedOnly({ levels: wall.levels }),
    ...(wall.threshold ? { threshold: pick(wall.threshold, ["sight"]) } : {}),
    ...(heights ? { flags: { "wall-height": pick(heights, ["bottom", "top"]) } } : {}),
  };
}

/**
 * Reads a region: by its outlines, or by its shapes where this page does not know them.
 * @param {Source} region
 * @param {Record<string, number[][]>} outlines
 */
function readRegion(region, outlines) {
  const polygons = outlines[region._id]?.map((points) => points.map(pixel));
  return {
    ...definedOnly({ _id: region._id, name: nameOf(region.name), elevation: ends(region.elevation) }),
    ...definedOnly({ levels: region.levels, visibility: region.visibility, hidden: region.hidden }),
    ...(polygons ? { polygons } : { shapes: region.shapes ?? [] }),
    behaviors: (region.behaviors ?? []).map((/** @type {Source} */ one) => pick(one, BEHAVIOR)),
  };
}

/** Reads a tile: its place, its height, and whether it is a roof. @param {Source} tile */
const readTile = (tile) => ({
  ...pick(tile, TILE),
  ...definedOnly({ name: nameOf(tile.name) }),
  ...(tile.occlusion ? { occlusion: pick(tile.occlusion, ["mode", "modes"]) } : {}),
});

/** Returns the lower and the upper end of a region or a level. @param {Source | undefined} elevation */
const ends = (elevation) => elevation && pick(elevation, ["bottom", "top"]);

/** @param {Source} source @param {string[]} keys */
const pick = (source, keys) => definedOnly(Object.fromEntries(keys.map((key) => [key, source[key]])));

/** @param {Source} source without the fields that have no value */
const definedOnly = (source) =>
  Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== null));
