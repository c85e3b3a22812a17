/** The selected token: its card, its acts and targets. */

import { formatChance, formatOdds } from "../../core/dice/notation.js";
import { cellName } from "../../core/map/geometry.js";
import { placedActs, untargetedActs } from "../../core/draw/overlay-marks.js";
import { css, sideStyle } from "../../core/draw/palette.js";
import { ROUND, canPlay, hasChanged, isGm, selectedToken } from "../../core/game/store.js";
import { button, firstClick, rowButton, rowList, section } from "../../core/ui/controls.js";
import { AUTOMATIC } from "../../core/game/gm-commands.js";
import { el, replaceContent } from "../../core/ui/dom.js";
import { conditionName, trackName } from "../../core/ui/names.js";
import { localize } from "../../core/ui/i18n.js";
import { targetsInOrder } from "./next-step.js";
import { cachedEditor } from "./token-editor.js";
import { budgetPips, stateChips } from "./turn-budgets.js";

/** @import {Overlay, Replica, Target, Token} from "../../../types/contract.js" */
/** @import {Notices, TableState} from "../../../types/page.js" */
/** @import {GmCommands} from "../../core/game/gm-commands.js" */
/** @import {Session} from "../../core/game/session.js" */
/** @import {Store} from "../../core/game/store.js" */
/** @import {Moves} from "../input/moves.js" */
/** @import {Editor} from "./token-editor.js" */

/** @typedef {{store: Store, session: Session, commands: GmCommands, moves: Moves, notices: Notices, aim: (target: Target) => unknown}} Parts */

/**
 * Keep an element filled with the selected token.
 * @param {HTMLElement} host
 * @param {Parts} parts
 */
export function tokenPanel(host, parts) {
  const editor = cachedEditor(parts);
  const show = () => replaceContent(host, ...contents(parts.store.state, parts, editor));
  parts.store.subscribe((state, before) => {
    const isNew =
      state.replica?.scene !== before.replica?.scene || state.replica?.role !== before.replica?.role;
    if (isNew || hasChanged(state, before, "selected", "overlay")) show();
  });
  show();
}

/** @param {TableState} state @param {Parts} parts @param {Editor} editor */
function contents(state, parts, editor) {
  const token = selectedToken(state);
  const { replica, overlay } = state;
  if (!replica || !token) return [el("p", { class: "quiet" }, localize("Token.SelectHint"))];
  const acts =
    overlay && canPlay(state, token)
      ? [
          actButtons(overlay, parts),
          targetList(replica, overlay, parts),
          turnButtons(token, parts),
          automaticButton(state, token, parts),
        ]
      : [];
  return [
    heading(replica, token),
    budgetPips(overlay),
    statusChips(replica, token, overlay?.token === token.id ? overlay.states : null),
    ...acts.filter((part) => part !== null),
    card(overlay),
    ...(isGm(state) ? [editor(replica, token)] : []),
  ].filter((part) => part !== null);
}

/** @param {Replica | null} replica @param {Token} token */
function positionText(replica, token) {
  if ("out" in token.conditions) return localize("Token.Out");
  if (!token.at || !replica) return localize("Token.OffBoard");
  const parts = [cellName(replica.scene.grid, token.at)];
  if ("downed" in token.conditions) parts.push(localize("Token.Downed"));
  if (token.hidden) parts.push(localize("Token.Hidden"));
  return parts.join(", ");
}

/** @param {Replica} replica @param {Token} token */
function heading(replica, token) {
  const index = replica.scene.sides.findIndex((side) => side.id === token.side);
  const style = sideStyle(index);
  const side = replica.scene.sides[index]?.name ?? token.side;
  const line = [side, localize(`Shape.${style.shape}`), positionText(replica, token)].join(", ");
  const head = el("div", { class: "token-head" }, el("h2", {}, token.name), el("p", { class: "side" }, line));
  head.style.borderColor = css(style.color);
  return head;
}

/**
 * @param {Replica} replica
 * @param {Token} token
 * @param {Overlay["states"]} states the conditions for people; null for a game that shows them as they are
 */
function statusChips({ ruleset, scene }, token, states) {
  const tracks = Object.entries(token.tracks).map(([name, value]) =>
    el("li", { class: "chip", title: ruleset.tracks[name] }, `${trackName(name)} ${value}`),
  );
  const label = { class: "chips", "aria-label": localize("Token.Status") };
  if (states) return el("ul", label, ...tracks, ...stateChips(states, ruleset));
  const conditions = Object.entries(token.conditions).map(([name, note]) => {
    const named = scene.tokens.find(({ id }) => id === note)?.name ?? note;
    const text = named ? `${conditionName(name)}: ${named}` : conditionName(name);
    return el("li", { class: "chip is-condition", title: ruleset.conditions[name] }, text);
  });
  return el("ul", label, ...tracks, ...conditions);
}

