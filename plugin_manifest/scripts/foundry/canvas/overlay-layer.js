/** The module's layer on Foundry's canvas, in the interface group: above lighting and fog, below the controls. */

import { hasChanged } from "../../core/game/store.js";
import { cellMarks } from "../../core/draw/board-marks.js";
import { decisionMarks, placeAt } from "../../core/draw/decision-marks.js";
import { CELL, boardSize, center, tokenCenter } from "../../core/map/geometry.js";
import { TOKEN_LAYERS, layerMarks, overlayLayers } from "../../core/draw/overlay-marks.js";
import { Painter } from "../../core/draw/painter.js";
import { VERMILLION } from "../../core/draw/palette.js";
import { LAYERS } from "../../core/game/layers.js";
import { sightMarks, tokenPlace, verdictLines } from "../../core/draw/verdict-marks.js";
import { tokenRadius } from "../../core/draw/token-size.js";
import { ghostMarks, stepMarks, tokenMarks } from "../../core/draw/token-marks.js";
import { fullHitPoints } from "../../core/game/hit-points.js";
import { sceneAtStep } from "../../core/game/replay.js";
import { guarded, onHook } from "../boundary.js";
import { boardPosition, toBoard } from "./board-position.js";
import { areOverlaysShown, setOverlaysShown } from "./overlay-visibility.js";
import { labelMarks, stripMarks } from "./label.js";
import { caughtMarks, pickMarks } from "../../core/draw/pick-marks.js";

/** @import {Cell, Grid, Mark, Scene, Token, Verdict} from "../../../types/contract.js" */
/** @import {TableState} from "../../../types/page.js" */
/** @import {Pick} from "../../core/game/map-picks.js" */
/** @import {Surroundings} from "./label.js" */

const AREAS = ["blind", "sight", "ranges", "arc", "threat", "cover", "defense", "reach"];
const MARKS = ["engagement", "reactions", "targets", "verdict", "replay", "picks", "ghost", "place"];
const ORDER = ["branch", ...AREAS, "decision", "others", ...MARKS, "area", "drag"];
/** The frame around the board and the tokens of a branch. */
const FRAME_STYLE = { color: VERMILLION, line: 1, width: 14 };
const PLACE_STYLE = { color: VERMILLION, line: 1, width: 6 };
const Z_INDEX = 900; // above Foundry's tokens
const BaseLayer = foundry.canvas?.layers?.CanvasLayer ?? CanvasLayer;

/** @returns {OverlayLayer | null} the layer; null before the canvas is drawn */
export const overlayLayer = () => /** @type {OverlayLayer | undefined} */ (canvas.enfilade) ?? null;

/** Shows or hides all that the module draws on the map. @param {boolean} isOn */
export function showOverlays(isOn) {
  setOverlaysShown(isOn);
  const layer = overlayLayer();
  if (layer) layer.visible = isOn;
}

/** The zoom of Foundry's view; it is set before the layer is drawn. */
let zoom = 1;

/** Keeps the layer's texts readable at each zoom. */
export function followZoom() {
  onHook("canvasPan", (_canvas, /** @type {{scale: number}} */ view) => {
    zoom = view.scale;
    overlayLayer()?.fitTexts();
  });
}

/** Draws the overlay of the selected token and the verdict on the hovered one. */
export class OverlayLayer extends BaseLayer {
  /** @type {Painter | null} */
  #painter = null;
  #isPainted = false;
  /** The pixels of the canvas for each 64th of a cell. */
  #scale = 1;
  /** The centers of the cells that show a cost, and of tokens. @type {[number, number][]} */
  #costs = [];

  /** @returns {boolean} whether the layer was drawn without an error */
  get isDrawn() {
    return this.#painter !== null;
  }

  /** Draws the layer. The base class's own method is abstract. An error leaves the canvas without the overlay. */
  async _draw() {
    guarded("layer", () => this.#drawBoard())();
  }

  #drawBoard() {
    this.visible = areOverlaysShown();
    this.zIndex = Z_INDEX; // assigned, because 14's base class assigns it too
    const board = new PIXI.Container();
    this.addChild(board);
    const { left, top, scale } = boardPosition(canvas.grid, canvas.dimensions);
    board.position.set(left, top);
    board.scale.set(scale);
    board.eventMode = "none";
    this.eventMode = "none";
    this.interactiveChildren = false;
    this.#painter = new Painter(PIXI, board, ORDER);
    this.#scale = scale;
    this.fitTexts();
    this.#isPainted = false;
  }

  /** Draws the texts as large as the view's zoom needs. */
  fitTexts() {
    this.#painter?.setZoom(zoom * this.#scale);
  }

