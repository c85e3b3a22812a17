/** Tokens that fill other cells than their size says, as the table tells: which, and how they are moved. */

import { cellAt, center, centroid, tokenCenter } from "./geometry.js";

/** @import {Area, Cell, Grid, Run, Scene, Token} from "../../../types/contract.js" */

/** @param {{runs: Run[]}} area @returns {Cell[]} */
export function cellsInRuns({ runs }) {
  return runs.flatMap(([row, first, last]) =>
    Array.from({ length: last - first + 1 }, (_, i) => /** @type {Cell} */ ([first + i, row])),
  );
}

/**
 * The scene with a body on each token that has one, and on no other.
 * @param {Scene} scene
 * @param {Record<string, Run[]>} bodies
 * @param {Area[]} regions
 * @returns {Scene}
 */
export function withFootprints(scene, bodies, regions) {
  if (!Object.keys(bodies).length && !scene.tokens.some((token) => token.body)) return scene;
  const tokens = scene.tokens.map((token) => {
    const { body: _, ...bare } = token;
    const runs = bodies[token.id];
    if (!runs || !token.at) return token.body ? bare : token;
    return {
      ...bare,
      body: { cells: cellsInRuns({ runs }), anchor: regionCenter(scene.grid, regions, token.at) },
    };
  });
  return { ...scene, tokens };
}

/**
 * The cell in the middle of the region that a cell belongs to; the cell itself where there are no regions.
 * @param {Grid} grid
 * @param {Area[]} regions
 * @param {Cell} cell
 * @returns {Cell}
 */
export function regionCenter(grid, regions, [column, row]) {
  const holds = (/** @type {Run} */ run) => run[0] === row && run[1] <= column && column <= run[2];
  const region = regions.find(({ runs }) => runs.some(holds));
  return region ? cellAt(grid, centroid(grid, cellsInRuns(region))) : [column, row];
}

/**
 * The cell a token is put on when its middle is dragged to a point.
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

/** @param {Token} token @param {Cell} at whether it stands there already, by whichever cell it is told */
export const isAtCell = ({ at, body }, [column, row]) =>
  [at, body?.anchor].some((cell) => cell?.[0] === column && cell[1] === row);
