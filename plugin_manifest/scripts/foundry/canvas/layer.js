/** The module's layer on Foundry's canvas, in the interface group: above lighting and fog, below the controls. */

import { TOKEN_LAYERS, layerMarks, overlayLayers } from "../../core/draw/overlay-marks.js";
import { Painter } from "../../core/draw/painter.js";
import { LAYERS } from "../../core/draw/palette.js";
import { hasChanged } from "../../core/game/store.js";
import { tokenPlace, sightMarks, verdictLines } from "../../core/draw/verdict-marks.js";
import { placing } from "./placing.js";
import { plateMarks } from "./plate.js";

/** @import {Scene, Verdict} from "../../../types/contract.js" */
/** @import {PageState} from "../../../types/page.js" */

const UNDER = ["blind", "sight", "ranges", "arc", "threat", "cover", "defense", "reach"];
const ORDER = [...UNDER, "engagement", "reactions", "targets", "verdict"];
const ABOVE_TOKENS = 900;
const BaseLayer = foundry.canvas?.layers.CanvasLayer ?? CanvasLayer;

/** @returns {AdviceLayer | null} the layer, where the canvas has been drawn */
export const advice = () => /** @type {AdviceLayer | undefined} */ (canvas.enfilade) ?? null;

/** Draws advice; what it drew stays until something else is to be seen. */
export class AdviceLayer extends BaseLayer {
  /** @type {Painter | null} */
  #painter = null;
  #isPlaced = false;

  get zIndex() {
    return ABOVE_TOKENS;
  }

  /** @param {object} [options] */
  async _draw(options) {
    await super._draw(options);
    const board = new PIXI.Container();
    this.addChild(board);
    const { left, top, scale } = placing(canvas.grid, canvas.dimensions);
    board.position.set(left, top);
    board.scale.set(scale);
    board.eventMode = "none";
    this.eventMode = "none";
    this.interactiveChildren = false;
    this.#painter = new Painter(PIXI, board, ORDER);
    this.#isPlaced = false;
  }

  /** @param {object} [options] */
  async _tearDown(options) {
    this.#painter?.destroy();
    this.#painter = null;
    await super._tearDown(options);
  }

  /**
   * Draws what has changed; all of it on a canvas that was just drawn.
   * @param {PageState} state
   * @param {PageState} before
   */
  show(state, before) {
    if (!this.#painter) return;
    const old = this.#isPlaced ? before : null;
    this.#isPlaced = true;
    this.#advice(this.#painter, state, old);
    if (!old || hasChanged(state, old, "layers")) this.#toggle(this.#painter, state);
    if (!old || hasChanged(state, old, "verdict", "replica")) this.#verdict(this.#painter, state);
  }

  /** @param {Painter} painter @param {PageState} state @param {PageState | null} old */
  #advice(painter, { replica, overlay }, old) {
    const isOther = !old || overlay !== old.overlay;
    const scene = replica?.scene;
    if (!scene) return;
    if (isOther) for (const { key, marks } of overlayLayers(scene, overlay)) painter.paint(key, marks);
    else if (overlay && replica !== old.replica)
      for (const key of TOKEN_LAYERS) painter.paint(key, layerMarks(scene, overlay, key));
  }

  /** @param {Painter} painter @param {PageState} state */
  #toggle(painter, { layers }) {
    for (const { key } of LAYERS) painter.show(key, layers[key]);
  }

  /** @param {Painter} painter @param {PageState} state */
  #verdict(painter, { replica, verdict }) {
    const place = replica && verdict ? tokenPlace(replica.scene, verdict.target) : null;
    painter.paint("verdict", replica && verdict && place ? verdictMarks(replica.scene, verdict, place) : []);
  }
}

/** @param {Scene} scene @param {Verdict} verdict @param {NonNullable<ReturnType<typeof tokenPlace>>} place */
function verdictMarks(scene, verdict, place) {
  const name = scene.tokens.find(({ id }) => id === verdict.target)?.name ?? "";
  return [...sightMarks(scene, verdict), ...plateMarks(place, verdictLines(verdict, name))];
}
