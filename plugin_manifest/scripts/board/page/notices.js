/** Sentences for the person at the page: a toast to see and a polite live region to hear. */

import { el } from "../../core/ui/dom.js";
import { middle } from "../../core/draw/geometry.js";
import { noteText } from "../../core/ui/log-entry.js";
import { toView } from "./camera.js";
import { prompt } from "../../core/ui/prompt.js";
import { typesDice } from "../../core/game/store.js";

/** @import {PageState, Remedy} from "../../../types/page.js" */
/** @import {Choice, LogEntry} from "../../../types/contract.js" */
/** @import {Store} from "../../core/game/store.js" */
/** @import {Deeds} from "../../core/game/gm-commands.js" */

const SHOWN_MS = 6000;
const MOST_SHOWN = 3;
const USUAL_REASON = "The GM decides";
const LONGEST_REASON = 200;

/** Shows sentences in one place. */
export class Notices {
  /** @param {HTMLElement} region an element with role "status" */
  constructor(region) {
    this.region = region;
  }

  /** @param {string} sentence */
  say(sentence) {
    this.#show(sentence, "notice");
  }

  /**
   * @param {string} sentence something was refused or went wrong
   * @param {Remedy | null} [remedy] what can be done about it; such a notice stays until it is dismissed
   */
  problem(sentence, remedy = null) {
    this.#show(sentence, "notice is-problem", remedy);
  }

  /** Takes back what was offered against the rules: the table has gone on. */
  withdraw() {
    for (const form of this.region.querySelectorAll(".remedy")) form.closest(".notice")?.remove();
  }

  /** @param {string} sentence @param {string} classes @param {Remedy | null} [remedy] */
  #show(sentence, classes, remedy = null) {
    const close = el(
      "button",
      { type: "button", class: "plain", "aria-label": "Dismiss", onclick: () => note.remove() },
      "×",
    );
    const note = el("div", { class: classes }, el("p", {}, sentence), close);
    if (remedy) note.append(remedyForm(remedy, () => note.remove()));
    else setTimeout(() => note.remove(), SHOWN_MS);
    this.region.append(note);
    while (this.region.children.length > MOST_SHOWN) this.region.firstElementChild?.remove();
  }
}

/** @param {Remedy} remedy @param {() => void} close */
function remedyForm({ label, does }, close) {
  const reason = el("input", {
    type: "text",
    value: USUAL_REASON,
    maxLength: LONGEST_REASON,
    required: true,
    "aria-label": "Reason",
  });
  const onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    close();
    does(reason.value);
  };
  return el("form", { class: "remedy", onsubmit }, reason, el("button", { type: "submit" }, label));
}

const NOTE_MS = 3500;

/**
 * @param {HTMLElement} host
 * @param {Store} store
 * @returns {(entries: LogEntry[]) => void} to be told of new entries
 */
export function boardNotes(host, store) {
  return (entries) => {
    const latest = entries.findLast((entry) => noteText(entry));
    if (latest) showNote(host, store, latest);
  };
}

/** @param {HTMLElement} host @param {Store} store @param {LogEntry} entry */
function showNote(host, store, entry) {
  const { replica, camera } = store.state;
  const token = replica?.scene.tokens.find((other) => other.id === (entry.facts.target || entry.facts.token));
  if (!replica || !token?.at) return;
  const [x, y] = toView(camera, middle(replica.scene.grid, token, token.at));
  const note = el("p", { class: "board-note", "aria-hidden": "true" }, noteText(entry));
  Object.assign(note.style, { left: `${x}px`, top: `${y}px` });
  host.append(note);
  setTimeout(() => note.remove(), NOTE_MS);
}

/** @param {HTMLElement} host @param {HTMLElement} board @param {{store: Store, deeds: Deeds}} parts */
export function choiceView(host, board, { store, deeds }) {
  store.watch((state, before) => {
    const choice = state.replica?.choice ?? null;
    if (choice?.id === before.replica?.choice?.id) return;
    const wasFocused = host.contains(document.activeElement);
    host.replaceChildren();
    if (choice) showPrompt(host, choice, state, deeds);
    else if (wasFocused) board.focus();
  });
}

/** @param {HTMLElement} host @param {Choice} choice @param {PageState} state @param {Deeds} deeds */
function showPrompt(host, choice, state, deeds) {
  const sides = state.replica?.scene.sides ?? [];
  const place = sides.findIndex((side) => side.id === choice.side);
  const who = { name: sides[place]?.name ?? choice.side, place };
  const answer = (/** @type {string} */ key, /** @type {string} */ dice) =>
    deeds.answer(choice.id, key, dice);
  const dialog = prompt(
    choice,
    who,
    typesDice(state) ? (state.replica?.ruleset.faces ?? []) : null,
    state.replica?.role === "spectator" ? null : answer,
  );
  host.append(dialog);
  dialog.show();
}
