/**
 * House rules on trial: runs the battle so far again under the rules that the form shows, in a process of the server's, and
 * lists each verdict that changes.
 */

import { RequestError } from "../../core/table/credentials.js";
import { readTable } from "../../core/table/reading.js";
import { button } from "../../core/ui/controls.js";
import { el, replaceContent } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";

/** @import {RulesDiff, RulesDiffJob, Setting} from "../../../types/contract.js" */
/** @import {Notices} from "../../../types/page.js" */
/** @import {Session} from "../../core/game/session.js" */
/** @import {RulesTools} from "../../core/ui/rules-panel.js" */

const POLL_MS = 300;

/**
 * Return what builds the button and the list below the form of the house rules.
 * @param {{session: Session, notices: Notices}} parts
 * @returns {RulesTools}
 */
export function rulesDiffTools({ session, notices }) {
  const { link } = session.client;
  /** @type {RulesDiffJob | null} */
  let job = null;
  /** Reads the form that stands above now. @type {() => Record<string, Setting>} */
  let settings = () => ({});
  const list = el("div", { id: "rules-diff", "aria-live": "polite" });
  const start = button("rules-try", localize("RulesDiff.Try"), () => run(settings()));
  const cancel = button("rules-cancel", localize("RulesDiff.Cancel"), async () => {
    const running = job;
    job = null;
    replaceContent(list);
    show();
    if (running) await readTable(link, `rules-diff/${running.job}`, { method: "DELETE" }).catch(fail);
  });
  const show = () => {
    start.disabled = job !== null;
    cancel.hidden = job === null;
  };
  const fail = (/** @type {unknown} */ error) => {
    job = null;
    replaceContent(list);
    show();
    if (!(error instanceof RequestError)) throw error;
    notices.error(error.message);
  };
  const run = async (/** @type {Record<string, Setting>} */ houseRules) => {
    let id = "";
    const isCancelled = () => id !== "" && job?.job !== id;
    try {
      job = await readTable(link, "rules-diff", { method: "POST", body: { house_rules: houseRules } });
      show();
      while (job && !job.result && !job.failed) {
        const { done, of, is_waiting: isWaiting } = job;
        id = job.job;
        const label = localize(isWaiting ? "RulesDiff.Waiting" : "RulesDiff.Running", { done, of });
        replaceContent(
          list,
          el("p", {}, label),
          el("progress", { max: of || 1, value: done, "aria-label": label }),
        );
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
        if (isCancelled()) return;
        /** @type {RulesDiffJob} */
        const found = await readTable(link, `rules-diff/${id}`);
        if (isCancelled()) return;
        job = found;
      }
      if (!job) return;
      const { result, failed } = job;
      job = null;
      show();
      replaceContent(list, ...(result ? diffView(result) : [el("p", { role: "alert" }, failed)]));
    } catch (error) {
      if (!isCancelled()) fail(error);
    }
  };
  // The form is built anew with each change of the rules; a trial that runs goes on below it.
  return (read) => {
    if (!link.key) return [];
    settings = read;
    if (!job) replaceContent(list);
    show();
    return [el("p", { class: "rules-try" }, start, cancel), list];
  };
}

/** @param {RulesDiff} found */
function diffView({ entries, acts, same, verdicts }) {
  const items = verdicts.map(({ seq, kind, was, now, rule, is_direct: isDirect }) =>
    el(
      "li",
      { class: `rules-diff-${kind}` },
      el(
        "p",
        {},
        el("strong", {}, localize(`RulesDiff.Kind.${kind}`)),
        ` ${localize(isDirect ? "RulesDiff.Entry" : "RulesDiff.EntryFollows", { seq })}`,
      ),
      el("p", {}, el("span", { class: "quiet" }, localize("RulesDiff.Was")), ` ${was}`),
      el(
        "p",
        {},
        el("span", { class: "quiet" }, localize("RulesDiff.Now")),
        ` ${rule ? `${now} (${rule})` : now}`,
      ),
    ),
  );
  return [
    el("h3", {}, localize("RulesDiff.Title")),
    el("p", {}, localize(verdicts.length ? "RulesDiff.Summary" : "RulesDiff.None", { entries, acts, same })),
    ...(items.length ? [el("ol", { class: "rules-diff-list" }, ...items)] : []),
  ];
}
