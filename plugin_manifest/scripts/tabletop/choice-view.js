/** The question that the table waits for, with its answers, as a part of the panel. */

import { canEnterDice } from "../core/game/store.js";
import { replaceContent } from "../core/ui/dom.js";
import { choiceVersion, promptActions, promptContent } from "../core/ui/prompt.js";

/** @import {TabletopSeat} from "./seat.js" */

/**
 * Fills an element with the open question, and empties it with the answer.
 * @param {HTMLElement} host
 * @param {TabletopSeat} seat
 * @param {() => void} onQuestion called with each new question
 */
export function choiceView(host, { store, commands }, onQuestion) {
  store.subscribe((state, before) => {
    const choice = state.replica?.choice ?? null;
    if (choiceVersion(choice) === choiceVersion(before.replica?.choice ?? null)) return;
    host.hidden = !choice;
    if (!choice) return replaceContent(host);
    const sides = state.replica?.scene.sides ?? [];
    const index = sides.findIndex(({ id }) => id === choice.side);
    const side = { name: sides[index]?.name ?? choice.side, index };
    const faces = canEnterDice(state) ? (state.replica?.ruleset.faces ?? []) : null;
    replaceContent(host, ...promptContent(choice, side, faces, promptActions(state, commands)));
    return onQuestion();
  });
  host.hidden = true;
}
