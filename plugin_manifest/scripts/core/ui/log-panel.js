/** The live log, newest entry last: search, copy, verify dice, export. */

import { verifyEntries } from "../dice/verify-dice.js";
import { hasSteps } from "../game/replay.js";
import { isGm } from "../game/store.js";
import { undoneEntries } from "../table/replica.js";
import { button } from "./controls.js";
import { el, replaceContent } from "./dom.js";
import { localize } from "./i18n.js";
import { isHiddenRoll, logItem, logLine } from "./log-entry.js";

/** @import {ChainNote, LogEntry} from "../../../types/contract.js" */
/** @import {Notices} from "../../../types/page.js" */
/** @import {Session} from "../game/session.js" */
/** @import {Store} from "../game/store.js" */

/** The list follows new entries if it was scrolled to within this distance of its end. */
const FOLLOW_PX = 60;
const DOWNLOAD_MS = 60_000;

/** Shows the replica's log. */
export class LogPanel {
  /**
   * The dice problem of each verified entry ("" if there is none), by entry number.
   * @type {Map<number, string>}
   */
  #verified = new Map();
  /** The entries whose rolls contain this player's contribution. @type {Set<number>} */
  #ownRolls = new Set();

  /** @param {HTMLElement} host @param {{store: Store, notices: Notices, session: Session}} parts */
  constructor(host, { store, notices, session }) {
    this.store = store;
    this.notices = notices;
    this.session = session;
    this.list = el("ol", { id: "log-list", tabIndex: 0, role: "log", "aria-label": localize("Log.Entries") });
    this.search = el("input", {
      id: "log-search",
      type: "search",
      placeholder: localize("Log.Search"),
      "aria-label": localize("Log.Search"),
      oninput: () => this.#show(),
    });
    const copy = button("log-copy", localize("Log.Copy"), () => this.#copy());
    const verify = button("log-verify", localize("Log.Verify"), () => this.#verify());
    const save = button("log-export", localize("Log.Export"), () => this.#export());
    host.append(
      el("div", { class: "panel-head" }, el("h2", {}, localize("Log.Title")), this.search, copy),
      el("div", { class: "log-tools" }, verify, save),
      this.list,
    );
    store.subscribe((state, before) => {
      save.hidden = !isGm(state) || !session.client.link.key;
      if (state.replica?.log !== before.replica?.log) this.#show();
    });
  }

  /** Return the entries that match the search. */
  #matching() {
    const log = this.store.state.replica?.log ?? [];
    const undone = undoneEntries(log);
    const query = this.search.value.trim().toLowerCase();
    const rows = log.map((entry) => ({ entry, isUndone: undone.has(entry.seq) }));
    return rows.filter(({ entry, isUndone }) => logLine(entry, isUndone).toLowerCase().includes(query));
  }

  #show() {
    const { scrollHeight, scrollTop, clientHeight } = this.list;
    const isAtEnd = scrollHeight - scrollTop - clientHeight < FOLLOW_PX;
    const items = this.#matching().map(({ entry, isUndone }) => {
      const isRevealable = isHiddenRoll(entry) && !this.#isRevealed(entry);
      return logItem(entry, {
        isUndone,
        diceProblem: this.#verified.get(entry.seq),
        isOwnRoll: this.#ownRolls.has(entry.seq),
        replay: hasSteps(entry) ? () => this.store.set({ replaying: entry }) : null,
        reveal: isRevealable ? () => this.session.send("dice.reveal", { seq: entry.seq }) : null,
      });
    });
    replaceContent(this.list, ...items);
    if (isAtEnd) this.list.scrollTop = this.list.scrollHeight;
  }

  /** @param {LogEntry} entry a hidden roll */
  #isRevealed({ dice: note }) {
    const isSame = (/** @type {ChainNote | null} */ other) =>
      other?.type === "shown" &&
      note?.type === "used" &&
      other.epoch === note.epoch &&
      other.index === note.index;
    return this.store.state.replica?.log.some(({ dice }) => isSame(dice)) ?? false;
  }

  /** Recompute every die in the log and show which entries differ. */
  #verify() {
    const { replica } = this.store.state;
    if (!replica) return;
    this.#verified = verifyEntries(
      this.session.client.link.table,
      replica.dice,
      replica.log,
      this.session.receipts,
    );
    this.#ownRolls = this.session.contribution.ownRolls(replica);
    this.#show();
    const count = this.#verified.size;
    const failed = [...this.#verified].filter(([, problem]) => problem).map(([seq]) => seq);
    if (failed.length) this.notices.error(localize("Log.FailedEntries", { entries: failed.join(", ") }));
    else this.notices.info(localize(count === 1 ? "Log.RollVerified" : "Log.RollsVerified", { count }));
  }

  async #export() {
    const { url, table, key } = this.session.client.link;
    const headers = { Authorization: `Bearer ${key}` };
    const answer = await fetch(`${url}/api/tables/${table}/log`, { headers });
    if (!answer.ok) return this.notices.error((await answer.json()).error.sentence);
    const file = URL.createObjectURL(await answer.blob());
    el("a", { href: file, download: `enfilade-${table}.log` }).click();
    setTimeout(() => URL.revokeObjectURL(file), DOWNLOAD_MS); // the browser has read it by then
  }

  async #copy() {
    const lines = this.#matching().map(({ entry, isUndone }) => logLine(entry, isUndone));
    const text = lines.join("\n");
    try {
      await navigator.clipboard.writeText(text);
      this.notices.info(localize("Log.Copied"));
    } catch {
      showCopyDialog(this.list.ownerDocument.body, text); // no clipboard for pages over plain HTTP
    }
  }
}

/** Open a dialog with the text selected, to copy by hand. @param {HTMLElement} page @param {string} text */
function showCopyDialog(page, text) {
  const field = el("textarea", { readOnly: true, value: text, "aria-label": localize("Log.AsText") });
  const close = el("button", { class: "primary" }, localize("Window.Close"));
  const dialog = el(
    "dialog",
    { class: "copy", "aria-labelledby": "copy-title", onclose: () => dialog.remove() },
    el("h2", { id: "copy-title" }, localize("Log.CopyByHand")),
    field,
    el("form", { method: "dialog" }, close),
  );
  page.append(dialog);
  dialog.showModal();
  field.select();
}
