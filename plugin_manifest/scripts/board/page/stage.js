/** The board as a PIXI canvas. A layer is painted only when its part of the state has changed. */

import { gridMarks, groundMarks, regionMarks, terrainMarks, wallMarks } from "../../core/draw/board-marks.js";
import { decisionMarks, placeAt } from "../../core/draw/decision-marks.js";
import { TOKEN_LAYERS, layerMarks, overlayLayers } from "../../core/draw/overlay-marks.js";
import { ghostMarks, maxHitPoints, stepMarks, tokenMarks } from "../../core/draw/token-marks.js";
import { CELL, boardSize, corners, tokenCenter } from "../../core/draw/geometry.js";
import { Painter } from "../../core/draw/painter.js";
import { WHITE, setCalm } from "../../core/draw/palette.js";
import { sightMarks } from "../../core/draw/verdict-marks.js";
import { fitCamera, panCamera, toView, zoomCamera } from "./camera.js";
import { sceneAtStep } from "../../core/game/replay.js";
import { canPlay, hasActed, hasChanged } from "../../core/game/store.js";
import { iconOf, iconPath, initialsOf } from "./token-art.js";

/** @import {Cell, DecisionMap, LayerKey, Mark, Scene, Token} from "../../../types/contract.js" */
/** @import {PageState} from "../../../types/page.js" */
/** @import {Store} from "../../core/game/store.js" */

/** The layers from bottom to top. */
const ORDER = [
  "ground",
  "terrain",
  "grid",
  "regions",
  "blind",
  "sight",
  "ranges",
  "arc",
  "threat",
  "cover",
  "defense",
  "reach",
  "decision",
  "walls",
  "tokens",
  "engagement",
  "reactions",
  "targets",
  "verdict",
  "replay",
  "ghost",
  "cursor",
];

/** A token this near to the edge counts as out of view. */
const EDGE_PX = 40;
/** On a board narrower than this, a cell is as wide as a finger at first. */
const [SMALL_PX, FINGER_PX] = [600, 44];

/** Draws the state into an element. */
export class Stage {
  /** @type {PageState["camera"] | null} the camera that `fit` set last */
  #fitted = null;

  /** @param {HTMLElement} host @param {Store} store */
  constructor(host, store) {
    this.host = host;
    this.store = store;
    // A board draws few textures. A shader for 16 of them looks at each for every pixel, and a computer without a
    // graphics card then takes four times as long to draw.
    PIXI.BatchRenderer.defaultMaxTextures = 1;
    this.app = new PIXI.Application({
      autoStart: false,
      antialias: true,
      backgroundAlpha: 0,
      autoDensity: true,
      resolution: window.devicePixelRatio,
    });
    this.world = new PIXI.Container();
    this.background = new PIXI.Sprite();
    this.world.addChild(this.background);
    this.app.stage.addChild(this.world);
    this.painter = new Painter(PIXI, this.world, ORDER);
    host.prepend(/** @type {HTMLCanvasElement} */ (this.app.view));
    new ResizeObserver(() => this.#resize()).observe(host);
    store.subscribe((state, before) => this.#draw(state, before));
    document.addEventListener("displaychange", () => this.#changeStrength());
    this.#changeStrength();
  }

  /** Move the camera so that the whole board is visible. */
  fit() {
    const { replica } = this.store.state;
    if (!replica) return;
    this.#fitted = fitCamera(boardSize(replica.scene.grid), [this.host.clientWidth, this.host.clientHeight]);
    this.store.set({ camera: this.#fitted });
  }

  /** Draw the layers calm or strong, as this browser wants them. */
  #changeStrength() {
    setCalm(document.documentElement.dataset.contrast !== "high");
    const { replica, overlay } = this.store.state;
    if (!replica) return;
    for (const { key, marks } of overlayLayers(replica.scene, overlay)) this.painter.paint(key, marks);
    this.app.render();
  }

  /** Zoom by a factor around the middle of the view. @param {number} factor */
  zoom(factor) {
    const middle = /** @type {Cell} */ ([this.host.clientWidth / 2, this.host.clientHeight / 2]);
    this.store.set({ camera: zoomCamera(this.store.state.camera, middle, factor) });
  }

  /** Pan so that a token is in view, or in the middle. @param {string} id @param {boolean} [isCentered] */
  reveal(id, isCentered = false) {
    const { replica, camera } = this.store.state;
    const token = replica?.scene.tokens.find((other) => other.id === id);
    if (!replica || !token?.at) return;
    const [x, y] = toView(camera, tokenCenter(replica.scene.grid, token, token.at));
    const [width, height] = [this.host.clientWidth, this.host.clientHeight];
    const isInView = x > EDGE_PX && y > EDGE_PX && x < width - EDGE_PX && y < height - EDGE_PX;
    if (!isInView || isCentered) this.store.set({ camera: panCamera(camera, width / 2 - x, height / 2 - y) });
  }

  /** Show a new board: the whole, or on a small screen its part around a unit, large enough for a finger. */
  #open() {
    this.fit();
    const { replica, camera } = this.store.state;
    if (!replica || this.host.clientWidth > SMALL_PX || camera.scale * CELL >= FINGER_PX) return;
    this.zoom(FINGER_PX / CELL / camera.scale);
    const all = replica.scene.tokens.filter(({ at }) => at);
    const first =
      all.find((token) => replica.role === "player" && canPlay(this.store.state, token)) ?? all[0];
    if (first) this.reveal(first.id, true);
  }

  #resize() {
    this.app.renderer.resize(this.host.clientWidth, this.host.clientHeight);
    if (this.store.state.camera === this.#fitted) this.fit();
    this.app.render();
  }

  /** @param {PageState} state @param {PageState} before */
  #draw(state, before) {
    if (!state.replica) return;
    const { scene } = state.replica;
    const old = before.replica?.scene;
    if (scene.background !== old?.background) this.#setBackground(scene);
    if (scene.grid !== old?.grid && JSON.stringify(scene.grid) !== JSON.stringify(old?.grid)) this.#open();
    this.#paintBoard(scene, old);
    if (state.replica.regions !== before.replica?.regions)
      this.painter.paint("regions", regionMarks(scene.grid, state.replica.regions));
    this.#paintOverlay(state, before);
    this.#paintTokens(state, before);
    const { left, top, scale } = state.camera;
    this.world.position.set(left, top);
    this.world.scale.set(scale);
    this.app.render();
  }

  /** @param {Scene} scene @param {Scene | undefined} old */
  #paintBoard(scene, old) {
    const isNew = scene.grid !== old?.grid || scene.background !== old.background;
    if (isNew) this.painter.paint("ground", groundMarks(scene));
    if (isNew) this.painter.paint("grid", gridMarks(scene));
    if (isNew || scene.terrain !== old.terrain) this.painter.paint("terrain", terrainMarks(scene));
    if (scene.walls !== old?.walls)
      this.painter.paint("walls", wallMarks(scene.grid, scene.walls, scene.background !== ""));
  }

  /** @param {PageState} state @param {PageState} before */
  #paintOverlay(state, before) {
    const scene = /** @type {Scene} */ (state.replica?.scene);
    if (hasChanged(state, before, "overlay"))
      for (const { key, marks } of overlayLayers(scene, state.overlay)) this.painter.paint(key, marks);
    else if (state.overlay && hasChanged(state, before, "replica"))
      for (const key of TOKEN_LAYERS) this.painter.paint(key, layerMarks(scene, state.overlay, key));
    if (hasChanged(state, before, "verdict", "replica"))
      this.painter.paint("verdict", state.verdict ? sightMarks(scene, state.verdict) : []);
    if (hasChanged(state, before, "decision", "pointed"))
      this.painter.paint("decision", state.decision ? heatMarks(scene, state, state.decision) : []);
    for (const [key, isVisible] of Object.entries(state.layers))
      this.painter.show(/** @type {LayerKey} */ (key), isVisible);
  }

