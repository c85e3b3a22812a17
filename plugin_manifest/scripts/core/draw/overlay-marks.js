/** A token's overlay as lists of marks, layer by layer. Pure functions. */

import { cellsInRuns } from "../map/footprints.js";
import { CellSet } from "./cell-set.js";
import { dashed, setMarks } from "./board-marks.js";
import { CELL, center, centroid, tokenCenter } from "../map/geometry.js";
import { Labels } from "./labels.js";
import { regionMarks } from "./region-marks.js";
import { formatOdds } from "../dice/notation.js";
import { CHALK, GRAY, INK, WHITE, isCalmMap, layerStyle } from "./palette.js";
import { LAYERS } from "../game/layers.js";
import { outline } from "./outline.js";
import { tokenRadius } from "./token-size.js";

/** @import {Area, Cell, DrawnLayer, Engagement, Grid, Mark, Overlay, Scene, Target, Token} from "../../../types/contract.js" */

/** The sign after the cost of a cell whose cheapest path provokes someone. */
const PROVOKES = " !";
/** The width of the dark line below the border of the reach, in 64ths of a cell. */
const CASING = 8;

/** The layers drawn at tokens; they follow the tokens' current positions. */
export const TOKEN_LAYERS = ["targets", "engagement"];

/**
 * The texts of layers; all of them unless one is refused. `hasCosts`: in the reach the cost of each cell, and a sign
 * where the way there provokes. `hasReactions`: beside those who may react what to, and how.
 * @typedef {{hasCosts?: boolean, hasReactions?: boolean}} Written
 */

/**
 * Return the layers of an overlay in the order of the list; all are empty without an overlay.
 * @param {Scene} scene
 * @param {Overlay | null} overlay
 * @param {Written} [written]
 * @returns {DrawnLayer[]}
 */
export function overlayLayers(scene, overlay, written = {}) {
  const labels = new Labels(scene);
  return LAYERS.map(({ key }) => ({
    key,
    marks: overlay ? layerMarks(scene, overlay, key, labels, written) : [],
  }));
}

/**
 * Draw one layer of an overlay.
 * @param {Scene} scene
 * @param {Overlay} overlay
 * @param {string} key
 * @param {Labels} [labels] those of all layers
 * @param {Written} [written]
 * @returns {Mark[]}
 */
export function layerMarks(scene, overlay, key, labels = new Labels(scene), written = {}) {
  const { hasCosts = true, hasReactions = true } = written;
  if (key === "reach") return reachMarks(scene.grid, overlay.reach, labels, hasCosts);
  if (key === "targets") return targetMarks(scene, overlay);
  if (key === "reactions") return reactionMarks(scene, overlay, hasReactions);
  if (key === "engagement") return engagementMarks(scene, overlay.engagements);
  const own = overlay.areas.filter((area) => area.layer === key);
  const areas = key === "ranges" && scene.grid.kind !== "gridless" ? withSharedLabels(own) : own;
  return areas.flatMap((area, i) => areaMarks(scene.grid, area, i, labels));
}

/** Merge areas of the same cells, such as the reaches of two weapons: one below the other, their labels can be read. @param {Area[]} areas */
function withSharedLabels(areas) {
  /** @type {Map<string, Area>} */
  const merged = new Map();
  for (const area of areas) {
    const known = merged.get(String(area.runs));
    merged.set(String(area.runs), known ? { ...known, label: `${known.label}\n${area.label}` } : area);
  }
  return [...merged.values()];
}

/** @param {Grid} grid @param {Overlay["reach"]} reach @param {Labels} labels @param {boolean} hasCosts @returns {Mark[]} */
function reachMarks(grid, reach, labels, hasCosts) {
  if (!reach) return [];
  if (grid.kind === "gridless") return bandMarks(reach.bands ?? [], labels);
  const cells = CellSet.of(reach.cells);
  const area = setMarks(grid, cells, layerStyle("reach"));
  if (!hasCosts) return [...casing(grid, cells), ...area];
  const provoking = new Set(reach.provokes.map(([column, row]) => `${column},${row}`));
  const isProvoking = (/** @type {number[]} */ [column, row]) => provoking.has(`${column},${row}`);
  return [
    ...area,
    ...costMarks(
      grid,
      reach.cells.filter((cell) => !isProvoking(cell)),
      "",
    ),
    ...costMarks(grid, reach.cells.filter(isProvoking), PROVOKES),
  ];
}

