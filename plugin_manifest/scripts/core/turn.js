/** Rounds and activations, as the table tells of them. */

import { words } from "./words.js";

/** @import {Act, Scene} from "../../types/contract.js" */

/** The kind of act that a ruleset played in rounds has. */
export const ROUND = "round";

/** @returns {Act} the act that begins a round, which no token does */
export const roundAct = () => ({ kind: ROUND, token: "", target: "", weapon: "", at: null, facing: null });

/**
 * Whose activation it is; between activations, what the table's conditions say of a side.
 * @param {Scene} scene
 */
export function turnText({ conditions, tokens, sides }) {
  const active = tokens.find((token) => token.id === conditions.active);
  if (active) return words("Turn.Acts", { name: active.name });
  const said = Object.entries(conditions).map(([name, note]) => [
    name,
    sides.find((side) => side.id === note)?.name,
  ]);
  return said
    .filter(([, side]) => side)
    .map(([name, side]) => `${name}: ${side}`)
    .join(", ");
}
