/** The reveal on the board: plays the newest act that has steps, or one chosen in the log. */

import { hasSteps } from "../../core/game/replay.js";
import { ReplayBar } from "../../core/ui/replay-bar.js";

/** @import {LogEntry} from "../../../types/contract.js" */
/** @import {Session} from "../../core/game/session.js" */
/** @import {Store} from "../../core/game/store.js" */

/**
 * @param {HTMLElement} host
 * @param {HTMLElement} board gets the focus when the bar closes
 * @param {{store: Store, session: Session}} parts
 */
export function replayPanel(host, board, { store, session }) {
  /** @type {ReplayBar | null} */
  let bar = null;
  const play = (/** @type {LogEntry} */ entry) => {
    bar?.close();
    const steps = entry.facts.steps ?? [];
    bar = new ReplayBar(host, steps, {
      onStep: (index) => store.set({ replay: { steps, index, entry } }),
      onClose: () => {
        bar = null;
        if (host.contains(document.activeElement)) board.focus();
        store.set({ replay: null });
      },
    });
    return bar;
  };
  store.subscribe((state, before) => {
    if (!state.replaying || state.replaying === before.replaying) return;
    play(state.replaying).element.focus();
    store.set({ replaying: null });
  });
  session.client.on("entries", (entries) => {
    const last = entries.findLast(hasSteps);
    // A page that hides motion shows the start, and plays at a press.
    if (last && !matchMedia("(prefers-reduced-motion)").matches) play(last).toggle();
    else if (last) play(last);
    else if (entries.some(({ undoes, events }) => undoes || events.length)) bar?.close();
  });
}
