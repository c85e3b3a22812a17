// Takes random tokens from Foundry to the server and back: `make foundry-positions`, or
//
//   node tests/browser/foundry/positions.mjs TOKENS SEED
//
// Each has a random grid, size, shape, offset and level. Where Foundry puts a token is computed here from public facts
// alone. The server's importer reads it; the module puts it back and then on another cell. No token may be more than a
// pixel off, and each must be read again as the cell that it was put on. Ends with one line:
// foundry-positions: PASS tokens=20000 off=0, or FAIL.

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { tokenPosition } from "../../../plugin_manifest/scripts/foundry/canvas/board-position.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const SIZES = [0.5, 1, 1.5, 2, 2.5, 3, 4];
/** Ellipses 0 and 1, trapezoids 2 and 3, rectangles 4 and 5: `hexagonalShape` in 12, `shape` from 13 on. */
const SHAPES = [0, 1, 2, 3, 4, 5];
const TOKENS_OF_SCENE = 100;
const SHOWN = 10;
/** A pixel, as sums of roots come out. */
const PIXEL = 1 + 1e-9;

/** Takes the tokens there and back; returns what went wrong. */
export function roundTrips(count, seed) {
  const random = generator(seed);
  const scenes = Array.from({ length: Math.ceil(count / TOKENS_OF_SCENE) }, (_, n) => aScene(random, n));
  const boards = readByServer(scenes);
  const wrong = [];
  const moved = scenes.map((scene, n) => moveAll(random, scene, boards[n], wrong));
  for (const [n, board] of readByServer(moved).entries())
    for (const token of moved[n].tokens)
      if (!isSame(moved[n].grid, board.cells[token._id], token.wanted))
        wrong.push(
          `${describe(moved[n], token)} was put on ${token.wanted} and read as ${board.cells[token._id]}`,
        );
  const tokens = boards.reduce((sum, board) => sum + Object.values(board.cells).filter(Boolean).length, 0);
  return { tokens, wrong };
}

/** Puts each token back where it was, and then on another cell; returns the scene after that. */
function moveAll(random, scene, { grid, cells }, wrong) {
  const canvas = { grid: { ...scene.grid, ...hexSize(scene.grid) }, dimensions: scene.dimensions };
  const tokens = [];
  for (const token of scene.tokens) {
    const at = cells[token._id];
    if (!at) continue;
    const known = { size: [Math.ceil(token.width), Math.ceil(token.height)], facing: null };
    const back = tokenPosition(grid, { ...known, at }, token, canvas);
    if (Math.abs(back.x - token.x) > PIXEL || Math.abs(back.y - token.y) > PIXEL)
      wrong.push(`${describe(scene, token)} came back at ${back.x}, ${back.y}`);
    const wanted = aCellNear(random, grid, at, known.size);
    const there = tokenPosition(grid, { ...known, at: wanted }, token, canvas);
    const placed = { ...token, ...there, wanted };
    if (token.snap && !isSnapped(scene.grid, placed))
      wrong.push(`${describe(scene, token)} left Foundry's grid on its way to ${wanted}`);
    tokens.push(placed);
  }
  return { ...scene, tokens };
}

/** Tells whether two cells are the same; without cells, whether two places are at most a pixel apart. */
function isSame({ type, size }, read, wanted) {
  if (!read || type !== 0) return String(read) === String(wanted);
  return [0, 1].every((i) => (Math.abs(read[i] - wanted[i]) * size) / 64 <= Math.max(1, size / 64));
}

