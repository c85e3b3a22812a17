/** The cost of a move and what it provokes, in words: on a dragged token, and under the pointer. */

import { formatChance } from "../dice/notation.js";
import { isAtCell } from "../map/footprints.js";
import { lengthText } from "../map/geometry.js";
import { isInRings } from "../draw/region-marks.js";
import { localize } from "./i18n.js";

/** @import {Area, Cell, Grid, Overlay, Provocation, Reach, Scene, Token} from "../../../types/contract.js" */

/** Return a test for the entry of a cell in a list of a reach. @param {Cell} at @returns {(entry: number[] | [number, number, unknown]) => boolean} */
export const isAt = (at) => (entry) => entry[0] === at[0] && entry[1] === at[1];

/**
 * Return what a move to a cell costs, and on further lines what it provokes and what a safe path costs.
 * @param {Overlay | null} overlay
 * @param {Token} token
 * @param {Cell} at
 * @param {Pick<Scene, "grid" | "tokens">} scene
 * @param {number | null} [price] what the tabletop itself charges, if it is to be told instead of the reach's cost
 * @returns {string} "" if it is unknown
 */
export function moveText(overlay, token, at, { grid, tokens }, price = null) {
  if (isAtCell(token, at) || !overlay?.reach || overlay.token !== token.id) return "";
  if (overlay.reach.bands?.length) return bandText(overlay.reach.bands, token, at, grid);
  const cell = overlay.reach.cells.find(isAt(at));
  if (!cell) return localize("Move.OutOfReach");
  const cost = localize("Move.Cost", { cost: price ?? cell[2], budget: overlay.reach.budget });
  return [cost, provocationText(overlay.reach, at, tokens)].filter(Boolean).join("\n");
}

/**
 * Return the straight distance of a move without cells, and the smallest outline that it stays in.
 * @param {Area[]} bands the smallest first
 * @param {Token} token
 * @param {Cell} at
 * @param {Grid} grid
 */
function bandText(bands, token, at, grid) {
  const [x, y] = token.at ?? at;
  const distance = lengthText(grid, Math.hypot(at[0] - x, at[1] - y));
  const band = bands.find((one) => isInRings(one, at));
  return localize(band ? "Move.Straight" : "Move.StraightTooFar", { distance, band: band?.label ?? "" });
}

/**
 * Return whom the cheapest path to a cell provokes, and the cost of a path that provokes none.
 * @param {Reach} reach
 * @param {Cell} at
 * @param {{id: string, name: string}[]} tokens
 * @returns {string} "" if the path provokes nothing
 */
export function provocationText(reach, at, tokens) {
  const provoked = provokedAt(reach, at);
  if (!provoked.length) return "";
  const name = (/** @type {string} */ id) => tokens.find((token) => token.id === id)?.name ?? id;
  const lines = provoked.map(({ token, chance }) =>
    chance
      ? localize("Move.Provokes", { name: name(token), chance: formatChance(chance) })
      : localize("Move.ProvokesPlain", { name: name(token) }),
  );
  const damage = expectedDamage(provoked);
  const safe = reach.safe.find(isAt(at));
  if (safe && damage) lines.push(localize("Move.SafeWithDamage", { cost: safe[2], damage }));
  else if (safe) lines.push(localize("Move.Safe", { cost: safe[2] }));
  else if (damage) lines.push(localize("Move.NoSafePath", { damage }));
  return lines.join("\n");
}

/** @param {Reach} reach @param {Cell} at @returns {Provocation[]} those whom the cheapest path provokes */
function provokedAt(reach, at) {
  const places = reach.provokes.find(isAt(at))?.[2] ?? [];
  return places.map((place) => reach.provocations[place]).filter(Boolean);
}

/** @param {Provocation[]} provoked @returns {string} with one decimal; "" if one is unknown */
function expectedDamage(provoked) {
  const parts = provoked.map(({ damage }) => damage);
  if (!parts.every((part) => part !== null)) return "";
  const sum = parts.reduce((total, part) => total + part[0] / part[1], 0);
  return sum.toFixed(1);
}
