/**
 * Advice for the selected token: the number of the place that is pointed at with everything behind it, and the best
 * places in words, each a button that plans the move there.
 */

import { numberOf, placeAt, signed } from "../draw/decision-marks.js";
import { cellName } from "../map/geometry.js";
import { formatChance } from "../dice/notation.js";
import { hasChanged, selectedToken } from "../game/store.js";
import { el, replaceContent } from "./dom.js";
import { localize } from "./i18n.js";
import { facingName } from "./names.js";

/** @import {AttackOutlook, Cell, MapCell, PlaceOutlook, Scene, Token} from "../../../types/contract.js" */
/** @import {TableState} from "../../../types/page.js" */
/** @import {Decisions} from "../game/decisions.js" */
/** @import {Store} from "../game/store.js" */

/** The pointer must rest on a place for this time before its details are requested. */
const REST_MS = 120;

/** Plans a token's move to a place. @typedef {(token: Token, cell: MapCell) => void} Plan */

/**
 * Show advice in an element, and keep it up to date while it is switched on.
 * @param {HTMLElement} host
 * @param {{store: Store, decisions: Decisions, plan: Plan}} parts
 */
export function adviceView(host, { store, decisions, plan }) {
  const list = el("ol", { class: "advice-list" });
  const place = el("div", { class: "advice-place", "aria-live": "polite" });
  const title = el("h2", {});
  const notes = el("p", { class: "quiet" });
  host.append(title, notes, list, place);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  store.subscribe((state, before) => {
    if (!decisions.isOn || !state.replica) return;
    if (hasChanged(state, before, "decision", "isDeciding", "selected")) {
      title.textContent = titleText(state);
      notes.textContent = (state.decision?.notes ?? []).join(" ");
      replaceContent(list, ...items(state, plan));
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

/** @param {TableState} state */
function titleText(state) {
  const token = selectedToken(state);
  if (!token) return localize("Advice.Select");
  if (!state.decision && state.isDeciding) return localize("Advice.Asking", { name: token.name });
  if (!state.decision) return localize("Advice.None", { name: token.name });
  const key = state.decision.is_next_turn ? "Advice.NextTurn" : "Advice.Now";
  return localize(key, { name: token.name });
}

/** @param {TableState} state @param {Plan} plan */
function items(state, plan) {
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
          onclick: () => plan(token, one.cell),
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
  return localize("Advice.ToFacing", { place: name, facing: facingName(cell.facing) });
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
