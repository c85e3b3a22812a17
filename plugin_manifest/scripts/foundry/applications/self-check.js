/**
 * The self-check in the module's settings: runs through what the module needs of Foundry and says what is missing, so
 * that a user with a licence confirms a Foundry version in two minutes.
 */

import { el, replaceContent } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";
import { copyText, guarded } from "../boundary.js";
import { overlayLayer } from "../canvas/overlay-layer.js";
import { diagnosisText } from "../diagnosis-text.js";
import { addTools, seatTools, tokenTool } from "../scene-controls.js";
import { MODULE } from "../settings.js";
import { SeatWindow } from "./window.js";

/** @import {ConnectionManager} from "../connection-manager.js" */

/** @typedef {{name: string, isOk: boolean, note: string}} CheckResult */

const FIRST_WITH_MOVEMENT = 13;

/**
 * Registers the menu; runs in Foundry's `init`.
 * @param {ConnectionManager} manager
 */
export function registerSelfCheck(manager) {
  class SelfCheckWindow extends SeatWindow {
    constructor() {
      super("self-check", "SelfCheck.Title", (host) => fill(host, runChecks(manager)));
    }
  }
  game.settings.registerMenu(MODULE, "selfCheck", {
    ...{ name: "ENFILADE.SelfCheck.Title", label: "ENFILADE.SelfCheck.Run", hint: "ENFILADE.SelfCheck.Hint" },
    ...{ icon: "fa-solid fa-stethoscope", type: /** @type {any} */ (SelfCheckWindow), restricted: false },
  });
}

/**
 * Runs every check; a check that throws has failed.
 * @param {ConnectionManager} manager
 * @returns {CheckResult[]}
 */
export function runChecks(manager) {
  /** @type {Record<string, () => boolean>} */
  const checks = {
    Layer: () => overlayLayer()?.isDrawn ?? false,
    Controls: hasToolGroup,
    Sockets: () => typeof game.socket.emit === "function" && typeof game.socket.on === "function",
    Chat: () => typeof ChatMessage.create === "function" && Roll.fromData(oneDie()).total === 1,
    Movement: canReadMovement,
    Statuses: () => Object.values(CONFIG.statusEffects).every(({ id }) => typeof id === "string"),
    Table: () => manager.client?.state === "connected",
  };
  return Object.entries(checks).map(([name, check]) => result(name, check));
}

/** @param {string} name @param {() => boolean} check @returns {CheckResult} */
function result(name, check) {
  try {
    return { name, isOk: check(), note: "" };
  } catch (problem) {
    return { name, isOk: false, note: problem instanceof Error ? problem.message : String(problem) };
  }
}

/** @returns {boolean} whether the tools fit the controls of this version */
function hasToolGroup() {
  const [tool] = seatTools(null, () => {});
  const ofTokens = tokenTool(null, () => {});
  /** @type {any} */
  const controls = game.release.generation < 13 ? [{ name: "token", tools: [] }] : { tokens: { tools: {} } };
  addTools(controls, [tool], ofTokens);
  const isShown = document.querySelector(`[data-tool^="${MODULE}-"]`) !== null;
  return isShown && typeof ui.controls.render === "function";
}

/** @returns {boolean} whether tokens tell their movement where this version has it */
function canReadMovement() {
  const [token] = canvas.scene?.tokens ?? [];
  if (game.release.generation < FIRST_WITH_MOVEMENT || !token) return true;
  return Array.isArray(token.movement?.pending.waypoints) && typeof token.move === "function";
}

const oneDie = () => ({
  ...{ class: "Roll", formula: "1d6", total: 1, evaluated: true },
  terms: [
    {
      ...{ class: "Die", number: 1, faces: 6, modifiers: [], evaluated: true },
      results: [{ result: 1, active: true }],
    },
  ],
});

/** @param {HTMLElement} host @param {CheckResult[]} results */
function fill(host, results) {
  const line = (/** @type {CheckResult} */ { name, isOk, note }) =>
    `${localize(`SelfCheck.${name}`)}: ${localize(isOk ? "SelfCheck.Works" : "SelfCheck.Missing")}${note ? ` (${note})` : ""}`;
  const lines = results.map(line);
  const copy = el("button", { type: "button", id: "enfilade-copy-check" }, localize("Failure.Copy"));
  copy.onclick = guarded("hook", () => copyText(copy, diagnosisText(lines)));
  replaceContent(
    host,
    el(
      "ul",
      { id: "enfilade-checks" },
      ...lines.map((text, i) => el("li", { class: results[i].isOk ? "" : "wrong" }, text)),
    ),
    el("p", { class: "quiet" }, localize("SelfCheck.Send")),
    copy,
  );
}
