/** Converts the table's entries, rolls and conditions into Foundry's chat HTML, rolls and status effects. */

import { formatModifier } from "../../core/dice/notation.js";

/** @import {LogEntry, Modifier, Roll as TableRoll} from "../../../types/contract.js" */

/** @type {Record<string, string>} */
const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const WORD_JOINER = "\u2060";
/** @type {Record<string, string>} */
const LOOKALIKES = { "<": "‹", ">": "›", "&": "＆" };

/** Foundry's names for rulesets' conditions. @type {Record<string, string[]>} */
const STATUS_ALIASES = {
  downed: ["prone", "unconscious"],
  stunned: ["stunned", "stun"],
  burning: ["burning"],
  bleeding: ["bleeding"],
  poisoned: ["poisoned", "poison"],
  slowed: ["slowed", "slow"],
  panic: ["frightened", "fear"],
  unseen: ["invisible"],
  entangled: ["restrain", "restrained"],
};
const STATUS_ICON = "icons/svg/aura.svg";

/**
 * Returns a text for HTML that Foundry and its systems leave as it is: they make rolls of `[[...]]`, links of
 * `@UUID[...]` and of addresses. An invisible word joiner keeps them from it.
 * @param {string} text
 */
export const escapeHtml = (text) => plainText(text).replace(/[&<>"']/g, (sign) => ENTITIES[sign]);

/** @param {string} text */
const plainText = (text) => text.replace(/(?<=[\w[/])\[|(?<=:)\/(?=\/)/g, (sign) => WORD_JOINER + sign);

/** @param {string} text for Foundry's notifications, which only some versions read as HTML */
export const stripMarkup = (text) => text.replace(/[<>&]/g, (sign) => LOOKALIKES[sign]);

/** @param {LogEntry} entry @returns {string} the HTML of its chat card */
export function chatCard({ seq, text, facts }) {
  const items = [...modifierItems(facts.modifiers), ...modifierItems(facts.defenses)].join("");
  const list = items ? `<ul>${items}</ul>` : "";
  return `<div class="enfilade enfilade-card" data-seq="${Number(seq)}"><p>${escapeHtml(text)}</p>${list}</div>`;
}

/** @param {Modifier[] | undefined} modifiers @returns {string[]} */
const modifierItems = (modifiers) =>
  (modifiers ?? [])
    .filter(({ counts }) => counts)
    .map(({ value, reason }) => `<li><b>${formatModifier(Number(value))}</b> ${escapeHtml(reason)}</li>`);

/**
 * Converts a roll into the data of an evaluated Foundry roll; null if its faces are not numbers.
 * @param {TableRoll} roll
 * @returns {object | null}
 */
export function rollData({ die, faces }) {
  const sides = Number(/\d+/.exec(die)?.[0] ?? 0);
  if (!sides || !faces.length || !faces.every((face) => Number.isInteger(face))) return null;
  const results = faces.map((face) => ({ result: Number(face), active: true }));
  const total = results.reduce((sum, { result }) => sum + result, 0);
  const term = { class: "Die", number: faces.length, faces: sides, modifiers: [], results, evaluated: true };
  return { class: "Roll", formula: `${faces.length}d${sides}`, total, evaluated: true, terms: [term] };
}

/**
 * Finds the status effect of a condition.
 * @param {string} condition
 * @param {Foundry.StatusEffect[]} effects
 * @returns {string | null} its ID
 */
export function findStatus(condition, effects) {
  const ids = new Set(effects.map(({ id }) => id));
  const names = [condition, ...(STATUS_ALIASES[condition] ?? []), moduleStatusId(condition)];
  return names.find((id) => ids.has(id)) ?? null;
}

/** @param {string} condition @returns {Foundry.StatusEffect} */
export const createStatus = (condition) => ({
  id: moduleStatusId(condition),
  name: condition,
  img: STATUS_ICON,
});

/** @param {string} condition */
const moduleStatusId = (condition) => `enfilade-${condition.replace(/\W+/g, "-")}`;
