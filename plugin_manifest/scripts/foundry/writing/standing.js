/** Where and how a token of the table stands on Foundry's canvas. */

import { tokenCenter } from "../../core/draw/geometry.js";
import { placing, toCanvas } from "../canvas/placing.js";

/** @import {Grid, Token} from "../../../types/contract.js" */

/**
 * A token's top left corner in canvas pixels, and its rotation (0 faces down in Foundry).
 * @param {Grid} grid
 * @param {Token} token as the table has it, on the board
 * @param {{width: number, height: number}} size in grid spaces, as Foundry has it
 * @param {{grid: Foundry.Grid, dimensions: Foundry.SceneDimensions}} canvas
 * @returns {{x: number, y: number, rotation?: number}}
 */
export function standing(grid, token, { width, height }, canvas) {
  const at = tokenCenter(grid, token, token.at ?? [0, 0]);
  const [x, y] = toCanvas(placing(canvas.grid, canvas.dimensions), at);
  const { sizeX, sizeY } = canvas.grid;
  const corner = { x: Math.round(x - (width * sizeX) / 2), y: Math.round(y - (height * sizeY) / 2) };
  return token.facing === null ? corner : { ...corner, rotation: (token.facing + 180) % 360 };
}
