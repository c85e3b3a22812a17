/** A dialog for a choice that the table waits for, answered by mouse, Enter or number keys. */

import { diceField, setFaceHint } from "../dice/notation.js";
import { css, sideStyle } from "../draw/palette.js";
import { field } from "./controls.js";
import { el } from "./dom.js";
import { localize } from "./i18n.js";
import { factDetails } from "./log-entry.js";

/** @import {Choice} from "../../../types/contract.js" */

/** @typedef {{name: string, index: number}} AskedSide the deciding side, and its index among the sides */
/** @typedef {(answer: string, dice: string) => void} OnAnswer `dice`: the typed faces of physical dice */

/**
 * Build the dialog for a choice, still closed. Its default answer has the focus; keys 1 to 9 answer too. It is not
 * modal, so the board stays usable.
 * @param {Choice} choice
 * @param {AskedSide} side
 * @param {string[] | null} faces the named faces of the ruleset's dice; null if this seat may not enter dice
 * @param {OnAnswer | null} onAnswer null if this seat only watches
 * @returns {HTMLDialogElement}
 */
export function promptDialog(choice, side, faces, onAnswer) {
  const labels = { "aria-labelledby": "prompt-title", "aria-describedby": "prompt-question" };
  return el("dialog", { class: "prompt", ...labels }, ...promptContent(choice, side, faces, onAnswer));
}

/**
 * Build the content of such a dialog.
 * @param {Choice} choice
 * @param {AskedSide} side
 * @param {string[] | null} faces
 * @param {OnAnswer | null} onAnswer
 * @returns {HTMLElement[]}
 */
export function promptContent(choice, side, faces, onAnswer) {
  const style = sideStyle(side.index);
  const shape = el("small", {}, ` (${localize(`Shape.${style.shape}`)})`);
  const title = el("h2", { id: "prompt-title" }, localize("Prompt.Title", { name: side.name }), shape);
  title.style.borderColor = css(style.color);
  const question = el("p", { id: "prompt-question" }, choice.question);
  const controls = onAnswer
    ? answerControls(choice, faces, onAnswer)
    : [el("p", { class: "quiet" }, localize("Prompt.Waiting"))];
  return [title, ...factDetails(choice.facts ?? {}), question, ...controls];
}

/** @param {Choice} choice @param {string[] | null} faces @param {OnAnswer} onAnswer */
function answerControls({ options, default: preset, facts }, faces, onAnswer) {
  const dice = diceField("prompt-dice", localize("Prompt.IfMoreDice"));
  setFaceHint(dice, faces ?? []);
  const buttons = options.map(({ key, label }, i) => {
    const isDefault = key === preset;
    const properties = { autofocus: isDefault, class: isDefault ? "primary" : "" };
    const hint = isDefault ? el("small", {}, ` (${localize("Prompt.Default")})`) : null;
    const onclick = () => onAnswer(key, dice.value);
    const digit = el("kbd", {}, String(i + 1));
    return el("button", { type: "button", ...properties, onclick }, digit, ` ${label}`, hint);
  });
  const answers = el("div", { class: "answers" }, ...buttons);
  answers.addEventListener("keydown", ({ key }) => buttons[Number(key) - 1]?.click());
  if (faces) return [answers, field(localize("Dice.Enter"), dice)];
  const isPhysical = facts?.rolls?.some(({ typed }) => typed) ?? false;
  return isPhysical ? [answers, el("p", { class: "quiet" }, localize("Prompt.GmEntersDice"))] : [answers];
}
