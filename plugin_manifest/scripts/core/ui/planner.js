/**
 * The planner: the sealed questions of one character as one form, and what the plan would do against each likely
 * answer of each opponent. Nothing leaves the seat before the plan is committed.
 */

import { el } from "./dom.js";
import { localize } from "./i18n.js";
import { icon } from "./icons.js";
import { oddsOf } from "./plan-odds.js";

/** @import {Choice, Matchups} from "../../../types/contract.js" */

/** @typedef {Record<string, string>} Plan the key of an answer for each choice's ID */
/**
 * The acts of a seat on sealed choices.
 * @typedef {object} PlannerActions
 * @property {(plan: Plan) => void} commit
 * @property {(plan: Plan) => Promise<Matchups | null>} matchups null if the table refuses
 * @property {(token: string) => string} nameOf
 * @property {(choice: Choice) => Promise<string | null>} [pick] lets the user choose an answer on the map
 * @property {(choice: string) => string | undefined} [receiptOf] the commitment to a sealed answer of this seat
 * @property {(token: string) => number} [rankOf] the place of a character among all, for their order
 * @property {(token: string) => void} [reveal] shows a character on the map
 * @property {(token: string) => Element | null} [portraitOf] a character's portrait
 * @property {(plan: Plan) => void} [onPlan] is told the answers of the open form, first and after each change
 */

/** Up to so many answers are buttons; more are a list. */
const MOST_BUTTONS = 8;
/** The icon of an answer, by the first word of its key. @type {Record<string, string>} */
const ICONS = {
  attack: "sword",
  defend: "shield",
  guard: "shield",
  focus: "star",
  flee: "foot",
  move: "foot",
  stay: "flag",
};

/** So long after a commit the next character's plan takes none: it stands where the second click of a double click goes. */
const PAUSE_MS = 500;
/** The time at which the pause is over, on the page's clock. */
let pausedUntil = 0;
const isPaused = () => performance.now() < pausedUntil;

/** Group choices at the same time by the token that decides. @param {Choice[]} choices */
export function choicesByToken(choices) {
  /** @type {Map<string, Choice[]>} */
  const groups = new Map();
  const inOrder = [...choices].sort((a, b) => a.id.localeCompare(b.id, "en", { numeric: true }));
  for (const choice of inOrder) groups.set(choice.token, [...(groups.get(choice.token) ?? []), choice]);
  return groups;
}

/**
 * Build the planner for all sealed choices of a seat: a button for each character, and the form of the first that
 * has no plan yet.
 * @param {Choice[]} choices
 * @param {PlannerActions} actions
 * @returns {HTMLElement}
 */
export function planner(choices, actions) {
  const groups = choicesByToken(choices);
  const isSealed = (/** @type {string} */ token) => groups.get(token)?.every(({ given }) => given) ?? false;
  const rank = actions.rankOf ?? (() => 0);
  const tokens = [...groups.keys()].sort((a, b) => rank(a) - rank(b));
  const form = el("div", { class: "plan-form" });
  const buttons = tokens.map((token) => {
    const onclick = () => {
      show(token);
      actions.reveal?.(token);
    };
    return el(
      "button",
      { type: "button", class: "plan-token", onclick },
      actions.portraitOf?.(token),
      el("span", {}, actions.nameOf(token)),
      isSealed(token) && el("b", {}, " ✓"),
    );
  });
  const show = (/** @type {string} */ token) => {
    tokens.forEach((one, i) => buttons[i].setAttribute("aria-pressed", String(one === token)));
    form.replaceChildren(...planForm(groups.get(token) ?? [], isSealed(token), actions));
  };
  show(tokens.find((token) => !isSealed(token)) ?? tokens[0]);
  return el(
    "div",
    { class: "planner" },
    readyBar(tokens.filter(isSealed).length, tokens.length),
    el(
      "div",
      { class: "plan-tokens", role: "group", "aria-label": localize("Planner.Characters") },
      ...buttons,
    ),
    form,
  );
}

/** Build the count of those that are ready, with a bar for each. @param {number} done @param {number} of */
function readyBar(done, of) {
  const bars = Array.from({ length: of }, (_, i) => el("i", { class: i < done ? "is-done" : "" }));
  return el(
    "p",
    { class: "ready" },
    el("span", { class: "ready-bar", "aria-hidden": "true" }, ...bars),
    el("b", {}, localize("Tracker.Chosen", { done, of })),
  );
}

