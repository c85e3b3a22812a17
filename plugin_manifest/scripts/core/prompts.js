/** A choice that the table waits for, as a dialog to be answered by mouse, Enter or number keys. */

import { el } from "./dom.js";
import { details } from "./log.js";

/** @import {Choice} from "../../types/contract.js" */
/** @typedef {(answer: string, dice: string) => void} OnAnswer `dice`: what is typed in as faces of real dice */

/**
 * The dialog for a choice, not yet shown. Its default has the focus; keys 1 to 9 answer too. It does not lock
 * the board: what is asked can be looked at there.
 * @param {Choice} choice
 * @param {string} who the name of the side that is asked
 * @param {OnAnswer | null} onAnswer null where this seat may only watch
 * @returns {HTMLDialogElement}
 */
export function prompt(choice, who, onAnswer) {
  const title = el("h2", { id: "prompt-title" }, `${who} to decide`);
  const question = el("p", { id: "prompt-question" }, choice.question);
  const labels = { "aria-labelledby": title.id, "aria-describedby": question.id };
  const answers = onAnswer
    ? answering(choice, onAnswer)
    : [el("p", { class: "quiet" }, "Waiting for the answer.")];
  return el(
    "dialog",
    { class: "prompt", ...labels },
    title,
    ...details(choice.facts ?? {}),
    question,
    ...answers,
  );
}

/** @param {Choice} choice @param {OnAnswer} onAnswer */
function answering({ options, default: usual }, onAnswer) {
  const dice = diceField();
  const answer = (/** @type {string} */ key) => onAnswer(key, dice.value);
  const buttons = options.map(({ key, label }, i) =>
    answerButton(label, i, key === usual, () => answer(key)),
  );
  const all = el("div", { class: "answers" }, ...buttons);
  all.addEventListener("keydown", ({ key }) => buttons[Number(key) - 1]?.click());
  const more = el("p", { class: "field" }, el("label", { htmlFor: dice.id }, "Faces of real dice"), dice);
  return [all, more];
}

const diceField = () =>
  el("input", {
    id: "prompt-dice",
    type: "text",
    inputMode: "numeric",
    autocomplete: "off",
    placeholder: "if more are rolled",
  });

/**
 * @param {string} label
 * @param {number} place
 * @param {boolean} isUsual
 * @param {() => void} onclick
 */
function answerButton(label, place, isUsual, onclick) {
  const more = { autofocus: isUsual, class: isUsual ? "primary" : "", onclick };
  const hint = isUsual ? el("small", {}, " (usual)") : null;
  return el("button", { type: "button", ...more }, el("kbd", {}, String(place + 1)), ` ${label}`, hint);
}
