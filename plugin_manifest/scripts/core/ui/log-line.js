/** An entry of the log as one line: an icon, a sentence with the names in their sides' colors, and a result. */

import { html, nothing } from "lit-html";
import { resultText, entryText } from "./log-entry.js";
import { icon } from "./icons.js";

/** @import {LogEntry, Scene} from "../../../types/contract.js" */

/** A sentence shorter than this is no sentence: its point belongs to a name or a number. */
const LEAST_SENTENCE = 14;
/** The first sides have colors of the design. */
const COLORED_SIDES = 2;

/** Icons by the kind of an entry. @type {Record<string, string>} */
const ICONS = {
  note: "note",
  "token.move": "foot",
  "token.place": "plus",
  "token.remove": "minus",
  "token.edit": "file",
  "scene.set": "layers",
  "map.edit": "layers",
  "door.set": "layers",
  undo: "undo",
  redo: "redo",
};

/**
 * Return an entry's sentence, and the rest of its text.
 * @param {LogEntry} entry
 * @returns {[string, string]}
 */
export function sentenceOf(entry) {
  const text = entryText(entry);
  if (entry.kind === "note") return [text, ""];
  const end = /[.!?;](?=\s)/g;
  for (let found = end.exec(text); found; found = end.exec(text)) {
    if (found.index < LEAST_SENTENCE) continue;
    const isSemicolon = found[0] === ";";
    return [text.slice(0, found.index + (isSemicolon ? 0 : 1)), text.slice(found.index + 1).trim()];
  }
  return [text, ""];
}

/** Return the name of an entry's icon. @param {LogEntry} entry */
export function iconOf({ kind, facts, secret }) {
  if (secret) return "lock";
  if (ICONS[kind]) return ICONS[kind];
  if (facts.target) return "sword";
  if (facts.rolls?.length) return "dice";
  return kind === "act" ? "flag" : "more";
}

/**
 * Return a function that marks the names of a scene's units in a sentence with the colors of their sides.
 * @param {Scene} scene
 * @returns {(text: string) => unknown[]}
 */
export function nameMarker({ tokens, sides }) {
  const sideOf = new Map(tokens.map(({ name, side }) => [name, sides.findIndex(({ id }) => id === side)]));
  const names = [...sideOf.keys()].filter(Boolean).sort((a, b) => b.length - a.length);
  if (!names.length) return (text) => [text];
  const escaped = names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(${escaped.join("|")})(?![\\p{L}\\p{N}])`, "gu");
  return (text) =>
    text.split(pattern).map((part) => {
      const side = sideOf.get(part);
      if (side === undefined) return part;
      return html`<b class="name ${side >= 0 && side < COLORED_SIDES ? `name-${side}` : ""}">${part}</b>`;
    });
}

/**
 * Build the content of a line.
 * @param {LogEntry} entry
 * @param {(text: string) => unknown[]} markNames
 * @param {number} [count] the entries that the line stands for
 */
export function lineContent(entry, markNames, count = 1) {
  const result = resultText(entry);
  const { hit_points: points } = entry.facts;
  const isHarm = Boolean(entry.facts.damage) || (points && points[0] > points[1]);
  const chip = count > 1 ? `${count}` : result;
  return html`${icon(iconOf(entry))}<span class="log-text">${markNames(sentenceOf(entry)[0])}</span>${
      chip ? html`<b class="log-chip ${isHarm && count === 1 ? "is-harm" : ""}">${chip}</b>` : nothing
    }`;
}