  /** @param {object} [options] */
  async _tearDown(options) {
    this.#painter?.destroy();
    this.#painter = null;
    await super._tearDown(options);
  }

  /** Draws a layer instead of what it showed before. @param {string} key @param {Mark[]} marks */
  paint(key, marks) {
    this.#painter?.paint(key, marks);
  }

  /** Removes everything, so that the next state is drawn wholly. */
  clear() {
    for (const key of ORDER) this.#painter?.paint(key, []);
    this.#isPainted = false;
    this.#costs = [];
  }

  /**
   * Draws what changed; everything on a new canvas.
   * @param {TableState} state
   * @param {TableState} before
   */
  show(state, before) {
    if (!this.#painter) return;
    guarded("layer", () => this.#showState(state, before))();
  }

  /** @param {TableState} state @param {TableState} before */
  #showState(state, before) {
    if (!this.#painter) return;
    const old = this.#isPainted ? before : null;
    this.#isPainted = true;
    this.#paintOverlay(this.#painter, state, old);
    if (!old || hasChanged(state, old, "overlay", "layers")) this.#costs = costCenters(state);
    if (!old || hasChanged(state, old, "layers"))
      for (const { key } of LAYERS) this.#painter.show(key, state.layers[key]);
    if (!old || hasChanged(state, old, "replay", "replica"))
      this.#painter.paint("replay", replayMarks(state));
    if (state.isBranch && (!old || hasChanged(state, old, "replica", "selected", "replay"))) {
      this.#painter.paint("branch", frameMarks(state));
      this.#painter.paint("others", branchMarks(state));
    }
    if (!old || hasChanged(state, old, "decision", "pointed"))
      this.#painter.paint("decision", heatMarks(state));
    if (!old || hasChanged(state, old, "ghost", "replica")) this.#painter.paint("ghost", plannedMarks(state));
    if (!old || hasChanged(state, old, "verdict", "replica", "overlay", "layers"))
      this.#paintVerdict(this.#painter, state);
  }

  /**
   * Frames the cell of an act that is under the pointer in a window; null removes the frame.
   * @param {Grid} grid
   * @param {Cell | null} at
   */
  showPlace(grid, at) {
    this.#painter?.paint("place", at ? cellMarks(grid, [at], PLACE_STYLE) : []);
  }

  /**
   * Marks the places of something to choose, and the one under the pointer with the tokens that it catches.
   * @param {Scene} scene
   * @param {Pick<unknown>[]} picks
   * @param {Pick<unknown> | null} pick
   */
  showPicks(scene, picks, pick) {
    const label = (/** @type {Cell} */ at, /** @type {string[]} */ lines) =>
      labelMarks({ at, radius: CELL / 2 }, lines, { costs: [], view: visibleBoard() });
    this.#painter?.paint("picks", picks.length ? pickMarks(scene, picks, pick, label) : []);
  }

  /**
   * Rings the tokens that an area catches while it is placed, with lines at its origin; nothing without a place.
   * @param {{scene: Scene, at: [number, number]} | null} place the origin in 64ths of a cell
   * @param {string[]} caught
   * @param {string[]} lines
   */
  showArea(place, caught, lines) {
    const around = { costs: place ? tokenPoints(place.scene) : [], view: visibleBoard() };
    const label = place && lines.length ? labelMarks({ at: place.at, radius: CELL / 2 }, lines, around) : [];
    this.#painter?.paint("area", place ? [...caughtMarks(place.scene, caught), ...label] : []);
  }

  /**
   * Shows lines beside a dragged token; none without lines.
   * @param {[number, number] | null} at the token's center on the board, in 64ths of a cell
   * @param {string[]} lines
   */
  showDrag(at, lines) {
    const around = { costs: this.#costs, view: visibleBoard() };
    const marks = at && lines.length ? stripMarks({ at, radius: CELL / 2 }, lines, around) : [];
    this.#painter?.paint("drag", marks);
  }

  /** @param {Painter} painter @param {TableState} state @param {TableState | null} old */
  #paintOverlay(painter, { replica, overlay }, old) {
    const scene = replica?.scene;
    if (!scene) return;
    if (!old || overlay !== old.overlay)
      for (const { key, marks } of overlayLayers(scene, overlay)) painter.paint(key, marks);
    else if (overlay && replica !== old.replica)
      for (const key of TOKEN_LAYERS) painter.paint(key, layerMarks(scene, overlay, key));
  }

  /** @param {Painter} painter @param {TableState} state */
  #paintVerdict(painter, { replica, verdict }) {
    const place = replica && verdict ? tokenPlace(replica.scene, verdict.target) : null;
    const around = { costs: this.#costs, view: visibleBoard() };
    painter.paint(
      "verdict",
      replica && verdict && place ? verdictMarks(replica.scene, verdict, place, around) : [],
    );
  }
}

/**
 * @param {Scene} scene
 * @param {Verdict} verdict
 * @param {NonNullable<ReturnType<typeof tokenPlace>>} place
 * @param {Surroundings} around
 */
function verdictMarks(scene, verdict, place, around) {
  const name = scene.tokens.find(({ id }) => id === verdict.target)?.name ?? "";
  return [...sightMarks(scene, verdict), ...labelMarks(place, verdictLines(verdict, name), around)];
}

/**
 * Returns the step of an act that is played: the tokens that stood elsewhere or otherwise then, and who does what to
 * whom. Foundry's own tokens stay where they are.
 * @param {TableState} state
 */
function replayMarks({ replica, replay, selected }) {
  if (!replica || !replay) return [];
  const { scene, bars } = replica;
  const then = sceneAtStep(scene, replay.steps, replay.index);
  const isOther = (/** @type {Token} */ token) =>
    replay.steps.some(({ changes }) => changes.some((change) => change.token === token.id));
  const changed = { ...then, tokens: then.tokens.filter(isOther) };
  const options = { selected, maxHitPoints: fullHitPoints(bars) };
  return [...tokenMarks(changed, options), ...stepMarks(then, replay.steps[replay.index])];
}

/** Returns the frame that tells a branch from the battle. @param {TableState} state @returns {Mark[]} */
function frameMarks({ replica }) {
  if (!replica) return [];
  const [width, height] = boardSize(replica.scene.grid);
  return [{ kind: "polygon", points: [0, 0, width, 0, width, height, 0, height], style: FRAME_STYLE }];
}

/** Returns the tokens of a branch: Foundry's own stay where the battle has them. @param {TableState} state */
function branchMarks({ replica, selected, replay }) {
  if (!replica || replay) return [];
  const { scene, bars } = replica;
  return tokenMarks(scene, { selected, maxHitPoints: fullHitPoints(bars) });
}

/** Returns the heat map with the number of the place that is pointed at. @param {TableState} state */
function heatMarks({ replica, decision, pointed }) {
  if (!replica || !decision) return [];
  const { grid } = replica.scene;
  return decisionMarks(grid, decision, placeAt(grid, decision, pointed));
}

/** Returns the token at the place that is planned for it. @param {TableState} state */
function plannedMarks({ replica, ghost }) {
  const token = replica?.scene.tokens.find(({ id }) => id === ghost?.token);
  return replica && token && ghost ? ghostMarks(replica.scene, token, ghost) : [];
}

/** @param {TableState} state @returns {[number, number][]} none while the reach is not shown */
function costCenters({ replica, overlay, layers }) {
  if (!replica || !overlay?.reach || !layers.reach) return [];
  const { grid, tokens } = replica.scene;
  const costs = overlay.reach.cells.map(([column, row]) => center(grid, [column, row]));
  const bases = tokens.flatMap((token) => (token.at ? [tokenCenter(grid, token, token.at)] : []));
  return [...costs, ...bases, ...bases]; // twice, because a hidden token is worse than a hidden cost
}

/** Returns points on all tokens, which a label keeps clear of. @param {Scene} scene @returns {[number, number][]} */
const tokenPoints = ({ grid, tokens }) =>
  tokens.flatMap((token) => {
    if (!token.at) return [];
    const [[x, y], far] = [tokenCenter(grid, token, token.at), tokenRadius(token)];
    return /** @type {[number, number][]} */ ([
      [x, y],
      ...[-far, far].flatMap((d) => [
        [x + d, y],
        [x, y + d],
      ]),
    ]);
  });

/** Returns the part of the board that the screen shows. */
function visibleBoard() {
  const position = boardPosition(canvas.grid, canvas.dimensions);
  const { width: all, height } = canvas.app.screen;
  // Foundry's sidebar lies over the canvas, as wide as it is open.
  const sidebar = document.getElementById("sidebar")?.getBoundingClientRect();
  const width = sidebar && sidebar.width > 0 && sidebar.left > all / 2 ? sidebar.left : all;
  const corner = (/** @type {number} */ x, /** @type {number} */ y) =>
    toBoard(position, canvas.stage.toLocal({ x, y }));
  const [[left, top], [right, bottom]] = [corner(0, 0), corner(width, height)];
  return { left, top, right, bottom };
}
