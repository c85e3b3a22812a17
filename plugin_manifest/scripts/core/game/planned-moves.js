/** The places to which the secret plans of a seat lead, by its own answers alone. Pure functions. */

/** @import {Cell, Choice} from "../../../types/contract.js" */

/** The answers that turn to a direction of the compass, clockwise from north. */
const COMPASS = ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"];
const EIGHTH = 45;

/**
 * A plan of one character: the cell and the facing that it leads to, null where it keeps its own, and whom it is about.
 * @typedef {{token: string, at: Cell | null, facing: number | null, about: string[]}} PlannedMove
 */

/**
 * Return the plans that a seat has made ready, and the one that it is making.
 * @param {Choice | null} choice the question that waits, with those at the same time
 * @param {Record<string, string> | null} draft the keys of the answers in the open form, by their question
 * @returns {PlannedMove[]}
 */
export function plannedMoves(choice, draft) {
  const sealed = choice ? [choice, ...(choice.others ?? [])].filter((one) => one.is_sealed) : [];
  /** @type {Map<string, PlannedMove>} */
  const plans = new Map();
  for (const { id, token, given, options } of sealed) {
    const key = draft?.[id] ?? given;
    const option = key && options.find((one) => one.key === key);
    if (!option) continue;
    const plan = plans.get(token) ?? { token, at: null, facing: null, about: [] };
    const eighth = COMPASS.indexOf(key);
    plans.set(token, {
      token,
      at: option.at ?? plan.at,
      facing: eighth < 0 ? plan.facing : eighth * EIGHTH,
      // Who flees does nothing else.
      about: key.startsWith("flee ") ? [] : [...plan.about, ...(option.tokens ?? [])],
    });
  }
  return [...plans.values()];
}
