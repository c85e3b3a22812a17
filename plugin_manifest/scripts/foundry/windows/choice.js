/** The window with the choice that the table waits for: it opens with the question and closes with the answer. */

import { replaceContent } from "../../core/ui/dom.js";
import { promptContent } from "../../core/ui/prompt.js";
import { canEnterDice } from "../../core/game/store.js";
import { Window } from "./window.js";

/** @import {Choice} from "../../../types/contract.js" */
/** @import {Parts} from "../face.js" */

/** @param {Parts} parts */
export function choiceWindow({ store, commands }) {
  const window = new Window("choice", "Choice.Title", () => {});
  store.subscribe((state, before) => {
    const choice = state.replica?.choice ?? null;
    if (choice?.id === before.replica?.choice?.id) return;
    if (choice) ask(choice);
    else window.close();
  });

  /** @param {Choice} choice */
  function ask(choice) {
    const { replica } = store.state;
    const sides = replica?.scene.sides ?? [];
    const place = sides.findIndex(({ id }) => id === choice.side);
    const who = { name: sides[place]?.name ?? choice.side, index: place };
    const answer = (/** @type {string} */ key, /** @type {string} */ dice) =>
      commands.answer(choice.id, key, dice);
    const faces = canEnterDice(store.state) ? (replica?.ruleset.faces ?? []) : null;
    const isWatching = replica?.role === "spectator";
    replaceContent(window.host, ...promptContent(choice, who, faces, isWatching ? null : answer));
    window.open();
  }
  return window;
}
