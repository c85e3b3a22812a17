/** What a secret plan would do against each likely answer of each opponent, as a table beside the plan. */

import { el } from "./dom.js";
import { localize } from "./i18n.js";

/** @import {Chance, Choice, Matchups} from "../../../types/contract.js" */
/** @import {Plan, PlannerActions} from "./planner.js" */

/** The table of odds waits so long after a change, because several often follow each other. */
const SETTLE_MS = 150;
/** A busy server refuses long calculations; the question is put again so often, first so long after, then later. */
const [ATTEMPTS, RETRY_MS] = [6, 1500];

/**
 * Return a function that shows the odds of a plan once it has settled. The answer to an older plan is dropped.
 * @param {HTMLElement} host
 * @param {Choice[]} choices
 * @param {PlannerActions} actions
 */
export function oddsOf(host, choices, actions) {
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
