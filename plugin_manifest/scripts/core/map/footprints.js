/**
 * Tokens that fill other cells than their size tells: their footprints as the table sends them, and their
 * moves.
 */

import { cellAt, center, centroid, tokenCenter } from "./geometry.js";

/** @import {Area, Cell, Grid, Run, Scene, Token} from "../../../types/contract.js" */

/** @param {{runs: Run[]}} area @returns {Cell[]} */
export function cellsInRuns({ runs }) {
  return runs.flatMap(([row, first, last]) =>
    Array.from({ length: last - first + 1 }, (_, i) => /** @type {Cell} */ ([first + i, row])),
  );
}

/**
 * Return the scene with `body` set on exactly the tokens that have a footprint of their own.
 * @param {Scene} scene
 * @param {Record<string, Run[]>} bodies the footprints by token
 * @param {Area[]} regions
 * @returns {Scene}
 */
export function withFootprints(scene, bodies, regions) {
  if (!Object.keys(bodies).length && !scene.tokens.some((token) => token.body)) return scene;
  const tokens = scene.tokens.map((token) => {
    const { body: _, ...bare } = token;
    const runs = bodies[token.id];
    if (!runs || !token.at) return token.body ? bare : token;
    const anchor = regionCenter(scene.grid, regions, token.at);
    return { ...bare, body: { cells: cellsInRuns({ runs }), anchor } };
  });
  return { ...scene, tokens };
}

/**
 * Return the center cell of the region that contains a cell; the cell itself outside all regions.
 * @param {Grid} grid
 * @param {Area[]} regions
 * @param {Cell} cell
 * @returns {Cell}
 */
function regionCenter(grid, regions, [column, row]) {
  const contains = (/** @type {Run} */ run) => run[0] === row && run[1] <= column && column <= run[2];
  const region = regions.find(({ runs }) => runs.some(contains));
  return region ? cellAt(grid, centroid(grid, cellsInRuns(region))) : [column, row];
}

/**
 * Return the cell for a token whose center was dragged to a point.
 * @param {Grid} grid
 * @param {Area[]} regions
 * @param {Token} token
 * @param {Cell} point
 * @returns {Cell}
 */
export function dropCell(grid, regions, token, [x, y]) {
  if (!token.body || !token.at) return cellAt(grid, [x, y]);
  const [[fromX, fromY], [toX, toY]] = [tokenCenter(grid, token, token.at), center(grid, token.body.anchor)];
  return regionCenter(grid, regions, cellAt(grid, [x + toX - fromX, y + toY - fromY]));
}

/**
 * Return whether a token stands at a cell; its anchor counts as its cell too.
 * @param {Token} token
 * @param {Cell} cell
 */
export const isAtCell = ({ at, body }, [column, row]) =>
  [at, body?.anchor].some((cell) => cell?.[0] === column && cell[1] === row);
