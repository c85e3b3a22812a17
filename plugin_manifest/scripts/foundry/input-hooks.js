/** The user's input in Foundry: scene controls and keys. */

import { LAYERS } from "../core/game/layers.js";
import { guarded, onHook } from "./boundary.js";
import { followZoom } from "./canvas/overlay-layer.js";
import { addTools, seatTools, tokenTool } from "./scene-controls.js";
import { MODULE } from "./settings.js";

/** @import {SeatUi} from "./seat-ui.js" */

/**
 * Registers the hooks and keys for as long as the page is open. A page may have no seat yet.
 * @param {() => SeatUi | null} seatUi
 * @param {() => void} openConnect opens the window that connects
 */
export function registerInputHooks(seatUi, openConnect) {
  onHook("getSceneControlButtons", (controls) =>
    addTools(controls, seatTools(seatUi(), openConnect), tokenTool(seatUi(), openConnect)),
  );
  followZoom();
  registerKeys(seatUi);
}

/** @param {() => SeatUi | null} seatUi */
function registerKeys(seatUi) {
  /** @param {[string, string | null, string, () => void, boolean?]} binding */
  const bindKey = (...binding) => bind(() => Boolean(seatUi()?.context.store.state.replica), ...binding);
  const open = (/** @type {string} */ name) => seatUi()?.context.windows.open(name);
  bindKey("attack", "KeyG", "Key.Attack", () => seatUi()?.openAttack());
  bindKey("turn", "KeyU", "Key.Turn", () => open("turn"));
  bindKey("advice", "KeyV", "Key.Advice", () => seatUi()?.context.windows.toggleAdvice());
  bindKey("branch", "KeyH", "Branch.Title", () => seatUi()?.openBranch());
  bindKey("log", "KeyL", "Key.Log", () => open("log"));
  bindKey("undo", "KeyY", "Key.Undo", () => seatUi()?.context.commands.undo(), true);
  bindKey("overlays", "KeyO", "Key.Overlays", () => seatUi()?.toggleOverlays());
  bindKey("look", "KeyN", "Key.Look", () => seatUi()?.hoverNext(1));
  bindKey("look-back", "KeyB", "Key.LookBack", () => seatUi()?.hoverNext(-1));
  // Foundry's own keys take the digits: layers have tools, and keys only if users give them some.
  for (const { key, name } of LAYERS) bindKey(`layer-${key}`, null, name, () => seatUi()?.toggleLayer(key));
}

/**
 * Binds a key with Shift: Foundry leaves these letters free, while Alt highlights objects and swaps the hotbar's page.
 * Users change it in Foundry's own controls.
 * @param {() => boolean} hasTable
 * @param {string} action
 * @param {string | null} key null for none at first
 * @param {string} name a localization key
 * @param {() => void} act
 * @param {boolean} [isGmOnly]
 */
function bind(hasTable, action, key, name, act, isGmOnly = false) {
  const onDown = () => {
    if (!hasTable()) return false; // other modules and Foundry get the key
    guarded("key", act)();
    return true;
  };
  const editable = key ? [{ key, modifiers: ["Shift"] }] : [];
  const config = { name: `ENFILADE.${name}`, editable, onDown, restricted: isGmOnly };
  game.keybindings.register(MODULE, action, config);
}
