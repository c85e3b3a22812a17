/** The hooks by which Foundry tells of the person's hands: controls, selection, pointer, targets. */

import { availableLayers } from "../core/draw/palette.js";
import { registerKeys } from "./canvas/keys.js";
import { addTools } from "./canvas/tools.js";

/** @import {Face} from "./face.js" */
/** @import {Tool} from "./canvas/tools.js" */

/** @type {Record<string, string>} */
const ICONS = {
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
 * Listens for as long as the page is open; there may be no seat yet.
 * @param {() => Face | null} face
 * @param {() => void} connect opens the window to connect
 */
export function listenToHands(face, connect) {
  Hooks.on("getSceneControlButtons", (controls) => addTools(controls, tools(face(), connect)));
  Hooks.on("canvasReady", () => face()?.repaint());
  Hooks.on("controlToken", () => queueMicrotask(() => face()?.select())); // one is let go before the next is taken
  Hooks.on("hoverToken", (token, isOver) => face()?.hover(token.id, isOver));
  registerKeys({
    attack: () => face()?.attack(),
    undo: () => face()?.parts.commands.undo(),
    open: (name) => face()?.parts.windows.open(name),
    toggle: (layer) => face()?.toggle(layer),
    look: (way) => face()?.look(way),
  });
}

/** @param {Face | null} face @param {() => void} connect @returns {Tool[]} */
function tools(face, connect) {
  const plug = {
    name: "enfilade-connect",
    title: title("Connect.Title"),
    icon: "fa-solid fa-plug",
    does: connect,
  };
  const replica = face?.parts.store.state.replica;
  if (!face || !replica) return [plug];
  const { layers } = face.parts.store.state;
  const toggles = availableLayers(replica.ruleset).map(({ key, name }) => ({
    name: `enfilade-${key}`,
    title: title(name),
    icon: ICONS[key],
    toggle: true,
    active: layers[key],
    does: () => face.toggle(key),
  }));
  const attack = {
    name: "enfilade-attack",
    title: title("Key.Attack"),
    icon: "fa-solid fa-khanda",
    does: () => face.attack(),
  };
  const turn = {
    name: "enfilade-turn",
    title: title("Turn.Title"),
    icon: "fa-solid fa-hourglass-half",
    does: () => face.parts.windows.open("turn"),
  };
  return [...toggles, attack, turn];
}

/** @param {string} key of what Foundry itself looks up */
const title = (key) => `ENFILADE.${key}`;
