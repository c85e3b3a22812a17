/** The table's house rules and how strictly it enforces them, as a form. */

import { el, refill } from "../core/dom.js";
import { isGm } from "./store.js";

/** @import {Enforcement, HouseRule, Replica, Setting} from "../../types/contract.js" */
/** @import {Deeds} from "./deeds.js" */
/** @import {Store} from "./store.js" */

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
    const isSame = now?.house_rules === old?.house_rules && now?.enforcement === old?.enforcement && state.replica?.ruleset === before.replica?.ruleset;
    if (state.replica && isGm(state) && !isSame) refill(host, form(state.replica, deeds));
  });
}

/** @param {Replica} replica @param {Deeds} deeds */
function form({ scene, ruleset }, deeds) {
  const strictness = el("select", { id: "enforcement" }, ...ENFORCEMENT.map(([word, says]) => el("option", { value: word, selected: word === scene.enforcement }, says)));
  const rules = ruleset.house_rules.map((rule) => control(rule, scene.house_rules[rule.key] ?? rule.default));
  const save = (/** @type {Event} */ event) => {
    event.preventDefault();
    deeds.setRules(Object.fromEntries(rules.map(({ key, read }) => [key, read()])), /** @type {Enforcement} */ (strictness.value));
  };
  return el("form", { class: "form rules", onsubmit: save }, el("h3", {}, ruleset.title), el("p", { class: "rule" }, el("label", { htmlFor: "enforcement" }, "What happens to an illegal move"), strictness), ...rules.map(({ row }) => row), el("button", { type: "submit", id: "rules-save", class: "primary" }, "Set the rules"));
}

/**
 * @param {HouseRule} rule
 * @param {Setting} value
 * @returns {{key: string, row: HTMLElement, read: () => Setting}}
 */
function control(rule, value) {
  return typeof rule.default === "boolean" ? checkbox(rule, value) : select(rule, value);
}

/** @param {HouseRule} rule @param {Setting} value */
function checkbox({ key, sentence, rule }, value) {
  const box = el("input", { id: `rule-${key}`, type: "checkbox", checked: value === true });
  return { key, row: el("p", { class: "check" }, box, el("label", { htmlFor: box.id }, sentence, " ", el("small", {}, rule))), read: () => box.checked };
}

/** @param {HouseRule} rule @param {Setting} value */
function select({ key, sentence, rule, options }, value) {
  const list = el("select", { id: `rule-${key}` }, ...options.map((option, i) => el("option", { value: String(i), selected: option === value }, String(option))));
  return { key, row: el("p", { class: "rule" }, el("label", { htmlFor: list.id }, sentence, " ", el("small", {}, rule)), list), read: () => options[Number(list.value)] };
}
