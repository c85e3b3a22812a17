/** A log entry as text: an element for the page, a line for the clipboard. */

import { formatModifier } from "../dice/notation.js";
import { el } from "./dom.js";
import { localize } from "./i18n.js";

/** @import {Facts, LogEntry, Modifier, Roll} from "../../../types/contract.js" */

/** @type {Intl.DateTimeFormat | null} tells the time of day; made once, as making one takes longer than an entry */
let clock = null;

/**
 * The state of an entry in its list.
 * @typedef {object} EntryState
 * @property {boolean} [isUndone]
 * @property {string} [diceProblem] why its dice fail verification; "" if they pass, undefined if not yet checked
 * @property {(() => void) | null} [reveal] reveals a hidden roll
 * @property {(() => void) | null} [replay] plays the act step by step
 * @property {(() => void) | null} [undoTo] undoes this entry and all later ones
 * @property {HTMLElement | null} [sealed] the commitments to sealed answers
 * @property {boolean} [isOpen] whether its dice and modifiers are unfolded
 */

/**
 * @param {LogEntry} entry
 * @param {EntryState} [state]
 * @returns {HTMLLIElement}
 */
export function logItem(
  entry,
  {
    isUndone = false,
    diceProblem,
    reveal = null,
    replay = null,
    undoTo = null,
    sealed = null,
    isOpen = true,
  } = {},
) {
  const head = el(
    "p",
    { class: "log-head" },
    el("span", { class: "log-seq" }, `${entry.seq}`),
    timeOf(entry),
    isUndone ? el("span", { class: "undone-mark" }, localize("Log.Undone")) : null,
  );
  const kind = `log-${entry.kind.replace(".", "-")}`;
  return el(
    "li",
    { class: `log-entry ${kind}${isUndone ? " is-undone" : ""}`, "data-seq": entry.seq },
    head,
    el("p", { class: "log-text" }, entryText(entry)),
    folded(factDetails(entry.facts), isOpen),
    sealed,
    diceProblem === undefined ? null : diceVerdict(diceProblem),
    replay ? el("button", { class: "log-replay", onclick: replay }, `▶ ${localize("Replay.Replay")}`) : null,
    reveal ? el("button", { class: "log-reveal", onclick: reveal }, localize("Log.Reveal")) : null,
    undoTo ? el("button", { class: "log-undo", onclick: undoTo }, localize("Log.UndoTo")) : null,
  );
}

/** Fold details away, except of the newest entry. @param {HTMLElement[]} details @param {boolean} isOpen */
function folded(details, isOpen) {
  if (!details.length) return null;
  return el(
    "details",
    { class: "log-details", open: isOpen },
    el("summary", {}, localize("Log.Details")),
    ...details,
  );
}

/**
 * Return whether an entry only says something about the dice themselves, such as a commitment.
 * @param {LogEntry} entry
 */
export const isDiceProof = ({ dice }) => ["opened", "committed", "given"].includes(dice?.type ?? "");

/**
 * Return the entry as one line of plain text.
 * @param {LogEntry} entry
 * @param {boolean} isUndone
 */
export function logLine(entry, isUndone) {
  const { rolls = [], modifiers = [], defenses = [] } = entry.facts;
  const counted = [...modifiers, ...defenses].filter((modifier) => modifier.counts);
  const parts = [
    ...rolls.map(rollText),
    ...counted.map(({ value, reason }) => `${formatModifier(value)} ${reason}`),
    totalText(entry.facts),
  ].filter(Boolean);
  const details = parts.length ? ` [${parts.join("; ")}]` : "";
  return `${entry.seq}. ${entryText(entry)}${details}${isUndone ? ` (${localize("Log.Undone")})` : ""}`;
}

/** @typedef {Omit<Facts, "rolls">} Results */

/** Return the result in a word or two, "" if there is none. @param {{facts: Results}} entry */
export function resultText({ facts }) {
  const word = resultWord(facts);
  const lost = lossOf(facts);
  return word && lost > 0 ? `${word}, −${lost}` : word;
}

/** The results that several games have; a word of one game stands as it is. */
const SHARED_RESULTS = ["hit", "miss", "critical", "saved", "failed", "success", "failure"];

/**
 * Return the result in a word: as the game names it, else whether the act hit or harmed; "" if there is none.
 * @param {Results} facts
 */
export function resultWord({ result, is_hit: isHit, dealt, target }) {
  const isHarm = isHit ?? (target && typeof dealt === "number" ? dealt > 0 : undefined);
  const told = isHarm === undefined ? "" : isHarm ? "hit" : "miss";
  const word = typeof result === "string" && result ? result : told; // a ruleset from elsewhere may count it
  return SHARED_RESULTS.includes(word) ? localize(`Result.${word}`) : word;
}

