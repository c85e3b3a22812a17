/** The board as a list of marks: ground, grid, regions and terrain. Pure functions. */

import { CellSet } from "./cell-set.js";
import { CELL, boardSize, centroid, corners, isHex } from "../map/geometry.js";
import { outline } from "./outline.js";
import { GRAY, GROUND, INK, IVORY, ORANGE, PURPLE, SAND, STONE } from "./palette.js";
import { NAME_GROWTH } from "./text-size.js";
import { localize } from "../ui/i18n.js";

/** @import {Area, Cell, Grid, Mark, Scene, Style, Terrain} from "../../../types/contract.js" */

const MAX_DRAWN_HEXES = 20_000;
/** The font of an area's name, in 64ths of a cell; a name as wide as this part of its area would hide what is there. */
const [LEAST_NAME, MOST_NAME, NAME_SHARE] = [18, 30, 0.45];
/** The width of a letter as a part of the font's size. */
const LETTER_WIDTH = 0.5;

/**
 * Draw plain ground, unless a picture lies under the grid.
 * @param {Pick<Scene, "grid" | "background">} scene
 * @returns {Mark[]}
 */
export function groundMarks({ grid, background }) {
  if (background) return [];
  const style = { color: GROUND, fill: 1, pattern: /** @type {const} */ ("solid") };
  const [width, height] = boardSize(grid);
  if (!isHex(grid) || grid.columns * grid.rows > MAX_DRAWN_HEXES)
    return [{ kind: "polygon", points: [0, 0, width, 0, width, height, 0, height], style }];
  return cellMarks(grid, allCells(grid), style);
}

/**
 * Draw the borders of the board's regions, heavier than the grid.
 * @param {Grid} grid
 * @param {Area[]} regions
 * @returns {Mark[]}
 */
export function regionMarks(grid, regions) {
  const points = regions.flatMap((region) => outline(grid, CellSet.ofRuns(region.runs)));
  if (!points.length) return [];
  return [
    { kind: "lines", points, style: { color: INK, line: 0.4, width: 6 } },
    { kind: "lines", points, style: { color: IVORY, line: 0.5, width: 3 } },
  ];
}

/**
 * Draw the grid; on a gridless board only the border. The lines are darker on plain ground than on a picture, and
 * faint on a painted map: light by night, dark by day.
 * @param {Pick<Scene, "grid" | "background">} scene
 * @param {"" | "night" | "day"} [painted] the light of a painted map; "" for none
 * @returns {Mark[]}
 */
export function gridMarks({ grid, background }, painted = "") {
  const [width, height] = boardSize(grid);
  const plain = { color: background ? GRAY : INK, line: background ? 0.35 : 0.4, width: 1 };
  const style = painted ? { color: painted === "day" ? INK : IVORY, line: 0.17, width: 1.25 } : plain;
  const border = {
    kind: /** @type {const} */ ("polygon"),
    points: [0, 0, width, 0, width, height, 0, height],
    style: { ...style, line: painted ? 0.3 : 0.8 },
  };
  if (grid.kind === "gridless") return [border];
  if (isHex(grid)) return hexMarks(grid, style);
  const columns = range(1, grid.columns).flatMap((i) => [i * CELL, 0, i * CELL, height]);
  const rows = range(1, grid.rows).flatMap((i) => [0, i * CELL, width, i * CELL]);
  return [{ kind: "lines", points: [...columns, ...rows], style }, border];
}

/** @param {Grid} grid @param {Style} style @returns {Mark[]} */
function hexMarks(grid, style) {
  if (grid.columns * grid.rows > MAX_DRAWN_HEXES) return [];
  return allCells(grid).map((cell) => ({ kind: "polygon", points: corners(grid, cell), style }));
}

/** @param {Grid} grid @returns {Cell[]} */
const allCells = (grid) =>
  range(0, grid.rows).flatMap((row) =>
    range(0, grid.columns).map((column) => /** @type {Cell} */ ([column, row])),
  );

