/** The module's keys; everybody may choose others in Foundry's own settings. */

import { LAYERS, layerDigit } from "../../core/draw/palette.js";
import { MODULE } from "../settings.js";

/**
 * @typedef {object} KeyActs what each key does
 * @property {() => void} attack
 * @property {() => void} undo
 * @property {(name: string) => void} open
 * @property {(layer: string) => void} toggle
 * @property {(way: 1 | -1) => void} look
 */

/** @param {KeyActs} acts */
export function registerKeys({ attack, undo, open, toggle, look }) {
  bind("attack", "KeyG", "Key.Attack", attack);
  bind("turn", "KeyU", "Key.Turn", () => open("turn"));
  bind("log", "KeyL", "Key.Log", () => open("log"));
  bind("undo", "KeyZ", "Key.Undo", undo, true);
  bind("look", "KeyV", "Key.Look", () => look(1));
  bind("look-back", "KeyB", "Key.LookBack", () => look(-1));
  LAYERS.forEach(({ key, name }, i) => bind(`layer-${key}`, keyOf(i), name, () => toggle(key)));
}

/** @param {number} place of a layer @returns {string} the key that toggles it, as browsers name it */
const keyOf = (place) => (layerDigit(place) ? `Digit${layerDigit(place)}` : "Minus");

/** @param {string} action @param {string} key with Alt @param {string} name @param {() => void} does @param {boolean} [isGms] */
function bind(action, key, name, does, isGms = false) {
  const onDown = () => {
    does();
    return true;
  };
  const editable = [{ key, modifiers: ["Alt"] }];
  game.keybindings.register(MODULE, action, {
    name: `ENFILADE.${name}`,
    editable,
    onDown,
    restricted: isGms,
  });
}
