/** The question that the table waits for, with its answers, as a part of the panel. */

import { canEnterDice } from "../core/game/store.js";
import { replaceContent } from "../core/ui/dom.js";
import { choiceVersion, promptActions, promptContent } from "../core/ui/prompt.js";

/** @import {Choice} from "../../types/contract.js" */
/** @import {TableState} from "../../types/page.js" */
/** @import {GmCommands} from "../core/game/gm-commands.js" */
/** @import {TabletopSeat} from "./seat.js" */

/**
 * Returns a question and the answers that this seat may give.
 * @param {TableState} state
 * @param {GmCommands} commands
 * @param {Choice} choice
 * @param {{pick?: (asked: Choice) => Promise<string | null>}} [more] `pick` lets the user choose an answer on the map
 */
export function choiceContent(state, commands, choice, more = {}) {
  const { scene, ruleset } = state.replica ?? {};
  const sides = scene?.sides ?? [];
  const index = sides.findIndex(({ id }) => id === choice.side);
  const side = { name: sides[index]?.name ?? choice.side, index };
  const faces = canEnterDice(state) ? (ruleset?.faces ?? []) : null;
  const actions = promptActions(state, commands);
  return promptContent(choice, side, faces, actions && { ...actions, ...more });
}

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
    const content = choiceContent(state, commands, choice);
    // A browser refuses the focus to a frame of another origin by itself, with an error in the console.
    const all = content.flatMap((part) =>
      part instanceof HTMLElement
        ? [part, .../** @type {HTMLElement[]} */ ([...part.querySelectorAll("*")])]
        : [],
    );
    for (const element of all) element.autofocus = false;
    replaceContent(host, ...content);
    return onQuestion();
  });
  host.hidden = true;
}