/** @param {number} from @param {number} to exclusive */
const range = (from, to) => Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);

/**
 * Draw terrain with its name: difficult terrain striped, with its cost; impassable terrain as a block (over a
 * picture crossed); terrain that blocks sight dotted; terrain of a kind that the ruleset knows in a light color.
 * @param {Pick<Scene, "grid" | "background" | "terrain">} scene
 * @returns {Mark[]}
 */
export function terrainMarks({ grid, background, terrain }) {
  return terrain.flatMap((area) => [
    ...cellMarks(grid, area.cells, terrainStyle(area, background !== "")),
    ...(area.cost || background ? [] : blockEdge(grid, area)),
    ...terrainText(grid, area),
  ]);
}

/**
 * Draw terrain over a painted map, which shows what it is: its true border on the grid, and its name. Terrain that
 * changes nothing, such as a floor, is not marked; terrain that only the GM sees is drawn as on plain ground.
 * @param {Pick<Scene, "grid" | "background" | "terrain">} scene
 * @returns {Mark[]}
 */
export function paintedTerrainMarks({ grid, background, terrain }) {
  return terrain.flatMap((area) => {
    if (area.hidden) return terrainMarks({ grid, background, terrain: [area] });
    if (area.cost === 1 && !area.blocks_sight && !area.kind) return [];
    const points = outline(grid, CellSet.of(area.cells));
    return [
      { kind: "lines", points, style: { color: INK, line: 0.25, width: 3 } },
      { kind: "lines", points, style: { color: IVORY, line: 0.22, width: 1.25 } },
      ...terrainText(grid, area, true),
    ];
  });
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

/** Draw the dark edge of impassable terrain. @param {Grid} grid @param {Terrain} area @returns {Mark[]} */
function blockEdge(grid, { cells }) {
  const points = outline(grid, CellSet.of(cells));
  return [{ kind: "lines", points, style: { color: INK, line: 0.9, width: 6 } }];
}

/**
 * Return the font's size for an area's name: the wider the area, the larger, so that it can be read from afar too.
 * @param {string} text
 * @param {Cell[]} cells
 */
function nameSize(text, cells) {
  const columns = cells.map(([column]) => column);
  const width = (Math.max(...columns) - Math.min(...columns) + 1) * CELL;
  const fitting = (width * NAME_SHARE) / (text.length * LETTER_WIDTH);
  return Math.round(Math.min(MOST_NAME, Math.max(LEAST_NAME, fitting)));
}

/** @param {Grid} grid @param {Terrain} area @param {boolean} [isNamed] whether every name is shown @returns {Mark[]} */
function terrainText(grid, { name, cells, cost, kind }, isNamed = false) {
  const factor = cost > 1 ? `×${cost}` : "";
  const wanted = cost === 0 || kind ? name || localize("Mark.Impassable") : isNamed ? name : "";
  const text = [wanted, factor].filter(Boolean).join(" ");
  if (!cells.length || !text) return [];
  // On a board without cells, terrain is made of squares of an inch.
  const squares = grid.kind === "gridless" ? { ...grid, kind: /** @type {const} */ ("square") } : grid;
  const [x, y] = centroid(squares, cells);
  return [
    {
      kind: "text",
      at: [x, y + CELL * 0.36],
      text,
      size: nameSize(text, cells),
      color: IVORY,
      grows: NAME_GROWTH,
      isName: true,
    },
  ];
}

/**
 * Fill cells in one style, with a border around all of them.
 * @param {Grid} grid
 * @param {Cell[]} cells
 * @param {Style} style
 * @returns {Mark[]}
 */
export const cellMarks = (grid, cells, style) => setMarks(grid, CellSet.of(cells), style);

/**
 * Fill a set of cells likewise.
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
 * Cut lines (pairs of points) into dashes.
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
