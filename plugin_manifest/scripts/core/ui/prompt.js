/** A dialog for a choice that the table waits for, answered by mouse, Enter or number keys. */

import { diceField, setFaceHint } from "../dice/notation.js";
import { css, sideStyle } from "../draw/palette.js";
import { isGm } from "../game/store.js";
import { button, confirmDialog, field, firstClick } from "./controls.js";
import { el } from "./dom.js";
import { localize } from "./i18n.js";
import { isJoint, jointForm } from "./joint-form.js";
import { factDetails } from "./log-entry.js";
import { planner } from "./planner.js";
import { splitForm } from "./split-form.js";

/** @import {Choice} from "../../../types/contract.js" */
/** @import {TableState} from "../../../types/page.js" */
/** @import {GmCommands} from "../game/gm-commands.js" */
/** @import {PlannerActions} from "./planner.js" */

/** @typedef {string | Record<string, number>} ChoiceAnswer an option's key, or a number for each key */
/** @typedef {{name: string, index: number}} AskedSide the deciding side, and its index among the sides */
/**
 * The acts of a seat on a choice: answer one by its ID (`dice`: the typed faces of physical dice), and, as the
 * GM, take the defaults for all that wait.
 * @typedef {{answer: (choice: string, answer: ChoiceAnswer, dice: string) => void, close: ((choice: string) => void) | null, isOthers?: (token: string) => boolean, settleRest?: () => void} & PlannerActions} PromptActions
 */

/**
 * Return what this seat may do about a choice.
 * @param {TableState} state
 * @param {GmCommands} commands
 * @returns {PromptActions | null} null if this seat only watches
 */
export function promptActions(state, commands) {
  if (state.replica?.role === "spectator") return null;
  return {
    answer: (choice, answer, dice) => commands.answer(choice, answer, dice),
    close: isGm(state) ? (choice) => commands.closeChoices(choice) : null,
    commit: (plan) => commands.answerAll(plan),
    receiptOf: (choice) => commands.session.receipts.get(choice),
    matchups: (plan) => commands.session.requestMatchups(plan),
    rankOf: (id) => rankOf(state, id),
    isOthers: (id) => isGm(state) && Boolean(tokenOf(state, id)?.owners.length),
    nameOf: (id) => tokenOf(state, id)?.name ?? id,
  };
}

/** @param {TableState} state @param {string} id */
const tokenOf = ({ replica }, id) => replica?.scene.tokens.find((token) => token.id === id);

/** Return the place of a token among all, side by side. @param {TableState} state @param {string} id */
function rankOf({ replica }, id) {
  const { tokens = [], sides = [] } = replica?.scene ?? {};
  const at = tokens.findIndex((token) => token.id === id);
  return sides.findIndex((side) => side.id === tokens[at]?.side) * tokens.length + at;
}

/** Return a text that changes with a choice, with the answers so far, and with those at the same time. @param {Choice | null} choice */
export const choiceVersion = (choice) =>
  choice ? [choice, ...(choice.others ?? [])].map(({ id, given }) => `${id}:${given ?? ""}`).join(" ") : "";

/**
 * Build the dialog for a choice, still closed. Its default answer has the focus; keys 1 to 9 answer too. It is not
 * modal, so the board stays usable.
 * @param {Choice} choice
 * @param {AskedSide} side
 * @param {string[] | null} faces the named faces of the ruleset's dice; null if this seat may not enter dice
 * @param {PromptActions | null} actions null if this seat only watches
 * @returns {HTMLDialogElement}
 */
export function promptDialog(choice, side, faces, actions) {
  const labels = { "aria-labelledby": "prompt-title", "aria-describedby": "prompt-question" };
  return el("dialog", { class: "prompt", ...labels }, ...promptContent(choice, side, faces, actions));
}

/**
 * Build the content of such a dialog. Of several choices at the same time it shows one, and a button for each.
 * @param {Choice} choice
 * @param {AskedSide} side
 * @param {string[] | null} faces
 * @param {PromptActions | null} actions
 * @returns {HTMLElement[]}
 */
export function promptContent(choice, side, faces, actions) {
  const style = sideStyle(side.index);
  const body = el("div", { class: "prompt-choice" });
  if (choice.is_sealed && actions) {
    const title = el("h2", { id: "prompt-title" }, localize("Planner.Title"));
    body.append(planner([choice, ...(choice.others ?? [])], actions), ...closeButton(choice, actions));
    return [title, body];
  }
  const all = [choice, ...(choice.others ?? [])];
  if (actions && isJoint(all)) {
    const title = el("h2", { id: "prompt-title" }, localize("Prompt.AllTitle", { count: all.length }));
    title.style.borderColor = css(style.color);
    const { commit, nameOf, isOthers = () => false, settleRest } = actions;
    body.append(
      el("p", { id: "prompt-question", class: "quiet" }, localize("Prompt.AllHint")),
      jointForm(all, { commit, nameOf, isOthers, settleRest }),
      ...closeButton(choice, actions),
    );
    return [title, body];
  }
  const shape = el("small", {}, ` (${localize(`Shape.${style.shape}`)})`);
  const title = el("h2", { id: "prompt-title" }, localize("Prompt.Title", { name: side.name }), shape);
  title.style.borderColor = css(style.color);
  const show = (/** @type {Choice} */ one) => {
    body.replaceChildren(...choiceContent(one, faces, actions), ...otherChoices(choice, one, show, actions));
  };
  show(choice);
  return [title, body];
}

