/** The dock: the selected unit, what it can do, and the next step with what it leads to. */

import { html, nothing, render } from "../../../vendor/lit-html.min.js";
import { formatOdds } from "../../core/dice/notation.js";
import { cellName } from "../../core/map/geometry.js";
import { placedActs, untargetedActs } from "../../core/draw/overlay-marks.js";
import { ROUND, canPlay, hasChanged, selectedToken } from "../../core/game/store.js";
import { firstClick } from "../../core/ui/controls.js";
import { localize } from "../../core/ui/i18n.js";
import { icon } from "../../core/ui/icons.js";
import { Portraits } from "../page/token-art.js";
import { bestTarget, nextStep } from "./next-step.js";
import { isOwnTurn, turnText } from "./turn-tracker.js";

/** @import {Overlay, Replica, Target, Token} from "../../../types/contract.js" */
/** @import {BoardState, TableState} from "../../../types/page.js" */
/** @import {GmCommands} from "../../core/game/gm-commands.js" */
/** @import {Store} from "../../core/game/store.js" */
/** @import {Board} from "../page/page-state.js" */
/** @import {MapTools} from "../input/map-tools.js" */
/** @import {Moves} from "../input/moves.js" */

/** @typedef {{store: Store, board: Board, commands: GmCommands, moves: Moves, tools: MapTools, openCard: () => void, takeStep: () => void, aim: (target: Target) => unknown}} Parts */

/** The acts that the dock shows; the unit's card has all. */
const MOST_ACTS = 4;
/** The most movement points that are shown as bars. */
const MOST_BARS = 10;

/** The elements that float above the dock, at its height. */
const ABOVE = "#map-tools, #layer-chip, #layers, #sketch, #past, #replay, #move-text, aside";

/** An icon for each kind of act; others have the one of dice. @type {Record<string, string>} */
const ICONS = { activate: "flag", end: "check", defend: "shield", move: "foot", dash: "foot", run: "foot" };

/**
 * Keep an element filled with the dock.
 * @param {HTMLElement} host
 * @param {Parts} parts
 */
export function dock(host, parts) {
  // On a phone what floats above the dock lies at its upper edge, however many rows it has.
  const above = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(ABOVE));
  new ResizeObserver(() => {
    for (const { style } of above) style.setProperty("--dock-height", `${host.offsetHeight}px`);
  }).observe(host);
  const portraits = new Portraits();
  const shown = /** @type {Shown} */ ({ step: null });
  parts.board.subscribe((state, before) => {
    if (
      !hasChanged(
        state,
        before,
        "replica",
        "selected",
        "overlay",
        "isOverlayDue",
        "ghost",
        "target",
        "tool",
        "draft",
      )
    )
      return;
    const hadFocus = host.contains(document.activeElement);
    render(content(state, { ...parts, portraits, shown }), host);
    const focused = host.contains(document.activeElement) && document.activeElement;
    // A button that goes leaves the focus to the board, where the keys mean something.
    if (hadFocus && !(focused instanceof HTMLElement && focused.checkVisibility()))
      document.dispatchEvent(new Event("focuslost"));
  });
}

/** @param {BoardState} state @param {Parts & {portraits: Portraits, shown: Shown}} parts */
function content(state, parts) {
  const token = selectedToken(state);
  const { replica } = state;
  if (!replica) return nothing;
  return html`${token ? unit(state, replica, token, parts) : nothing}${token ? acts(state, token, parts) : nothing}
    <div class="dock-go">${step(state, parts)}</div>
    ${hint(state, token)}`;
}

/** Say what to do without a step: select a unit, or wait for the others. @param {TableState} state @param {Token | null} token */
function hint(state, token) {
  const { replica } = state;
  if (nextStep(state) || state.ghost || replica?.choice) return nothing;
  const isGuest = replica?.role === "player" && !replica.scene.tokens.some((one) => canPlay(state, one));
  if (isGuest) return html`<p class="dock-hint" id="dock-guest">${localize("Dock.NoUnit")}</p>`;
  const isWaiting = replica?.role === "player" && replica.turn.round > 0 && !isOwnTurn(state);
  if (isWaiting) return html`<p class="dock-hint">${localize("Dock.Waiting", { text: turnText(state) })}</p>`;
  return token ? nothing : html`<p class="dock-hint">${localize("Token.SelectHint")}</p>`;
}

/** @param {TableState} state @param {Replica} replica @param {Token} token @param {{portraits: Portraits}} parts */
function unit(state, replica, token, { portraits }) {
  const index = replica.scene.sides.findIndex(({ id }) => id === token.side);
  const side = replica.scene.sides[index]?.name ?? token.side;
  const place = token.at ? cellName(replica.scene.grid, token.at) : "";
  return html`<div class="dock-unit">
    ${portraits.of(token, index, replica.scene.sides)}
    <div class="dock-name">
      <h2>${token.name}</h2>
      <p>${[side, place].filter(Boolean).join(", ")}</p>
      ${movement(state.overlay)}
    </div>
  </div>`;
}

