/** The module's windows: each made when it is first opened, and kept. */

import { layerPanel } from "../../core/ui/layer-panel.js";
import { LogPanel } from "../../core/ui/log-panel.js";
import { rulesPanel } from "../../core/ui/rules-panel.js";
import { AttackView } from "./attack.js";
import { choiceWindow } from "./choice.js";
import { profileView } from "./profile.js";
import { proposalsView } from "./proposals.js";
import { turnView } from "./turn.js";
import { Window } from "./window.js";

/** @import {Parts} from "../face.js" */

/** @type {Record<string, [title: string, fill: (host: HTMLElement, parts: Parts) => unknown]>} */
const VIEWS = {
  log: ["Log.Title", (host, parts) => new LogPanel(host, parts)],
  layers: ["Layer.Layers", (host, { store }) => layerPanel(host, store)],
  rules: ["Rules.Title", rulesPanel],
  turn: ["Turn.Title", turnView],
  profile: ["Profile.Title", profileView],
  proposals: ["Proposals.Title", proposalsView],
};

/** Opens the windows of one seat. */
export class Windows {
  /** @type {Map<string, Window>} */
  #made = new Map();
  /** @type {{window: Window, view: AttackView} | null} */
  #attack = null;

  /** @param {Parts} parts */
  constructor(parts) {
    this.parts = parts;
  }

  /** Has the window for choices open by itself. */
  watchChoices() {
    this.#made.set("choice", choiceWindow(this.parts));
  }

  /** @param {string} name */
  open(name) {
    const [title, fill] = VIEWS[name];
    const window = this.#made.get(name) ?? new Window(name, title, (host) => fill(host, this.parts));
    this.#made.set(name, window);
    return window.open();
  }

  /** @param {string} token to be attacked */
  attack(token) {
    this.#attack ??= this.#attackWindow();
    this.#attack.view.aim(token);
    return this.#attack.window.open();
  }

  /** Closes them all. */
  close() {
    for (const window of [...this.#made.values(), this.#attack?.window]) if (window?.rendered) window.close();
  }

  #attackWindow() {
    const window = new Window("attack", "Attack.Title", () => {});
    return { window, view: new AttackView(window.host, this.parts) };
  }
}