/** Return what an act took from its target. @param {Results} facts */
export const lossOf = ({ hit_points: points, dealt, damage, hits = 0, negated }) =>
  points ? points[0] - points[1] : (dealt ?? damage ?? (negated ? hits - negated.length : 0));

/**
 * Return whether an entry only notes dice contributions; such entries are not announced.
 * @param {LogEntry} entry
 */
export const isContributionNote = ({ dice }) => dice?.type === "committed" || dice?.type === "given";

/** Return whether an entry is a roll that only the GM can see. @param {LogEntry} entry */
export const isHiddenRoll = ({ dice }) => dice?.type === "used" && dice.is_hidden === true;

/** @param {string} problem "" if the dice pass */
export function diceVerdict(problem) {
  if (problem)
    return el("p", { class: "log-dice is-wrong" }, `✗ ${localize("Log.DiceFailed", { why: problem })}`);
  return el("p", { class: "log-dice is-verified" }, `✓ ${localize("Log.DiceVerified")}`);
}

/** @param {LogEntry} entry its text may be secret */
export const entryText = ({ text, secret, kind }) => text || (secret ? localize("Log.OutOfSight") : kind);

/** @param {LogEntry} entry a secret entry has no time */
export function timeOf(entry) {
  if (!entry.at_ms) return null;
  const date = new Date(entry.at_ms);
  clock ??= new Intl.DateTimeFormat([], { hour: "2-digit", minute: "2-digit" });
  return el("time", { dateTime: date.toISOString() }, clock.format(date));
}

/**
 * Build the details of an entry: dice, modifiers, result, and the reasons why it was illegal.
 * @param {Facts} facts
 * @returns {HTMLElement[]}
 */
export function factDetails(facts) {
  const total = totalText(facts);
  const { ruling } = facts;
  return [
    ...(facts.rolls ?? []).map(rollElement),
    modifierList(localize("Log.Attack"), facts.modifiers),
    modifierList(localize("Log.Defense"), facts.defenses),
    total ? el("p", { class: `log-result ${facts.result ?? ""}` }, total) : null,
    ruling && !ruling.allowed ? el("p", { class: "log-reason" }, ruling.reasons.join(" ")) : null,
    facts.detail ? el("p", { class: "log-detail" }, facts.detail) : null,
  ].filter((part) => part !== null);
}

/** @param {Roll} roll */
function rollElement(roll) {
  const faces = roll.faces.map((face) => el("span", { class: "die" }, String(face)));
  return el(
    "p",
    { class: "log-roll", "aria-label": rollText(roll) },
    `${roll.label} `,
    namesItsDie(roll) ? null : el("span", { class: "die-kind" }, `${roll.die} `),
    ...faces,
    roll.typed ? el("em", {}, ` ${localize("Log.Physical")}`) : null,
  );
}

/** Return whether a roll's label already names the die. @param {Roll} roll */
const namesItsDie = ({ label, die }) => label.toLowerCase().startsWith(die.toLowerCase());

/** @param {Roll} roll */
function rollText(roll) {
  const die = namesItsDie(roll) ? "" : ` ${roll.die}`;
  const note = roll.typed ? ` (${localize("Log.Physical")})` : "";
  return `${roll.label}${die}: ${roll.faces.join(" ")}${note}`;
}

/**
 * Build the list of modifiers with sign and reason. Modifiers that do not count are struck through.
 * @param {string} title
 * @param {Modifier[] | undefined} modifiers
 */
export function modifierList(title, modifiers) {
  if (!modifiers?.length) return null;
  const items = modifiers.map(({ value, reason, rule, counts }) =>
    el(
      "li",
      { class: counts ? "" : "not-counted", title: rule },
      el("b", {}, formatModifier(value)),
      ` ${reason}`,
      counts ? null : el("em", {}, ` (${localize("Log.NotCounted")})`),
    ),
  );
  return el(
    "div",
    { class: "modifiers", role: "group", "aria-label": localize("Log.Modifiers", { title }) },
    el("span", { class: "modifier-title" }, title),
    el("ul", {}, ...items),
  );
}

/**
 * Return a roll's total and its result; the entry's own sentence tells what was needed.
 * @param {Facts} facts
 */
function totalText({ total, result, damage, hit_points: points }) {
  const rolled = total === undefined ? "" : localize("Log.Total", { total });
  const lost =
    points && points[0] !== points[1]
      ? localize("Log.HitPoints", { before: points[0], after: points[1] })
      : damage
        ? localize("Log.Damage", { damage })
        : "";
  return rolled || lost ? [rolled, result, lost].filter(Boolean).join(", ") : "";
}
