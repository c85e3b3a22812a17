/** The turn tracker: all units by side, with their state, whose turn it is, and the next step. */

import { cellName } from "../../core/draw/geometry.js";
import { css, sideStyle } from "../../core/draw/palette.js";
import { ROUND, canPlay, hasActed, hasChanged, isGm, nextRoundAct } from "../../core/game/store.js";
import { button, firstClick } from "../../core/ui/controls.js";
import { el, replaceContent } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";
import { inNameOrder } from "../../core/ui/names.js";
import { portrait } from "../page/token-art.js";

/** @import {Replica, Side, Target, Token} from "../../../types/contract.js" */
/** @import {PageState} from "../../../types/page.js" */
/** @import {GmCommands} from "../../core/game/gm-commands.js" */
/** @import {Session} from "../../core/game/session.js" */
/** @import {Store} from "../../core/game/store.js" */

/** @typedef {{store: Store, session: Session, commands: GmCommands, pick: (token: string) => void}} Parts */

/**
 * Keep an element filled with the tracker.
 * @param {HTMLElement} host
 * @param {Parts} parts
 */
export function turnTracker(host, parts) {
  parts.store.subscribe((state, before) => {
    if (hasChanged(state, before, "replica", "selected", "overlay")) show(host, state, parts);
  });
}

/** @param {HTMLElement} host @param {PageState} state @param {Parts} parts */
function show(host, state, parts) {
  const { replica } = state;
  if (!replica) return;
  const scrolled = host.querySelector("#units")?.scrollLeft ?? 0;
  const sides = replica.scene.sides.filter(({ id }) => replica.scene.tokens.some(({ side }) => side === id));
  const units = el("div", { id: "units" }, ...sides.map((side) => sideGroup(side, state, parts)));
  const step = nextStep(state);
  const take = firstClick(() => step && parts.commands.act(step.act));
  const go = button("step", step?.label ?? "", take, {
    class: "primary",
    title: localize("Tracker.StepKey"),
    hidden: !step,
  });
  const status = el(
    "div",
    { class: "turn-status" },
    el("b", { id: "round" }, roundText(replica)),
    el("span", { id: "active", class: isOwnTurn(state) ? "is-own" : "" }, turnText(state)),
    pendingNote(replica),
  );
  replaceContent(host, el("div", { class: "turn-head" }, status, go), units);
  units.scrollLeft = scrolled;
  const active = host.querySelector(".unit.is-active");
  if (active && active.id !== host.dataset.shown)
    active.scrollIntoView({ block: "nearest", inline: "nearest" });
  host.dataset.shown = active?.id ?? "";
}

/** @param {Side} side @param {PageState} state @param {Parts} parts */
function sideGroup(side, state, parts) {
  const replica = /** @type {Replica} */ (state.replica);
  const index = replica.scene.sides.indexOf(side);
  const style = sideStyle(index);
  const isNext = replica.turn.sides.includes(side.id);
  const own = inNameOrder(replica.scene.tokens.filter((token) => token.side === side.id));
  const left = own.filter((token) => !isOut(token)).length;
  const head = el(
    "span",
    { class: "side-name" },
    `${side.name} `,
    el("small", {}, `${left}/${own.length}`),
    isNext ? el("span", { class: "visually-hidden" }, ` ${localize("Tracker.SideNext")}`) : null,
  );
  const group = el(
    "section",
    { class: `side-group ${isNext ? "is-next" : ""}`, "aria-label": side.name },
    head,
    el("ul", {}, ...own.map((token) => el("li", {}, unitCard(token, index, state, parts)))),
  );
  group.style.setProperty("--side", css(style.color));
  return group;
}

/** @param {Token} token */
const isOut = ({ conditions }) => "out" in conditions;

/** @param {Token} token @param {number} side @param {PageState} state @param {Parts} parts */
function unitCard(token, side, state, { pick }) {
  const replica = /** @type {Replica} */ (state.replica);
  const marks = unitMarks(token, state);
  const classes = marks.map(({ key }) => `is-${key}`).join(" ");
  const card = el(
    "button",
    {
      type: "button",
      id: `pick-${token.id}`,
      class: `unit ${classes} ${token.id === state.selected ? "is-selected" : ""}`,
      "aria-pressed": String(token.id === state.selected),
      title: [token.name, ...marks.map(({ text }) => text)].join(", "),
      onclick: () => pick(token.id),
    },
    portrait(token, side, replica.scene.sides),
    el("span", { class: "unit-name" }, token.name),
    hitPoints(token, replica),
    ...marks
      .filter(({ sign }) => sign)
      .map(({ sign, key }) => el("span", { class: `unit-sign sign-${key}`, "aria-hidden": "true" }, sign)),
    el(
      "span",
      { class: "visually-hidden" },
      [place(token, replica), ...marks.map(({ text }) => text)].map((text) => `, ${text}`).join(""),
    ),
  );
  return card;
}

