/** The user's input in Foundry: scene controls, selection, pointer, targets and keys. */

import { LAYERS, layerDigit } from "../core/draw/palette.js";
import { addTools, seatTools } from "./scene-controls.js";
import { MODULE } from "./settings.js";

/** @import {SeatUi} from "./seat-ui.js" */

/**
 * Registers the hooks and keys for as long as the page is open. A page may have no seat yet.
 * @param {() => SeatUi | null} seatUi
 * @param {() => void} openConnect opens the window that connects
 */
export function registerInputHooks(seatUi, openConnect) {
  Hooks.on("getSceneControlButtons", (controls) => addTools(controls, seatTools(seatUi(), openConnect)));
  Hooks.on("canvasReady", () => seatUi()?.repaint());
  // Foundry releases one token before it controls the next.
  Hooks.on("controlToken", () => queueMicrotask(() => seatUi()?.select()));
  Hooks.on("hoverToken", (token, isOver) => seatUi()?.hover(token.id, isOver));
  registerKeys(seatUi);
}

/** @param {() => SeatUi | null} seatUi */
function registerKeys(seatUi) {
  const open = (/** @type {string} */ name) => seatUi()?.context.windows.open(name);
  bind("attack", "KeyG", "Key.Attack", () => seatUi()?.openAttack());
  bind("turn", "KeyU", "Key.Turn", () => open("turn"));
  bind("log", "KeyL", "Key.Log", () => open("log"));
  bind("undo", "KeyZ", "Key.Undo", () => seatUi()?.context.commands.undo(), true);
  bind("look", "KeyV", "Key.Look", () => seatUi()?.hoverNext(1));
  bind("look-back", "KeyB", "Key.LookBack", () => seatUi()?.hoverNext(-1));
  LAYERS.forEach(({ key, name }, i) =>
    bind(`layer-${key}`, layerKeyCode(i), name, () => seatUi()?.toggleLayer(key)),
  );
}

/** @param {number} place of a layer @returns {string} the code of the key that toggles it */
const layerKeyCode = (place) => (layerDigit(place) ? `Digit${layerDigit(place)}` : "Minus");

/**
 * Binds a key with Alt; users change it in Foundry's own controls.
 * @param {string} action
 * @param {string} key
 * @param {string} name a localization key
 * @param {() => void} act
 * @param {boolean} [isGmOnly]
 */
function bind(action, key, name, act, isGmOnly = false) {
  const onDown = () => {
    act();
    return true;
  };
  const editable = [{ key, modifiers: ["Alt"] }];
  const config = { name: `ENFILADE.${name}`, editable, onDown, restricted: isGmOnly };
  game.keybindings.register(MODULE, action, config);
}
