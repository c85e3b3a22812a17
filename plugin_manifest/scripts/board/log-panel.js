/** The log: live, newest at the bottom, to be searched and copied as text. */

import { el, refill } from "../core/dom.js";
import { logItem, logLine } from "../core/log.js";
import { undoneEntries } from "../core/replica.js";
import { verifyEntries } from "../core/verify-dice.js";
import { button } from "../core/controls.js";
import { isGm } from "../core/store.js";

/** @import {Notices} from "./notices.js" */
/** @import {Session} from "../core/session.js" */
/** @import {Store} from "../core/store.js" */

/** Shows the replica's log. */
export class LogPanel {
  /** What does not hold of each entry's dice, empty where it holds, by the entry's number. @type {Map<number, string>} */
  #verified = new Map();

  /** @param {HTMLElement} host @param {{store: Store, notices: Notices, session: Session}} parts */
  constructor(host, { store, notices, session }) {
    this.store = store;
    this.notices = notices;
    this.session = session;
    this.list = el("ol", { id: "log-list", tabIndex: 0, role: "log", "aria-label": "Log entries" });
    this.search = el("input", {
      id: "log-search",
      type: "search",
      placeholder: "Search the log",
      "aria-label": "Search the log",
      oninput: () => this.#show(),
    });
    const copy = button("log-copy", "Copy", () => this.#copy());
    const verify = button("log-verify", "Verify dice", () => this.#verify());
    const save = button("log-export", "Export log", () => this.#export());
    const tools = el("div", { class: "log-tools" }, verify, save);
    host.append(el("div", { class: "panel-head" }, el("h2", {}, "Log"), this.search, copy), tools, this.list);
    store.watch((state, before) => {
      save.hidden = !isGm(state);
      if (state.replica?.log !== before.replica?.log) this.#show();
    });
  }

  /** The entries that match the search, with whether each was taken back. */
  #matching() {
    const log = this.store.state.replica?.log ?? [];
    const undone = undoneEntries(log);
    const wanted = this.search.value.trim().toLowerCase();
    const rows = log.map((entry) => ({ entry, isUndone: undone.has(entry.seq) }));
    return rows.filter(({ entry, isUndone }) => logLine(entry, isUndone).toLowerCase().includes(wanted));
  }

  #show() {
    const isAtEnd = this.list.scrollHeight - this.list.scrollTop - this.list.clientHeight < 60;
    refill(
      this.list,
      ...this.#matching().map(({ entry, isUndone }) =>
        logItem(entry, isUndone, this.#verified.get(entry.seq)),
      ),
    );
    if (isAtEnd) this.list.scrollTop = this.list.scrollHeight;
  }

  /** Works out anew what every die in the log had to be. */
  #verify() {
    const { replica } = this.store.state;
    if (!replica) return;
    this.#verified = verifyEntries(this.session.link.table, replica.dice, replica.log);
    this.#show();
    const wrong = [...this.#verified].filter(([, why]) => why);
    if (wrong.length)
      this.notices.problem(`The dice of entry ${wrong.map(([seq]) => seq).join(", ")} do not hold.`);
    else
      this.notices.say(
        this.#verified.size === 1
          ? "The dice of 1 act hold."
          : `The dice of ${this.#verified.size} acts hold.`,
      );
  }

  async #export() {
    const { table, key } = this.session.link;
    const answer = await fetch(`/api/tables/${table}/log`, { headers: { Authorization: `Bearer ${key}` } });
    if (!answer.ok) return this.notices.problem((await answer.json()).error.sentence);
    const url = URL.createObjectURL(await answer.blob());
    el("a", { href: url, download: `enfilade-${table}.log` }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000); // the download has begun by then
  }

  async #copy() {
    const text = this.#matching()
      .map(({ entry, isUndone }) => logLine(entry, isUndone))
      .join("\n");
    try {
      await navigator.clipboard.writeText(text);
      this.notices.say("The log is on the clipboard.");
    } catch {
      showToCopy(text); // browsers keep the clipboard from pages over plain HTTP
    }
  }
}

/** @param {string} text in a field, selected, to be copied by hand */
function showToCopy(text) {
  const field = el("textarea", { readOnly: true, value: text, "aria-label": "The log as text" });
  const close = el("form", { method: "dialog" }, el("button", { class: "primary" }, "Close"));
  const dialog = el(
    "dialog",
    { class: "copy", "aria-labelledby": "copy-title", onclose: () => dialog.remove() },
    el("h2", { id: "copy-title" }, "Copy the log with Ctrl+C"),
    field,
    close,
  );
  document.body.append(dialog);
  dialog.showModal();
  field.select();
}
