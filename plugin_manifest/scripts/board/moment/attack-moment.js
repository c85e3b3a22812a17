/** Shows each attack on the map as it happens. A click, a key or the next attack ends it at once. */

import { hasChanged } from "../../core/game/store.js";
import { blowsOf, chanceOf } from "./blows.js";
import { blowLines, blowPlate, placeMoment } from "./moment-view.js";

/** @import {LogEntry} from "../../../types/contract.js" */
/** @import {Board} from "../page/page-state.js" */

/** So long an attack is shown. */
const SHOWN_MS = 2_400;

/** The attack that is shown in an element over the map. */
export class AttackMoment {
  /** @type {(() => void) | null} ends what is shown */
  #end = null;

  /** @param {HTMLElement} host @param {Board} board */
  constructor(host, board) {
    this.host = host;
    this.board = board;
    for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, () => this.#end?.(), true);
    board.subscribe((state, before) => {
      if (this.#place && hasChanged(state, before, "camera")) this.#place();
      if (state.past) this.#end?.();
    });
  }

  /** @type {(() => void) | null} */
  #place = null;

  /** Show the newest attack among some entries, and return its blows: none if there is no attack. @param {LogEntry[]} entries */
  show(entries) {
    const { replica, overlay, past } = this.board.state;
    if (!replica || past) return [];
    const { scene } = replica;
    const blows = entries.map((entry) => blowsOf(entry, scene)).findLast((all) => all.length) ?? [];
    if (!blows.length) return [];
    this.#end?.();
    const parts = {
      lines: blowLines(blows, scene),
      plate: blowPlate(
        blows.map((blow) => ({ ...blow, chance: chanceOf(blow, overlay) })),
        scene,
      ),
    };
    this.#place = () => placeMoment(parts, blows, scene, this.board.state.camera);
    this.#place();
    this.host.append(parts.lines, parts.plate);
    const end = () => {
      clearTimeout(timer);
      parts.lines.remove();
      parts.plate.remove();
      this.#end = this.#place = null;
    };
    const timer = setTimeout(end, SHOWN_MS);
    this.#end = end;
    return blows;
  }
}
