/** A choice that the table waits for, as a dialog to be answered by mouse, Enter or number keys. */

import { el } from "./dom.js";

/** @import {Choice} from "../../types/contract.js" */

/**
 * The dialog for a choice, not yet shown. Its default stands first under the finger; keys 1 to 9 answer too.
 * It does not lock the board: what is asked can be looked at there.
 * @param {Choice} choice
 * @param {string} who the name of the side that is asked
 * @param {((answer: string) => void) | null} onAnswer null where this seat may only watch
 * @returns {HTMLDialogElement}
 */
export function prompt(choice, who, onAnswer) {
  const title = el("h2", { id: "prompt-title" }, `${who} to decide`);
  const question = el("p", { id: "prompt-question" }, choice.question);
  const answers = onAnswer ? choice.options.map((option, i) => answerButton(option, i, choice.default, onAnswer)) : [el("p", { class: "quiet" }, "Waiting for the answer.")];
  const dialog = el("dialog", { class: "prompt", "aria-labelledby": "prompt-title", "aria-describedby": "prompt-question" }, title, question, el("div", { class: "answers" }, ...answers));
  dialog.addEventListener("keydown", (event) => {
    const option = choice.options[Number(event.key) - 1];
    if (option && onAnswer) onAnswer(option.key);
  });
  return dialog;
}

/**
 * @param {{key: string, label: string}} option
 * @param {number} place
 * @param {string} usual
 * @param {(answer: string) => void} onAnswer
 */
function answerButton({ key, label }, place, usual, onAnswer) {
  const isUsual = key === usual;
  const hint = el("kbd", {}, String(place + 1));
  return el("button", { type: "button", autofocus: isUsual, class: isUsual ? "primary" : "", onclick: () => onAnswer(key) }, hint, ` ${label}`, isUsual ? el("small", {}, " (usual)") : null);
}
