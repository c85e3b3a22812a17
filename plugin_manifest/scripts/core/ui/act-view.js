/** One act at a target: chance, cost, what it needs, and every modifier with its reason. */

import { el } from "./dom.js";
import { percent } from "../dice/notation.js";
import { modifierList } from "./log-entry.js";
import { button } from "./controls.js";
import { words } from "./i18n.js";

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
    modifierList(words("Log.Attack"), target.modifiers),
    modifierList(words("Log.Defence"), target.defences),
  ];
  return el("li", { class: "act" }, head, facts(target), ...modifiers, outcomes(target));
}

/** @param {Target} target @param {number} place @param {() => void} does the table will refuse, and ask for a reason */
function refused({ label, why }, place, does) {
  const anyway = button(`act-${place}`, words("Act.Anyway"), does, {
    class: "quiet-button",
    "aria-label": words("Act.LabelAnyway", { label }),
  });
  const head = el("div", { class: "act-head" }, el("p", { class: "act-name" }, label), anyway);
  return el("li", { class: "act is-refused" }, head, el("p", { class: "why" }, why));
}

/** @param {Target} target */
function chance({ chance: [part, whole], exact }) {
  return el(
    "p",
    { class: "chance" },
    el("b", {}, exact ? percent([part, whole]) : words("Act.About", { chance: percent([part, whole]) })),
    el(
      "span",
      {},
      exact ? (whole < MOST_SHOWN ? `${part}/${whole}` : words("Act.Exact")) : words("Act.Sampled"),
    ),
  );
}

/** @param {Target} target */
function facts({ needed, cost }) {
  const parts = [
    needed === null ? "" : words("Act.Needs", { needed }),
    cost ? words("Act.Costs", { cost }) : words("Act.Free"),
  ];
  return el("p", { class: "quiet" }, parts.filter(Boolean).join(", "));
}

/** @param {Target} target */
function outcomes({ outcomes: ends }) {
  if (ends.length < 2) return null;
  const items = ends
    .slice(0, MOST_OUTCOMES)
    .map(({ outcome, chance: part }) => el("li", {}, `${outcome} `, el("b", {}, percent(part))));
  const rest = ends.length - MOST_OUTCOMES;
  if (rest > 0) items.push(el("li", { class: "quiet" }, words("Act.More", { count: rest })));
  return el("ul", { class: "outcomes", "aria-label": words("Act.Outcomes") }, ...items);
}
