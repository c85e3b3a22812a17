/** A short note over the token that something happened to; it fades by itself. */

import { el } from "../core/dom.js";
import { middle } from "../core/geometry.js";
import { noteText } from "../core/log.js";
import { toView } from "./camera.js";

/** @import {LogEntry} from "../../types/contract.js" */
/** @import {Store} from "../core/store.js" */

const SHOWN_MS = 3500;

/**
 * @param {HTMLElement} host
 * @param {Store} store
 * @returns {(entries: LogEntry[]) => void} to be told of new entries
 */
export function boardNotes(host, store) {
  return (entries) => {
    const latest = entries.findLast((entry) => noteText(entry));
    if (latest) show(host, store, latest);
  };
}

/** @param {HTMLElement} host @param {Store} store @param {LogEntry} entry */
function show(host, store, entry) {
  const { replica, camera } = store.state;
  const token = replica?.scene.tokens.find((other) => other.id === (entry.facts.target || entry.facts.token));
  if (!replica || !token?.at) return;
  const [x, y] = toView(camera, middle(replica.scene.grid, token, token.at));
  const note = el("p", { class: "board-note", "aria-hidden": "true" }, noteText(entry));
  Object.assign(note.style, { left: `${x}px`, top: `${y}px` });
  host.append(note);
  setTimeout(() => note.remove(), SHOWN_MS);
}
