/** The controls of a choice that splits a pool, such as dice over opponents, with the exact chance of each part. */

import { formatChance } from "../dice/notation.js";
import { el } from "./dom.js";
import { localize } from "./i18n.js";

/** @import {Allocation, Choice} from "../../../types/contract.js" */

/**
 * Build a row for each option with its number and its chance, the number left, and the button that answers.
 * @param {Choice & {allocation: Allocation}} choice
 * @param {(split: Record<string, number>) => void} onAnswer
 * @returns {HTMLElement}
 */
export function splitForm(choice, onAnswer) {
  const { options, allocation } = choice;
  const numbers = initialSplit(choice);
  const inputs = options.map(({ key, label }, i) => {
    const [min, max] = allocation.limits[i];
    const properties = {
      id: `split-${i}`,
      type: "number",
      step: 1,
      min,
      max: Math.min(max, allocation.pool),
    };
    return el("input", { ...properties, value: numbers[i], "data-key": key, "aria-label": label });
  });
  const chances = options.map(() => el("output", { class: "split-chance" }));
  const left = el("p", { class: "quiet", role: "status" });
  const send = el(
    "button",
    { id: "split-send", class: "primary", autofocus: true },
    localize("Prompt.SplitSend"),
  );
  const show = () => {
    const split = inputs.map(({ valueAsNumber }) => valueAsNumber);
    for (const [i, output] of chances.entries()) output.value = chanceText(allocation, i, split[i]);
    left.textContent = leftText(allocation, split);
    send.disabled = !isLegal(allocation, split);
  };
  const answer = (/** @type {Event} */ event) => {
    event.preventDefault();
    onAnswer(Object.fromEntries(options.map(({ key }, i) => [key, inputs[i].valueAsNumber])));
  };
  const rows = options.map(({ label }, i) =>
    el("p", { class: "split-row" }, el("label", { htmlFor: inputs[i].id }, label), inputs[i], chances[i]),
  );
  show();
  return el("form", { class: "split", oninput: show, onsubmit: answer }, ...rows, left, send);
}

/** Return the numbers to begin with: the answer given so far, else the best split. @param {Choice & {allocation: Allocation}} choice */
function initialSplit({ options, allocation, given }) {
  if (!given) return allocation.default;
  const split = JSON.parse(given);
  return options.map(({ key }) => split[key] ?? 0);
}

/** @param {Allocation} allocation @param {number} option @param {number} number */
function chanceText({ chances }, option, number) {
  const chance = chances[option]?.[number];
  return chance ? formatChance(chance) : "";
}

/** Say how many are left, and how likely all parts succeed. @param {Allocation} allocation @param {number[]} split */
function leftText({ pool, least, chances }, split) {
  const left = pool - sum(split);
  if (left < 0) return localize("Prompt.SplitTooMany", { count: -left });
  if (sum(split) < least) return localize("Prompt.SplitTooFew", { least });
  const parts = split.map((number, i) => chances[i]?.[number]).filter(Boolean);
  const text = localize("Prompt.SplitLeft", { count: left });
  if (parts.length !== split.length || parts.length < 2) return text;
  const all = parts.reduce(([a, b], [c, d]) => [a * c, b * d], [1, 1]);
  return `${text} ${localize("Prompt.SplitAll", { chance: formatChance(/** @type {[number, number]} */ (all)) })}`;
}

/** @param {Allocation} allocation @param {number[]} split */
const isLegal = ({ pool, least, limits }, split) =>
  sum(split) >= least &&
  sum(split) <= pool &&
  split.every((number, i) => Number.isInteger(number) && number >= limits[i][0] && number <= limits[i][1]);

/** @param {number[]} numbers */
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
