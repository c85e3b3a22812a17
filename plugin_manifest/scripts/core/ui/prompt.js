/** A choice that the table waits for, as a dialog to be answered by mouse, Enter or number keys. */

import { diceField, setFaceHint } from "../dice/notation.js";
import { el } from "./dom.js";
import { details } from "./log-entry.js";
import { css, sideStyle } from "../draw/palette.js";
import { localize } from "./i18n.js";

/** @import {Choice} from "../../../types/contract.js" */
/** @typedef {{name: string, place: number}} Asked the side that is asked, and its place among the sides */
/** @typedef {(answer: string, dice: string) => void} OnAnswer `dice`: what is typed in as faces of real dice */

/**
 * The dialog for a choice, not yet shown. Its default has the focus; keys 1 to 9 answer too. It does not lock
 * the board: what is asked can be looked at there.
 * @param {Choice} choice
 * @param {Asked} who
 * @param {string[] | null} faces the words on the ruleset's dice; null where this seat types in none
 * @param {OnAnswer | null} onAnswer null where this seat may only watch
 * @returns {HTMLDialogElement}
 */
export function promptDialog(choice, who, faces, onAnswer) {
  const labels = { "aria-labelledby": "prompt-title", "aria-describedby": "prompt-question" };
  return el("dialog", { class: "prompt", ...labels }, ...promptContent(choice, who, faces, onAnswer));
}

/**
 * What such a dialog holds.
 * @param {Choice} choice
 * @param {Asked} who
 * @param {string[] | null} faces
 * @param {OnAnswer | null} onAnswer
 * @returns {HTMLElement[]}
 */
export function promptContent(choice, who, faces, onAnswer) {
  const look = sideStyle(who.place);
  const side = el("small", {}, ` (${look.shape})`);
  const title = el("h2", { id: "prompt-title" }, localize("Prompt.ToDecide", { name: who.name }), side);
  title.style.borderColor = css(look.color);
  const question = el("p", { id: "prompt-question" }, choice.question);
  const answers = onAnswer
    ? answering(choice, faces, onAnswer)
    : [el("p", { class: "quiet" }, localize("Prompt.Waiting"))];
  return [title, ...details(choice.facts ?? {}), question, ...answers];
}

/** @param {Choice} choice @param {string[] | null} faces @param {OnAnswer} onAnswer */
function answering(choice, faces, onAnswer) {
  const { options, default: usual } = choice;
  const dice = diceField("prompt-dice", localize("Prompt.IfMore"));
  setFaceHint(dice, faces ?? []);
  const answer = (/** @type {string} */ key) => onAnswer(key, dice.value);
  const buttons = options.map(({ key, label }, i) =>
    answerButton(label, i, key === usual, () => answer(key)),
  );
  const all = el("div", { class: "answers" }, ...buttons);
  all.addEventListener("keydown", ({ key }) => buttons[Number(key) - 1]?.click());
  const more = el("p", { class: "field" }, el("label", { htmlFor: dice.id }, localize("Dice.Faces")), dice);
  if (faces) return [all, more];
  return hasTypedDice(choice) ? [all, el("p", { class: "quiet" }, localize("Prompt.TypedByGm"))] : [all];
}

/** @param {Choice} choice whether the dice of its act are real ones */
const hasTypedDice = ({ facts }) => facts?.rolls?.some(({ typed }) => typed) ?? false;

/**
 * @param {string} label
 * @param {number} place
 * @param {boolean} isUsual
 * @param {() => void} onclick
 */
function answerButton(label, place, isUsual, onclick) {
  const more = { autofocus: isUsual, class: isUsual ? "primary" : "", onclick };
  const hint = isUsual ? el("small", {}, ` (${localize("Prompt.Usual")})`) : null;
  return el("button", { type: "button", ...more }, el("kbd", {}, String(place + 1)), ` ${label}`, hint);
}
