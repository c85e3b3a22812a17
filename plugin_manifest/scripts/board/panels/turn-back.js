/** The button that takes the selected unit back to where its turn began, while nothing was rolled since. */

import { canPlay, hasChanged } from "../../core/game/store.js";
import { undoneEntries } from "../../core/table/replica.js";

/** @import {LogEntry} from "../../../types/contract.js" */
/** @import {TableState} from "../../../types/page.js" */
/** @import {Session} from "../../core/game/session.js" */
/** @import {Board} from "../page/page-state.js" */

/** The entries of the log that are looked at, as on the server. */
const MOST = 60;

/** @param {HTMLElement} button @param {{board: Board, session: Session}} parts */
export function turnBack(button, { board, session }) {
  button.onclick = () => {
    const { selected } = board.state;
    if (selected) session.send("token.back", { token: selected }, { onCurrent: true });
  };
  board.subscribe((state, before) => {
    if (!hasChanged(state, before, "replica", "selected", "past")) return;
    const token = state.replica?.scene.tokens.find(({ id }) => id === state.selected);
    button.hidden = !token || state.past !== null || !canPlay(state, token) || !hasMoved(state, token.id);
  });
}

/**
 * Return whether a unit has moved since anything was rolled and since it did anything else. The server decides: it knows
 * more.
 * @param {TableState} state
 * @param {string} token
 */
export function hasMoved({ replica }, token) {
  const log = replica?.log.slice(-MOST) ?? [];
  const undone = undoneEntries(log);
  for (const entry of log.reverse()) {
    if (undone.has(entry.seq) || entry.undoes) continue;
    if (entry.kind === "token.move" && isAbout(entry, token)) return true;
    if (entry.facts.rolls?.length || entry.kind === "scene.set" || isAbout(entry, token)) return false;
  }
  return false;
}

/** @param {LogEntry} entry @param {string} token */
const isAbout = ({ facts, events }, token) =>
  facts.token === token ||
  events.some(
    (event) =>
      (event.type === "token_moved" && event.token === token) ||
      (event.type === "token_placed" && event.token.id === token),
  );