/** Draw a dark line below a border, which is to be seen over every painted ground. @param {Grid} grid @param {CellSet} cells @returns {Mark[]} */
function casing(grid, cells) {
  if (!cells.width) return [];
  return [{ kind: "lines", points: outline(grid, cells), style: { color: INK, line: 0.5, width: CASING } }];
}

/**
 * Draw the outlines of a gridless reach: the larger ones fainter.
 * @param {Area[]} bands
 * @param {Labels} labels
 * @returns {Mark[]}
 */
function bandMarks(bands, labels) {
  const { fill = 0, ...style } = layerStyle("reach");
  return bands
    .toReversed()
    .flatMap((band) => regionMarks(band, { ...style, fill: fill / Math.max(1, bands.length) }, labels));
}

/**
 * Build one mark for each cost, so that the painter draws equal labels at once.
 * @param {Grid} grid
 * @param {[number, number, number][]} cells with their costs
 * @param {string} sign after the cost
 * @returns {Mark[]}
 */
function costMarks(grid, cells, sign) {
  /** @type {Map<number, number[][]>} */
  const byCost = new Map();
  for (const cell of cells) {
    const group = byCost.get(cell[2]);
    if (group) group.push(cell);
    else byCost.set(cell[2], [cell]);
  }
  return [...byCost].map(([cost, at]) => ({
    kind: "texts",
    grid,
    cells: at,
    text: `${cost}${sign}`,
    color: WHITE,
  }));
}

/**
 * Draw one area of a layer. Farther range bands are fainter, and each has its label at its edge.
 * @param {Grid} grid
 * @param {Area} area
 * @param {number} index of the area in its layer
 * @param {Labels} labels
 * @returns {Mark[]}
 */
function areaMarks(grid, area, index, labels) {
  const style = layerStyle(area.layer);
  const fill = (style.fill ?? 0) / (1 + index * 0.8);
  if (grid.kind === "gridless") return regionMarks(area, { ...style, fill }, labels);
  const isDashed = area.layer === "arc" || (area.layer === "blind" && isCalmMap());
  const marks = setMarks(grid, CellSet.ofRuns(area.runs), { ...style, fill }).map((mark) =>
    mark.kind === "lines" && isDashed
      ? { ...mark, points: dashed(mark.points, area.layer === "arc" ? 10 : 5) }
      : mark,
  );
  return area.layer === "ranges" ? [...marks, ...label(grid, area)] : marks;
}

/**
 * Draw an area's label in the middle of its top row.
 * @param {Grid} grid
 * @param {Area} area
 * @returns {Mark[]}
 */
function label(grid, area) {
  if (!area.runs.length || !area.label) return [];
  const [row, first, last] = area.runs[0];
  const [x, y] = center(grid, [Math.floor((first + last) / 2), row]);
  return [
    {
      kind: "text",
      at: [x, y - CELL * 0.34 - 8 * (area.label.split("\n").length - 1)],
      text: area.label,
      size: 14,
      color: layerStyle("ranges").color,
    },
  ];
}

/**
 * Draw the possible reactions to the token's acts beside the reacting tokens, on the side away from the token.
 * @param {Scene} scene
 * @param {Overlay} overlay
 * @param {boolean} hasText
 * @returns {Mark[]}
 */
