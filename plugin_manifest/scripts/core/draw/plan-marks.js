/** Secret plans on the map of the seat that makes them: where each will stand, and whom it is about. Pure functions. */

import { tokenCenter } from "../map/geometry.js";
import { ghostMarks, wayMarks } from "./token-marks.js";
import { readyMarks } from "./token-rings.js";

/** @import {Mark, Scene, Token} from "../../../types/contract.js" */
/** @import {PlannedMove} from "../game/planned-moves.js" */
/** @import {TokenLook} from "./token-shape.js" */

/**
 * Draw plans: a dotted line to the place, the character there, and a broken ring round each that it is about.
 * @param {Scene} scene
 * @param {PlannedMove[]} plans
 * @param {(token: Token) => TokenLook} lookOf
 * @returns {Mark[]}
 */
export function planMarks(scene, plans, lookOf) {
  const tokenOf = (/** @type {string} */ id) => scene.tokens.find((token) => token.id === id && token.at);
  const named = new Set(plans.flatMap((plan) => plan.about));
  const rings = [...named].flatMap((id) => {
    const token = tokenOf(id);
    return token ? readyMarks(scene.grid, token) : [];
  });
  const ghosts = plans.flatMap(({ token: id, at, facing }) => {
    const token = tokenOf(id);
    if (!token?.at) return [];
    const turned = facing ?? token.facing;
    const there = at ?? token.at;
    const isSame =
      String(tokenCenter(scene.grid, token, there)) === String(tokenCenter(scene.grid, token, token.at));
    if (isSame && turned === token.facing) return [];
    return [
      ...(isSame ? [] : wayMarks(scene.grid, token, [token.at, there])),
      ...ghostMarks(scene, token, { at: there, facing: turned, text: "" }, lookOf(token)),
    ];
  });
  return [...rings, ...ghosts];
}