/** @param {Token} token @param {Replica} replica */
const place = (token, { scene }) =>
  token.at ? cellName(scene.grid, token.at) : localize(isOut(token) ? "Token.Out" : "Token.OffBoard");

/**
 * Return the states of a unit that a card shows, each with a sign besides its color.
 * @param {Token} token
 * @param {PageState} state
 */
function unitMarks(token, state) {
  const { turn, choice } = /** @type {Replica} */ (state.replica);
  const isActive = turn.token === token.id || "active" in token.conditions;
  const isOwn = state.replica?.role === "player" && canPlay(state, token);
  const all = [
    { key: "active", is: isActive, sign: "▶", text: localize("Tracker.Active") },
    { key: "asked", is: choice?.token === token.id, sign: "?", text: localize("Tracker.Decides") },
    {
      key: "done",
      is: !isActive && hasActed(token),
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
  if (!bar || isOut(token)) return null;
  const left = Math.max(0, token.tracks[bar.track] ?? bar.most);
  const fill = el("span", { class: "hp-fill" });
  fill.style.width = `${Math.round((100 * Math.min(left, bar.most)) / Math.max(1, bar.most))}%`;
  return el(
    "span",
    { class: "hp" },
    el("span", { class: "hp-bar", "aria-hidden": "true" }, fill),
    el(
      "span",
      { class: "hp-text" },
      `${left}/${bar.most}`,
      el("span", { class: "visually-hidden" }, ` ${localize("Tracker.HitPoints")}`),
    ),
  );
}

/** Name the round; nothing while the first one waits for its first decision. @param {Replica} replica */
function roundText({ turn, choice }) {
  if (turn.round) return localize("Turn.Round", { round: turn.round });
  return choice ? "" : localize("Turn.NotStarted");
}

/** Return whose turn it is, in words. @param {PageState} state */
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
  if (turn.sides.length) return localize("Tracker.SideTurn", { names: names(turn.sides) });
  if (!turn.round) return "";
  return localize(replica.role === "gm" ? "Tracker.RoundOver" : "Tracker.WaitGm");
}

/**
 * Return whether a player at this page is to act or to decide now.
 * @param {PageState} state
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

/** @param {Replica} replica */
function pendingNote({ choice, scene }) {
  if (!choice) return null;
  if (choice.is_sealed) return el("span", { id: "pending" }, localize("Planner.Title"));
  const name =
    scene.tokens.find(({ id }) => id === choice.token)?.name ??
    scene.sides.find(({ id }) => id === choice.side)?.name ??
    choice.side;
  return el("span", { id: "pending" }, localize("Prompt.Title", { name }));
}

/**
 * Return the next step that this seat may take: start a round, activate the selected unit, end its turn.
 * @param {PageState} state
 * @returns {{label: string, act: Target["act"]} | null}
 */
export function nextStep(state) {
  const { replica, overlay, selected } = state;
  if (!replica || replica.choice || replica.turn.is_over) return null;
  const token = replica.scene.tokens.find(({ id }) => id === selected);
  const offers = overlay?.token === selected && token && canPlay(state, token) ? overlay.targets : [];
  const offered = (/** @type {string} */ kind) =>
    offers.find(({ act, legal, target }) => act.kind === kind && legal && !target);
  const start = offered("activate");
  if (start && token) return { label: `${start.label}: ${token.name}`, act: start.act };
  const end = offered("end");
  if (end && token) return { label: `${end.label}: ${token.name}`, act: end.act };
  const { turn, scene } = replica;
  const isBetween = !turn.token && !turn.sides.length;
  const hasRounds = replica.ruleset.acts.some(({ kind }) => kind === ROUND);
  if (isGm(state) && hasRounds && scene.tokens.length && (isBetween || !turn.round))
    return { label: localize("Turn.StartRound", { round: turn.round + 1 }), act: nextRoundAct() };
  return null;
}
