/** One form for the same question about several units at the same time, such as the order of a round. */

import { el } from "./dom.js";
import { localize } from "./i18n.js";

/** @import {Choice} from "../../../types/contract.js" */
/** @import {Plan} from "./planner.js" */

/**
 * @typedef {object} JointActions
 * @property {(plan: Plan) => void} commit answers the choices with these IDs
 * @property {(token: string) => string} nameOf
 * @property {(token: string) => boolean} isOthers whether another seat is to answer for a unit
 * @property {(() => void)} [settleRest] takes the defaults of what is asked after it, until the round has begun
 */

/** Fewer choices are asked one by one. */
const LEAST = 3;

/** Return whether choices at the same time fit into one form. @param {Choice[]} choices */
export const isJoint = (choices) =>
  choices.length >= LEAST &&
  new Set(choices.map(({ token }) => token)).size === choices.length &&
  choices.every(
    ({ token, is_sealed: isSealed, allocation, options }) =>
      token && !isSealed && !allocation && options.length,
  );

/**
 * Build the form: a row for each unit, with the default chosen.
 * @param {Choice[]} choices
 * @param {JointActions} actions
 */
export function jointForm(choices, { commit, nameOf, isOthers, settleRest }) {
  const inOrder = choices.toSorted((a, b) => nameOf(a.token).localeCompare(nameOf(b.token)));
  const rows = inOrder.map((choice) => {
    const options = choice.options.map(({ key, label }) =>
      el("option", { value: key, selected: key === (choice.given || choice.default) }, label),
    );
    const list = el("select", { id: `joint-${choice.token}` }, ...options);
    const isKept = isOthers(choice.token);
    list.onchange = () => (list.dataset.isChanged = "true");
    const note = isKept ? el("small", {}, ` (${localize("Prompt.TheirChoice")})`) : null;
    const row = el(
      "p",
      { class: "field" },
      el(
        "label",
        { htmlFor: list.id },
        el("b", {}, nameOf(choice.token)),
        note,
        el("small", { class: "joint-question" }, choice.question),
      ),
      list,
    );
    return { choice, list, row, isKept };
  });
  const rest = el("input", { id: "joint-rest", type: "checkbox", checked: true });
  const onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (settleRest && rest.checked) settleRest();
    // What another seat is to answer stays open for it, unless it was changed here.
    const answered = rows.filter(({ isKept, list }) => !isKept || list.dataset.isChanged);
    if (answered.length)
      commit(Object.fromEntries(answered.map(({ choice, list }) => [choice.id, list.value])));
  };
  return el(
    "form",
    { class: "joint", onsubmit },
    ...rows.map(({ row }) => row),
    settleRest
      ? el("p", { class: "check" }, rest, el("label", { htmlFor: rest.id }, localize("Prompt.SettleRest")))
      : null,
    el(
      "div",
      { class: "answers" },
      el(
        "button",
        { type: "submit", id: "joint-send", class: "primary", autofocus: true },
        localize("Prompt.TakeAll"),
      ),
    ),
  );
}
