/** The table's house rules and how strictly it enforces them, as a form. */

import { el, refill } from "../core/dom.js";
import { check, choices, onSubmit } from "../core/controls.js";
import { isGm } from "../core/store.js";

/** @import {Enforcement, HouseRule, Replica, Setting} from "../../types/contract.js" */
/** @import {Deeds} from "../core/deeds.js" */
/** @import {Store} from "../core/store.js" */

/** @type {[Enforcement, string][]} */
const ENFORCEMENT = [
  ["advise", "Advise: it stands, the log says why not"],
  ["warn", "Warn: it stands, with a warning"],
  ["enforce", "Enforce: it is refused"],
];

/**
 * Keeps an element filled with the house rules.
 * @param {HTMLElement} host
 * @param {{store: Store, deeds: Deeds}} parts
 */
export function rulesPanel(host, { store, deeds }) {
  store.watch((state, before) => {
    const [now, old] = [state.replica?.scene, before.replica?.scene];
    const isSame =
      now?.house_rules === old?.house_rules &&
      now?.enforcement === old?.enforcement &&
      state.replica?.ruleset === before.replica?.ruleset;
    if (state.replica && isGm(state) && !isSame) refill(host, form(state.replica, deeds));
  });
}

/** @param {Replica} replica @param {Deeds} deeds */
function form({ scene, ruleset }, deeds) {
  const strictness = choices("enforcement", ENFORCEMENT, scene.enforcement);
  const rules = ruleset.house_rules.map((rule) => control(rule, scene.house_rules[rule.key] ?? rule.default));
  const chosen = () => Object.fromEntries(rules.map(({ key, read }) => [key, read()]));
  const save = onSubmit(() => deeds.setRules(chosen(), /** @type {Enforcement} */ (strictness.value)));
  return el(
    "form",
    { class: "form rules", onsubmit: save },
    el("h3", {}, ruleset.title),
    stacked(strictness, "What happens to an illegal move"),
    ...rules.map(({ row }) => row),
    el("button", { type: "submit", id: "rules-save", class: "primary" }, "Set the rules"),
  );
}

/** @param {HTMLElement} list @param {...(string | Node)} says a long sentence, with the list below it */
const stacked = (list, ...says) =>
  el("p", { class: "rule" }, el("label", { htmlFor: list.id }, ...says), list);

/**
 * A house rule's row and how to read what is chosen in it.
 * @param {HouseRule} rule
 * @param {Setting} value
 * @returns {{key: string, row: HTMLElement, read: () => Setting}}
 */
function control(rule, value) {
  return typeof rule.default === "boolean" ? yesOrNo(rule, value) : oneOf(rule, value);
}

/** @param {HouseRule} rule @param {Setting} value */
function yesOrNo({ key, sentence, rule }, value) {
  const box = el("input", { id: `rule-${key}`, type: "checkbox", checked: value === true });
  return { key, row: check(box, `${sentence} `, el("small", {}, rule)), read: () => box.checked };
}

/** @param {HouseRule} rule @param {Setting} value */
function oneOf({ key, sentence, rule, options }, value) {
  const items = options.map((option, i) => /** @type {[string, string]} */ ([String(i), String(option)]));
  const list = choices(`rule-${key}`, items, String(options.indexOf(value)));
  const row = stacked(list, `${sentence} `, el("small", {}, rule));
  return { key, row, read: () => options[Number(list.value)] };
}
