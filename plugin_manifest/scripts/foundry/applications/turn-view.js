/** The turn panel: the round, the active unit, the selected token's own acts, and undo. */

import { formatChance } from "../../core/dice/notation.js";
import { ROUND, hasChanged, isGm, nextRoundAct, selectedToken, turnText } from "../../core/game/store.js";
import { button } from "../../core/ui/controls.js";
import { el, replaceContent } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";

/** @import {Overlay, Replica, Target} from "../../../types/contract.js" */
/** @import {UiContext} from "../seat-ui.js" */

/** @type {Record<string, string>} the labels of the buttons that open windows */
const WINDOW_LABELS = {
  log: "Log.Title",
  layers: "Layer.Layers",
  profile: "Profile.Title",
  rules: "Rules.Title",
};

/** @param {HTMLElement} host @param {UiContext} context */
export function turnView(host, context) {
  const show = () => replaceContent(host, ...content(context));
  context.store.subscribe(
    (state, before) =>
      hasChanged(state, before, "replica", "selected", "controlled", "overlay", "connection") && show(),
  );
  show();
}

/** @param {UiContext} context */
function content({ store, commands, windows, profileFlags, openConnect }) {
  const { replica, overlay } = store.state;
  if (!replica) return [el("p", { class: "quiet" }, localize("Turn.NoTable"))];
  const { scene } = replica;
  const round = scene.tracks.round
    ? localize("Turn.Round", { round: scene.tracks.round })
    : localize("Turn.NotStarted");
  const token = selectedToken(store.state);
  const quiet = { class: "quiet-button" };
  return [
    el("p", { class: "when" }, el("b", {}, round), ` ${turnText(scene)}`),
    ...(token && overlay ? [el("h2", {}, token.name), card(overlay), ownActs(overlay, commands)] : []),
    ...(token ? [] : hint(store.state.controlled, profileFlags)),
    el(
      "div",
      { class: "buttons" },
      ...gmButtons(replica, commands),
      ...windowButtons(store.state, windows),
      button("enfilade-open-connect", localize("Connect.Title"), openConnect, quiet),
    ),
  ];
}

/** @param {string | null} controlled @param {UiContext["profileFlags"]} flags */
function hint(controlled, flags) {
  if (!controlled) return [el("p", { class: "quiet" }, localize("Turn.NoToken"))];
  const unit = flags.read(controlled);
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

/** @param {Overlay} overlay @param {UiContext["commands"]} commands */
function ownActs(overlay, commands) {
  const own = overlay.targets
    .filter(({ target, act }) => !target && act.kind !== ROUND)
    .sort((a, b) => Number(b.legal) - Number(a.legal)); // legal acts first, in the rules' order
  return el("div", { class: "buttons" }, ...own.map((target, i) => actButton(target, i, commands)));
}

/** @param {Target} target @param {number} place @param {UiContext["commands"]} commands */
function actButton({ act, label, legal, why, cost, chance }, place, commands) {
  const odds = chance[0] > 0 && chance[0] < chance[1] ? formatChance(chance) : "";
  const price = [cost ? localize("Act.Costs", { cost }) : "", odds].filter(Boolean).join(", ");
  const text = price ? `${label} (${price})` : label;
  return button(`enfilade-act-${place}`, text, () => commands.act(act), { disabled: !legal, title: why });
}

/** @param {Replica} replica @param {UiContext["commands"]} commands */
function gmButtons({ role, ruleset }, commands) {
  if (role !== "gm") return [];
  const round = ruleset.acts.find(({ kind }) => kind === ROUND);
  const next = round ? [button("enfilade-round", round.label, () => commands.act(nextRoundAct()))] : [];
  return [...next, button("enfilade-undo", localize("Turn.Undo"), () => commands.undo())];
}

/** @param {UiContext["store"]["state"]} state @param {UiContext["windows"]} windows */
function windowButtons(state, windows) {
  const names = ["log", "layers", "profile", ...(isGm(state) ? ["rules"] : [])];
  return names.map((name) => {
    const open = () => windows.open(name);
    return button(`enfilade-open-${name}`, localize(WINDOW_LABELS[name]), open, { class: "quiet-button" });
  });
}