function reactionMarks(scene, overlay, hasText) {
  const token = scene.tokens.find(({ id }) => id === overlay.token);
  const from = token?.at ? tokenCenter(scene.grid, token, token.at)[1] : 0;
  /** @type {Map<string, Area[]>} */
  const byPlace = new Map();
  for (const area of overlay.areas.filter(({ layer, runs }) => layer === "reactions" && runs.length))
    byPlace.set(String(area.runs), [...(byPlace.get(String(area.runs)) ?? []), area]);
  return [...byPlace.values()].flatMap((together) => {
    const cells = cellsInRuns(together[0]);
    return [
      ...setMarks(scene.grid, CellSet.of(cells), layerStyle("reactions")),
      ...(hasText ? reactionText(scene.grid, cells, together, from) : []),
    ];
  });
}

/**
 * Draw the labels of reactions on a dark background.
 * @param {Grid} grid
 * @param {Cell[]} cells
 * @param {Area[]} areas
 * @param {number} from the vertical position of the acting token
 * @returns {Mark[]}
 */
function reactionText(grid, cells, areas, from) {
  const [x, y] = centroid(grid, cells);
  const lines = areas.flatMap(({ label: text }) => text.replace(": ", ":\n").split("\n"));
  const [wide, high] = [4.2 * Math.max(...lines.map((line) => line.length)) + 6, 8.5 * lines.length + 4];
  const far = Math.max(...cells.map((cell) => Math.abs(center(grid, cell)[1] - y))) + high;
  const at = /** @type {Cell} */ ([x, from > y ? y - far - CELL : y + far + CELL * 0.55]);
  const [left, right, top, bottom] = [x - wide, x + wide, at[1] - high, at[1] + high];
  const points = [left, top, right, top, right, bottom, left, bottom];
  const background = { color: INK, fill: 0.75, pattern: /** @type {const} */ ("solid") };
  return [
    { kind: "polygon", points, style: background },
    { kind: "text", at, text: lines.join("\n"), size: 14, color: WHITE },
  ];
}

/**
 * Group the acts against other tokens by target: legal ones first, the likeliest of them first.
 * @param {Overlay} overlay
 * @returns {Map<string, Target[]>}
 */
export function targetsByToken(overlay) {
  const rank = (/** @type {Target} */ target) => (target.legal ? 1 + target.chance[0] / target.chance[1] : 0);
  const sorted = overlay.targets.filter((target) => target.target).sort((a, b) => rank(b) - rank(a));
  /** @type {Map<string, Target[]>} */
  const groups = new Map();
  for (const target of sorted) groups.set(target.target, [...(groups.get(target.target) ?? []), target]);
  return groups;
}

/**
 * Return the acts without a target that a token can do by themselves: one that is planned, done by the tabletop's
 * system or still to be aimed is no button.
 * @param {Overlay} overlay
 */
export const untargetedActs = ({ targets }) =>
  targets.filter((one) => !one.target && !one.is_planned && !one.is_elsewhere && !one.is_placed);

/** Return the acts that a token can aim at any cell. @param {Overlay} overlay */
export const placedActs = ({ targets }) => targets.filter((one) => one.is_placed && !one.is_elsewhere);

/**
 * Return the labels of a token's possible reactions to the acts of the overlay's token.
 * @param {Overlay | null} overlay
 * @param {Pick<Token, "at" | "body">} token
 * @returns {string[]}
 */
export function reactionLabels(overlay, { at, body }) {
  const own = new Set((body?.cells ?? (at ? [at] : [])).map(String));
  const areas = (overlay?.areas ?? []).filter(({ layer }) => layer === "reactions");
  return areas
    .filter((area) => cellsInRuns(area).some((cell) => own.has(String(cell))))
    .map(({ label: text }) => text);
}

/** @param {Scene} scene @param {Overlay} overlay @returns {Mark[]} */
function targetMarks(scene, overlay) {
  return [...targetsByToken(overlay)].flatMap(([id, targets]) => {
    const token = scene.tokens.find((other) => other.id === id);
    return token?.at ? targetMark(scene, token, token.at, targets[0]) : [];
  });
}

/**
 * Draw a crosshair with the chance over a legal target, a thin dashed ring around an illegal one.
 * @param {Scene} scene
 * @param {Token} token
 * @param {Cell} at
 * @param {Target} best
 * @returns {Mark[]}
 */
