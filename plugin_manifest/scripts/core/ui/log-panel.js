/** The live log, newest entry last: search, copy, verify dice, export. */

import { hasSteps } from "../game/replay.js";
import { isGm } from "../game/store.js";
import { undoneEntries } from "../table/replica.js";
import { button, checkbox, selectField } from "./controls.js";
import { el, replaceContent } from "./dom.js";
import { localize } from "./i18n.js";
import { sealedView } from "./sealed-view.js";
import { isDiceProof, isHiddenRoll, logItem, logLine } from "./log-entry.js";
import { inNameOrder } from "./names.js";

/** @import {ChainNote, LogEntry} from "../../../types/contract.js" */
/** @import {Notices} from "../../../types/page.js" */
/** @import {Session} from "../game/session.js" */
/** @import {GmCommands} from "../game/gm-commands.js" */
/** @import {Store} from "../game/store.js" */

/** The list follows new entries if it was scrolled to within this distance of its end. */
const FOLLOW_PX = 60;
/** A synchronization without a text has changed the map alone, which is to be seen there. */
const SYNC = "scene.sync";
const DOWNLOAD_MS = 60_000;
/** The kinds of entries without a change of the scene. */
const NO_CHANGES = new Set([
  "note",
  "webhook.set",
  "webhook.test",
  "webhook.stopped",
  "secret",
  "dice.reveal",
]);

/** @typedef {{id: string, name: string, save: () => void}} LogFile a kind of file that the log is saved as */

/** Shows the replica's log. */
export class LogPanel {
  /**
   * The dice problem of each verified entry ("" if there is none), by entry number.
   * @type {Map<number, string>}
   */
  #verified = new Map();
  /** The entries whose rolls contain this player's contribution. @type {Set<number>} */
  #ownRolls = new Set();

  /**
   * @param {HTMLElement} host
   * @param {{store: Store, notices: Notices, session: Session, commands?: GmCommands | null, exports?: LogFile[],
   *   shown?: EventTarget | null}} parts `shown` tells by an event "shown" that the panel has come back on the screen; a
   *   panel with it draws nothing while it is off
   */
  constructor(host, { store, notices, session, commands = null, exports = [], shown = null }) {
    const isDrawn = () => shown === null || host.isConnected;
    shown?.addEventListener("shown", () => this.#show());
    this.store = store;
    this.notices = notices;
    this.commands = commands;
    this.session = session;
    this.list = el("div", {
      id: "log-list",
      tabIndex: 0,
      role: "log",
      "aria-label": localize("Log.Entries"),
    });
    this.filter = selectField("log-filter", [], "", { "aria-label": localize("Log.Filter") });
    this.filter.onchange = () => this.#show();
    this.proofs = el("input", { id: "log-proofs", type: "checkbox", onchange: () => this.#show() });
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
    const files = exports.map(({ id, name, save: run }) => button(id, localize(name), run));
    const more = el(
      "details",
      { class: "log-more", open: !exports.length },
      el("summary", {}, localize("Log.More")),
      el("div", { class: "log-tools" }, copy, ...files, save, verify),
      checkbox(this.proofs, localize("Log.Proofs")),
    );
    host.append(
      el("div", { class: "panel-head" }, el("h2", {}, localize("Log.Title")), this.search, this.filter),
      more,
      this.list,
    );
    store.subscribe((state, before) => {
      save.hidden = !isGm(state) || !session.client.link.key;
      if (state.replica?.log !== before.replica?.log && isDrawn()) this.#show();
    });
  }

  /** Return the entries that match the search. */
  #matching() {
    const log = this.store.state.replica?.log ?? [];
    const undone = undoneEntries(log);
    const query = this.search.value.trim().toLowerCase();
    const rows = log.map((entry) => ({ entry, isUndone: undone.has(entry.seq) }));
    const isWanted = this.#filtered();
    return rows.filter(
      ({ entry, isUndone }) =>
        (this.proofs.checked || !isDiceProof(entry)) &&
        isWanted(entry) &&
        !(entry.kind === SYNC && !entry.text) &&
        logLine(entry, isUndone).toLowerCase().includes(query),
    );
  }

  /** Return whether an entry passes the chosen filter. @returns {(entry: LogEntry) => boolean} */
  #filtered() {
    const { value } = this.filter;
    const scene = this.store.state.replica?.scene;
    if (!value || !scene) return () => true;
    if (value.startsWith("kind:")) {
      const kinds = value.slice(5).split(",");
      return ({ kind }) => kinds.includes(kind);
    }
    const [what, id] = [value.slice(0, 5), value.slice(5)];
    const tokens = scene.tokens.filter((token) => (what === "unit:" ? token.id : token.side) === id);
    return ({ facts, text }) =>
      tokens.some(
        (token) => facts.token === token.id || facts.target === token.id || text.includes(token.name),
      );
  }

  /** Keep the list of filters: kinds, sides, units. */
  #fillFilter() {
    const { replica } = this.store.state;
    if (!replica) return;
    const { sides, tokens } = replica.scene;
    const options = [
      ["", localize("Log.All")],
      ["kind:act,choice.answer,choice.close", localize("Log.Acts")],
      ["kind:token.move", localize("Log.Moves")],
      ["kind:note", localize("Log.Notes")],
      ...sides.map(({ id, name }) => [`side:${id}`, name]),
      ...inNameOrder(tokens).map(({ id, name }) => [`unit:${id}`, name]),
    ];
    const text = JSON.stringify(options);
    if (this.filter.dataset.options === text) return;
    this.filter.dataset.options = text;
    const { value } = this.filter;
    this.filter.replaceChildren(
      ...options.map(([key, name]) => el("option", { value: key, selected: key === value }, name)),
    );
  }

