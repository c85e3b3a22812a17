/**
 * The live log, newest entry last, one line an event: unfold, search, copy, verify dice, export. Only the lines in view
 * are in the page.
 */

import { html, nothing } from "../../../vendor/lit-html.min.js";
import { isGm } from "../game/store.js";
import { button, checkbox } from "./controls.js";
import { showCopyDialog } from "./copy-dialog.js";
import { el } from "./dom.js";
import { localize } from "./i18n.js";
import { entryDetail } from "./log-detail.js";
import { diceVerdict, logLine } from "./log-entry.js";
import { LogFilter } from "./log-filter.js";
import { lineContent, nameMarker } from "./log-line.js";
import { LogRows } from "./log-rows.js";
import { VirtualList } from "./virtual-list.js";

/** @import {LogEntry} from "../../../types/contract.js" */
/** @import {Notices} from "../../../types/page.js" */
/** @import {Session} from "../game/session.js" */
/** @import {GmCommands} from "../game/gm-commands.js" */
/** @import {Store} from "../game/store.js" */
/** @import {LogRow} from "./log-rows.js" */

const DOWNLOAD_MS = 60_000;
/** A list lower than this shows a single line. */
const LEAST_PX = 64;
/** A search waits for a pause in typing. */
const TYPING_MS = 150;
/** @typedef {{id: string, name: string, save: () => void}} LogFile a kind of file that the log is saved as */
/** @typedef {(before: number) => Promise<LogEntry[]>} ReadOlder returns entries before a number, the oldest first; [] if there are none */

