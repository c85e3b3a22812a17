/** The sentence and the icon of a line of the log, from its entry. */

import { entryText } from "./log-entry.js";

/** @import {LogEntry} from "../../../types/contract.js" */

/** A sentence shorter than this is no sentence: its point belongs to a name or a number. */
const LEAST_SENTENCE = 14;
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
  draw: "pen",
  erase: "pen",
  "fog.set": "eye",
  "token.back": "back",
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
