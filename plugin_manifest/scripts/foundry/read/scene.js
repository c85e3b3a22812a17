/**
 * A reading of a Foundry scene: what the table is to know of it, as Foundry itself writes it down, and nothing
 * more. The server reads it as it reads an exported scene; nothing is translated here.
 */

/** @typedef {Record<string, any>} Source a document as Foundry writes it down (toObject) */

/**
 * A scene as the page has it.
 * @typedef {object} LiveScene
 * @property {Source} source
 * @property {Foundry.SceneDimensions} dimensions where the map lies on the padded canvas
 * @property {string | null} level the one that is looked at (14)
 * @property {number | null} diagonals how Foundry's rulers count diagonals, 0 to 6
 * @property {Record<string, number[][]>} outlines of each region, by its id
 */

const TOKEN = ["_id", "name", "x", "y", "width", "height", "rotation", "elevation", "hidden", "disposition"];
const WALL = ["_id", "c", "move", "sight", "light", "sound", "dir", "door", "ds"];
const BEHAVIOUR = ["type", "disabled", "system"];
/** What of a token's change is news for the table. */
const NEWS = new Set([...TOKEN, "level"]);

/**
 * The whole reading.
 * @param {LiveScene} scene
 * @returns {Source}
 */
export function readScene(scene) {
  const { source } = scene;
  return {
    ...readBoard(scene),
    tokens: (source.tokens ?? []).map(readToken),
    walls: (source.walls ?? []).map(readWall),
    regions: (source.regions ?? []).map((/** @type {Source} */ region) => readRegion(region, scene.outlines)),
    levels: (source.levels ?? []).map((/** @type {Source} */ level) => picked(level, ["_id", "name"])),
  };
}

/**
 * A reading of some tokens alone.
 * @param {LiveScene} scene
 * @param {{tokens: Source[], gone: string[], renewed: string[]}} some `renewed` are those with a new profile
 * @returns {Source}
 */
export function readTokens(scene, { tokens, gone, renewed }) {
  return { ...readBoard(scene), tokens: tokens.map(readToken), gone, renewed };
}

/**
 * Whether a change of a token concerns the table.
 * @param {Record<string, any>} changes
 */
export const isNews = (changes) =>
  Object.keys(changes).some((key) => NEWS.has(key)) || hasNewProfile(changes);

/**
 * Whether a change of a token brings it another profile.
 * @param {Record<string, any>} changes
 */
export const hasNewProfile = (changes) => changes.flags?.enfilade?.profile !== undefined;

/** @param {LiveScene} scene */
function readBoard({ source, dimensions, level, diagonals }) {
  const { name, width, height, padding, background, shiftX, shiftY } = source;
  const { sceneX, sceneY, sceneWidth, sceneHeight } = dimensions;
  return {
    ...known({ name, width, height, padding, shiftX, shiftY, level, diagonals }),
    ...(background ? { background: picked(background, ["offsetX", "offsetY"]) } : {}),
    grid: picked(source.grid, ["type", "size", "distance", "units"]),
    dimensions: { sceneX, sceneY, sceneWidth, sceneHeight },
  };
}

/** @param {Source} token */
function readToken(token) {
  const profile = token.flags?.enfilade?.profile;
  return {
    ...picked(token, TOKEN),
    ...known({ level: token.level }),
    ...(profile ? { flags: { enfilade: { profile } } } : {}),
  };
}

/** @param {Source} wall */
function readWall(wall) {
  const heights = wall.flags?.["wall-height"];
  return {
    ...picked(wall, WALL),
    ...known({ levels: wall.levels }),
    ...(heights ? { flags: { "wall-height": picked(heights, ["bottom", "top"]) } } : {}),
  };
}

/** @param {Source} region @param {Record<string, number[][]>} outlines */
function readRegion(region, outlines) {
  return {
    ...picked(region, ["_id", "name"]),
    ...known({ levels: region.levels, visibility: region.visibility, hidden: region.hidden }),
    polygons: outlines[region._id] ?? [],
    behaviors: (region.behaviors ?? []).map((/** @type {Source} */ one) => picked(one, BEHAVIOUR)),
  };
}

/** @param {Source} source @param {string[]} keys */
const picked = (source, keys) => known(Object.fromEntries(keys.map((key) => [key, source[key]])));

/** @param {Source} source what is there of it */
const known = (source) =>
  Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== null));
