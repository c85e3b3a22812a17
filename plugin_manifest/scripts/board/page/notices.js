/** Messages over the board: notices with override forms, fading results at tokens, and prompts. */

import { tokenCenter } from "../../core/map/geometry.js";
import { canEnterDice } from "../../core/game/store.js";
import { el } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";
import { answerPicks } from "../../core/game/map-picks.js";
import { resultText } from "../../core/ui/log-entry.js";
import { choiceVersion, promptActions, promptDialog } from "../../core/ui/prompt.js";
import { placeBeside } from "../panels/attack-panel.js";
import { toView } from "./camera.js";
import { isPhone, showLog, uncoverMap } from "./drawer.js";
import { coveredEdges, hasColumn } from "./free-area.js";
import { Portraits } from "./token-art.js";

/** @import {Cell, Choice, LogEntry} from "../../../types/contract.js" */
/** @import {BoardState, OverrideOffer, TableState} from "../../../types/page.js" */
/** @import {GmCommands} from "../../core/game/gm-commands.js" */
/** @import {MapPicking} from "../input/map-picking.js" */
/** @import {Board, Page} from "./page-state.js" */
/** @import {Stage} from "./stage.js" */

const NOTICE_MS = 6000;
const RESULT_MS = 3500;
const MAX_NOTICES = 3;
const MAX_REASON = 200;
const PROMPT_GAP_PX = 46;

/** Shows notices in one live region: visible for some seconds, and read by screen readers. */
export class Notices {
  /** @param {HTMLElement} region an element with role "status" */
  constructor(region) {
    this.region = region;
  }

  /** @param {string} sentence */
  info(sentence) {
    this.#show(sentence, false);
  }

  /**
   * Show an error.
   * @param {string} sentence
   * @param {OverrideOffer | null} [offer] lets the GM override; the notice then stays until dismissed
   */
  error(sentence, offer = null) {
    this.#show(sentence, true, offer);
  }

  /** Remove the open override offers, because the table has moved on. */
  dismissOffers() {
    for (const form of this.region.querySelectorAll(".offer")) form.closest(".notice")?.remove();
  }

  /** @param {string} sentence @param {boolean} isError @param {OverrideOffer | null} [offer] */
  #show(sentence, isError, offer = null) {
    const dismiss = () => notice.remove();
    const close = el(
      "button",
      { type: "button", class: "plain", "aria-label": localize("Notice.Dismiss"), onclick: dismiss },
      "×",
    );
    const notice = el("div", { class: `notice ${isError ? "is-error" : ""}` }, el("p", {}, sentence), close);
    if (offer) notice.append(offerForm(offer, dismiss));
    else setTimeout(dismiss, NOTICE_MS);
    this.region.append(notice);
    while (this.region.children.length > MAX_NOTICES) this.region.firstElementChild?.remove();
  }
}

/** @param {OverrideOffer} offer @param {() => void} close */
function offerForm({ label, override }, close) {
  const reason = el("input", {
    type: "text",
    value: localize("Override.DefaultReason"),
    maxLength: MAX_REASON,
    required: true,
    "aria-label": localize("Override.Reason"),
  });
  const onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    close();
    override(reason.value);
  };
  return el("form", { class: "offer", onsubmit }, reason, el("button", { type: "submit" }, label));
}

/**
 * Show the newest result among some entries over the token that it concerns, for a few seconds.
 * @param {HTMLElement} host
 * @param {Board} board
 * @param {LogEntry[]} entries
 */
export function showResult(host, board, entries) {
  const latest = entries.findLast((entry) => resultText(entry));
  const { replica, camera } = board.state;
  const id = latest?.facts.target || latest?.facts.token;
  const token = replica?.scene.tokens.find((other) => other.id === id);
  if (!latest || !replica || !token?.at) return;
  const [x, y] = toView(camera, tokenCenter(replica.scene.grid, token, token.at));
  const note = el("p", { class: "board-note", "aria-hidden": "true" }, resultText(latest));
  Object.assign(note.style, { left: `${x}px`, top: `${y}px` });
  host.append(note);
  setTimeout(() => note.remove(), RESULT_MS);
}

/**
 * Show a prompt while the table waits for a choice.
 * @param {HTMLElement} host
 * @param {HTMLElement} view the board's element; it gets the focus when the prompt closes
 * @param {{board: Board, page: Page, commands: GmCommands, picking: MapPicking, stage: Stage}} parts
 */
