/** The turn panel: the round, the active unit, the selected token's own acts, and undo. */

import { formatChance } from "../../core/dice/notation.js";
import { cellName } from "../../core/map/geometry.js";
import { untargetedActs } from "../../core/draw/overlay-marks.js";
import { ROUND, hasChanged, isGm, nextRoundAct, selectedToken, turnText } from "../../core/game/store.js";
import { AUTOMATIC } from "../../core/game/gm-commands.js";
import { actPicks } from "../../core/game/map-picks.js";
import { catchesText } from "../../core/ui/act-view.js";
import { button, firstClick } from "../../core/ui/controls.js";
import { el, replaceContent } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";
import { guarded } from "../boundary.js";
import { pickOnMap } from "../canvas/map-pick.js";
import { overlayLayer } from "../canvas/overlay-layer.js";
import { escapeHtml } from "../documents/conversion.js";

/** @import {Cell, Grid, Overlay, Replica, Target, Token} from "../../../types/contract.js" */
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
  overlayLayer()?.showPlace(scene.grid, null); // its button is about to go
  const round = scene.tracks.round
    ? localize("Turn.Round", { round: scene.tracks.round })
    : localize("Turn.NotStarted");
  const token = selectedToken(store.state);
  const quiet = { class: "quiet-button" };
  return [
    el("p", { class: "when" }, el("b", {}, round), ` ${turnText(scene)}`),
    ...(token && overlay
      ? [
          el("h2", {}, token.name),
          card(overlay),
          ownActs(overlay, scene.grid, commands),
          pickButtons(overlay, store, commands),
          isGm(store.state) ? automaticButton(token, commands) : "",
        ]
      : []),
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

/** @param {Overlay} overlay @param {Grid} grid @param {UiContext["commands"]} commands */
function ownActs(overlay, grid, commands) {
  const own = untargetedActs(overlay)
    .filter(({ act }) => act.kind !== ROUND)
    .sort((a, b) => Number(b.legal) - Number(a.legal)); // legal acts first, in the rules' order
  return el("div", { class: "buttons" }, ...own.map((target, i) => actButton(target, i, grid, commands)));
}

/**
 * Returns the GM's switch for a player who is away: the token's choices take their defaults while it is on.
 * @param {Token} token
 * @param {UiContext["commands"]} commands
 */
function automaticButton(token, commands) {
  const isOn = AUTOMATIC in token.conditions;
  const properties = {
    class: "quiet-button",
    "aria-pressed": String(isOn),
    title: localize("Turn.AutomaticHint"),
  };
  const label = localize(isOn ? "Turn.NotAutomatic" : "Turn.Automatic", { name: token.name });
  return el(
    "div",
    { class: "buttons" },
    button("enfilade-automatic", label, () => commands.setAutomatic(token.id, !isOn), properties),
  );
}

/**
 * Returns a button for each kind of act that has several places, cells, directions or an area of effect: it lets the user
 * choose on the map, and asks before it acts.
 * @param {Overlay} overlay
 * @param {UiContext["store"]} store
 * @param {UiContext["commands"]} commands
 */
function pickButtons(overlay, store, commands) {
  const scene = () => store.state.replica?.scene;
  /** @type {Map<string, ReturnType<typeof actPicks>>} */
  const groups = new Map();
  for (const pick of actPicks(overlay.targets)) {
    const { kind, weapon } = pick.value.act;
    const key = `${kind} ${weapon}`;
    groups.set(key, [...(groups.get(key) ?? []), pick]);
  }
  const placed = [...groups.values()].filter((picks) =>
    picks.some(({ at, toward, caught }) => at || toward || caught.length),
  );
  const buttons = placed.map((picks, i) => {
    const choose = async () => {
      const target = await pickOnMap(picks, scene);
      if (target && (await isConfirmed(target, scene()?.tokens ?? []))) commands.act(target.act);
    };
    const text = localize("Pick.Act", { label: picks[0].value.label });
    return button(`enfilade-pick-${i}`, text, guarded("key", choose), { class: "quiet-button" });
  });
  return el("div", { class: "buttons picks" }, ...buttons);
}

/** @param {Target} target @param {readonly Token[]} tokens */
async function isConfirmed({ label, act, caught = [] }, tokens) {
  const name = tokens.find(({ id }) => id === act.target)?.name;
  const what = name ? `${label} → ${name}` : label;
  const lines = [localize("Pick.Confirm", { label: what }), catchesText(caught, tokens)].filter(Boolean);
  const content = lines.map((line) => `<p>${escapeHtml(line)}</p>`).join("");
  const window = { title: localize("Pick.Map") };
  return (await foundry.applications.api.DialogV2.confirm({ window, content, rejectClose: false })) === true;
}

/**
 * Returns the button of an act. An act at a cell names it, and frames it on the map while the button has the pointer
 * or the focus.
 * @param {Target} target
 * @param {number} place
 * @param {Grid} grid
 * @param {UiContext["commands"]} commands
 */
function actButton({ act, label, legal, why, cost, chance }, place, grid, commands) {
  const odds = chance[0] > 0 && chance[0] < chance[1] ? formatChance(chance) : "";
  const price = [cost ? localize("Act.Costs", { cost }) : "", odds].filter(Boolean).join(", ");
  const turned = act.facing === null ? label : `${label} ${act.facing}°`;
  const name = act.at ? `${label} ${cellName(grid, act.at)}` : turned;
  const text = price ? `${name} (${price})` : name;
  const frame = (/** @type {Cell | null} */ at) => () => overlayLayer()?.showPlace(grid, at);
  const frames = { onpointerenter: frame(act.at ?? null), onfocus: frame(act.at ?? null) };
  const unframes = { onpointerleave: frame(null), onblur: frame(null) };
  const properties = { disabled: !legal, title: why, ...(act.at ? { ...frames, ...unframes } : {}) };
  return button(
    `enfilade-act-${place}`,
    text,
    firstClick(() => commands.act(act)),
    properties,
  );
}

/** @param {Replica} replica @param {UiContext["commands"]} commands */
function gmButtons({ role, ruleset }, commands) {
  if (role !== "gm") return [];
  const round = ruleset.acts.find(({ kind }) => kind === ROUND);
  const start = firstClick(() => commands.act(nextRoundAct()));
  const next = round ? [button("enfilade-round", round.label, start)] : [];
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
