/**
 * The planner: the sealed questions of one character as one form, and what the plan would do against each likely
 * answer of each opponent. Nothing leaves the seat before the plan is committed.
 */

import { el } from "./dom.js";
import { localize } from "./i18n.js";

/** @import {Chance, Choice, Matchups} from "../../../types/contract.js" */

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
 */

/** Up to so many answers are buttons; more are a list. */
const MOST_BUTTONS = 8;
/** The table of odds waits so long after a change, because several often follow each other. */
const SETTLE_MS = 150;
/** A busy server refuses long calculations; the question is put again so often, first so long after, then later. */
const [ATTEMPTS, RETRY_MS] = [6, 1500];

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
    const text = `${actions.nameOf(token)}${isSealed(token) ? " ✓" : ""}`;
    const onclick = () => {
      show(token);
      actions.reveal?.(token);
    };
    return el("button", { type: "button", class: "plan-token", onclick }, text);
  });
  const show = (/** @type {string} */ token) => {
    tokens.forEach((one, i) => buttons[i].setAttribute("aria-pressed", String(one === token)));
    form.replaceChildren(...planForm(groups.get(token) ?? [], isSealed(token), actions));
  };
  show(tokens.find((token) => !isSealed(token)) ?? tokens[0]);
  const state = tokens.every(isSealed) ? "Planner.AllSealed" : "Planner.Secret";
  return el(
    "div",
    { class: "planner" },
    el(
      "div",
      { class: "plan-tokens", role: "group", "aria-label": localize("Planner.Characters") },
      ...buttons,
    ),
    form,
    el("p", { class: "quiet plan-state", role: "status" }, localize(state)),
  );
}

/** @param {Choice[]} choices of one token @param {boolean} isSealed @param {PlannerActions} actions */
function planForm(choices, isSealed, actions) {
  /** @type {Plan} */
  const plan = Object.fromEntries(choices.map((one) => [one.id, one.given || one.default]));
  const odds = el("div", { class: "plan-odds", "aria-live": "polite" });
  const commit = el("button", { type: "submit", class: "primary plan-commit" });
  const refresh = oddsOf(odds, choices, actions);
  const update = () => {
    const isChanged = choices.some((one) => plan[one.id] !== one.given);
    commit.textContent = localize(isSealed ? "Planner.Change" : "Planner.Commit");
    commit.disabled = isSealed && !isChanged;
    refresh(plan);
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
      actions.pick,
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
  return [el("form", { onsubmit }, ...parts, commit), ...receiptList(choices, actions), odds];
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
 * @param {Choice} choice
 * @param {string} chosen
 * @param {(key: string) => void} onChange
 * @param {PlannerActions["pick"]} pick
 */
function planPart(choice, chosen, onChange, pick) {
  const { id, question, options } = choice;
  const isOnMap = options.filter(({ tokens, at }) => tokens?.length || at).length > 0;
  const choose = async (/** @type {(key: string) => void} */ show, /** @type {HTMLElement} */ opener) => {
    const key = await pick?.(choice);
    if (key) {
      show(key);
      onChange(key);
    }
    opener.focus();
  };
  const mapButton = (/** @type {(key: string) => void} */ show) =>
    pick && isOnMap
      ? el(
          "button",
          {
            type: "button",
            class: "plan-pick",
            onclick: (/** @type {any} */ { currentTarget }) => choose(show, currentTarget),
          },
          localize("Pick.Map"),
        )
      : null;
  if (options.length > MOST_BUTTONS) {
    const list = el(
      "select",
      { "aria-label": question, onchange: () => onChange(list.value) },
      ...options.map(({ key, label }) => el("option", { value: key, selected: key === chosen }, label)),
    );
    const label = el("label", {}, el("span", {}, question), list);
    return el(
      "div",
      { class: "plan-part" },
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
    return el("label", { class: "plan-answer" }, input, el("span", {}, label));
  });
  const show = (/** @type {string} */ key) => {
    const input = inputs.get(key);
    if (input) input.checked = true;
  };
  return el("fieldset", { class: "plan-part" }, el("legend", {}, question), ...answers, mapButton(show));
}

/**
 * Return a function that shows the odds of a plan once it has settled. The answer to an older plan is dropped.
 * @param {HTMLElement} host
 * @param {Choice[]} choices
 * @param {PlannerActions} actions
 */
function oddsOf(host, choices, actions) {
  let latest = 0;
  return (/** @type {Plan} */ plan) => {
    if (!choices[0]?.has_odds) return;
    const number = (latest += 1);
    const ask = async (/** @type {number} */ attempt) => {
      if (number !== latest || !host.isConnected) return;
      const found = await actions.matchups({ ...plan });
      if (number !== latest) return;
      if (found) host.replaceChildren(...oddsView(found));
      else if (attempt < ATTEMPTS) setTimeout(ask, RETRY_MS * attempt, attempt + 1);
    };
    setTimeout(ask, SETTLE_MS, 1);
  };
}

/** Build the odds against the opponents whom a blow can reach or come from; a sentence if there is none. @param {Matchups} found */
function oddsView(found) {
  const opponents = opponentsWithBlows(found);
  if (opponents.length) return [oddsTable({ ...found, opponents })];
  return found.opponents.length ? [el("p", { class: "quiet" }, localize("Planner.NoBlow"))] : [];
}

/** Return the opponents of whom some number is above zero. @param {Matchups} found */
export const opponentsWithBlows = ({ opponents }) =>
  opponents.filter(({ rows }) => rows.some(({ values }) => values.some(([numerator]) => numerator > 0)));

/** Build the table of odds: a row for each likely answer of each opponent. @param {Matchups} matchups */
function oddsTable({ columns, opponents }) {
  const owners = [false, true].map((isOwn) => columns.filter((column) => column.is_own === isOwn).length);
  const head = el(
    "thead",
    {},
    el(
      "tr",
      {},
      el("th", { rowSpan: 2, scope: "col" }, localize("Planner.If")),
      el("th", { colSpan: owners[0], scope: "colgroup" }, localize("Planner.Opponent")),
      el("th", { colSpan: owners[1], scope: "colgroup" }, localize("Planner.You")),
    ),
    el("tr", {}, ...columns.map(({ label }) => el("th", { scope: "col" }, label))),
  );
  const bodies = opponents.map(({ name, rows }) =>
    el(
      "tbody",
      {},
      el("tr", {}, el("th", { colSpan: columns.length + 1, scope: "rowgroup" }, name)),
      ...rows.map(({ label, values, exact }) =>
        el(
          "tr",
          {},
          el("th", { scope: "row" }, `${exact ? "" : "≈ "}${label}`),
          ...values.map((value, i) => oddsCell(value, columns[i])),
        ),
      ),
    ),
  );
  return el("table", { class: "odds" }, el("caption", {}, localize("Planner.Odds")), head, ...bodies);
}

/** @param {Chance} value @param {Matchups["columns"][number]} column */
function oddsCell([numerator, denominator], { is_own: isOwn, is_amount: isAmount }) {
  const number = numerator / denominator;
  const text = isAmount ? (number ? number.toFixed(1) : "–") : percent(number);
  const cell = el("td", { class: isOwn ? "is-own" : "", title: `${numerator}/${denominator}` }, text);
  if (!isAmount) cell.style.setProperty("--chance", String(number));
  return cell;
}

/** Return a chance in percent; one that is neither impossible nor certain never looks so. @param {number} chance */
function percent(chance) {
  if (chance === 0) return "–";
  if (chance === 1) return "100%";
  return `${Math.min(99, Math.max(1, Math.round(100 * chance)))}%`;
}
