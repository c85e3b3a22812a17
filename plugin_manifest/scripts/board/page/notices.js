/** Sentences for the person at the page: a toast to see and a polite live region to hear. */

import { el } from "../../core/ui/dom.js";
import { tokenCenter } from "../../core/draw/geometry.js";
import { resultText } from "../../core/ui/log-entry.js";
import { toView } from "./camera.js";
import { promptDialog } from "../../core/ui/prompt.js";
import { canEnterDice } from "../../core/game/store.js";

/** @import {PageState, OverrideOffer} from "../../../types/page.js" */
/** @import {Choice, LogEntry} from "../../../types/contract.js" */
/** @import {Store} from "../../core/game/store.js" */
/** @import {GmCommands} from "../../core/game/gm-commands.js" */

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
  info(sentence) {
    this.#show(sentence, "notice");
  }

  /**
   * @param {string} sentence something was refused or went wrong
   * @param {OverrideOffer | null} [offer] what can be done about it; such a notice stays until it is dismissed
   */
  error(sentence, offer = null) {
    this.#show(sentence, "notice is-problem", offer);
  }

  /** Takes back what was offered against the rules: the table has gone on. */
  dismissOffers() {
    for (const form of this.region.querySelectorAll(".offer")) form.closest(".notice")?.remove();
  }

  /** @param {string} sentence @param {string} classes @param {OverrideOffer | null} [offer] */
  #show(sentence, classes, offer = null) {
    const close = el(
      "button",
      { type: "button", class: "plain", "aria-label": "Dismiss", onclick: () => note.remove() },
      "×",
    );
    const note = el("div", { class: classes }, el("p", {}, sentence), close);
    if (offer) note.append(offerForm(offer, () => note.remove()));
    else setTimeout(() => note.remove(), SHOWN_MS);
    this.region.append(note);
    while (this.region.children.length > MOST_SHOWN) this.region.firstElementChild?.remove();
  }
}

/** @param {OverrideOffer} offer @param {() => void} close */
function offerForm({ label, does }, close) {
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
  return el("form", { class: "offer", onsubmit }, reason, el("button", { type: "submit" }, label));
}

const NOTE_MS = 3500;

/**
 * @param {HTMLElement} host
 * @param {Store} store
 * @returns {(entries: LogEntry[]) => void} to be told of new entries
 */
export function boardNotes(host, store) {
  return (entries) => {
    const latest = entries.findLast((entry) => resultText(entry));
    if (latest) showNote(host, store, latest);
  };
}

/** @param {HTMLElement} host @param {Store} store @param {LogEntry} entry */
function showNote(host, store, entry) {
  const { replica, camera } = store.state;
  const token = replica?.scene.tokens.find((other) => other.id === (entry.facts.target || entry.facts.token));
  if (!replica || !token?.at) return;
  const [x, y] = toView(camera, tokenCenter(replica.scene.grid, token, token.at));
  const note = el("p", { class: "board-note", "aria-hidden": "true" }, resultText(entry));
  Object.assign(note.style, { left: `${x}px`, top: `${y}px` });
  host.append(note);
  setTimeout(() => note.remove(), NOTE_MS);
}

/** @param {HTMLElement} host @param {HTMLElement} board @param {{store: Store, commands: GmCommands}} parts */
export function choiceView(host, board, { store, commands }) {
  store.subscribe((state, before) => {
    const choice = state.replica?.choice ?? null;
    if (choice?.id === before.replica?.choice?.id) return;
    const wasFocused = host.contains(document.activeElement);
    host.replaceChildren();
    if (choice) showPrompt(host, choice, state, commands);
    else if (wasFocused) board.focus();
  });
}

/** @param {HTMLElement} host @param {Choice} choice @param {PageState} state @param {GmCommands} commands */
function showPrompt(host, choice, state, commands) {
  const sides = state.replica?.scene.sides ?? [];
  const place = sides.findIndex((side) => side.id === choice.side);
  const who = { name: sides[place]?.name ?? choice.side, place };
  const answer = (/** @type {string} */ key, /** @type {string} */ dice) =>
    commands.answer(choice.id, key, dice);
  const dialog = promptDialog(
    choice,
    who,
    canEnterDice(state) ? (state.replica?.ruleset.faces ?? []) : null,
    state.replica?.role === "spectator" ? null : answer,
  );
  host.append(dialog);
  dialog.show();
}
