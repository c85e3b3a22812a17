/** A log entry as people read it: an element for the page, a line for the clipboard. */

import { formatModifier } from "../dice/notation.js";
import { el } from "./dom.js";
import { localize } from "./i18n.js";

/** @import {Facts, LogEntry, Modifier, Roll} from "../../../types/contract.js" */

/**
 * @param {LogEntry} entry
 * @param {boolean} isUndone
 * @param {string} [wrong] what does not hold of its dice, empty where they hold; undefined where nobody asked
 * @param {{isMine?: boolean, show?: (() => void) | null}} [more] `isMine`: this player's part is in its dice; `show`
 *   shows a hidden roll to all
 * @returns {HTMLLIElement}
 */
export function logItem(entry, isUndone, wrong, { isMine = false, show = null } = {}) {
  const mark = isUndone ? el("span", { class: "undone-mark" }, localize("Log.TakenBack")) : null;
  const heading = el(
    "p",
    { class: "log-head" },
    el("span", { class: "log-seq" }, `${entry.seq}`),
    timeOf(entry),
    mark,
  );
  const classes = ["log-entry", `log-${entry.kind.replace(".", "-")}`, isUndone ? "is-undone" : ""]
    .join(" ")
    .trim();
  return el(
    "li",
    { class: classes, "data-seq": entry.seq },
    heading,
    el("p", { class: "log-text" }, textOf(entry)),
    ...details(entry.facts),
    verdict(wrong, isMine),
    show ? el("button", { class: "log-show", onclick: show }, localize("Log.ShowRoll")) : null,
  );
}

/**
 * The entry as one line of plain text.
 * @param {LogEntry} entry
 * @param {boolean} isUndone
 */
export function logLine(entry, isUndone) {
  const { rolls = [], modifiers = [], defences = [] } = entry.facts;
  const parts = [
    ...rolls.map(rollText),
    ...counted(modifiers),
    ...counted(defences),
    totalText(entry.facts),
  ].filter(Boolean);
  const undone = isUndone ? ` (${localize("Log.TakenBack")})` : "";
  return `${entry.seq}. ${textOf(entry)}${parts.length ? ` [${parts.join("; ")}]` : ""}${undone}`;
}

/** @param {LogEntry} entry @returns {string} what came of it in a word or two; nothing where nothing did */
export function resultText({ facts }) {
  if (!facts.result) return "";
  const lost = facts.hit_points ? facts.hit_points[0] - facts.hit_points[1] : (facts.damage ?? 0);
  return lost > 0 ? `${facts.result}, −${lost}` : facts.result;
}

/** @param {LogEntry} entry whether it is about the players' parts in the dice alone, which nobody need be told aloud */
export const isContributionNote = ({ dice }) => dice?.type === "committed" || dice?.type === "given";

/** @param {LogEntry} entry whether it is a roll that only the game master knows of */
export const isHiddenRoll = ({ dice }) => dice?.type === "used" && dice.is_hidden === true;

/** @param {string | undefined} wrong @param {boolean} isMine */
function verdict(wrong, isMine) {
  if (wrong === undefined) return null;
  return el(
    "p",
    { class: `log-dice ${wrong ? "is-wrong" : "holds"}` },
    `${wrong ? "✗" : "✓"} ${wrong ? localize("Log.DiceWrong", { why: wrong }) : localize(isMine ? "Log.DiceHoldWithMine" : "Log.DiceHold")}`,
  );
}

/** @param {LogEntry} entry whose words may be kept from this seat */
const textOf = ({ text, secret, kind }) => text || (secret ? localize("Log.OutOfSight") : kind);

/** @param {LogEntry} entry a secret one has no time that this seat may know */
function timeOf(entry) {
  if (!entry.at_ms) return null;
  const date = new Date(entry.at_ms);
  const time = date.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  return el("time", { dateTime: date.toISOString() }, time);
}

/**
 * What there is to say beside an entry's sentences: dice, modifiers, result.
 * @param {Facts} facts
 * @returns {HTMLElement[]}
 */
export function details(facts) {
  return [
    ...(facts.rolls ?? []).map(rollElement),
    modifierList(localize("Log.Attack"), facts.modifiers),
    modifierList(localize("Log.Defence"), facts.defences),
    totalText(facts) ? el("p", { class: `log-result ${facts.result ?? ""}` }, totalText(facts)) : null,
    reasonsOf(facts),
  ].filter((part) => part !== null);
}

/** @param {Roll} roll */
function rollElement(roll) {
  const faces = roll.faces.map((face) => el("span", { class: "die" }, String(face)));
  return el(
    "p",
    { class: "log-roll", "aria-label": rollText(roll) },
    `${roll.label} `,
    isNamed(roll) ? null : el("span", { class: "die-kind" }, `${roll.die} `),
    ...faces,
    roll.typed ? el("em", {}, ` ${localize("Log.TypedIn")}`) : null,
  );
}

/** @param {Roll} roll whether its label says already which die it is */
const isNamed = ({ label, die }) => label.toLowerCase().startsWith(die.toLowerCase());

/** @param {Roll} roll */
const rollText = (roll) =>
  `${roll.label}${isNamed(roll) ? "" : ` ${roll.die}`}: ${roll.faces.join(" ")}${roll.typed ? ` (${localize("Log.TypedIn")})` : ""}`;

/** @param {Modifier[]} modifiers */
const counted = (modifiers) =>
  modifiers
    .filter((modifier) => modifier.counts)
    .map((modifier) => `${formatModifier(modifier.value)} ${modifier.reason}`);

/**
 * The modifiers with sign and reason; those that did not count are struck through.
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
  const heading = el("span", { class: "modifier-title" }, title);
  return el(
    "div",
    { class: "modifiers", role: "group", "aria-label": localize("Log.ModifiersOf", { title }) },
    heading,
    el("ul", {}, ...items),
  );
}

/** @param {Facts} facts how a roll ended; what it had to reach is in the entry's own sentence */
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

/** @param {Facts} facts why the rules were against it, where they were */
function reasonsOf({ ruling }) {
  return ruling && !ruling.allowed ? el("p", { class: "log-reason" }, ruling.reasons.join(" ")) : null;
}
