/** A token as people see it: what its turn has left, as pips, and its conditions with their signs, sources and ends. */

import { conditionSign } from "../../core/ui/condition-signs.js";
import { el } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";
import { conditionName } from "../../core/ui/names.js";

/** @import {Budget, Overlay, Ruleset, State} from "../../../types/contract.js" */

/** More than so many are told as numbers. */
const MOST_PIPS = 6;

/**
 * Return the budgets of a turn: a pip for each unit, filled for what is left.
 * @param {Overlay | null} overlay
 * @returns {HTMLElement | null} null in a game without
 */
export function budgetPips(overlay) {
  if (!overlay?.budgets.length) return null;
  const one = (/** @type {Budget} */ { label, left, of }) =>
    el(
      "li",
      { class: `budget${left ? "" : " is-spent"}` },
      el("span", { class: "budget-label" }, label),
      of > MOST_PIPS
        ? el("b", {}, `${left}/${of}`)
        : el("span", { class: "pips", "aria-hidden": "true" }, "●".repeat(left) + "○".repeat(of - left)),
      of > MOST_PIPS ? null : el("span", { class: "visually-hidden" }, localize("Token.Left", { left, of })),
    );
  return el("ul", { class: "budgets", "aria-label": localize("Token.Budgets") }, ...overlay.budgets.map(one));
}

/**
 * Return the chips of conditions.
 * @param {readonly State[]} states
 * @param {Ruleset} ruleset
 * @returns {HTMLElement[]}
 */
export const stateChips = (states, ruleset) =>
  states.map(({ condition, source, ends }) =>
    el(
      "li",
      { class: "chip is-condition", title: ruleset.conditions[condition] ?? "" },
      el("span", { class: "condition-sign", "aria-hidden": "true" }, conditionSign(condition)),
      ` ${[conditionName(condition), source].filter(Boolean).join(": ")}`,
      ends ? el("small", {}, `, ${ends}`) : null,
    ),
  );
