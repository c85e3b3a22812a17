/** One act at a target: chance, cost, what it needs, and every modifier with its reason. */

import { el } from "./dom.js";
import { formatChance } from "../dice/notation.js";
import { modifierList } from "./log-entry.js";
import { button } from "./controls.js";
import { localize } from "./i18n.js";

/** @import {Target} from "../../../types/contract.js" */

/** Fractions with a greater denominator tell a reader nothing. */
const MOST_SHOWN = 100_000;
const MOST_OUTCOMES = 6;

/**
 * @param {Target} target
 * @param {number} place among the acts shown together
 * @param {(target: Target) => void} onAct
 * @returns {HTMLElement}
 */
export function actView(target, place, onAct) {
  const does = () => onAct(target);
  if (!target.legal) return refused(target, place, does);
  const head = el(
    "div",
    { class: "act-head" },
    button(`act-${place}`, target.label, does, { class: "primary" }),
    chance(target),
  );
  const modifiers = [
    modifierList(localize("Log.Attack"), target.modifiers),
    modifierList(localize("Log.Defence"), target.defences),
  ];
  return el("li", { class: "act" }, head, facts(target), ...modifiers, outcomes(target));
}

/** @param {Target} target @param {number} place @param {() => void} does the table will refuse, and ask for a reason */
function refused({ label, why }, place, does) {
  const anyway = button(`act-${place}`, localize("Act.Anyway"), does, {
    class: "quiet-button",
    "aria-label": localize("Act.LabelAnyway", { label }),
  });
  const head = el("div", { class: "act-head" }, el("p", { class: "act-name" }, label), anyway);
  return el("li", { class: "act is-refused" }, head, el("p", { class: "why" }, why));
}

/** @param {Target} target */
function chance({ chance: [part, whole], exact }) {
  return el(
    "p",
    { class: "chance" },
    el(
      "b",
      {},
      exact ? formatChance([part, whole]) : localize("Act.About", { chance: formatChance([part, whole]) }),
    ),
    el(
      "span",
      {},
      exact ? (whole < MOST_SHOWN ? `${part}/${whole}` : localize("Act.Exact")) : localize("Act.Sampled"),
    ),
  );
}

/** @param {Target} target */
function facts({ needed, cost }) {
  const parts = [
    needed === null ? "" : localize("Act.Needs", { needed }),
    cost ? localize("Act.Costs", { cost }) : localize("Act.Free"),
  ];
  return el("p", { class: "quiet" }, parts.filter(Boolean).join(", "));
}

/** @param {Target} target */
function outcomes({ outcomes: ends }) {
  if (ends.length < 2) return null;
  const items = ends
    .slice(0, MOST_OUTCOMES)
    .map(({ outcome, chance: part }) => el("li", {}, `${outcome} `, el("b", {}, formatChance(part))));
  const rest = ends.length - MOST_OUTCOMES;
  if (rest > 0) items.push(el("li", { class: "quiet" }, localize("Act.More", { count: rest })));
  return el("ul", { class: "outcomes", "aria-label": localize("Act.Outcomes") }, ...items);
}
