/** The turn panel: the round, whose activation it is, what the selected token can do by itself, undo. */

import { button } from "../../core/ui/controls.js";
import { formatChance } from "../../core/dice/notation.js";
import { el, replaceContent } from "../../core/ui/dom.js";
import { hasChanged, isGm, selectedToken } from "../../core/game/store.js";
import { ROUND, nextRoundAct, turnText } from "../../core/game/store.js";
import { localize } from "../../core/ui/i18n.js";

/** @import {Overlay, Replica, Target} from "../../../types/contract.js" */
/** @import {Parts} from "../face.js" */

/** @param {HTMLElement} host @param {Parts} parts */
export function turnView(host, parts) {
  const show = () => replaceContent(host, ...contents(parts));
  parts.store.subscribe(
    (state, before) =>
      hasChanged(state, before, "replica", "selected", "controlled", "overlay", "connection") && show(),
  );
  show();
}

/** @param {Parts} parts */
function contents({ store, commands, windows, flags, connect }) {
  const plug = button("enfilade-open-connect", localize("Connect.Title"), connect, { class: "quiet-button" });
  const { replica, overlay } = store.state;
  if (!replica) return [el("p", { class: "quiet" }, localize("Turn.NoTable"))];
  const { scene } = replica;
  const round = scene.tracks.round
    ? localize("Turn.Round", { round: scene.tracks.round })
    : localize("Turn.NotStarted");
  const token = selectedToken(store.state);
  return [
    el("p", { class: "when" }, el("b", {}, round), ` ${turnText(scene)}`),
    ...(token && overlay ? [el("h2", {}, token.name), card(overlay), acts(overlay, commands)] : []),
    ...(token ? [] : hint(store.state.controlled, flags)),
    el(
      "div",
      { class: "buttons" },
      ...tableButtons(replica, commands),
      ...windowButtons(store.state, windows),
      plug,
    ),
  ];
}

/** @param {string | null} controlled @param {Parts["flags"]} flags what to do where the picked token is not at the table yet, or none is */
function hint(controlled, flags) {
  if (!controlled) return [el("p", { class: "quiet" }, localize("Turn.NoToken"))];
  const unit = flags.unitOf(controlled);
  return unit ? [el("p", {}, localize("Turn.NoProfile", { name: unit.name }))] : [];
}

/** @param {Overlay} overlay */
function card(overlay) {
  const lines = overlay.card.flatMap(({ label, value, note }) => [
    el("dt", {}, label),
    el("dd", {}, el("b", {}, value), note ? el("small", {}, ` ${note}`) : null),
  ]);
  return el("dl", { class: "card" }, ...lines);
}

/** @param {Overlay} overlay @param {Parts["commands"]} commands */
function acts(overlay, commands) {
  const own = overlay.targets.filter(({ target, act }) => !target && act.kind !== ROUND);
  return el("div", { class: "buttons" }, ...own.map((target, i) => actButton(target, i, commands)));
}

/** @param {Target} target @param {number} place @param {Parts["commands"]} commands */
function actButton({ act, label, legal, why, cost, chance }, place, commands) {
  const odds = chance[0] > 0 && chance[0] < chance[1] ? formatChance(chance) : "";
  const price = [cost ? localize("Act.Costs", { cost }) : "", odds].filter(Boolean).join(", ");
  const text = price ? `${label} (${price})` : label;
  return button(`enfilade-deed-${place}`, text, () => commands.act(act), { disabled: !legal, title: why });
}

/** @param {Replica} replica @param {Parts["commands"]} commands */
function tableButtons({ role, ruleset }, commands) {
  if (role !== "gm") return [];
  const round = ruleset.acts.find(({ kind }) => kind === ROUND);
  const next = round ? [button("enfilade-round", round.label, () => commands.act(nextRoundAct()))] : [];
  return [...next, button("enfilade-undo", localize("Turn.Undo"), () => commands.undo())];
}

/** @param {Parts["store"]["state"]} state @param {Parts["windows"]} windows */
function windowButtons(state, windows) {
  const names = ["log", "layers", "profile", ...(isGm(state) ? ["rules"] : [])];
  return names.map((name) =>
    button(`enfilade-open-${name}`, localize(OPENS[name]), () => windows.open(name), {
      class: "quiet-button",
    }),
  );
}

/** @type {Record<string, string>} */
const OPENS = {
  log: "Log.Title",
  layers: "Layer.Layers",
  profile: "Profile.Title",
  rules: "Rules.Title",
};
