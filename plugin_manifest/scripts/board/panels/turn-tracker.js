/** The turn tracker: all units in the order in which they act, with their state, and whose turn it is. */

import { html, nothing, render, repeat } from "../../../vendor/lit-html.min.js";
import { cellName } from "../../core/map/geometry.js";
import { canPlay, hasActed, hasChanged } from "../../core/game/store.js";
import { initiativeOf, isOut, turnOrder } from "../../core/game/turn-order.js";
import { localize } from "../../core/ui/i18n.js";
import { Portraits } from "../page/token-art.js";

/** @import {Replica, Token} from "../../../types/contract.js" */
/** @import {TableState} from "../../../types/page.js" */
/** @import {Store} from "../../core/game/store.js" */

/** @typedef {{store: Store, pick: (token: string) => void}} Parts */

/** So many cards leave a long name of the table its room. */
const CROWD = 10;

/**
 * Keep an element filled with the tracker.
 * @param {HTMLElement} host
 * @param {Parts} parts
 */
export function turnTracker(host, parts) {
  const pictures = new Portraits();
  parts.store.subscribe((state, before) => {
    if (hasChanged(state, before, "replica", "selected")) show(host, state, parts, pictures);
  });
}

/** @param {HTMLElement} host @param {TableState} state @param {Parts} parts @param {Portraits} pictures */
function show(host, state, parts, pictures) {
  const { replica } = state;
  if (!replica) return;
  const { acted, now, slot, ready, out } = turnOrder(replica);
  const cards = [
    ...acted.map((token) => ({ token, slot: "" })),
    ...(now ? [{ token: now, slot: "" }] : []),
    ...(slot ? [{ token: null, slot }] : []),
    ...[...ready, ...out].map((token) => ({ token, slot: "" })),
  ];
  const card = (/** @type {{token: Token | null, slot: string}} */ one) =>
    one.token ? unitCard(one.token, state, parts, pictures) : sideSlot(one.slot, replica);
  render(
    html`<div class="turn-head">
        <b id="round">${roundText(replica)}</b>
        <span id="active" class=${isOwnTurn(state) ? "is-own" : ""}>${turnText(state)}</span>
        ${pendingNote(state)}
      </div>
      <ul id="units">
        ${repeat(cards, ({ token, slot: side }) => token?.id ?? `slot ${side}`, card)}
      </ul>`,
    host,
  );
  document.body.classList.toggle("has-crowd", cards.length > CROWD);
  const next = nextIn(host);
  if (next && next.id !== host.dataset.shown) scrollTo(next);
  host.dataset.shown = next?.id ?? "";
}

/** @param {HTMLElement} host */
const nextIn = (host) => host.querySelector(".unit.is-active, .side-slot");

/** @param {Element} card */
const scrollTo = (card) => card.scrollIntoView({ block: "nearest", inline: "center" });

/** The place of the unit that a side is to choose. @param {string} id @param {Replica} replica */
function sideSlot(id, { scene }) {
  const index = scene.sides.findIndex((side) => side.id === id);
  const name = scene.sides[index]?.name ?? id;
  return html`<li class="side-slot" id=${`slot-${id}`} title=${localize("Tracker.SideTurn", { names: name })}>
    <b class="slot-sign side-${index}" aria-hidden="true">${[...name][0]}</b>
    <span>${localize("Tracker.Then")}</span>
  </li>`;
}

/** @param {Token} token @param {TableState} state @param {Parts} parts @param {Portraits} pictures */
function unitCard(token, state, { pick }, pictures) {
  const replica = /** @type {Replica} */ (state.replica);
  const { sides } = replica.scene;
  const index = sides.findIndex(({ id }) => id === token.side);
  const marks = unitMarks(token, state);
  const isSelected = token.id === state.selected;
  const initiative = initiativeOf(token, replica.turn);
  const classes = ["unit", ...marks.map(({ key }) => `is-${key}`), isSelected ? "is-selected" : ""];
  const remarks = [sides[index]?.name ?? "", place(token, replica), ...marks.map(({ text }) => text)];
  return html`<li>
    <button
      type="button"
      id=${`pick-${token.id}`}
      class=${classes.join(" ")}
      aria-pressed=${String(isSelected)}
      title=${[token.name, ...marks.map(({ text }) => text)].join(", ")}
      @click=${() => pick(token.id)}
    >
      ${pictures.of(token, index, sides)}
      ${initiative === null ? nothing : html`<span class="unit-initiative">${initiative}</span>`}
      <span class="unit-name">${token.name}</span>
      ${hitPoints(token, replica)}
      ${marks.map(({ sign, key }) =>
        sign ? html`<span class="unit-sign sign-${key}" aria-hidden="true">${sign}</span>` : nothing,
      )}
      <span class="visually-hidden">${remarks.map((text) => `, ${text}`).join("")}</span>
    </button>
  </li>`;
}

/** @param {Token} token @param {Replica} replica */
const place = (token, { scene }) =>
  token.at ? cellName(scene.grid, token.at) : localize(isOut(token) ? "Token.Out" : "Token.OffBoard");