export function promptView(host, view, { board, page, commands, picking, stage }) {
  /** The round before the one whose questions take their defaults; null for none. @type {number | null} */
  let settled = null;
  const settleRest = () => (settled = board.state.replica?.turn.round ?? null);
  // A window that becomes smaller, or a phone that is turned, must not leave the question outside.
  new ResizeObserver(() => placePrompt(host, view, board.state)).observe(view);
  board.subscribe((state, before) => {
    const choice = state.replica?.choice ?? null;
    if (choice && state.camera !== before.camera) placePrompt(host, view, state);
    if (choiceVersion(choice) === choiceVersion(before.replica?.choice ?? null)) return;
    const wasFocused = host.contains(document.activeElement);
    host.replaceChildren();
    if (page.state.planning) page.set({ planning: null });
    picking.cancel();
    makeRoom(Boolean(choice?.is_sealed && state.replica?.role !== "spectator"));
    if (state.replica?.turn.round !== settled) settled = null;
    const isAnew = choice && !choice.given && !choice.others?.length && !choice.is_sealed && choice.default;
    if (isAnew && settled !== null) return void commands.answer(choice.id, choice.default, "");
    if (choice) showPrompt(host, choice, state, { page, commands, picking, stage, settleRest });
    if (choice) placePrompt(host, view, board.state);
    else if (wasFocused) view.focus();
  });
}

/** The log was unfolded before a plan took its place. */
let hadLog = false;

/** Fold the log while a plan takes the column at the right, and unfold it again. @param {boolean} isPlanning */
function makeRoom(isPlanning) {
  const { classList } = document.body;
  if (isPlanning === classList.contains("has-plan")) return;
  classList.toggle("has-plan", isPlanning);
  if (isPlanning) hadLog = classList.contains("has-log") && !isPhone();
  if (hadLog) showLog(!isPlanning, false);
}

/** @param {HTMLElement} host @param {Choice} choice @param {TableState} state @param {{page: Page, commands: GmCommands, picking: MapPicking, stage: Stage, settleRest: () => void}} parts */
function showPrompt(host, choice, state, { page, commands, picking, stage, settleRest }) {
  const sides = state.replica?.scene.sides ?? [];
  const index = sides.findIndex((side) => side.id === choice.side);
  const side = { name: sides[index]?.name ?? choice.side, index };
  const actions = promptActions(state, commands);
  const portraits = new Portraits();
  const portraitOf = (/** @type {string} */ id) => {
    const token = state.replica?.scene.tokens.find((one) => one.id === id);
    const place = sides.findIndex((one) => one.id === token?.side);
    return token ? portraits.of(token, place, sides) : null;
  };
  uncoverMap();
  const pick = (/** @type {Choice} */ asked) => picking.choose(answerPicks(asked.options));
  const dialog = promptDialog(
    choice,
    side,
    canEnterDice(state) ? (state.replica?.ruleset.faces ?? []) : null,
    actions && {
      ...{ ...actions, pick, portraitOf, settleRest },
      reveal: (token) => stage.reveal(token),
      onPlan: (planning) => page.set({ planning }),
    },
  );
  host.append(dialog);
  dialog.show();
  dialog.scrollTop = 0; // the default answer has the focus, and may lie below what is asked
  stage.reveal(choice.token);
}

/**
 * Move the prompt beside the units that it is about, where it covers none of them.
 * @param {HTMLElement} host
 * @param {HTMLElement} board
 * @param {BoardState} state
 */
function placePrompt(host, board, { replica, camera }) {
  const dialog = host.querySelector("dialog");
  if (!dialog || !replica?.choice || dialog.querySelector(".planner")) return; // a plan has its place in the styles
  const { choice, scene } = replica;
  const { token, target } = choice.facts ?? {};
  const asked = [choice.token, token, target, ...choice.options.flatMap(({ tokens }) => tokens ?? [])];
  const placesOf = (/** @type {boolean} */ isAsked) =>
    scene.tokens
      .filter(({ id, at }) => at && asked.includes(id) === isAsked)
      .map((token) => toView(camera, tokenCenter(scene.grid, token, /** @type {Cell} */ (token.at))));
  const places = placesOf(true);
  const view = /** @type {Cell} */ ([board.clientWidth, board.clientHeight]);
  const covered = coveredEdges(view, hasColumn());
  const corner = /** @type {Cell} */ ([view[0] - covered.right, view[1] - covered.bottom]);
  const size = /** @type {Cell} */ ([dialog.offsetWidth, dialog.offsetHeight]);
  const gap = PROMPT_GAP_PX * Math.max(0.6, camera.scale);
  const near = places.length ? places : [corner];
  const [left, top] = placeBeside(near, size, view, gap, covered, placesOf(false));
  Object.assign(dialog.style, { left: `${left}px`, top: `${top}px` });
}
