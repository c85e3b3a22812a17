/** The marks of places to choose: all faintly, the one under the pointer with its label and whom it catches. */

import { catchesText } from "../ui/act-view.js";
import { cellMarks } from "./board-marks.js";
import { CELL, center, tokenCenter } from "../map/geometry.js";
import { SKY, VERMILLION } from "./palette.js";
import { tokenPlace } from "./verdict-marks.js";

/** @import {Cell, Mark, Scene} from "../../../types/contract.js" */
/** @import {Pick} from "../game/map-picks.js" */

const PLACE = { color: SKY, fill: 0.25, pattern: /** @type {const} */ ("solid"), line: 1, width: 3 };
const CHOSEN = { color: VERMILLION, line: 1, width: 6 };
const CAUGHT = { color: VERMILLION, fill: 0.25, pattern: /** @type {const} */ ("solid"), line: 1, width: 4 };
/** The arrow of a direction begins and ends so far from its token's center. */
const [ARROW_FROM, ARROW_TO] = [0.8 * CELL, 1.6 * CELL];

/**
 * @param {Scene} scene
 * @param {Pick<unknown>[]} picks
 * @param {Pick<unknown> | null} chosen
 * @param {(at: Cell, lines: string[]) => Mark[]} label builds the label of the chosen one
 * @returns {Mark[]}
 */
export function pickMarks(scene, picks, chosen, label) {
  const all = picks.flatMap((pick) => placeMarks(scene, pick, PLACE));
  if (!chosen) return all;
  const caught = caughtMarks(scene, chosen.caught);
  const at = chosen.at
    ? center(scene.grid, chosen.at)
    : tokenPlace(scene, chosen.tokens[0] ?? chosen.toward?.token ?? "")?.at;
  const names = chosen.isTold ? "" : catchesText(chosen.caught, scene.tokens);
  const text = at ? label(/** @type {Cell} */ ([...at]), [chosen.label, names].filter(Boolean)) : [];
  return [...all, ...caught, ...placeMarks(scene, chosen, CHOSEN), ...text];
}

/**
 * Return the rings around tokens that an area catches.
 * @param {Scene} scene
 * @param {string[]} caught
 * @returns {Mark[]}
 */
export const caughtMarks = (scene, caught) => caught.flatMap((id) => circle(scene, id, CAUGHT));

/** @param {Scene} scene @param {Pick<unknown>} pick @param {import("../../../types/contract.js").Style} style @returns {Mark[]} */
function placeMarks(scene, { tokens, at, toward }, style) {
  if (toward) return arrow(scene, toward, style);
  return at ? cellMarks(scene.grid, [at], style) : tokens.flatMap((id) => circle(scene, id, style));
}

/** @param {Scene} scene @param {string} id @param {import("../../../types/contract.js").Style} style @returns {Mark[]} */
function circle(scene, id, style) {
  const place = tokenPlace(scene, id);
  return place ? [{ kind: "circle", at: place.at, radius: place.radius + 5, style }] : [];
}

/** @param {Scene} scene @param {{token: string, facing: number}} toward @param {import("../../../types/contract.js").Style} style @returns {Mark[]} */
function arrow({ grid, tokens }, { token, facing }, style) {
  const from = tokens.find(({ id }) => id === token);
  if (!from?.at) return [];
  const [x, y] = tokenCenter(grid, from, from.at);
  const [dx, dy] = [Math.sin((facing * Math.PI) / 180), -Math.cos((facing * Math.PI) / 180)];
  const end = /** @type {const} */ ([x + dx * ARROW_TO, y + dy * ARROW_TO]);
  const side = (/** @type {number} */ sign) => [
    ...end,
    end[0] - (dx + sign * dy) * (CELL / 4),
    end[1] - (dy - sign * dx) * (CELL / 4),
  ];
  const shaft = [x + dx * ARROW_FROM, y + dy * ARROW_FROM, ...end];
  return [{ kind: "lines", points: [...shaft, ...side(1), ...side(-1)], style: { ...style, fill: 0 } }];
}