/** @param {Choice[]} choices of one token @param {boolean} isSealed @param {PlannerActions} actions */
function planForm(choices, isSealed, actions) {
  /** @type {Plan} */
  const plan = Object.fromEntries(choices.map((one) => [one.id, one.given || one.default]));
  const name = actions.nameOf(choices[0]?.token ?? "");
  const odds = el("div", { class: "plan-odds", "aria-live": "polite" });
  const commit = el("button", { type: "submit", class: "primary plan-commit" });
  const refresh = oddsOf(odds, choices, actions);
  const update = () => {
    const isChanged = choices.some((one) => plan[one.id] !== one.given);
    commit.textContent = localize(isSealed ? "Planner.Change" : "Planner.Commit", { name });
    commit.disabled = isSealed && !isChanged;
    refresh(plan);
    actions.onPlan?.({ ...plan });
  };
  // Not `disabled`, which would take the focus away.
  const pause = () => {
    commit.setAttribute("aria-disabled", String(isPaused()));
    if (isPaused()) setTimeout(pause, pausedUntil - performance.now() + 1);
  };
  const parts = choices.map((one) =>
    planPart(
      one,
      plan[one.id],
      (key) => {
        plan[one.id] = key;
        update();
      },
      { pick: actions.pick, name },
    ),
  );
  const onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (isPaused()) return;
    pausedUntil = performance.now() + PAUSE_MS;
    pause();
    actions.commit({ ...plan });
  };
  update();
  pause();
  const state = el(
    "p",
    { class: "quiet plan-state", role: "status" },
    icon("lock"),
    el("span", {}, localize(isSealed ? "Planner.Sealed" : "Planner.Secret")),
  );
  return [
    el(
      "form",
      { onsubmit },
      ...parts,
      odds,
      ...receiptList(choices, actions),
      el("div", { class: "plan-go" }, state, commit),
    ),
  ];
}

/**
 * Build the commitments to a character's sealed answers: the log shows the same ones when all are revealed.
 * @param {Choice[]} choices
 * @param {PlannerActions} actions
 */
function receiptList(choices, { receiptOf }) {
  const rows = choices.flatMap(({ id, question, given }) => {
    const receipt = given && receiptOf?.(id);
    return receipt ? [el("dt", {}, question), el("dd", {}, el("code", {}, receipt))] : [];
  });
  if (!rows.length) return [];
  return [
    el(
      "details",
      { class: "receipts" },
      el("summary", {}, localize("Planner.Receipts")),
      el("p", { class: "quiet" }, localize("Planner.ReceiptsHint")),
      el("dl", {}, ...rows),
    ),
  ];
}

/**
 * Build a question with its answers: up to eight as buttons, more as a list.
 * @param {Choice} choice
 * @param {string} chosen
 * @param {(key: string) => void} onChange
 * @param {{pick: PlannerActions["pick"], name: string}} more the character's name, which the form has at its head
 */
function planPart(choice, chosen, onChange, { pick, name }) {
  const { id, options } = choice;
  const question = withoutName(choice.question, name);
  const isOnMap = options.filter(({ tokens, at }) => tokens?.length || at).length > 0;
  const mapButton = (/** @type {(key: string) => void} */ show) => {
    if (!pick || !isOnMap) return null;
    const choose = async (/** @type {HTMLElement} */ opener) => {
      const key = await pick(choice);
      if (key) {
        show(key);
        onChange(key);
      }
      opener.focus();
    };
    const onclick = (/** @type {any} */ { currentTarget }) => choose(currentTarget);
    const text = localize("Pick.Map");
    const properties = { type: "button", class: "plan-pick", title: text, onclick };
    return el("button", properties, icon("ping"), el("span", {}, text));
  };
  if (options.length > MOST_BUTTONS) {
    const list = el(
      "select",
      { "aria-label": choice.question, onchange: () => onChange(list.value) },
      ...options.map(({ key, label }) =>
        el("option", { value: key, selected: key === chosen }, capital(label)),
      ),
    );
    const label = el("label", {}, el("span", {}, question), list);
    return el(
      "div",
      { class: "plan-part plan-list" },
      label,
      mapButton((key) => (list.value = key)),
    );
  }
  /** @type {Map<string, HTMLInputElement>} */
  const inputs = new Map();
  const answers = options.map(({ key, label }) => {
    const input = el("input", {
      type: "radio",
      name: `plan ${id}`,
      value: key,
      checked: key === chosen,
      onchange: () => onChange(key),
    });
    inputs.set(key, input);
    const picture = ICONS[key.split(" ")[0]];
    return el("label", { class: "plan-answer" }, input, picture && icon(picture), el("span", {}, label));
  });
  const show = (/** @type {string} */ key) => {
    const input = inputs.get(key);
    if (input) input.checked = true;
  };
  return el(
    "fieldset",
    { class: "plan-part" },
    el("legend", {}, question),
    el("div", { class: "plan-answers" }, ...answers, mapButton(show)),
  );
}

/** @param {string} text */
const capital = (text) => text && text[0].toUpperCase() + text.slice(1);

/** Return a question without the name that it begins with. @param {string} question @param {string} name */
export function withoutName(question, name) {
  if (!name || !question.startsWith(`${name}: `)) return question;
  return capital(question.slice(name.length + 2));
}
