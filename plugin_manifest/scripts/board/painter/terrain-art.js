/**
 * The art of a terrain and of a whole map, by the words of their names. A terrain without a word that is known is
 * painted by its effect: closed, slow, or hiding.
 */

/** @import {Scene, Terrain} from "../../../types/contract.js" */
/** @import {Ground} from "./ground.js" */

/**
 * @typedef {"trees" | "bushes" | "thorns" | "water" | "lava" | "rocks" | "crag" | "rubble" | "ruin" | "hill" |
 *   "platform" | "pit" | "fence" | "stalls" | "well" | "barrels" | "hay" | "crates" | "table" | "bed" | "hearth" |
 *   "fire" | "lamp" | "rug" | "shelf" | "smoke" | "vortex" | "wood" | "stone" | "cobble" | Ground} Art
 */

/** @type {[Art, string[]][]} the words of each art; the first art of which one occurs wins */
const TERRAIN_WORDS = [
  ["thorns", ["thorn", "thorns", "bramble", "brambles", "spikes", "caltrops", "dangerous"]],
  ["vortex", ["vortex", "portal", "rift", "maelstrom", "magic", "ethereal"]],
  ["smoke", ["smoke", "fog", "mist", "cloud", "fumes", "steam", "darkness"]],
  ["fire", ["campfire", "bonfire", "fire", "brazier", "embers"]],
  ["lamp", ["lamp", "lamps", "lantern", "lanterns", "torch", "torches", "candle", "candles"]],
  ["hearth", ["hearth", "fireplace", "oven", "forge", "furnace"]],
  ["lava", ["lava", "magma"]],
  ["stalls", ["stall", "stalls", "booth", "awning"]],
  ["well", ["well", "fountain", "cistern", "basin"]],
  ["barrels", ["barrel", "barrels", "cask", "casks", "keg", "kegs"]],
  ["hay", ["hay", "cart", "wagon", "haystack", "straw"]],
  ["crates", ["crate", "crates", "box", "boxes", "chest", "cargo", "sacks", "barricade"]],
  ["table", ["table", "tables", "desk", "altar", "counter", "bar"]],
  ["bed", ["bed", "beds", "bunk", "cot"]],
  ["shelf", ["shelf", "shelves", "bookcase", "wardrobe", "cupboard", "bench", "benches", "pew", "pews"]],
  ["rug", ["rug", "carpet", "mat"]],
  ["fence", ["fence", "railing", "palisade", "hurdle", "obstacle"]],
  ["trees", ["wood", "woods", "forest", "grove", "copse", "tree", "trees", "thicket", "jungle", "orchard"]],
  [
    "bushes",
    ["hedge", "hedges", "bush", "bushes", "shrub", "scrub", "undergrowth", "reeds", "crop", "vineyard"],
  ],
  [
    "water",
    ["water", "brook", "river", "stream", "lake", "pond", "pool", "sea", "moat", "canal", "ford", "shallows"],
  ],
  ["pit", ["pit", "ravine", "chasm", "gap", "abyss", "gorge", "hole", "trench", "crevasse"]],
  [
    "platform",
    [
      "rampart",
      "keep",
      "tower",
      "battlement",
      "platform",
      "stage",
      "dais",
      "roof",
      "bridge",
      "stairs",
      "walkway",
    ],
  ],
  ["hill", ["hill", "hills", "mound", "rise", "knoll", "ridge", "slope", "dune"]],
  ["crag", ["crag", "cliff", "bluff", "mountain", "outcrop"]],
  ["rocks", ["rock", "rocks", "boulder", "boulders", "stones", "pillar", "column", "statue"]],
  ["ruin", ["ruin", "ruins", "ruined", "broken", "collapsed"]],
  [
    "rubble",
    ["rubble", "fallen", "debris", "wreck", "wreckage", "cover", "wall", "walls", "scree", "gravel"],
  ],
  ["cobble", ["cobbles", "cobble", "cobbled", "yard", "courtyard", "street", "pavement", "square"]],
  ["wood", ["planks", "boards", "parquet", "deck", "jetty", "taproom"]],
  ["stone", ["flagstones", "flags", "tiles", "paving", "hall", "cellar"]],
  ["marsh", ["marsh", "swamp", "bog", "mud", "mire", "quicksand", "fen"]],
  ["sand", ["sand", "beach", "desert"]],
  ["snow", ["snow", "ice", "frost"]],
  ["dirt", ["dirt", "earth", "road", "path", "track", "field"]],
  ["grass", ["grass", "meadow", "lawn", "garden"]],
];

/** @type {[Ground | "cobble", string[]][]} the words of each map's ground */
const MAP_WORDS = [
  [
    "cobble",
    ["market", "street", "town", "city", "square", "plaza", "docks", "harbor", "harbour", "village"],
  ],
  ["sand", ["arena", "colosseum", "desert", "beach", "dunes", "amphitheatre"]],
  ["snow", ["snow", "ice", "winter", "frost", "glacier"]],
  ["marsh", ["marsh", "swamp", "bog", "fen", "ford", "mire"]],
  [
    "rock",
    ["dungeon", "crypt", "cave", "cavern", "caves", "mine", "mines", "catacombs", "sewer", "tomb", "vault"],
  ],
  ["moor", ["ruin", "ruins", "moor", "battlefield", "battle", "stand", "siege", "heath"]],
];

/** @param {string} text */
const wordsOf = (text) => new Set(text.toLowerCase().split(/[^\p{L}]+/u));

/** @template T @param {[T, string[]][]} table @param {string} text @returns {T | null} */
function find(table, text) {
  const found = wordsOf(text);
  return table.find(([, all]) => all.some((word) => found.has(word)))?.[0] ?? null;
}

/** Return the art of a terrain. @param {Pick<Terrain, "name" | "kind" | "cost" | "blocks_sight">} terrain @returns {Art} */
export function artOf({ name, kind, cost, blocks_sight: hides }) {
  const found = find(TERRAIN_WORDS, name) ?? find(TERRAIN_WORDS, kind);
  if (found) return found;
  if (cost === 0) return hides ? "crag" : "crates";
  if (hides) return "bushes";
  return cost > 1 ? "rubble" : "dirt";
}

/** Return the ground of a map. @param {Pick<Scene, "name">} scene @returns {Ground | "cobble"} */
export const groundOf = ({ name }) => find(MAP_WORDS, name) ?? "grass";