function targetMark(scene, token, at, best) {
  const [x, y] = tokenCenter(scene.grid, token, at);
  const size = tokenRadius(token) + 12;
  if (!best.legal)
    return [{ kind: "lines", points: dashedRing([x, y], size), style: { color: GRAY, line: 0.9, width: 2 } }];
  const { color, width = 4 } = layerStyle("targets");
  return [
    { kind: "circle", at: [x, y], radius: size, style: { color: INK, line: 0.7, width: width + 4 } },
    { kind: "circle", at: [x, y], radius: size, style: { color, line: 1, width } },
    { kind: "lines", points: ticks([x, y], size - 5, size + 7), style: { color, line: 1, width } },
    {
      kind: "text",
      at: [x, y - size - 11],
      text: formatOdds(best),
      size: 20,
      color: WHITE,
      grows: true,
    },
  ];
}

/**
 * Draw three lines outward; the chance stands at the top.
 * @param {Cell} at
 * @param {number} near
 * @param {number} far
 */
function ticks([x, y], near, far) {
  const directions = [
    [-1, 0],
    [1, 0],
    [0, 1],
  ];
  return directions.flatMap(([dx, dy]) => [x + dx * near, y + dy * near, x + dx * far, y + dy * far]);
}

/** @param {Cell} at @param {number} size @returns {number[]} */
function dashedRing([x, y], size) {
  const angle = (/** @type {number} */ n) => (n * Math.PI) / 12;
  return Array.from({ length: 12 }, (_, i) => [
    x + size * Math.cos(angle(2 * i)),
    y + size * Math.sin(angle(2 * i)),
    x + size * Math.cos(angle(2 * i + 1)),
    y + size * Math.sin(angle(2 * i + 1)),
  ]).flat();
}

/** The overlap of an engagement's bar with each token, and half the length of its crossbar. */
const BAR_OVERLAP = 12;
const CROSSBAR = 11;

/**
 * Draw the bars between engaged tokens; none if either is off the board.
 * @param {Pick<Scene, "grid" | "tokens">} scene
 * @param {Engagement[]} engagements
 * @returns {Mark[]}
 */
function engagementMarks({ grid, tokens }, engagements) {
  const tokensById = new Map(tokens.map((token) => [token.id, token]));
  const bars = engagements.flatMap(({ tokens: [a, b] }) =>
    engagementBar(grid, tokensById.get(a), tokensById.get(b)),
  );
  if (!bars.length) return [];
  const { color, line, width = 5 } = layerStyle("engagement");
  return [
    { kind: "lines", points: bars, style: { color: INK, line: 0.9, width: width + 6 } },
    { kind: "lines", points: bars, style: { color: CHALK, line: 0.9, width: width + 3 } },
    { kind: "lines", points: bars, style: { color, line, width } },
  ];
}

/** @param {Scene["grid"]} grid @param {Token | undefined} a @param {Token | undefined} b @returns {number[]} */
function engagementBar(grid, a, b) {
  if (!a?.at || !b?.at) return [];
  const [from, to] = [tokenCenter(grid, a, a.at), tokenCenter(grid, b, b.at)];
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
  const direction = /** @type {Cell} */ ([(to[0] - from[0]) / length, (to[1] - from[1]) / length]);
  const start = along(from, direction, Math.min(tokenRadius(a) - BAR_OVERLAP, length / 3));
  const end = along(to, direction, -Math.min(tokenRadius(b) - BAR_OVERLAP, length / 3));
  const half = /** @type {Cell} */ ([(start[0] + end[0]) / 2, (start[1] + end[1]) / 2]);
  const side = /** @type {Cell} */ ([-direction[1], direction[0]]);
  return [...start, ...end, ...along(half, side, CROSSBAR), ...along(half, side, -CROSSBAR)];
}

/** @param {Cell} from @param {Cell} direction of length 1 @param {number} distance @returns {Cell} */
const along = ([x, y], [dx, dy], distance) => [x + dx * distance, y + dy * distance];