/** Shows the replica's log. */
export class LogPanel {
  /**
   * The dice problem of each verified entry ("" if there is none), by entry number.
   * @type {Map<number, string>}
   */
  #verified = new Map();
  /** The rows that a person has folded or unfolded, by their keys. @type {Map<string, boolean>} */
  #folds = new Map();
  #rows = new LogRows();
  /** Marks names in sentences. @type {(text: string) => unknown[]} */
  #markNames = (text) => [text];
  /** @type {Promise<boolean> | null} older entries that are under way */
  #reading = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {HTMLElement} host
   * @param {{store: Store, notices: Notices, session: Session, commands?: GmCommands | null, exports?: LogFile[], readOlder?: ReadOlder | null,
   *   shown?: EventTarget | null}} parts `shown` tells by an event "shown" that the panel has come back on the screen; a
   *   panel with it draws nothing while it is off
   */
  constructor(
    host,
    { store, notices, session, commands = null, exports = [], readOlder = null, shown = null },
  ) {
    const isDrawn = () => shown === null || host.isConnected;
    shown?.addEventListener("shown", () => this.#take());
    this.store = store;
    this.notices = notices;
    this.commands = commands;
    this.session = session;
    this.readOlder = readOlder;
    this.list = el("div", {
      id: "log-list",
      tabIndex: 0,
      role: "log",
      "aria-live": "off", // the page announces new entries by itself
      "aria-label": localize("Log.Entries"),
    });
    this.list.addEventListener("keydown", (event) => this.#key(event));
    this.view = new VirtualList(this.list, {
      template: (row, index, all) => this.#row(/** @type {LogRow} */ (row), index === all - 1),
      onTop: () => this.#readOlder(),
    });
    this.filter = new LogFilter(() => this.#refilter());
    this.proofs = el("input", { id: "log-proofs", type: "checkbox", onchange: () => this.#refilter() });
    this.search = el("input", {
      id: "log-search",
      type: "search",
      placeholder: localize("Log.Search"),
      "aria-label": localize("Log.Search"),
      oninput: () => {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#find(), TYPING_MS);
      },
    });
    const copy = button("log-copy", localize("Log.Copy"), () => this.#copy());
    const verify = button("log-verify", localize("Log.Verify"), () => this.#verify());
    const save = button("log-export", localize("Log.Export"), () => this.#export());
    const files = exports.map(({ id, name, save: run }) => button(id, localize(name), run));
    const more = el(
      "details",
      { class: "log-more", open: !exports.length },
      el("summary", {}, localize("Log.More")),
      el("div", { class: "log-tools" }, copy, ...files, save, verify),
      checkbox(this.proofs, localize("Log.Proofs")),
    );
    host.append(
      el(
        "div",
        { class: "panel-head" },
        el("h2", {}, localize("Log.Title")),
        this.search,
        this.filter.element,
      ),
      more,
      this.list,
    );
    store.subscribe((state, before) => {
      save.hidden = !isGm(state) || !session.client.link.key;
      const { replica } = state;
      if (!isDrawn()) return;
      if (replica && replica.scene.tokens !== before.replica?.scene.tokens) {
        this.filter.fill(replica.scene);
        this.#markNames = nameMarker(replica.scene);
      }
      if (replica && replica.log !== before.replica?.log) {
        this.#takeLog(replica.log);
      } else if (replica?.history !== before.replica?.history) this.view.show();
    });
  }

  /** Take what came while the panel was off the screen. */
  #take() {
    const { replica } = this.store.state;
    if (!replica) return;
    this.filter.fill(replica.scene);
    this.#markNames = nameMarker(replica.scene);
    this.#takeLog(replica.log);
  }

  /** Take the entries that are new. A person at the log's end needs no old ones; they are read again. @param {LogEntry[]} log */
  #takeLog(log) {
    const same = this.#rows.take(log);
    const isReading = this.search.value || this.filter.element.value || !this.view.isAtEnd;
    this.#show(this.readOlder && !isReading && this.#rows.forgetOld() ? 0 : same);
    this.list.dataset.seq = String(log.at(-1)?.seq ?? 0);
  }

  /** Show the rows that pass what is searched for and chosen. */
  #refilter() {
    const query = this.search.value.trim().toLowerCase();
    const isWanted = this.filter.test(this.store.state.replica?.scene);
    this.#rows.setFilter({ query, hasProofs: this.proofs.checked, isWanted });
    this.#show(0);
  }

  /** Show the rows; those before `same` are as they were. @param {number} same */
  #show(same) {
    this.list.dataset.entries = String(this.#rows.count);
    this.view.setRows(this.#rows.rows, same);
  }

  async #find() {
    this.#refilter();
    if (this.search.value.trim()) await this.#readAll();
  }

  /** @param {LogRow} row @param {boolean} isLast */
  #row({ key, round, entries }, isLast) {
    if (round) return html`<li class="log-round"><h3>${round}</h3></li>`;
    const newest = /** @type {LogEntry} */ (entries.at(-1));
    const isFolded = this.list.clientHeight < LEAST_PX;
    const isOpen = this.#folds.get(key) ?? (isLast && entries.length === 1 && !isFolded);
    const isUndone = entries.every(({ seq }) => this.#rows.undone.has(seq));
    const flags = [isUndone ? "is-undone" : "", newest.secret ? "is-secret" : "", isOpen ? "is-open" : ""];
    const verdict = this.#verified.get(newest.seq);
    return html`<li
      class="log-entry log-${newest.kind.replace(".", "-")} ${flags.join(" ")}"
      data-seq=${newest.seq}
    >
      <button
        type="button"
        class="log-line"
        tabindex="-1"
        aria-expanded=${String(isOpen)}
        @click=${() => this.#fold(key, !isOpen)}
      >
        ${lineContent(newest, this.#markNames, entries.length)}
      </button>
      ${isOpen ? entries.map((entry) => this.#detail(entry, entries.length > 1)) : nothing}
      ${verdict === undefined ? nothing : diceVerdict(verdict)}
    </li>`;
  }

  /** @param {string} key @param {boolean} isOpen */
  #fold(key, isOpen) {
    this.#folds.set(key, isOpen);
    this.view.show();
  }

  /** @param {LogEntry} entry @param {boolean} isFolded whether it is one of several of a line */
  #detail(entry, isFolded) {
    const { undone, revealed } = this.#rows;
    const { seq, dice } = entry;
    return entryDetail(entry, {
      store: this.store,
      session: this.session,
      commands: this.commands,
      markNames: this.#markNames,
      isFolded,
      isUndone: undone.has(seq),
      isRevealed: dice?.type === "used" && revealed.has(`${dice.epoch}/${dice.index}`),
    });
  }

  /** Go from line to line by the arrow keys, and to the ends. @param {KeyboardEvent} event */
  #key(event) {
    const lines = /** @type {HTMLElement[]} */ ([...this.list.querySelectorAll(".log-line")]);
    const at = lines.indexOf(/** @type {HTMLElement} */ (event.target));
    const next = { ArrowDown: lines[at + 1], ArrowUp: at < 0 ? lines.at(-1) : lines[at - 1] }[event.key];
    if (!next) return;
    event.preventDefault();
    next.focus();
  }

  /** Read the entries before the first that is known. @returns {Promise<boolean>} whether there were any */
  #readOlder() {
    const first = this.#rows.entries[0]?.seq ?? 0;
    if (!this.readOlder || first <= 1) return Promise.resolve(false);
    this.#reading ??= this.readOlder(first)
      .catch(() => [])
      .then((older) => {
        this.#reading = null;
        const isStill = older.length > 0 && this.#rows.entries[0]?.seq === first;
        if (isStill) {
          const added = this.#rows.takeOlder(older);
          this.list.dataset.entries = String(this.#rows.count);
          this.view.setRowsBefore(this.#rows.rows, added);
        }
        return isStill;
      });
    return this.#reading;
  }

  /** Read all entries that are not known yet. */
  async #readAll() {
    while (await this.#readOlder());
  }

  /** Recompute every die in the log and show which entries differ. */
  async #verify() {
    const check = await import("../dice/verify-dice.js").catch(() => null); // loaded here, because seldom needed
    if (check) await this.#readAll();
    else this.notices.error(localize("Page.Reload"));
    const { replica } = this.store.state;
    if (!replica || !check) return;
    this.#verified = check.verifyEntries(
      this.session.client.link.table,
      replica.dice,
      this.#rows.entries,
      this.session.receipts,
    );
    this.view.show();
    const count = this.#verified.size;
    const failed = [...this.#verified].filter(([, problem]) => problem).map(([seq]) => seq);
    if (failed.length) this.notices.error(localize("Log.FailedEntries", { entries: failed.join(", ") }));
    else this.notices.info(localize("Log.RollsVerified", { count }));
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
    await this.#readAll();
    const rows = this.#rows;
    const passed = rows.entries.filter((entry) => rows.passes(entry));
    const text = passed.map((entry) => logLine(entry, rows.undone.has(entry.seq))).join("\n");
    try {
      await navigator.clipboard.writeText(text);
      this.notices.info(localize("Log.Copied"));
    } catch {
      showCopyDialog(this.list.ownerDocument.body, text); // no clipboard for pages over plain HTTP
    }
  }
}