/** The points that are left, as bars. @param {Overlay | null} overlay */
function movement(overlay) {
  const { reach } = overlay ?? {};
  if (!reach || reach.bands?.length || !reach.budget) return nothing;
  const bars =
    reach.budget <= MOST_BARS ? Array.from({ length: reach.budget }, () => html`<i></i>`) : nothing;
  return html`<p class="movement">
    ${bars}<span>${localize("Dock.Points", { points: reach.budget })}</span>
  </p>`;
}

/** The step that the button shows. @typedef {{step: import("./next-step.js").Step | null}} Shown */

/** @typedef {{id: string, name: string, picture: string, why: string, run: () => unknown}} DockAct */

/** @param {TableState} state @param {Token} token @param {Parts} parts */
function acts(state, token, parts) {
  const all = canPlay(state, token) && state.overlay?.token === token.id ? actsOf(state, token, parts) : [];
  const shown = all.slice(0, MOST_ACTS);
  return html`<div class="dock-acts" role="group" aria-label=${localize("Token.Acts")}>
    ${shown.map(actButton)}
    <button type="button" id="dock-more" class="dock-act dock-more" @click=${parts.openCard}>
      ${icon("more")}<span>${localize("Dock.More")}</span>
    </button>
  </div>`;
}

/** @param {DockAct} act */
const actButton = ({ id, name, picture, why, run }) =>
  html`<button
    type="button"
    id=${id}
    class="dock-act"
    aria-disabled=${why ? "true" : nothing}
    @click=${firstClick(() => why || run())}
  >
    ${icon(picture)}<span>${name}</span>${why ? html`<em class="tip">${why}</em>` : nothing}
  </button>`;

/**
 * Return the acts of a unit, the possible ones first: attack, its own acts, turning. An impossible one says why.
 * @param {TableState} state
 * @param {Token} token
 * @param {Parts} parts
 * @returns {DockAct[]}
 */
function actsOf(state, token, { store, commands, moves, aim }) {
  const overlay = /** @type {Overlay} */ (state.overlay);
  const next = nextStep(state)?.act;
  const found = bestTarget(state, token);
  const text = found?.best.is_elsewhere ? "Dock.Odds" : "Dock.Attack";
  const attack = found && {
    id: "dock-attack",
    name: found.best.legal ? localize(text, { chance: formatOdds(found.best) }) : found.best.label,
    picture: "sword",
    why: found.best.legal ? "" : found.best.why,
    run: () => store.set({ target: found.id }),
  };
  const own = untargetedActs(overlay)
    .filter(({ act }) => act.kind !== ROUND && act.kind !== next?.kind)
    .map((offer, i) => ({
      id: `dock-act-${i}`,
      name: offer.label,
      picture: ICONS[offer.act.kind] ?? "dice",
      why: offer.legal ? "" : offer.why,
      run: () => commands.act(offer.act),
    }));
  const placed = placedActs(overlay).map((offer, i) => ({
    id: `dock-place-${i}`,
    name: offer.label,
    picture: "dice",
    why: offer.legal ? "" : offer.why,
    run: () => aim(offer),
  }));
  const canTurn = token.facing !== null && moves.canMove(token);
  const turns = canTurn
    ? [
        {
          id: "dock-left",
          name: localize("Token.TurnLeft"),
          picture: "left",
          why: "",
          run: () => moves.turn(-1),
        },
        {
          id: "dock-right",
          name: localize("Token.TurnRight"),
          picture: "right",
          why: "",
          run: () => moves.turn(1),
        },
      ]
    : [];
  const all = [...(attack ? [attack] : []), ...placed, ...own, ...turns];
  return [...all.filter(({ why }) => !why), ...all.filter(({ why }) => why)];
}

/**
 * The next step: a planned move, the end of a wall, or what the turn needs. The last one stays until it is known what a
 * unit can do that was just selected, so that the button does not blink.
 * @param {BoardState} state
 * @param {Parts & {shown: Shown}} parts
 */
function step(state, { takeStep, moves, tools, shown }) {
  const next = (shown.step = nextStep(state) ?? (state.isOverlayDue ? shown.step : null));
  const isPlanned = Boolean(state.ghost?.isPlan);
  const isWall = Boolean(
    state.tool && ["wall", "window"].includes(state.tool) && state.draft.points.length > 1,
  );
  return html`<button
      type="button"
      id="move-here"
      class="primary go"
      ?hidden=${!isPlanned}
      @click=${() => moves.drop()}
    >
      <span>${localize("Move.Here")}<small>${state.ghost?.text.split("\n")[0] ?? ""}</small></span
      ><kbd>↵</kbd>
    </button>
    <button type="button" id="tool-done" class="primary go" ?hidden=${!isWall} @click=${() => tools.finish()}>
      <span>${localize("Tool.Done")}</span><kbd>↵</kbd>
    </button>
    <button
      type="button"
      id="step"
      class="primary go"
      title=${localize("Tracker.StepKey")}
      ?hidden=${!next || isPlanned || isWall}
      @click=${firstClick(takeStep)}
    >
      <span>${next?.label ?? ""}${next?.detail ? html`<small>${next.detail}</small>` : nothing}</span
      ><kbd aria-hidden="true">${localize("Dock.Space")}</kbd>
    </button>`;
}