/** @param {Choice} choice @param {string[] | null} faces @param {PromptActions | null} actions */
function choiceContent(choice, faces, actions) {
  const question = el("p", { id: "prompt-question" }, choice.question);
  const controls = actions
    ? answerControls(choice, faces, actions)
    : [el("p", { class: "quiet" }, localize("Prompt.Waiting"))];
  const kept = choice.given ? [el("p", { class: "quiet" }, localize("Prompt.Kept"))] : [];
  return [...aboutLine(choice, actions), ...factDetails(choice.facts ?? {}), question, ...controls, ...kept];
}

/** Name who acts on whom, and the unit that decides if that is another. @param {Choice} choice @param {PromptActions | null} actions */
function aboutLine({ token, facts, question }, actions) {
  if (!actions) return [];
  const { token: actor, target } = facts ?? {};
  const names = [actor, target]
    .filter((id) => id !== undefined && id !== "")
    .map((id) => actions.nameOf(String(id)));
  const text =
    names.length === 2 && actor !== target
      ? localize("Prompt.About", { name: names[0], target: names[1] })
      : "";
  const decider = token ? actions.nameOf(token) : "";
  const isNamed = !decider || question.includes(decider) || names.includes(decider);
  const parts = [text, isNamed ? "" : decider].filter(Boolean);
  return parts.length ? [el("p", { class: "prompt-about" }, parts.join(": "))] : [];
}

/**
 * Build the buttons that show the other choices at the same time, and the GM's that ends the wait.
 * @param {Choice} first
 * @param {Choice} shown
 * @param {(choice: Choice) => void} show
 * @param {PromptActions | null} actions
 */
function otherChoices(first, shown, show, actions) {
  const all = [first, ...(first.others ?? [])].sort((a, b) =>
    a.id.localeCompare(b.id, "en", { numeric: true }),
  );
  if (all.length === 1) return [];
  // The names of the units tell the questions apart, unless one unit is asked several.
  const isByName = new Set(all.map(({ token }) => token)).size === all.length && all[0].token;
  const nameOf = (/** @type {Choice} */ one) =>
    isByName && actions ? actions.nameOf(one.token) : one.question;
  const buttons = all.map((one) => {
    const answer = one.allocation
      ? one.given && " "
      : one.options.find(({ key }) => key === one.given)?.label;
    const asked = nameOf(one);
    const text = answer ? `${asked} ${answer} ✓` : asked;
    const properties = { type: "button", class: "other-choice", onclick: () => show(one) };
    return el(
      "button",
      { ...properties, title: one.question, "aria-pressed": String(one.id === shown.id) },
      text,
    );
  });
  return [
    ...closeButton(first, actions),
    el("div", { class: "other-choices", role: "group", "aria-label": localize("Prompt.All") }, ...buttons),
  ];
}

/** Build the GM's button that ends the wait for answers. @param {Choice} first @param {PromptActions | null} actions */
function closeButton(first, actions) {
  const close = actions?.close;
  if (!close) return [];
  // It ends the choosing of others: what is not answered takes its default.
  const ask = firstClick(() =>
    confirmDialog(localize("Prompt.CloseQuestion"), localize("Prompt.Close"), () => close(first.id)),
  );
  const properties = { type: "button", id: "close-choices", class: "quiet-button", onclick: ask };
  return [el("button", properties, localize("Prompt.Close"))];
}

/**
 * @param {Choice} choice
 * @param {string[] | null} faces
 * @param {PromptActions} actions
 */
function answerControls(choice, faces, actions) {
  const onAnswer = (/** @type {ChoiceAnswer} */ answer, /** @type {string} */ dice) =>
    actions.answer(choice.id, answer, dice);
  const dice = diceField("prompt-dice", localize("Prompt.IfMoreDice"));
  setFaceHint(dice, faces ?? []);
  const { allocation } = choice;
  const answers = allocation
    ? splitForm({ ...choice, allocation }, (split) => onAnswer(split, dice.value))
    : answerButtons(choice, (key) => onAnswer(key, dice.value));
  const isOnMap = choice.options.filter(({ tokens, at }) => tokens?.length || at).length > 1;
  const choose = async () => {
    const key = await actions.pick?.(choice);
    if (key) onAnswer(key, dice.value);
  };
  const onMap =
    isOnMap && !allocation && actions.pick
      ? [button("prompt-pick", localize("Pick.Map"), choose, { class: "quiet-button" })]
      : [];
  if (faces) return [answers, ...onMap, field(localize("Dice.Enter"), dice)];
  const isPhysical = choice.facts?.rolls?.some(({ typed }) => typed) ?? false;
  return isPhysical
    ? [answers, ...onMap, el("p", { class: "quiet" }, localize("Prompt.GmEntersDice"))]
    : [answers, ...onMap];
}

/**
 * @param {Choice} choice
 * @param {(key: string) => void} onAnswer
 */
function answerButtons({ options, default: preset, given }, onAnswer) {
  const best = given || preset;
  const buttons = options.map(({ key, label }, i) => {
    const isBest = key === best;
    const properties = { autofocus: isBest, class: isBest ? "primary" : "" };
    const hint = isBest ? el("small", {}, ` ${localize(given ? "Prompt.Yours" : "Prompt.Default")}`) : null;
    const digit = el("kbd", {}, String(i + 1));
    return el(
      "button",
      { type: "button", ...properties, onclick: firstClick(() => onAnswer(key)) },
      digit,
      el("span", { class: "answer" }, ` ${label}`, hint),
    );
  });
  const answers = el("div", { class: "answers" }, ...buttons);
  answers.addEventListener("keydown", (event) => {
    if (event.repeat) return event.preventDefault(); // a key held down must not answer the next question too
    buttons[Number(event.key) - 1]?.click();
  });
  return answers;
}