  #show() {
    const { scrollHeight, scrollTop, clientHeight } = this.list;
    const isAtEnd = scrollHeight - scrollTop - clientHeight < FOLLOW_PX;
    this.#fillFilter();
    const rows = this.#matching();
    const { history } = this.store.state.replica ?? {};
    const { commands } = this;
    const groups = groupByRound(rows);
    const item = (/** @type {{entry: LogEntry, isUndone: boolean}} */ { entry, isUndone }) => {
      const isRevealable = isHiddenRoll(entry) && !this.#isRevealed(entry);
      const isUndoable =
        commands && !isUndone && history?.first && entry.seq >= history.first && isChange(entry);
      return logItem(entry, {
        isUndone,
        sealed: sealedView(entry, this.session.receipts, (id) => this.#nameOf(id)),
        isOpen: entry === rows.at(-1)?.entry,
        undoTo: isUndoable ? () => commands.undoTo(entry.seq) : null,
        diceProblem: this.#verified.get(entry.seq),
        isOwnRoll: this.#ownRolls.has(entry.seq),
        replay: hasSteps(entry) ? () => this.store.set({ replaying: entry }) : null,
        reveal: isRevealable ? () => this.session.send("dice.reveal", { seq: entry.seq }) : null,
      });
    };
    const parts = groups.map(({ round, rows: own }) => [
      round ? el("h3", { class: "log-round" }, round) : "",
      el("ol", {}, ...own.map(item)),
    ]);
    replaceContent(this.list, ...parts.flat());
    if (isAtEnd) this.list.scrollTop = this.list.scrollHeight;
  }

  /** @param {string} id of a token */
  #nameOf(id) {
    return this.store.state.replica?.scene.tokens.find((token) => token.id === id)?.name ?? id;
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
  async #verify() {
    const check = await import("../dice/verify-dice.js").catch(() => null); // loaded here, because seldom needed
    const { replica } = this.store.state;
    if (!check) this.notices.error(localize("Page.Reload"));
    if (!replica || !check) return;
    this.#verified = check.verifyEntries(
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

/** Return whether undo can take an entry back. @param {LogEntry} entry */
const isChange = ({ kind, undoes }) => !undoes && !NO_CHANGES.has(kind);

/**
 * Group rows by round: each group begins with the entry that starts a round.
 * @template {{entry: LogEntry}} T
 * @param {T[]} rows
 * @returns {{round: string, rows: T[]}[]}
 */
export function groupByRound(rows) {
  const begins = new RegExp(`^${localize("Turn.Round", { round: "\\d+" })}\\b`);
  /** @type {{round: string, rows: T[]}[]} */
  const groups = [{ round: "", rows: [] }];
  for (const row of rows) {
    const found = row.entry.kind === "act" && row.entry.text.match(begins);
    if (found) groups.push({ round: found[0], rows: [] });
    groups.at(-1)?.rows.push(row);
  }
  return groups.filter(({ rows: own }) => own.length);
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
