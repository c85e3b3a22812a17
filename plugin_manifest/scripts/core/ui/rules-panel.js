/** The table's house rules and how strictly it enforces them, as a form. */

import { el, replaceContent } from "./dom.js";
import { checkbox, selectField, submitHandler } from "./controls.js";
import { isGm } from "../game/store.js";
import { localize } from "./i18n.js";

/** @import {Enforcement, HouseRule, Replica, Setting} from "../../../types/contract.js" */
/** @import {GmCommands} from "../game/gm-commands.js" */
/** @import {Store} from "../game/store.js" */

/** How strict a table may be, and the words for it. @type {[Enforcement, string][]} */
const ENFORCEMENT = [
  ["advise", "Rules.Advise"],
  ["warn", "Rules.Warn"],
  ["enforce", "Rules.Enforce"],
];

/**
 * Keeps an element filled with the house rules.
 * @param {HTMLElement} host
 * @param {{store: Store, commands: GmCommands}} parts
 */
export function rulesPanel(host, { store, commands }) {
  store.subscribe((state, before) => {
    const [now, old] = [state.replica?.scene, before.replica?.scene];
    const isSame =
      now?.house_rules === old?.house_rules &&
      now?.enforcement === old?.enforcement &&
      state.replica?.ruleset === before.replica?.ruleset;
    if (state.replica && isGm(state) && !isSame) replaceContent(host, form(state.replica, commands));
  });
}

const strictnesses = () =>
  ENFORCEMENT.map(([key, says]) => /** @type {[string, string]} */ ([key, localize(says)]));

/** @param {Replica} replica @param {GmCommands} commands */
function form({ scene, ruleset }, commands) {
  const strictness = selectField("enforcement", strictnesses(), scene.enforcement);
  const rules = ruleset.house_rules.map((rule) => control(rule, scene.house_rules[rule.key] ?? rule.default));
  const chosen = () => Object.fromEntries(rules.map(({ key, read }) => [key, read()]));
  const save = submitHandler(() =>
    commands.setRules(chosen(), /** @type {Enforcement} */ (strictness.value)),
  );
  return el(
    "form",
    { class: "form rules", onsubmit: save },
    el("h3", {}, ruleset.title),
    stacked(strictness, localize("Rules.Illegal")),
    ...rules.map(({ row }) => row),
    el("button", { type: "submit", id: "rules-save", class: "primary" }, localize("Rules.Set")),
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
  return { key, row: checkbox(box, `${sentence} `, el("small", {}, rule)), read: () => box.checked };
}

/** @param {HouseRule} rule @param {Setting} value */
function oneOf({ key, sentence, rule, options }, value) {
  const items = options.map((option, i) => /** @type {[string, string]} */ ([String(i), String(option)]));
  const list = selectField(`rule-${key}`, items, String(options.indexOf(value)));
  const row = stacked(list, `${sentence} `, el("small", {}, rule));
  return { key, row, read: () => options[Number(list.value)] };
}
