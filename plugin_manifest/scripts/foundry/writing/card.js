/** An entry as Foundry's chat shows it: HTML that is escaped, and the dice as Foundry keeps rolls. */

import { formatModifier } from "../../core/dice/notation.js";

/** @import {LogEntry, Modifier, Roll as Rolled} from "../../../types/contract.js" */

/** @type {Record<string, string>} */
const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** @param {string} text for where HTML is read */
export const escaped = (text) => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign]);

/** @type {Record<string, string>} */
const HARMLESS = { "<": "‹", ">": "›", "&": "＆" };

/** @param {string} text for where some versions of Foundry read HTML and others escape it */
export const harmless = (text) => text.replace(/[<>&]/g, (sign) => HARMLESS[sign]);

/** @param {LogEntry} entry @returns {string} HTML */
export function card({ seq, text, facts }) {
  const parts = [...listed(facts.modifiers), ...listed(facts.defences)].join("");
  const list = parts ? `<ul>${parts}</ul>` : "";
  return `<div class="enfilade enfilade-card" data-seq="${Number(seq)}"><p>${escaped(text)}</p>${list}</div>`;
}

/** @param {Modifier[] | undefined} modifiers @returns {string[]} */
const listed = (modifiers) =>
  (modifiers ?? [])
    .filter(({ counts }) => counts)
    .map(({ value, reason }) => `<li><b>${formatModifier(Number(value))}</b> ${escaped(reason)}</li>`);

/**
 * A roll as Foundry keeps one that has been rolled; null where its faces are no numbers.
 * @param {Rolled} roll
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