/**
 * Return the states of a unit that a card shows, each with a sign besides its color.
 * @param {Token} token
 * @param {TableState} state
 */
function unitMarks(token, state) {
  const { turn, choice } = /** @type {Replica} */ (state.replica);
  const isActive = turn.token === token.id || "active" in token.conditions;
  const isOwn = state.replica?.role === "player" && canPlay(state, token);
  const hasHadTurn = turn.order.length
    ? turnOrder(/** @type {Replica} */ (state.replica)).acted.includes(token)
    : hasActed(token);
  const asked = choice ? [choice, ...(choice.others ?? [])] : [];
  const isAsked = asked.some(({ token: id, given }) => id === token.id && !given);
  const hasChosen = asked.some(({ token: id, given }) => id === token.id && given);
  const all = [
    { key: "active", is: isActive, sign: "▶", text: localize("Tracker.Active") },
    { key: "asked", is: isAsked, sign: "?", text: localize("Tracker.Decides") },
    {
      key: "done",
      is: !isActive && (hasHadTurn || hasChosen),
      sign: "✓",
      text: localize("Tracker.Done"),
    },
    { key: "out", is: isOut(token), sign: "✕", text: localize("Token.Out") },
    { key: "downed", is: "downed" in token.conditions, sign: "⤓", text: localize("Token.Downed") },
    { key: "hidden", is: token.hidden, sign: "◌", text: localize("Token.Hidden") },
    { key: "own", is: isOwn, sign: "★", text: localize("Tracker.Yours") },
  ];
  return all.filter(({ is }) => is);
}

/** @param {Token} token @param {Replica} replica */
function hitPoints(token, { bars }) {
  const bar = bars[token.id];
  if (!bar || isOut(token)) return nothing;
  const left = Math.max(0, token.tracks[bar.track] ?? bar.most);
  const share = Math.min(left, bar.most) / Math.max(1, bar.most);
  return html`<span class="hp">
    <svg class="hp-bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <rect class="hp-fill" width=${Math.round(100 * share)} height="10"></rect>
    </svg>
    <span class="hp-text"
      >${left}/${bar.most} <span class="visually-hidden">${localize("Tracker.HitPoints")}</span></span
    >
  </span>`;
}

/** Name the round; nothing while the first one waits for its first decision. @param {Replica} replica */
function roundText({ turn, choice }) {
  if (turn.round) return localize("Turn.Round", { round: turn.round });
  return choice ? "" : localize("Turn.NotStarted");
}

/** Return whose turn it is, in words. @param {TableState} state */
export function turnText(state) {
  const replica = /** @type {Replica} */ (state.replica);
  const { turn, scene } = replica;
  const names = (/** @type {string[]} */ ids) =>
    scene.sides
      .filter(({ id }) => ids.includes(id))
      .map(({ name }) => name)
      .join(", ");
  if (turn.is_over && turn.winners.length) return localize("Tracker.Won", { names: names(turn.winners) });
  if (turn.is_over) return localize("Tracker.Over");
  const active = scene.tokens.find(({ id }) => id === turn.token);
  if (active && replica.role === "player" && canPlay(state, active))
    return localize("Tracker.YourTurn", { name: active.name });
  if (active) return localize("Turn.Active", { name: active.name });
  if (isOwnTurn(state)) return localize("Tracker.Your");
  if (turn.sides.length) return localize("Tracker.SideTurn", { names: names(turn.sides) });
  if (!turn.round) return "";
  return localize(replica.role === "gm" ? "Tracker.RoundOver" : "Tracker.WaitGm");
}

/**
 * Return whether a player at this page is to act or to decide now.
 * @param {TableState} state
 */
export function isOwnTurn(state) {
  const { replica } = state;
  if (!replica || replica.role !== "player" || replica.turn.is_over) return false;
  const own = replica.scene.tokens.filter((token) => canPlay(state, token));
  if (replica.choice) {
    const { token, side } = replica.choice;
    return own.some((one) => (token ? one.id === token : one.side === side));
  }
  const { token, sides } = replica.turn;
  if (token) return own.some(({ id }) => id === token);
  return own.some((one) => sides.includes(one.side) && !hasActed(one));
}

/** @param {TableState} state */
function pendingNote({ replica }) {
  const { choice, scene } = /** @type {Replica} */ (replica);
  if (!choice) return nothing;
  const { chosen } = turnOrder(/** @type {Replica} */ (replica));
  if (chosen) {
    const bars = Array.from(
      { length: chosen.of },
      (_, i) => html`<i class=${i < chosen.done ? "is-done" : ""}></i>`,
    );
    return html`<span id="pending">${localize("Tracker.Chosen", chosen)}</span>
      <span class="ready-bar" aria-hidden="true">${bars}</span>`;
  }
  const name =
    scene.tokens.find(({ id }) => id === choice.token)?.name ??
    scene.sides.find(({ id }) => id === choice.side)?.name ??
    choice.side;
  return html`<span id="pending">${localize("Prompt.Title", { name })}</span>`;
}
