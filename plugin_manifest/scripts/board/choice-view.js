/** Shows the prompt while the table waits for a choice, and takes it away when it is answered. */

import { prompt } from "../core/prompts.js";
import { typesDice } from "../core/store.js";

/** @import {Choice} from "../../types/contract.js" */
/** @import {PageState} from "../../types/page.js" */
/** @import {Deeds} from "../core/deeds.js" */
/** @import {Store} from "../core/store.js" */

/** @param {HTMLElement} host @param {HTMLElement} board @param {{store: Store, deeds: Deeds}} parts */
export function choiceView(host, board, { store, deeds }) {
  store.watch((state, before) => {
    const choice = state.replica?.choice ?? null;
    if (choice?.id === before.replica?.choice?.id) return;
    const wasFocused = host.contains(document.activeElement);
    host.replaceChildren();
    if (choice) ask(host, choice, state, deeds);
    else if (wasFocused) board.focus();
  });
}

/** @param {HTMLElement} host @param {Choice} choice @param {PageState} state @param {Deeds} deeds */
function ask(host, choice, state, deeds) {
  const sides = state.replica?.scene.sides ?? [];
  const place = sides.findIndex((side) => side.id === choice.side);
  const who = { name: sides[place]?.name ?? choice.side, place };
  const answer = (/** @type {string} */ key, /** @type {string} */ dice) =>
    deeds.answer(choice.id, key, dice);
  const dialog = prompt(
    choice,
    who,
    typesDice(state) ? (state.replica?.ruleset.faces ?? []) : null,
    state.replica?.role === "spectator" ? null : answer,
  );
  host.append(dialog);
  dialog.show();
}
