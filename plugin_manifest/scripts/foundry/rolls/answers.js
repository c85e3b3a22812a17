/** The answers of a verdict to a roll: the cover of its target, and the reasons for advantage and disadvantage. */

/** @import {Sight} from "../../../types/contract.js" */
/** @import {Known} from "../../core/game/known-verdicts.js" */

/**
 * The cover of a target as readers of simplecover5e expect it. `bonus` is null behind total cover.
 * @source C Kapuzenjoe/simplecover5e:scripts/utils/api.mjs getCover
 * @typedef {{cover: "none" | "half" | "threeQuarters" | "total", bonus: number | null, isCurrent: boolean}} CoverAnswer
 */

/**
 * The edge of an attack: 1 with advantage, -1 with disadvantage, 0 with neither or both.
 * @typedef {{mode: number, advantages: string[], disadvantages: string[], isCurrent: boolean}} EdgeAnswer
 */

/** @type {Record<Sight["cover_level"], CoverAnswer["cover"]>} */
const LEVELS = {
  "": "none",
  lesser: "half",
  half: "half",
  three_quarters: "threeQuarters",
  total: "total",
};

/** @param {Known | null} known @returns {CoverAnswer | null} null while nothing is known */
export function coverOf(known) {
  if (!known) return null;
  const { cover_level: level, cover_bonus: bonus } = known.verdict.sight;
  return { cover: LEVELS[level], bonus, isCurrent: known.isCurrent };
}

/**
 * Returns the edge of an attack with an item, or of the first attack on the target.
 * @param {Known | null} known
 * @param {string} [item] its name
 * @returns {EdgeAnswer | null} null while nothing is known, and for an attack that the table's game does not have
 */
export function edgeOf(known, item = "") {
  const acts = known?.verdict.acts.filter(({ act }) => act.weapon) ?? [];
  const name = item.trim().toLowerCase();
  const found = name
    ? acts.find(({ act }) => act.weapon.toLowerCase() === name)
    : (acts.find(({ legal }) => legal) ?? acts[0]);
  if (!known || !found) return null;
  const { advantages, disadvantages } = found;
  const mode = Number(advantages.length > 0) - Number(disadvantages.length > 0);
  return { mode, advantages: [...advantages], disadvantages: [...disadvantages], isCurrent: known.isCurrent };
}
