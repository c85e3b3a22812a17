/** The board itself as a pure list of marks: grid, terrain, walls and doors. */

import { CellSet } from "./cell-set.js";
import { CELL, boardSize, centroid, corners, isHex, toPlane } from "./geometry.js";
import { outline } from "./outline.js";
import { GRAY, GROUND, INK, ORANGE, PURPLE, SAND, STONE, VERMILLION, WHITE } from "./palette.js";
import { localize } from "../ui/i18n.js";

/** @import {Area, Cell, Grid, Mark, Scene, Style, Terrain, Wall} from "../../../types/contract.js" */

const MOST_DRAWN_HEXES = 20_000;

/**
 * Plain ground of a calm tone, where no picture lies under the grid.
 * @param {Pick<Scene, "grid" | "background">} scene
 * @returns {Mark[]}
 */
export function groundMarks({ grid, background }) {
  if (background) return [];
  const style = { color: GROUND, fill: 1, pattern: /** @type {const} */ ("solid") };
  const [width, height] = boardSize(grid);
  if (!isHex(grid) || grid.columns * grid.rows > MOST_DRAWN_HEXES)
    return [{ kind: "polygon", points: [0, 0, width, 0, width, height, 0, height], style }];
  return cellMarks(grid, allCells(grid), style);
}

/**
 * The borders of the board's regions, heavier than the lines between cells.
 * @param {Grid} grid
 * @param {Area[]} regions
 * @returns {Mark[]}
 */
export function regionMarks(grid, regions) {
  const points = regions.flatMap((region) => outline(grid, CellSet.ofRuns(region.runs)));
  if (!points.length) return [];
  return [
    { kind: "lines", points, style: { color: INK, line: 0.6, width: 6 } },
    { kind: "lines", points, style: { color: WHITE, line: 0.7, width: 3 } },
  ];
}

/**
 * The lines between cells; none on a gridless board but its border. Dark where the ground is plain.
 * @param {Pick<Scene, "grid" | "background">} scene
 * @returns {Mark[]}
 */
export function gridMarks({ grid, background }) {
  const [width, height] = boardSize(grid);
  const style = { color: background ? GRAY : INK, line: background ? 0.35 : 0.4, width: 1 };
  const border = {
    kind: /** @type {const} */ ("polygon"),
    points: [0, 0, width, 0, width, height, 0, height],
    style: { ...style, line: 0.8 },
  };
  if (grid.kind === "gridless") return [border];
  if (isHex(grid)) return hexMarks(grid, style);
  const columns = range(1, grid.columns).flatMap((i) => [i * CELL, 0, i * CELL, height]);
  const rows = range(1, grid.rows).flatMap((i) => [0, i * CELL, width, i * CELL]);
  return [{ kind: "lines", points: [...columns, ...rows], style }, border];
}

/** @param {Grid} grid @param {Style} style @returns {Mark[]} */
function hexMarks(grid, style) {
  if (grid.columns * grid.rows > MOST_DRAWN_HEXES) return [];
  return allCells(grid).map((cell) => ({ kind: "polygon", points: corners(grid, cell), style }));
}

/** @param {Grid} grid @returns {Cell[]} */
const allCells = (grid) =>
  range(0, grid.rows).flatMap((row) =>
    range(0, grid.columns).map((column) => /** @type {Cell} */ ([column, row])),
  );

/** @param {number} from @param {number} to not included */
const range = (from, to) => Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);

/**
 * Terrain: hard ground striped with its cost, closed ground a block (crossed over a picture), what hides
 * dotted, and what the ruleset has a word for light; each with its name.
 * @param {Pick<Scene, "grid" | "background" | "terrain">} scene
 * @returns {Mark[]}
 */
export function terrainMarks({ grid, background, terrain }) {
  return terrain.flatMap((area) => [
    ...cellMarks(grid, area.cells, terrainStyle(area, background !== "")),
    ...(area.cost || background ? [] : wallMark(grid, area)),
    ...terrainText(grid, area),
  ]);
}

/** @param {Terrain} area @param {boolean} isOnPicture @returns {Style} */
function terrainStyle({ cost, blocks_sight: blocksSight, kind }, isOnPicture) {
  const base = { color: ORANGE, line: 0.8, width: 2, fill: 0.35 };
  if (cost === 0 && isOnPicture) return { ...base, color: INK, fill: 0.7, pattern: "cross" };
  if (cost === 0) return { ...base, color: STONE, fill: 0.95, pattern: "solid", line: 1, width: 4 };
  if (blocksSight) return { ...base, color: PURPLE, pattern: "dots" };
  if (kind) return { ...base, color: SAND, fill: 0.6, pattern: "dots" };
  return { ...base, pattern: "left" };
}

/** @param {Grid} grid @param {Terrain} area @returns {Mark[]} the dark edge that makes a block of closed ground */
function wallMark(grid, { cells }) {
  const points = outline(grid, CellSet.of(cells));
  return [{ kind: "lines", points, style: { color: INK, line: 0.9, width: 6 } }];
}

