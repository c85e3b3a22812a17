/** An entry of the log as one line: an icon, a sentence with the names in their sides' colors, and a result. */

import { html, nothing } from "../../../vendor/lit-html.min.js";
import { icon } from "./icons.js";
import { lossOf, resultText } from "./log-entry.js";
import { iconOf, sentenceOf } from "./log-sentence.js";

/** @import {LogEntry, Scene} from "../../../types/contract.js" */

/** The first sides have colors of the design. */
const COLORED_SIDES = 2;

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
  const isHarm = lossOf(entry.facts) > 0;
  const chip = count > 1 ? `${count}` : result;
  return html`${icon(iconOf(entry))}<span class="log-text">${markNames(sentenceOf(entry)[0])}</span>${
      chip ? html`<b class="log-chip ${isHarm && count === 1 ? "is-harm" : ""}">${chip}</b>` : nothing
    }`;
}