/** @param {Overlay | null} overlay */
function card(overlay) {
  const lines = (overlay?.card ?? []).flatMap(({ label, value, note }) => [
    el("dt", {}, label),
    el("dd", {}, el("b", {}, value), note ? el("small", {}, ` ${note}`) : null),
  ]);
  return el("dl", { class: "card", "aria-busy": String(!overlay) }, ...lines);
}

/**
 * Build buttons for the acts without a target. The act that starts a round has its button in the header.
 * @param {Overlay} overlay
 * @param {Parts} parts
 */
function actButtons(overlay, { commands, aim }) {
  const own = untargetedActs(overlay).filter(({ act }) => act.kind !== ROUND);
  const acts = [...own, ...placedActs(overlay)];
  if (!acts.length) return null;
  /** The refused acts by their reason, which stands once for all of them. @type {Map<string, HTMLElement[]>} */
  const refused = new Map();
  const legal = acts.flatMap((target, i) => {
    const element = actButton(target, i, () => (target.is_placed ? aim(target) : commands.act(target.act)));
    if (target.legal) return [element];
    refused.set(target.why, [...(refused.get(target.why) ?? []), element]);
    return [];
  });
  const parts = [...refused].map(([why, buttons]) =>
    el("div", { class: "refused-acts" }, ...buttons, el("p", { class: "reason" }, why)),
  );
  return group(localize("Token.Acts"), ...legal, ...parts);
}

/** @param {string} label @param {...Node} buttons */
const group = (label, ...buttons) =>
  el("div", { class: "buttons", role: "group", "aria-label": label }, ...buttons);

/** @param {Target} target @param {number} index @param {() => unknown} run */
function actButton({ label, legal, why, cost, chance: [part, whole] }, index, run) {
  const odds = part > 0 && part < whole ? formatChance([part, whole]) : "";
  const remarks = [cost ? localize("Token.Cost", { cost }) : "", odds].filter(Boolean).join(", ");
  const text = remarks ? `${label} (${remarks})` : label;
  const element = button(`token-act-${index}`, text, firstClick(run), { disabled: !legal, title: why });
  return el("div", { class: "token-act" }, element);
}

/** @param {Token} token @param {Parts} parts */
function turnButtons(token, { moves }) {
  if (token.facing === null || !moves.canMove(token)) return null;
  return group(
    localize("Token.Turn"),
    button("turn-left", `⟲ ${localize("Token.TurnLeft")}`, () => moves.turn(-1)),
    button("turn-right", `${localize("Token.TurnRight")} ⟳`, () => moves.turn(1)),
  );
}

/**
 * Build the GM's switch for a player who is away: the unit's questions take their defaults while it is on.
 * @param {TableState} state
 * @param {Token} token
 * @param {Parts} parts
 */
function automaticButton(state, token, { commands }) {
  if (!isGm(state)) return null;
  const isOn = AUTOMATIC in token.conditions;
  const text = localize(isOn ? "Turn.NotAutomatic" : "Turn.Automatic", { name: token.name });
  return button("token-automatic", text, () => commands.setAutomatic(token.id, !isOn), {
    class: "quiet-button",
    "aria-pressed": String(isOn),
    title: localize("Turn.AutomaticHint"),
  });
}

/** @param {Replica} replica @param {Overlay} overlay @param {Parts} parts */
function targetList(replica, overlay, { store }) {
  const { scene } = replica;
  const token = scene.tokens.find(({ id }) => id === overlay.token);
  if (!token) return null;
  const { enemies, allies } = targetsInOrder(replica, overlay, token);
  const targets = [...enemies, ...allies];
  const reasons = new Set(targets.map(([, [best]]) => (best.legal ? "" : best.why)));
  const shared = reasons.size === 1 && targets.length > 1 ? [...reasons][0] : "";
  const items = targets.map(([id, [best]]) => {
    const name = scene.tokens.find((token) => token.id === id)?.name ?? id;
    const why = shared ? "" : best.why;
    const remark = best.legal ? `${best.label}, ${formatOdds(best)}` : why;
    const select = () => store.set({ target: id });
    return rowButton(`target-${id}`, [name, remark], select, best.legal ? "" : "is-refused");
  });
  if (!items.length) return null;
  const reason = shared ? el("p", { class: "reason" }, shared) : null;
  const others = items.slice(enemies.length);
  const folded = others.length
    ? el("details", { class: "allies" }, el("summary", {}, localize("Dock.Allies")), rowList(others))
    : null;
  return section(localize("Token.Targets"), reason, rowList(items.slice(0, enemies.length)), folded);
}