function readByServer(scenes) {
  const lines = scenes.map(({ tokens, ...scene }) =>
    JSON.stringify({ ...scene, tokens: tokens.map(({ snap, wanted, ...token }) => token) }),
  );
  const python = process.env.PYTHON ?? join(ROOT, ".venv", "bin", "python");
  const run = spawnSync(python, [join(ROOT, "tests", "browser", "foundry", "read_scenes.py")], {
    input: lines.join("\n"),
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (run.status !== 0) throw new Error(run.stderr);
  return run.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** Returns a scene as the module sends it, with tokens that Foundry has snapped or, some, has not. */
function aScene(random, n) {
  const generation = 12 + (n % 3);
  const type = Math.floor(n / 3) % 6;
  const size = pick(random, [50, 64, 70, 100, 140, 200]);
  const [sceneX, sceneY] = [Math.floor(random() * 9 * size), Math.floor(random() * 9 * size)];
  const [columns, rows] = [14 + Math.floor(random() * 12), 14 + Math.floor(random() * 12)];
  const [width, height] = sceneSize(type, size, columns, rows);
  const dimensions = { sceneX, sceneY, sceneWidth: width, sceneHeight: height };
  const grid = { type, size, distance: 5, units: "ft" };
  const scene = { name: `Scene ${n}`, width, height, padding: 0.25, grid, dimensions, generation };
  const level = generation === 14 ? "levellevellevel1" : null;
  const tokens = Array.from({ length: TOKENS_OF_SCENE }, (_, i) => aToken(random, scene, i));
  return {
    ...scene,
    ...(level && { level }),
    tokens: tokens.map((one) => (level ? { ...one, level } : one)),
  };
}

const sceneSize = (type, size, columns, rows) => {
  const step = (size * Math.sqrt(3)) / 2;
  if (type < 2) return [columns * size, rows * size];
  return type < 4 ? [columns * size, Math.ceil(rows * step)] : [Math.ceil(columns * step), rows * size];
};

function aToken(random, { generation, grid, dimensions }, i) {
  const [width, height] =
    random() < 0.7
      ? [pick(random, SIZES)].flatMap((one) => [one, one])
      : [pick(random, SIZES), pick(random, SIZES)];
  const snap = grid.type !== 0 && random() < 0.8;
  const shape = { [generation === 12 ? "hexagonalShape" : "shape"]: pick(random, SHAPES) };
  const token = {
    _id: `token${String(i).padStart(11, "0")}`,
    name: `T${i}`,
    width,
    height,
    elevation: 0,
    ...shape,
  };
  const { sceneX, sceneY, sceneWidth, sceneHeight } = dimensions;
  const free = {
    x: sceneX + Math.floor(random() * sceneWidth),
    y: sceneY + Math.floor(random() * sceneHeight),
  };
  return { ...token, ...(snap ? snapped(random, grid, token, free) : free), snap };
}

/**
 * Returns the place to which Foundry snaps a token: on squares its corner is on a corner, for half sizes on the middle
 * of an edge, too. On hexes the box of its first hex, or of one half a hex further, is at its corner.
 */
function snapped(random, grid, { width, height }, { x, y }) {
  const { type, size } = grid;
  if (type === 1) {
    const step = width % 1 || height % 1 ? size / 2 : size;
    return { x: Math.round(Math.round(x / step) * step), y: Math.round(Math.round(y / step) * step) };
  }
  const [left, top] = hexCorner(type, size, x, y);
  const half = random() < 0.5 ? 0 : size / 2;
  return { x: Math.round(left - (type < 4 ? half : 0)), y: Math.round(top - (type < 4 ? 0 : half)) };
}

/** Returns the corner of the box of the hex nearest to a point, by Foundry's public layout of hexes. */
function hexCorner(type, size, x, y) {
  const step = (size * Math.sqrt(3)) / 2;
  const [along, across] = type < 4 ? [x, y] : [y, x];
  const row = Math.round(across / step);
  const isInside = Math.abs(row % 2) === (type % 2 ? 0 : 1) ? size / 2 : 0;
  const corner = [Math.round((along - isInside) / size) * size + isInside, row * step];
  return type < 4 ? corner : corner.toReversed();
}

/** Tells whether a token's corner is where Foundry snaps it, to within a pixel. */
function isSnapped({ type, size }, { x, y, width, height }) {
  if (type === 1) {
    const step = width % 1 || height % 1 ? size / 2 : size;
    return [x, y].every((value) => Math.abs(value - Math.round(value / step) * step) <= PIXEL);
  }
  return [0, size / 2].some((half) => {
    const [from, down] = type < 4 ? [x + half, y] : [x, y + half];
    const [left, top] = hexCorner(type, size, from, down);
    return Math.abs(left - from) <= PIXEL && Math.abs(top - down) <= PIXEL;
  });
}

const hexSize = ({ type, size }) => {
  const long = (2 * size) / Math.sqrt(3);
  return { sizeX: type > 3 ? long : size, sizeY: type === 2 || type === 3 ? long : size };
};

function aCellNear(random, { kind, columns, rows }, [x, y], [width, height]) {
  const unit = kind === "gridless" ? 64 : 1;
  const [wide, high] = kind === "square" ? [width, height] : [1, 1];
  const near = (value, sides) =>
    Math.max(0, Math.min(sides * unit - 1, value + Math.floor((random() * 9 - 4) * unit)));
  return [Math.min(near(x, columns), columns * unit - wide), Math.min(near(y, rows), rows * unit - high)];
}

const describe = ({ name, generation, grid }, { _id, x, y, width, height }) =>
  `${name} (generation ${generation}, grid ${grid.type}, size ${grid.size}): ${_id} of ${width} x ${height} at ${x}, ${y}`;

const pick = (random, values) => values[Math.floor(random() * values.length)];

/** Returns a generator of numbers from 0 to 1 that a seed repeats (mulberry32, by Tommy Ettinger, public domain). */
function generator(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { tokens, wrong } = roundTrips(Number(process.argv[2] ?? 22_000), Number(process.argv[3] ?? 1));
  for (const line of wrong.slice(0, SHOWN)) console.log(line);
  console.log(`foundry-positions: ${wrong.length ? "FAIL" : "PASS"} tokens=${tokens} off=${wrong.length}`);
  process.exitCode = wrong.length ? 1 : 0;
}