  /** @param {PageState} state @param {PageState} before */
  #paintTokens(state, before) {
    if (!state.replica) return;
    const { scene, log } = state.replica;
    const { replay } = state;
    const shown = replay ? sceneAtStep(scene, replay.steps, replay.index) : scene;
    if (hasChanged(state, before, "replica", "selected", "replay"))
      this.painter.paint(
        "tokens",
        tokenMarks(shown, {
          selected: state.selected,
          maxHitPoints: maxHitPoints(scene, log),
          lookOf: lookOf(state),
        }),
      );
    if (hasChanged(state, before, "ghost", "replica")) this.painter.paint("ghost", dragMarks(state, scene));
    this.painter.show("ghost", true, 0.85);
    if (hasChanged(state, before, "replay", "replica"))
      this.painter.paint("replay", replay ? stepMarks(shown, replay.steps[replay.index]) : []);
    if (hasChanged(state, before, "cursor")) this.painter.paint("cursor", cursorMarks(state, scene));
  }

  /** @param {Scene} scene */
  #setBackground(scene) {
    const [width, height] = boardSize(scene.grid);
    this.background.visible = false;
    if (!scene.background) return;
    const picture = new Image();
    picture.onload = () => {
      this.background.texture = PIXI.Texture.from(picture);
      this.background.texture.baseTexture.mipmap = PIXI.MIPMAP_MODES.ON;
      Object.assign(this.background, { width, height, visible: true });
      this.app.render();
    };
    picture.src = scene.background;
  }
}

/** @param {Scene} scene @param {PageState} state @param {DecisionMap} map */
const heatMarks = ({ grid }, { pointed }, map) => decisionMarks(grid, map, placeAt(grid, map, pointed));

/** @param {PageState} state @param {Scene} scene @returns {Mark[]} */
function dragMarks(state, scene) {
  const token = scene.tokens.find((other) => other.id === state.ghost?.token);
  return token && state.ghost ? ghostMarks(scene, token, state.ghost, lookOf(state)(token)) : [];
}

/**
 * Return the look of each token: its icon, a label that no other token has, and whether it is the player's own or
 * has acted.
 * @param {PageState} state
 */
function lookOf(state) {
  const labels = initialsOf(state.replica?.scene.tokens ?? []);
  return (/** @type {Token} */ token) => ({
    icon: iconPath(iconOf(token)),
    label: labels.get(token.id) ?? "",
    isOwn: state.replica?.role === "player" && canPlay(state, token),
    isDone: hasActed(token),
  });
}

/** @param {PageState} state @param {Scene} scene @returns {Mark[]} */
function cursorMarks({ cursor: cell }, { grid }) {
  return cell
    ? [
        {
          kind: "polygon",
          points: corners(grid, cell),
          style: { color: WHITE, fill: 0.15, line: 1, width: 4 },
        },
      ]
    : [];
}
