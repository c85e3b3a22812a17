/** Shows each attack on the map as it happens. A click, a key or the next attack ends it at once. */

import { hasChanged } from "../../core/game/store.js";
import { hasSteps, sceneAtStep } from "../../core/game/replay.js";
import { blowOfStep, blowsOf, chanceOf } from "./blows.js";
import { blowLines, blowPlate, placeMoment } from "./moment-view.js";

/** @import {LogEntry, Scene} from "../../../types/contract.js" */
/** @import {BoardState} from "../../../types/page.js" */
/** @import {Blow} from "./blows.js" */
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
      if (hasChanged(state, before, "replay")) this.#showStep(state);
    });
  }

  /** @type {(() => void) | null} */
  #place = null;

  /** Show the newest attack among some entries, and return its blows: none if there is no attack. @param {LogEntry[]} entries */
  show(entries) {
    const { replica, past } = this.board.state;
    if (!replica || past) return [];
    // An act with steps is played, each of its blows at its own step.
    const told = entries.filter((entry) => !hasSteps(entry)).map((entry) => blowsOf(entry, replica.scene));
    const blows = told.findLast((all) => all.length) ?? [];
    if (blows.length) this.#show(blows, replica.scene);
    return blows;
  }

  /** Show the blow of the step that is played. @param {BoardState} state */
  #showStep({ replica, replay }) {
    this.#end?.();
    if (!replica || !replay?.entry) return;
    const scene = sceneAtStep(replica.scene, replay.steps, replay.index);
    const blow = blowOfStep(blowsOf(replay.entry, scene), replay.steps, replay.index);
    if (blow) this.#show([blow], scene);
  }

  /** @param {Blow[]} blows @param {Scene} scene */
  #show(blows, scene) {
    const { overlay } = this.board.state;
    this.#end?.();
    const parts = {
      lines: blowLines(blows, scene),
      plate: blowPlate(
        blows.map((blow) => ({ ...blow, chance: chanceOf(blow, overlay) })),
        scene,
      ),
    };
    this.#place = () => placeMoment(parts, blows, scene, this.board.state.camera);
    this.host.append(parts.lines, parts.plate); // the plate has its size from here on
    this.#place();
    const end = () => {
      clearTimeout(timer);
      parts.lines.remove();
      parts.plate.remove();
      this.#end = this.#place = null;
    };
    const timer = setTimeout(end, SHOWN_MS);
    this.#end = end;
  }
}