/** @param {Grid} grid @param {Terrain} area @returns {Mark[]} */
function terrainText(grid, { name, cells, cost, kind }) {
  const price = cost > 1 ? `×${cost}` : "";
  const text = [cost === 0 || kind ? name || localize("Mark.Closed") : "", price].filter(Boolean).join(" ");
  if (!cells.length || !text) return [];
  const [x, y] = centroid(grid, cells);
  return [{ kind: "text", at: [x, y + CELL * 0.36], text, size: 15, color: WHITE }];
}

/**
 * Cells filled in one style, with a border round the whole.
 * @param {Grid} grid
 * @param {Cell[]} cells
 * @param {Style} style
 * @returns {Mark[]}
 */
export const cellMarks = (grid, cells, style) => setMarks(grid, CellSet.of(cells), style);

/**
 * The same for a set of cells.
 * @param {Grid} grid
 * @param {CellSet} cells
 * @param {Style} style
 * @returns {Mark[]}
 */
export function setMarks(grid, cells, style) {
  if (!cells.width) return [];
  const { line, width, ...filling } = style;
  const border = () => ({ color: style.color, line, width });
  return [
    ...(style.fill ? [{ kind: /** @type {const} */ ("cells"), grid, cells, style: filling }] : []),
    ...(line
      ? [{ kind: /** @type {const} */ ("lines"), points: outline(grid, cells), style: border() }]
      : []),
  ];
}

/**
 * Walls and doors. A wall is a heavy line, one that only stops sight or only stops movement a dashed one;
 * a closed door a bar, a locked one a bar with a cross, an open one a thin outline, a secret one marked S.
 * @param {Grid} grid
 * @param {Wall[]} asCounted
 * @returns {Mark[]}
 */
export function wallMarks(grid, asCounted) {
  const walls = asCounted.map((wall) => ({ ...wall, line: toPlane(grid, wall.line) }));
  const plain = walls.filter((wall) => wall.door === "none");
  const whole = plain.filter((wall) => wall.move === "normal" && wall.sight === "normal");
  const partial = plain.filter((wall) => !whole.includes(wall));
  const doors = walls.filter((wall) => wall.door !== "none");
  return [
    ...cased(
      whole.flatMap((wall) => wall.line),
      WHITE,
      4,
    ),
    ...cased(
      partial.flatMap((wall) => dashed(wall.line)),
      GRAY,
      3,
    ),
    ...doors.flatMap(doorMarks),
  ];
}

/** @param {number[]} points @param {number} color @param {number} width @returns {Mark[]} */
function cased(points, color, width) {
  if (!points.length) return [];
  return [
    { kind: "lines", points, style: { color: INK, line: 0.9, width: width + 4 } },
    { kind: "lines", points, style: { color, line: 1, width } },
  ];
}

/** @param {Wall} door @returns {Mark[]} */
function doorMarks({ line, door, state }) {
  const isOpen = state === "open";
  const color = state === "locked" ? VERMILLION : ORANGE;
  const bar = /** @type {Mark} */ ({
    kind: "polygon",
    points: thick(line, isOpen ? 3 : 6),
    style: { color, fill: isOpen ? 0 : 1, pattern: "solid", line: 1, width: 2 },
  });
  const [x, y] = [(line[0] + line[2]) / 2, (line[1] + line[3]) / 2];
  const sign = door === "secret" ? "S" : state === "locked" ? "×" : "";
  return [
    ...cased(line, INK, 4).slice(0, 1),
    bar,
    ...(sign ? [/** @type {Mark} */ ({ kind: "text", at: [x, y], text: sign, size: 18, color: WHITE })] : []),
  ];
}

/** @param {Wall["line"]} line @param {number} half its half width; the rectangle round the line */
function thick([x1, y1, x2, y2], half) {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [nx, ny] = [(-(y2 - y1) / length) * half, ((x2 - x1) / length) * half];
  return [x1 + nx, y1 + ny, x2 + nx, y2 + ny, x2 - nx, y2 - ny, x1 - nx, y1 - ny];
}

/**
 * Pairs of points cut into dashes.
 * @param {number[]} points
 * @param {number} dash
 * @returns {number[]}
 */
export function dashed(points, dash = 10) {
  return range(0, points.length / 4).flatMap((i) => {
    const [x1, y1, x2, y2] = points.slice(i * 4, i * 4 + 4);
    const count = Math.max(1, Math.round(Math.hypot(x2 - x1, y2 - y1) / (dash * 1.7)));
    const along = (/** @type {number} */ t) => [x1 + (x2 - x1) * t, y1 + (y2 - y1) * t];
    return range(0, count).flatMap((n) => [...along(n / count), ...along((n + 0.6) / count)]);
  });
}
