/** The reveal in Foundry: plays the newest act that has steps, or one chosen in the log, in a window and on the map. */

import { hasSteps } from "../../core/game/replay.js";
import { ReplayBar } from "../../core/ui/replay-bar.js";
import { SeatWindow } from "./window.js";

/** @import {LogEntry} from "../../../types/contract.js" */
/** @import {UiContext} from "../seat-ui.js" */

/**
 * Creates the window. It opens with an act and closes with the bar, or with the next change at the table.
 * @param {UiContext} context
 * @returns {SeatWindow}
 */
export function replayWindow(context) {
  const { store, session } = context;
  /** @type {ReplayBar | null} */
  let bar = null;
  const window = new SeatWindow("replay", "Replay.Title", () => {});
  const end = () => {
    bar = null;
    store.set({ replay: null });
    if (window.rendered) window.close();
  };
  window.onClose = () => bar?.close();
  const play = (/** @type {LogEntry} */ entry) => {
    bar?.pause(); // the new bar takes its place in the window
    const steps = entry.facts.steps ?? [];
    const onStep = (/** @type {number} */ index) => store.set({ replay: { steps, index } });
    bar = new ReplayBar(window.host, steps, { onStep, onClose: end });
    window.open();
    return bar;
  };
  store.subscribe((state, before) => {
    if (!state.replaying || state.replaying === before.replaying) return;
    play(state.replaying).element.focus();
    store.set({ replaying: null });
  });
  session.client.on("entries", (entries) => {
    if (context.isAside) return;
    const last = entries.findLast(hasSteps);
    // A page that hides motion shows the start, and plays at a press.
    if (last && !matchMedia("(prefers-reduced-motion)").matches) play(last).toggle();
    else if (last) play(last);
    else if (entries.some(({ undoes, events }) => undoes || events.length)) bar?.close();
  });
  return window;
}
