/** Shows the prompt while the table waits for a choice, and takes it away when it is answered. */

import { prompt } from "../core/prompts.js";
import { isGm } from "./store.js";

/** @import {Deeds} from "./deeds.js" */
/** @import {Store} from "./store.js" */

/** @param {HTMLElement} host @param {HTMLElement} board @param {{store: Store, deeds: Deeds}} parts */
export function choiceView(host, board, { store, deeds }) {
  store.watch((state, before) => {
    const choice = state.replica?.choice ?? null;
    if (choice?.id === before.replica?.choice?.id) return;
    const wasFocused = host.contains(document.activeElement);
    host.replaceChildren();
    if (choice) {
      const who = state.replica?.scene.sides.find((side) => side.id === choice.side)?.name ?? choice.side;
      const dialog = prompt(choice, who, isGm(state) ? (answer) => deeds.answer(choice.id, answer) : null);
      host.append(dialog);
      dialog.show();
    } else if (wasFocused) board.focus();
  });
}
