/** The log: live, newest at the bottom, to be searched and copied as text. */

import { el, refill } from "../core/dom.js";
import { logItem, logLine } from "../core/log.js";
import { undoneEntries } from "../core/replica.js";
import { button } from "./controls.js";

/** @import {Notices} from "./notices.js" */
/** @import {Store} from "./store.js" */

/** Shows the replica's log. */
export class LogPanel {
  /** @param {HTMLElement} host @param {{store: Store, notices: Notices}} parts */
  constructor(host, { store, notices }) {
    this.store = store;
    this.notices = notices;
    this.list = el("ol", { id: "log-list", tabIndex: 0, role: "log", "aria-label": "Log entries" });
    this.search = el("input", {
      id: "log-search",
      type: "search",
      placeholder: "Search the log",
      "aria-label": "Search the log",
      oninput: () => this.#show(),
    });
    const copy = button("log-copy", "Copy", () => this.#copy());
    host.append(el("div", { class: "panel-head" }, el("h2", {}, "Log"), this.search, copy), this.list);
    store.watch((state, before) => state.replica?.log !== before.replica?.log && this.#show());
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
    refill(this.list, ...this.#matching().map(({ entry, isUndone }) => logItem(entry, isUndone)));
    if (isAtEnd) this.list.scrollTop = this.list.scrollHeight;
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
