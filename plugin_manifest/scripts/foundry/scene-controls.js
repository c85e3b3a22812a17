/**
 * The module's own group of scene controls, in the shape of each Foundry version, and one tool among those of tokens that
 * opens the table.
 */

import { hasAdvice } from "../core/game/decisions.js";
import { availableLayers } from "../core/game/layers.js";
import { areOverlaysShown } from "./canvas/overlay-visibility.js";

/** @import {SeatUi} from "./seat-ui.js" */

/**
 * @typedef {object} Tool
 * @property {string} name
 * @property {string} title a localization key
 * @property {string} icon
 * @property {boolean} [toggle] whether it stays pressed
 * @property {boolean} [active]
 * @property {(isActive: boolean) => void} onUse
 */

const GROUP = "enfilade";
/** Behind Foundry's own groups and tools. */
const LAST_ORDER = 100;
const GROUP_ICON = "fa-solid fa-chess-board";
/** A group needs an active tool that is no button: this one leaves the pointer to Foundry. */
const INERT = "enfilade-pointer";

/** @param {string} key Foundry translates titles itself */
const titleOf = (key) => `ENFILADE.${key}`;

/** @type {Record<string, string>} */
const LAYER_ICONS = {
  reach: "fa-solid fa-shoe-prints",
  arc: "fa-solid fa-chart-pie",
  ranges: "fa-solid fa-bullseye",
  sight: "fa-solid fa-eye",
  blind: "fa-solid fa-eye-slash",
  defense: "fa-solid fa-shield-halved",
  reactions: "fa-solid fa-bolt",
  targets: "fa-solid fa-crosshairs",
  threat: "fa-solid fa-triangle-exclamation",
  cover: "fa-solid fa-umbrella",
  engagement: "fa-solid fa-link",
};

/**
 * Returns the tools of a seat: all overlays, its layers, advice and branches if it has any, the attack, the turn panel, and what is missing; without a table
 * only the plug.
 * @param {SeatUi | null} seatUi
 * @param {() => void} openConnect opens the window that connects
 * @returns {Tool[]}
 */
export function seatTools(seatUi, openConnect) {
  const replica = seatUi?.context.store.state.replica;
  if (!seatUi || !replica) return [tool("connect", "Connect.Title", "fa-solid fa-plug", openConnect)];
  const { layers } = seatUi.context.store.state;
  const toggles = availableLayers(replica.ruleset).map(({ key, name }) => ({
    ...tool(key, name, LAYER_ICONS[key], () => seatUi.toggleLayer(key)),
    toggle: true,
    active: layers[key],
  }));
  const { windows, session, branch } = seatUi.context;
  // Players without a key of their own have no branches: these are read over HTTP.
  const hasBranches = branch !== null || session.client.link.key !== "";
  const whatIf = tool("branch", "Branch.Title", "fa-solid fa-code-branch", () => windows.open("branch"));
  const advice = tool("advice", "Advice.Title", "fa-solid fa-lightbulb", () => windows.toggleAdvice());
  const all = tool("overlays", "Key.Overlays", "fa-solid fa-layer-group", () => seatUi.toggleOverlays());
  const missing = tool("missing", "Missing.Title", "fa-solid fa-screwdriver-wrench", () =>
    windows.open("missing"),
  );
  return [
    { ...all, toggle: true, active: areOverlaysShown() },
    ...toggles,
    ...(hasAdvice(seatUi.context.store.state) ? [advice] : []),
    ...(hasBranches ? [whatIf] : []),
    tool("attack", "Key.Attack", "fa-solid fa-khanda", () => seatUi.openAttack()),
    tool("turn", "Turn.Title", "fa-solid fa-hourglass-half", () => windows.open("turn")),
    ...(seatUi.context.missing.count > 0 ? [missing] : []),
  ];
}

/** @param {string} name @param {string} title @param {string} icon @param {() => void} onUse @returns {Tool} */
const tool = (name, title, icon, onUse) => ({
  name: `enfilade-${name}`,
  title: titleOf(title),
  icon,
  onUse,
});

/**
 * Returns the one tool among those of tokens.
 * @param {SeatUi | null} seatUi
 * @param {() => void} openConnect opens the window that connects
 * @returns {Tool}
 */
export const tokenTool = (seatUi, openConnect) =>
  tool("table", "Controls.Table", GROUP_ICON, () =>
    seatUi?.context.store.state.replica ? seatUi.context.windows.open("turn") : openConnect(),
  );

/**
 * Adds the module's group, and its tool to the token controls.
 * @param {Foundry.SceneControls} controls an array of groups in 12, a record from 13 on
 * @param {Tool[]} tools
 * @param {Tool} ofTokens
 */
export function addTools(controls, tools, ofTokens) {
  const group = {
    name: GROUP,
    title: titleOf("Controls.Group"),
    icon: GROUP_ICON,
    visible: true,
    activeTool: INERT,
  };
  const pointer = { name: INERT, title: titleOf("Controls.Pointer"), icon: "fa-solid fa-arrow-pointer" };
  if (Array.isArray(controls)) {
    controls.find(({ name }) => name === "token")?.tools.push(toolIn12(ofTokens));
    // The group works on the layer of tokens, so that a token stays selected.
    controls.push({ ...group, layer: "tokens", tools: [pointer, ...tools.map(toolIn12)] });
  } else {
    const own = tools.map((added, i) => toolIn13(added, i + 1));
    controls.tokens.tools[ofTokens.name] = toolIn13(ofTokens, LAST_ORDER);
    controls[GROUP] = {
      ...{ ...group, order: LAST_ORDER },
      tools: Object.fromEntries([{ ...pointer, order: 0 }, ...own].map((one) => [one.name, one])),
    };
  }
}

/** @param {Tool} tool @returns {Foundry.ControlTool} */
const toolIn12 = ({ onUse, ...rest }) => ({ ...rest, ...buttonKind(rest), onClick: onUse });

/** @param {Tool} tool @param {number} order @returns {Foundry.ControlTool} */
const toolIn13 = ({ onUse, ...rest }, order) => ({
  ...rest,
  ...buttonKind(rest),
  order,
  onChange: (_, isActive) => onUse(isActive),
});

/** @param {Pick<Tool, "toggle">} tool */
const buttonKind = ({ toggle = false }) => ({ toggle, button: !toggle });
