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
import { TokenPictures } from "./token-pictures.js";
import { toolMarks } from "./tool-marks.js";

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
  "tools",
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
    this.backgroundMask = new PIXI.Graphics();
    this.background.mask = this.backgroundMask;
    this.world.addChild(this.background, this.backgroundMask);
    this.app.stage.addChild(this.world);
    this.pictures = new TokenPictures(() => this.#repaintTokens());
    this.painter = new Painter(PIXI, this.world, ORDER);
    host.prepend(/** @type {HTMLCanvasElement} */ (this.app.view));
    new ResizeObserver(() => this.#resize()).observe(host);
    store.subscribe((state, before) => this.#draw(shownState(state), shownState(before)));
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

  /** Paint the tokens again, because a picture has arrived. */
  #repaintTokens() {
    const { state } = this.store;
    this.#paintTokens(state, { ...state, selected: "" });
    this.app.render();
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
    if (hasChanged(state, before, "replica", "selected", "replay", "picked"))
      this.painter.paint(
        "tokens",
        tokenMarks(shown, {
          selected: state.selected,
          picked: state.picked,
          maxHitPoints: maxHitPoints(scene, log),
          lookOf: lookOf(state, this.pictures),
        }),
      );
    if (hasChanged(state, before, "ghost", "replica"))
      this.painter.paint("ghost", dragMarks(state, scene, this.pictures));
    this.painter.show("ghost", true, 0.85);
    if (hasChanged(state, before, "replay", "replica"))
      this.painter.paint("replay", replay ? stepMarks(shown, replay.steps[replay.index]) : []);
    if (hasChanged(state, before, "ruler", "draft", "edited", "pings", "frame", "replica"))
      this.painter.paint("tools", toolMarks(state, scene));
    if (hasChanged(state, before, "cursor")) this.painter.paint("cursor", cursorMarks(state, scene));
  }

  /** @param {Scene} scene */
  #setBackground(scene) {
    const [width, height] = boardSize(scene.grid);
    this.background.visible = false;
    if (!scene.background) return;
    const picture = new Image();
    picture.onload = () => {
      if (this.store.state.replica?.scene.background !== scene.background) return; // another map came meanwhile
      this.background.texture = PIXI.Texture.from(this.#drawable(picture));
      this.background.texture.baseTexture.mipmap = PIXI.MIPMAP_MODES.ON;
      // The part of the picture that the address names fills the board; the rest would lie beside it.
      const [left, top, across, down] = pictureArea(scene.background) ?? [
        0,
        0,
        picture.naturalWidth,
        picture.naturalHeight,
      ];
      const [x, y] = [width / across, height / down];
      this.background.position.set(-left * x, -top * y);
      Object.assign(this.background, {
        width: picture.naturalWidth * x,
        height: picture.naturalHeight * y,
        visible: true,
      });
      this.backgroundMask.clear().beginFill(0).drawRect(0, 0, width, height).endFill();
      this.app.render();
    };
    picture.src = scene.background;
  }

  /** Return a picture that the graphics card can hold: a larger one is scaled down. @param {HTMLImageElement} picture */
  #drawable(picture) {
    const { gl } = /** @type {any} */ (this.app.renderer);
    const most = gl?.getParameter(gl.MAX_TEXTURE_SIZE) ?? 4096;
    const scale = most / Math.max(picture.naturalWidth, picture.naturalHeight);
    if (scale >= 1) return picture;
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [picture.naturalWidth * scale, picture.naturalHeight * scale];
    canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    return canvas;
  }
}

/**
 * Return the state that the board draws: while it shows a past moment, that one without what the person does now.
 * @param {PageState} state
 * @returns {PageState}
 */
function shownState(state) {
  const { past } = state;
  if (!past) return state;
  return {
    ...state,
    replica: past.replica,
    overlay: past.overlay,
    selected: past.selected,
    replay: past.step.length ? { steps: past.step, index: 0 } : null,
    verdict: null,
    decision: null,
    ghost: null,
    cursor: null,
    pointed: null,
  };
}

/** @param {Scene} scene @param {PageState} state @param {DecisionMap} map */
const heatMarks = ({ grid }, { pointed }, map) => decisionMarks(grid, map, placeAt(grid, map, pointed));

/**
 * Return the part of a picture that its address names (W3C Media Fragments): left, top, width and height in pixels.
 * @param {string} address
 * @returns {number[] | null}
 */
export function pictureArea(address) {
  const found = address
    .match(/#xywh=pixel:(\d+),(\d+),(\d+),(\d+)$/)
    ?.slice(1)
    .map(Number);
  return found && found[2] > 0 && found[3] > 0 ? found : null;
}

/** @param {PageState} state @param {Scene} scene @param {TokenPictures} pictures @returns {Mark[]} */
function dragMarks(state, scene, pictures) {
  const { ghost } = state;
  const token = scene.tokens.find((other) => other.id === ghost?.token);
  if (!token?.at || !ghost) return [];
  const look = lookOf(state, pictures);
  const [dx, dy] = [ghost.at[0] - token.at[0], ghost.at[1] - token.at[1]];
  const others = scene.tokens.filter((other) => other.at && ghost.group?.includes(other.id));
  return [
    ...others.flatMap((other) => {
      const [x, y] = /** @type {Cell} */ (other.at);
      const there = { at: /** @type {Cell} */ ([x + dx, y + dy]), facing: other.facing, text: "" };
      return ghostMarks(scene, other, there, look(other));
    }),
    ...ghostMarks(scene, token, ghost, look(token)),
  ];
}

/**
 * Return the look of each token: its icon, a label that no other token has, and whether it is the player's own or
 * has acted.
 * @param {PageState} state
 * @param {TokenPictures} pictures
 */
function lookOf(state, pictures) {
  const labels = initialsOf(state.replica?.scene.tokens ?? []);
  return (/** @type {Token} */ token) => ({
    icon: iconPath(iconOf(token)),
    label: labels.get(token.id) ?? "",
    picture: pictures.get(token.image),
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
