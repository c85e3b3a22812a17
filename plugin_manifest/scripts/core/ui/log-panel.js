/** The log: live, newest at the bottom, to be searched and copied as text. */

import { el, replaceContent } from "./dom.js";
import { isHiddenRoll, logItem, logLine } from "./log-entry.js";
import { undoneEntries } from "../table/replica.js";
import { verifyEntries } from "../dice/verify-dice.js";
import { button } from "./controls.js";
import { isGm } from "../game/store.js";
import { localize } from "./i18n.js";

/** @import {ChainNote, LogEntry} from "../../../types/contract.js" */
/** @import {Notices} from "../../../types/page.js" */
/** @import {Session} from "../game/session.js" */
/** @import {Store} from "../game/store.js" */

/** Shows the replica's log. */
export class LogPanel {
  /** What does not hold of each entry's dice, empty where it holds, by the entry's number. @type {Map<number, string>} */
  #verified = new Map();
  /** The entries of the rolls in which this player's own part is. @type {Set<number>} */
  #mine = new Set();

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
    const tools = el("div", { class: "log-tools" }, verify, save);
    host.append(
      el("div", { class: "panel-head" }, el("h2", {}, localize("Log.Log")), this.search, copy),
      tools,
      this.list,
    );
    store.subscribe((state, before) => {
      save.hidden = !isGm(state) || !session.client.link.key;
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
    replaceContent(
      this.list,
      ...this.#matching().map(({ entry, isUndone }) =>
        logItem(entry, isUndone, this.#verified.get(entry.seq), {
          isMine: this.#mine.has(entry.seq),
          show: isHiddenRoll(entry) && !this.#isShown(entry) ? () => this.#showToAll(entry) : null,
        }),
      ),
    );
    if (isAtEnd) this.list.scrollTop = this.list.scrollHeight;
  }

  /** @param {LogEntry} entry a hidden roll */
  #isShown({ dice: note }) {
    const log = this.store.state.replica?.log ?? [];
    const isSame = (/** @type {ChainNote | null} */ other) =>
      other?.type === "shown" &&
      note?.type === "used" &&
      other.epoch === note.epoch &&
      other.index === note.index;
    return log.some(({ dice }) => isSame(dice));
  }

  /** @param {LogEntry} entry a hidden roll */
  #showToAll({ seq }) {
    this.session.send("dice.show", { seq });
  }

  /** Works out anew what every die in the log had to be. */
  #verify() {
    const { replica } = this.store.state;
    if (!replica) return;
    this.#verified = verifyEntries(this.session.client.link.table, replica.dice, replica.log);
    this.#mine = this.session.contribution.ownRolls(replica);
    this.#show();
    const wrong = [...this.#verified].filter(([, why]) => why);
    if (wrong.length)
      this.notices.error(localize("Log.WrongEntries", { entries: wrong.map(([seq]) => seq).join(", ") }));
    else if (this.#verified.size === 1) this.notices.info(localize("Log.OneHolds"));
    else this.notices.info(localize("Log.AllHold", { count: this.#verified.size }));
  }

  async #export() {
    const { url, table, key } = this.session.client.link;
    const answer = await fetch(`${url}/api/tables/${table}/log`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    if (!answer.ok) return this.notices.error((await answer.json()).error.sentence);
    const file = URL.createObjectURL(await answer.blob());
    el("a", { href: file, download: `enfilade-${table}.log` }).click();
    setTimeout(() => URL.revokeObjectURL(file), 60_000); // the download has begun by then
  }

  async #copy() {
    const text = this.#matching()
      .map(({ entry, isUndone }) => logLine(entry, isUndone))
      .join("\n");
    try {
      await navigator.clipboard.writeText(text);
      this.notices.info(localize("Log.Copied"));
    } catch {
      showToCopy(this.list.ownerDocument.body, text); // browsers keep the clipboard from pages over plain HTTP
    }
  }
}

/** @param {HTMLElement} page @param {string} text in a field, selected, to be copied by hand */
function showToCopy(page, text) {
  const field = el("textarea", { readOnly: true, value: text, "aria-label": localize("Log.AsText") });
  const close = el(
    "form",
    { method: "dialog" },
    el("button", { class: "primary" }, localize("Window.Close")),
  );
  const dialog = el(
    "dialog",
    { class: "copy", "aria-labelledby": "copy-title", onclose: () => dialog.remove() },
    el("h2", { id: "copy-title" }, localize("Log.CopyByHand")),
    field,
    close,
  );
  page.append(dialog);
  dialog.showModal();
  field.select();
}
