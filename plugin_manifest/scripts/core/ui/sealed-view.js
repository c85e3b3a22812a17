/** The commitments to sealed answers in a log entry, as a table that people can compare with their receipts. */

import { el } from "./dom.js";
import { localize } from "./i18n.js";

/** @import {LogEntry} from "../../../types/contract.js" */

/** The entries whose table is unfolded: the log builds it again with each change. @type {Set<number>} */
const unfolded = new Set();

/**
 * Build the folded table of an entry's commitments; null if it has none.
 * @param {LogEntry} entry
 * @param {ReadonlyMap<string, string>} receipts the commitments to this seat's own answers, by choice
 * @param {(token: string) => string} nameOf
 * @returns {HTMLElement | null}
 */
export function sealedView({ seq, sealed = [] }, receipts, nameOf) {
  const rows = sealed.flatMap(({ answers, is_open: isOpen }) =>
    answers.map(({ choice, token, answer, label, commitment }) =>
      el(
        "tr",
        {},
        el("th", { scope: "row" }, nameOf(token)),
        el("td", { title: answer }, isOpen ? label || answer : localize("Sealed.Closed")),
        el("td", {}, el("code", {}, commitment)),
        el("td", {}, receiptText(receipts.get(choice), commitment)),
      ),
    ),
  );
  if (!rows.length) return null;
  const heads = ["Token", "Answer", "Commitment", "Receipt"].map((key) =>
    el("th", { scope: "col" }, localize(`Sealed.${key}`)),
  );
  const view = el(
    "details",
    { class: "log-details sealed", open: unfolded.has(seq) },
    el("summary", {}, localize("Sealed.Title", { count: rows.length })),
    el(
      "div",
      { class: "wide-table", tabIndex: 0, role: "region", "aria-label": localize("Sealed.Table") },
      el("table", {}, el("thead", {}, el("tr", {}, ...heads)), el("tbody", {}, ...rows)),
    ),
  );
  view.ontoggle = () => (view.open ? unfolded.add(seq) : unfolded.delete(seq));
  return view;
}

/** @param {string | undefined} receipt @param {string} commitment */
function receiptText(receipt, commitment) {
  if (!receipt) return "";
  return localize(receipt === commitment ? "Sealed.Same" : "Sealed.Differs");
}
