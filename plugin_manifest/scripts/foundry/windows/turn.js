/** The turn panel: the round, whose activation it is, what the selected token can do by itself, undo. */

import { button } from "../../core/ui/controls.js";
import { percent } from "../../core/dice/notation.js";
import { el, refill } from "../../core/ui/dom.js";
import { changed, isGm, selectedToken } from "../../core/game/store.js";
import { ROUND, roundAct, turnText } from "../../core/game/store.js";
import { words } from "../../core/ui/i18n.js";

/** @import {Overlay, Replica, Target} from "../../../types/contract.js" */
/** @import {Parts} from "../face.js" */

/** @param {HTMLElement} host @param {Parts} parts */
export function turnView(host, parts) {
  const show = () => refill(host, ...contents(parts));
  parts.store.watch(
    (state, before) =>
      changed(state, before, "replica", "selected", "controlled", "overlay", "line") && show(),
  );
  show();
}

/** @param {Parts} parts */
function contents({ store, deeds, windows, flags, connect }) {
  const plug = button("enfilade-open-connect", words("Connect.Title"), connect, { class: "quiet-button" });
  const { replica, overlay } = store.state;
  if (!replica) return [el("p", { class: "quiet" }, words("Turn.NoTable"))];
  const { scene } = replica;
  const round = scene.tracks.round
    ? words("Turn.Round", { round: scene.tracks.round })
    : words("Turn.NotBegun");
  const token = selectedToken(store.state);
  return [
    el("p", { class: "when" }, el("b", {}, round), ` ${turnText(scene)}`),
    ...(token && overlay ? [el("h2", {}, token.name), card(overlay), acts(overlay, deeds)] : []),
    ...(token ? [] : hint(store.state.controlled, flags)),
    el(
      "div",
      { class: "buttons" },
      ...tableButtons(replica, deeds),
      ...windowButtons(store.state, windows),
      plug,
    ),
  ];
}

/** @param {string | null} controlled @param {Parts["flags"]} flags what to do where the picked token is not at the table yet, or none is */
function hint(controlled, flags) {
  if (!controlled) return [el("p", { class: "quiet" }, words("Turn.NoToken"))];
  const unit = flags.unitOf(controlled);
  return unit ? [el("p", {}, words("Turn.NoProfile", { name: unit.name }))] : [];
}

/** @param {Overlay} overlay */
function card(overlay) {
  const lines = overlay.card.flatMap(({ label, value, note }) => [
    el("dt", {}, label),
    el("dd", {}, el("b", {}, value), note ? el("small", {}, ` ${note}`) : null),
  ]);
  return el("dl", { class: "card" }, ...lines);
}

/** @param {Overlay} overlay @param {Parts["deeds"]} deeds */
function acts(overlay, deeds) {
  const own = overlay.targets.filter(({ target, act }) => !target && act.kind !== ROUND);
  return el("div", { class: "buttons" }, ...own.map((target, i) => actButton(target, i, deeds)));
}

/** @param {Target} target @param {number} place @param {Parts["deeds"]} deeds */
function actButton({ act, label, legal, why, cost, chance }, place, deeds) {
  const odds = chance[0] > 0 && chance[0] < chance[1] ? percent(chance) : "";
  const price = [cost ? words("Act.Costs", { cost }) : "", odds].filter(Boolean).join(", ");
  const text = price ? `${label} (${price})` : label;
  return button(`enfilade-deed-${place}`, text, () => deeds.act(act), { disabled: !legal, title: why });
}

/** @param {Replica} replica @param {Parts["deeds"]} deeds */
function tableButtons({ role, ruleset }, deeds) {
  if (role !== "gm") return [];
  const round = ruleset.acts.find(({ kind }) => kind === ROUND);
  const next = round ? [button("enfilade-round", round.label, () => deeds.act(roundAct()))] : [];
  return [...next, button("enfilade-undo", words("Turn.Undo"), () => deeds.undo())];
}

/** @param {Parts["store"]["state"]} state @param {Parts["windows"]} windows */
function windowButtons(state, windows) {
  const names = ["log", "layers", "profile", ...(isGm(state) ? ["rules"] : [])];
  return names.map((name) =>
    button(`enfilade-open-${name}`, words(OPENS[name]), () => windows.open(name), { class: "quiet-button" }),
  );
}

/** @type {Record<string, string>} */
const OPENS = {
  log: "Log.Log",
  layers: "Layer.Layers",
  profile: "Profile.Title",
  rules: "Rules.Title",
};
