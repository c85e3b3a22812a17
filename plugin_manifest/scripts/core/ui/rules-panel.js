/** A form for the table's house rules and its enforcement level. */

import { isGm } from "../game/store.js";
import { checkbox, selectField, submitHandler } from "./controls.js";
import { el, keepChanges, replaceContent, whileOpen } from "./dom.js";
import { localize } from "./i18n.js";

/** @import {Enforcement, HouseRule, Replica, Setting} from "../../../types/contract.js" */
/** @import {GmCommands} from "../game/gm-commands.js" */
/** @import {Store} from "../game/store.js" */

/** @type {[Enforcement, string][]} */
const ENFORCEMENT = [
  ["advise", "Rules.Advise"],
  ["warn", "Rules.Warn"],
  ["enforce", "Rules.Enforce"],
];

/**
 * Keep an element filled with the house rules.
 * @param {HTMLElement} host
 * @param {{store: Store, commands: GmCommands, rulesTools?: RulesTools}} parts
 */
export function rulesPanel(host, { store, commands, rulesTools = () => [] }) {
  let keep = (/** @type {HTMLElement} */ _next) => {};
  whileOpen(host, store, (state, before) => {
    const [now, old] = [state.replica?.scene, before.replica?.scene];
    const isSame =
      now?.house_rules === old?.house_rules &&
      now?.enforcement === old?.enforcement &&
      state.replica?.ruleset === before.replica?.ruleset;
    if (!state.replica || !isGm(state) || isSame) return;
    const next = form(state.replica, commands, rulesTools);
    const keepNext = keepChanges(next);
    keep(next); // what this GM has changed and not saved, while another saved
    keep = keepNext;
    replaceContent(host, next);
  });
}

/** @typedef {(read: () => Record<string, Setting>) => HTMLElement[]} RulesTools builds what stands below the form */

/** @param {Replica} replica @param {GmCommands} commands @param {RulesTools} tools */
function form({ scene, ruleset }, commands, tools) {
  const levels = ENFORCEMENT.map(([key, text]) => /** @type {[string, string]} */ ([key, localize(text)]));
  const enforcement = selectField("enforcement", levels, scene.enforcement);
  const rules = ruleset.house_rules.map((rule) => control(rule, scene.house_rules[rule.key] ?? rule.default));
  const settings = () => Object.fromEntries(rules.map(({ key, read }) => [key, read()]));
  const save = submitHandler(() =>
    commands.setRules(settings(), /** @type {Enforcement} */ (enforcement.value)),
  );
  return el(
    "form",
    { class: "form rules", onsubmit: save },
    el("h3", {}, ruleset.title),
    row(enforcement, `${localize("Rules.Illegal")} `, el("small", {}, localize("Rules.Levels"))),
    ...rules.map(({ row }) => row),
    el("button", { type: "submit", id: "rules-save", class: "primary" }, localize("Rules.Save")),
    ...tools(settings),
  );
}

/** Build a row with a long label above its list. @param {HTMLElement} list @param {...(string | Node)} label */
const row = (list, ...label) => el("p", { class: "rule" }, el("label", { htmlFor: list.id }, ...label), list);

/**
 * Build a house rule's row, and a function that reads the chosen setting.
 * @param {HouseRule} rule
 * @param {Setting} value
 * @returns {{key: string, row: HTMLElement, read: () => Setting}}
 */
function control({ key, sentence, rule, options, default: initial }, value) {
  const id = `rule-${key}`;
  const label = /** @type {const} */ ([`${sentence} `, el("small", {}, rule)]);
  if (typeof initial === "boolean") {
    const box = el("input", { id, type: "checkbox", checked: value === true });
    return { key, row: checkbox(box, ...label), read: () => box.checked };
  }
  const items = options.map((option, i) => /** @type {[string, string]} */ ([String(i), String(option)]));
  const list = selectField(id, items, String(options.indexOf(value)));
  return { key, row: row(list, ...label), read: () => options[Number(list.value)] };
}
