/** One act against a target: chance, cost, required roll, and every modifier with its reason. */

import { formatChance, oddsText } from "../dice/notation.js";
import { button, firstClick } from "./controls.js";
import { oddsPicture } from "./die-face.js";
import { el } from "./dom.js";
import { localize } from "./i18n.js";
import { modifierList } from "./log-entry.js";

/** @import {Target} from "../../../types/contract.js" */

/** A fraction with a greater denominator is not shown. */
const MAX_DENOMINATOR = 100_000;
const MAX_OUTCOMES = 4;

/**
 * Build the list item of an act. An illegal act gets a button that asks the GM to override the rules. One that is only
 * planned has its odds and no button, but for the GM, who may override that too; nor has one that the tabletop's
 * system does.
 * @param {Target} target
 * @param {number} index of the act in its list
 * @param {(target: Target) => void} onAct
 * @param {readonly {id: string, name: string}[]} [tokens] of the scene, for the names of those that it catches
 * @param {boolean} [isGm] whether the seat is the GM's
 * @returns {HTMLElement}
 */
export function actView(target, index, onAct, tokens = [], isGm = false) {
  const { label, legal, why } = target;
  const act = firstClick(() => onAct(target));
  const override = button(`override-${index}`, localize("Act.Override"), act, {
    class: "quiet-button",
    "aria-label": localize("Act.OverrideLabel", { label }),
  });
  if (!legal) {
    const head = el("div", { class: "act-head" }, el("p", { class: "act-name" }, label), override);
    return el("li", { class: "act is-refused" }, head, why ? el("p", { class: "reason" }, why) : null);
  }
  const start = target.is_elsewhere
    ? [el("p", { class: "reason" }, localize("Act.Elsewhere", { label }))]
    : target.is_planned
      ? [el("p", { class: "reason" }, localize("Act.Planned", { label })), isGm ? override : null]
      : [button(`act-${index}`, label, act, { class: "primary" })];
  return el(
    "li",
    { class: "act" },
    el(
      "div",
      { class: "act-odds" },
      chanceView(target),
      target.no_odds && !target.up_to ? null : oddsPicture(target),
    ),
    requirements(target),
    caughtLine(target, tokens),
    target.area ? el("p", { class: "area-result" }, target.area.text) : null,
    target.no_odds ? el("p", { class: "reason" }, target.no_odds) : null,
    ...details(target, index),
    ...start,
  );
}

/** Build what leads to the odds, and to what they lead; folded but for the first act. @param {Target} target @param {number} index */
function details(target, index) {
  const all = [
    modifierList(localize("Log.Attack"), target.modifiers),
    modifierList(localize("Log.Defense"), target.defenses),
    outcomeList(target),
  ];
  if (!index || all.every((part) => !part)) return all;
  return [el("details", { class: "act-details" }, el("summary", {}, localize("Log.Details")), ...all)];
}

/** @param {Target} target @param {readonly {id: string, name: string}[]} tokens */
function caughtLine({ caught = [] }, tokens) {
  const text = catchesText(caught, tokens);
  return text ? el("p", { class: "caught" }, text) : null;
}

/**
 * Return the names of the tokens that an area of effect catches, in a sentence; "" for none.
 * @param {readonly string[]} caught
 * @param {readonly {id: string, name: string}[]} tokens
 */
export function catchesText(caught, tokens) {
  if (!caught.length) return "";
  const names = caught.map((id) => tokens.find((token) => token.id === id)?.name ?? id);
  return localize("Act.Catches", { names: names.join(", ") });
}

/** @param {Target} target */
function chanceView(target) {
  const {
    chance: [part, whole],
    exact,
    no_odds: why = "",
  } = target;
  const number = el("b", {}, oddsText(target));
  if (why) return el("p", { class: "chance" }, number);
  const fraction = whole < MAX_DENOMINATOR ? `${part}/${whole}` : localize("Act.Exact");
  return el("p", { class: "chance" }, number, el("span", {}, exact ? fraction : localize("Act.Sampled")));
}

/** @param {Target} target */
function requirements({ needed, cost }) {
  const parts = [
    needed === null ? "" : localize("Act.Needs", { needed }),
    cost ? localize("Act.Costs", { cost }) : localize("Act.Free"),
  ];
  return el("p", { class: "quiet" }, parts.filter(Boolean).join(", "));
}

/** @param {Target} target */
function outcomeList({ outcomes, up_to: most = null }) {
  if (outcomes.length < 2) return null;
  const shown = (/** @type {string} */ chance) => (most ? localize("Act.AtLeast", { chance }) : chance);
  const items = outcomes
    .slice(0, MAX_OUTCOMES)
    .map(({ outcome, chance }) => el("li", {}, `${outcome} `, el("b", {}, shown(formatChance(chance)))));
  const rest = outcomes.length - MAX_OUTCOMES;
  if (rest > 0) items.push(el("li", { class: "quiet" }, localize("Act.More", { count: rest })));
  return el("ul", { class: "outcomes", "aria-label": localize("Act.Outcomes") }, ...items);
}
