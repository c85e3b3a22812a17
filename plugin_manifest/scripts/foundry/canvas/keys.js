/** The module's keys; everybody may choose others in Foundry's own settings. */

import { LAYERS } from "../../core/palette.js";
import { MODULE } from "../settings.js";

/**
 * @typedef {object} KeyActs what each key does
 * @property {() => void} attack
 * @property {() => void} undo
 * @property {(name: string) => void} open
 * @property {(layer: string) => void} toggle
 */

/** @param {KeyActs} acts */
export function registerKeys({ attack, undo, open, toggle }) {
  bind("attack", "KeyG", "Key.Attack", attack);
  bind("turn", "KeyU", "Key.Turn", () => open("turn"));
  bind("log", "KeyL", "Key.Log", () => open("log"));
  bind("undo", "KeyZ", "Key.Undo", undo, true);
  LAYERS.forEach(({ key, name }, i) => bind(`layer-${key}`, `Digit${i + 1}`, name, () => toggle(key)));
}

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
