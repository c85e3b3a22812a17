/**
 * Advice for the selected token: the number of the place under the pointer with everything behind it, and the best
 * places in words, each a button that plans the move there.
 */

import { numberOf, placeAt, signed } from "../../core/draw/decision-marks.js";
import { cellName } from "../../core/draw/geometry.js";
import { formatChance } from "../../core/dice/notation.js";
import { Decisions, hasAdvice } from "../../core/game/decisions.js";
import { hasChanged, selectedToken } from "../../core/game/store.js";
import { focusPanel } from "./focus-panel.js";
import { forecastPanel } from "./forecast-panel.js";
import { byId, el, replaceContent } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";

/** @import {AttackOutlook, Cell, MapCell, PlaceOutlook, Scene, Token} from "../../../types/contract.js" */
/** @import {PageState} from "../../../types/page.js" */
/** @import {Session} from "../../core/game/session.js" */
/** @import {Store} from "../../core/game/store.js" */
/** @import {Moves} from "../input/moves.js" */

/** The pointer must rest on a place for this time before its details are requested. */
const REST_MS = 120;

/**
 * Show advice in an element while its button is pressed.
 * @param {HTMLElement} host
 * @param {{store: Store, session: Session, moves: Moves}} parts
 */
export function advicePanel(host, { store, session, moves }) {
  const decisions = new Decisions(store, session);
  const opener = byId("advice-open");
  const list = el("ol", { class: "advice-list" });
  const place = el("div", { class: "advice-place", "aria-live": "polite" });
  const title = el("h2", {});
  const toggle = (/** @type {boolean} */ isOn) => {
    opener.setAttribute("aria-pressed", String(isOn));
    decisions.switch(isOn);
    host.hidden = !isOn;
  };
  opener.onclick = () => toggle(!decisions.isOn);
  const focus = el("div", {});
  focusPanel(focus, { store, session });
  const forecast = el("div", {});
  forecastPanel(forecast, { store, session });
  host.append(title, list, place, focus, forecast);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  store.subscribe((state, before) => {
    opener.hidden = !hasAdvice(state);
    if (opener.hidden && decisions.isOn) toggle(false);
    if (!decisions.isOn || !state.replica) return;
    if (hasChanged(state, before, "decision", "selected")) {
      title.textContent = titleText(state);
      replaceContent(list, ...items(state, store, moves));
    }
    if (!hasChanged(state, before, "decision", "pointed")) return;
    clearTimeout(timer);
    replaceContent(place);
    const pointed = placeAt(state.replica.scene.grid, state.decision, state.pointed);
    if (!pointed || !state.decision) return;
    replaceContent(place, numberLine(state.replica.scene, pointed.at, numberOf(pointed)));
    const { token } = state.decision;
    timer = setTimeout(() => showPlace(place, store, decisions, token, pointed.at), REST_MS);
  });
}

/**
 * @param {HTMLElement} host
 * @param {Store} store
 * @param {Decisions} decisions
 * @param {string} token
 * @param {Cell} at
 */
async function showPlace(host, store, decisions, token, at) {
  const found = await decisions.place(token, at);
  const { replica, decision, pointed } = store.state;
  const isStill = replica && String(placeAt(replica.scene.grid, decision, pointed)?.at) === String(at);
  if (!found?.places.length || !isStill) return;
  replaceContent(host, ...found.places.map((one, i) => outlook(replica.scene, one, i === 0)));
}

/** @param {PageState} state */
function titleText(state) {
  const token = selectedToken(state);
  if (!token) return localize("Advice.Select");
  if (!state.decision) return localize("Advice.None", { name: token.name });
  const key = state.decision.is_next_turn ? "Advice.NextTurn" : "Advice.Now";
  return localize(key, { name: token.name });
}

/**
 * Plan a move to a place, with the facing that the advice is about.
 * @param {Store} store
 * @param {Moves} moves
 * @param {Token} token
 * @param {MapCell} cell
 */
function plan(store, moves, token, { at, facing }) {
  if (!moves.plan(token, at)) return;
  const { ghost } = store.state;
  if (ghost) store.set({ ghost: { ...ghost, facing } });
}

/** @param {PageState} state @param {Store} store @param {Moves} moves */
function items(state, store, moves) {
  const { decision, replica } = state;
  const token = selectedToken(state);
  if (!decision || !replica || !token) return [];
  const { scene } = replica;
  const here = decision.here
    ? [el("li", { class: "advice-here" }, head(decision.here, localize("Advice.Stay")), text(decision.here))]
    : [];
  const others = decision.advice.map((one, i) =>
    el(
      "li",
      {},
      el(
        "button",
        {
          type: "button",
          id: `advice-${i + 1}`,
          class: "advice-go",
          onclick: () => plan(store, moves, token, one.cell),
        },
        head(one, placeText(scene, one)),
        text(one),
      ),
    ),
  );
  return [...others, ...here];
}

/** @param {Scene} scene @param {PlaceOutlook} one */
function placeText(scene, { cell }) {
  const name = cellName(scene.grid, cell.at);
  if (cell.facing === null) return localize("Advice.To", { place: name });
  return localize("Advice.ToFacing", { place: name, facing: cell.facing });
}

/** @param {PlaceOutlook} one @param {string} label */
function head({ cell }, label) {
  return el("strong", {}, `${label}: ${signed(numberOf(cell))}`);
}

/** @param {PlaceOutlook} one */
const text = (one) => el("span", { class: "advice-text" }, one.text);

/** @param {Scene} scene @param {Cell} at @param {number} number */
function numberLine(scene, at, number) {
  return el("p", {}, el("strong", {}, signed(number)), ` ${cellName(scene.grid, at)}`);
}

/**
 * Build everything about one facing of a place.
 * @param {Scene} scene
 * @param {PlaceOutlook} one
 * @param {boolean} isFirst whether to list the watchers, which are the same for each facing
 */
function outlook(scene, one, isFirst) {
  const { cell, own, suffered, watchers } = one;
  const nameOf = (/** @type {string} */ id) => scene.tokens.find((token) => token.id === id)?.name ?? "";
  const attack = (
    /** @type {AttackOutlook} */ { label, chance, damage, exact },
    /** @type {string} */ name,
  ) =>
    localize("Advice.Attack", {
      name,
      label,
      chance: formatChance(chance),
      damage: `${exact ? "" : "≈ "}${signed(damage[0] / damage[1]).replace("+", "")}`,
    });
  const seen = watchers.map(({ token, is_seen: isSeen, cover, distance, is_in_arc: isInArc }) => {
    const parts = [
      isSeen === null ? "" : localize(isSeen ? "Advice.Sees" : "Advice.DoesNotSee"),
      distance,
      cover.replace(/\.$/, ""),
      isInArc ? localize("Advice.InArc") : "",
    ].filter(Boolean);
    return el("li", {}, `${nameOf(token)}: ${parts.join(", ")}`);
  });
  return el(
    "section",
    { class: "advice-outlook" },
    head(one, placeText(scene, one)),
    el(
      "ul",
      {},
      own && el("li", {}, attack(own, localize("Advice.OnTarget", { name: nameOf(own.target) }))),
      ...suffered.map((strike) => el("li", { class: "advice-bad" }, attack(strike, nameOf(strike.token)))),
      ...one.provokes.map(({ token, act }) =>
        el("li", { class: "advice-bad" }, localize("Advice.Provokes", { name: nameOf(token), act })),
      ),
      cell.may_come && !suffered.length && el("li", { class: "advice-bad" }, localize("Advice.MayCome")),
      ...(isFirst ? seen : []),
    ),
  );
}
