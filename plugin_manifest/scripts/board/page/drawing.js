/** The drawing of the board: a PIXI canvas. A layer is painted only when its part of the state has changed. */

import {
  gridMarks,
  groundMarks,
  paintedTerrainMarks,
  regionMarks,
  terrainMarks,
} from "../../core/draw/board-marks.js";
import { decisionMarks, placeAt } from "../../core/draw/decision-marks.js";
import { TOKEN_LAYERS, layerMarks, overlayLayers } from "../../core/draw/overlay-marks.js";
import { fullHitPoints, ghostMarks, stepMarks, tokenMarks } from "../../core/draw/token-marks.js";
import { CELL, boardSize, corners } from "../../core/draw/geometry.js";
import { pickMarks } from "../../core/draw/pick-marks.js";
import { growthAt, setTokenGrowth } from "../../core/draw/token-size.js";
import { Painter } from "../../core/draw/painter.js";
import { WHITE, setCalm } from "../../core/draw/palette.js";
import { sightMarks } from "../../core/draw/verdict-marks.js";
import { drawingMarks, fogMarks } from "../../core/draw/sketch-marks.js";
import { bodyMarks, doorMarks } from "../../core/draw/wall-marks.js";
import { sceneAtStep } from "../../core/game/replay.js";
import { hasChanged } from "../../core/game/store.js";
import { MapTiles } from "../painter/map-tiles.js";
import { lookOf } from "./token-looks.js";
import { TokenPictures } from "./token-pictures.js";
import { TokenPortraits } from "./token-portraits.js";
import { toolMarks } from "./tool-marks.js";

/** @import {Cell, DecisionMap, LayerKey, Mark, Scene} from "../../../types/contract.js" */
/** @import {PageState} from "../../../types/page.js" */
/** @import {Store} from "../../core/game/store.js" */

/** The layers from bottom to top. The painted map lies over the flat ones: they show until its tiles are ready. */
const FLAT = ["ground", "flat"];
const ORDER = [
  ...FLAT,
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
  "fog",
  "drawings",
  "tokens",
  "engagement",
  "reactions",
  "targets",
  "verdict",
  "replay",
  "ghost",
  "picks",
  "cursor",
  "tools",
];

/** The parts of the state that the board shows. */
const SHOWN = /** @type {const} */ ([
  "replica",
  "camera",
  "layers",
  "overlay",
  "verdict",
  "decision",
  "pointed",
  "selected",
  "picked",
  "replay",
  "past",
  "ghost",
  "ruler",
  "draft",
  "edited",
  "pings",
  "frame",
  "picking",
  "cursor",
]);

/** The picture under the grid and its mask lie under all layers. */
const UNDER_LAYERS = 2;

/** The size of the label of a place that is to be chosen. */
const LABEL_PX = 18;

/** PIXI, and its shaders without eval, which the page's security policy forbids. */
const SCRIPTS = ["/plugin/vendor/pixi.min.js", "/plugin/vendor/unsafe-eval.min.js"];

/** Load PIXI, in this order; rejected if the server does not answer. */
export async function loadPixi() {
  for (const src of SCRIPTS)
    await new Promise((resolve, reject) => {
      const script = Object.assign(document.createElement("script"), {
        src,
        onload: resolve,
        onerror: reject,
      });
      document.head.append(script);
    });
}

/** Draws the state into an element; PIXI must have been loaded. */
export class Drawing {
  /** @type {PageState | null} the state that the next frame shows; null if it would look the same */
  #next = null;
  /** @type {PageState | null} the state that is drawn */
  #drawn = null;
  #isRendering = false;
  /** @type {"" | "night" | "day"} the light of the painted map; "" over a picture */
  #light = "";

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
      width: host.clientWidth,
      height: host.clientHeight,
    });
    this.world = new PIXI.Container();
    this.background = new PIXI.Sprite();
    this.backgroundMask = new PIXI.Graphics();
    this.background.mask = this.backgroundMask;
    this.world.addChild(this.background, this.backgroundMask);
    this.app.stage.addChild(this.world);
    this.pictures = new TokenPictures(() => this.#repaintTokens());
    this.portraits = new TokenPortraits(this.pictures, () => this.#repaintTokens());
    this.painter = new Painter(PIXI, this.world, ORDER);
    this.tiles = new MapTiles(PIXI, () => this.#render());
    this.world.addChildAt(this.tiles.container, UNDER_LAYERS + FLAT.length);
  }

  /** Draw the board, and again after each change of the state. */
  start() {
    setCalm(document.documentElement.dataset.contrast !== "high");
    document.addEventListener("displaychange", () => this.#changeStrength());
    this.store.subscribe((state, before) => {
      if (this.#drawn && !hasChanged(state, before, ...SHOWN)) return;
      if (!this.#next) requestAnimationFrame(() => this.#drawNext());
      this.#next = state;
    });
  }

  /** Draw the canvas in the next frame, once for all tiles that have arrived by then. */
  #render() {
    if (this.#isRendering) return;
    this.#isRendering = true;
    requestAnimationFrame(() => {
      this.#isRendering = false;
      this.#hideFlat();
      this.app.render();
    });
  }

  /** Draw the latest state: all changes between two frames at once. */
  #drawNext() {
    const state = /** @type {PageState} */ (this.#next);
    this.#next = null;
    this.#draw(shownState(state), shownState(this.#drawn ?? this.store.initial));
    this.#drawn = state;
  }

  /** Give the canvas the size of its element. */
  resize() {
    this.app.renderer.resize(this.host.clientWidth, this.host.clientHeight);
    this.#showTiles(this.store.state);
    this.app.render();
  }

  /** @param {PageState} state */
  #showTiles({ camera }) {
    const { clientWidth: width, clientHeight: height } = this.host;
    this.tiles.setView(camera, width, height, window.devicePixelRatio, this.#light === "day");
    this.#hideFlat();
  }

  /** Leave the flat ground out while tiles cover it, and note whether the map in view is painted. */
  #hideFlat() {
    for (const key of FLAT) this.painter.show(key, !this.tiles.isCovering);
    this.host.dataset.painted = String(this.tiles.isDone);
  }

  /** Draw the layers calm or strong, as this browser wants them. */
  #changeStrength() {
    setCalm(document.documentElement.dataset.contrast !== "high");
    const { replica, overlay } = this.store.state;
    if (!replica) return;
    this.#light = lightOf(replica.scene);
    this.painter.paint("grid", gridMarks(replica.scene, this.#light));
    this.#showTiles(this.store.state);
    for (const { key, marks } of overlayLayers(replica.scene, overlay)) this.painter.paint(key, marks);
    this.app.render();
  }

  /** Paint the tokens again, because pictures or portraits are ready. */
  #repaintTokens() {
    if (!this.#drawn) return;
    const state = shownState(this.#drawn);
    this.#paintTokens(state, { ...state, selected: "", ghost: null });
    this.app.render();
  }

  /** @param {PageState} state @param {PageState} before */
  #draw(state, before) {
    if (!state.replica) return;
    const { scene } = state.replica;
    const old = before.replica?.scene;
    if (scene.background !== old?.background) this.#setBackground(scene);
    this.#paintBoard(scene, old, state.replica.role === "gm");
    if (state.replica.regions !== before.replica?.regions)
      this.painter.paint("regions", regionMarks(scene.grid, state.replica.regions));
    const last = this.#hasResizedTokens(state) ? { ...before, replica: copyOf(before.replica) } : before;
    this.#paintOverlay(state, last);
    this.#paintTokens(state, last);
    const { left, top, scale } = state.camera;
    this.world.position.set(left, top);
    this.world.scale.set(scale);
    this.painter.setZoom(scale);
    this.#showTiles(state);
    this.app.render();
    const view = /** @type {HTMLCanvasElement} */ (this.app.view);
    if (!view.isConnected) this.host.prepend(view); // not before there is something to see
  }

  /** Let tokens have their size at the camera's zoom; return whether that is another one. @param {PageState} state */
  #hasResizedTokens({ replica, camera }) {
    return replica !== null && setTokenGrowth(growthAt(replica.scene.grid, camera.scale));
  }

  /** @param {Scene} scene @param {Scene | undefined} old @param {boolean} isMaster whether the fog is seen through */
  #paintBoard(scene, old, isMaster) {
    const isNew = scene.grid !== old?.grid || scene.background !== old.background;
    const isPainted = scene.background === "";
    if (isNew) this.#light = lightOf(scene);
    if (isNew) this.painter.paint("ground", groundMarks(scene));
    if (isNew) this.painter.paint("grid", gridMarks(scene, this.#light));
    const isOther = isNew || scene.terrain !== old.terrain;
    if (isOther) this.painter.paint("terrain", isPainted ? paintedTerrainMarks(scene) : terrainMarks(scene));
    if (isOther || scene.walls !== old.walls) {
      const bodies = bodyMarks(scene.grid, scene.walls, !isPainted);
      this.painter.paint("flat", isPainted ? [...flatTerrain(scene), ...bodies] : []);
      this.painter.paint("walls", [...(isPainted ? [] : bodies), ...doorMarks(scene.grid, scene.walls)]);
    }
    this.tiles.setScene(scene, isPainted);
    if (isNew || scene.drawings !== old.drawings) this.painter.paint("drawings", drawingMarks(scene));
    if (isNew || scene.fog !== old.fog) this.painter.paint("fog", fogMarks(scene, isMaster));
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
    const { scene, bars } = state.replica;
    const { replay } = state;
    const shown = replay ? sceneAtStep(scene, replay.steps, replay.index) : scene;
    if (hasChanged(state, before, "replica", "selected", "replay", "picked"))
      this.painter.paint(
        "tokens",
        tokenMarks(shown, {
          selected: state.selected,
          picked: state.picked,
          maxHitPoints: fullHitPoints(bars),
          lookOf: lookOf(state, this.portraits),
        }),
      );
    if (hasChanged(state, before, "ghost", "replica"))
      this.painter.paint("ghost", dragMarks(state, scene, this.portraits));
    this.painter.show("ghost", true, 0.85);
    if (hasChanged(state, before, "replay", "replica"))
      this.painter.paint("replay", replay ? stepMarks(shown, replay.steps[replay.index]) : []);
    if (hasChanged(state, before, "ruler", "draft", "edited", "pings", "frame", "replica"))
      this.painter.paint("tools", toolMarks(state, scene));
    if (hasChanged(state, before, "picking", "replica"))
      this.painter.paint("picks", state.picking ? choiceMarks(scene, state.picking) : []);
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
    picking: null,
  };
}

/** Return the light of a scene's painted map, by the page's theme; "" over a picture. @param {Scene} scene @returns {"" | "night" | "day"} */
const lightOf = ({ background }) =>
  background ? "" : document.documentElement.dataset.theme === "light" ? "day" : "night";

/** Draw terrain until it is painted: without its name, which is drawn over the painted map. @param {Scene} scene @returns {Mark[]} */
const flatTerrain = (scene) =>
  terrainMarks({ ...scene, terrain: scene.terrain.filter(({ hidden }) => !hidden) }).filter(
    ({ kind }) => kind !== "text",
  );

/** @param {Scene} scene @param {PageState} state @param {DecisionMap} map */
const heatMarks = ({ grid }, { pointed }, map) => decisionMarks(grid, map, placeAt(grid, map, pointed));

/**
 * Return the part of a picture that its address names (W3C Media Fragments): left, top, width and height in pixels. A
 * board that begins beside its picture has a negative left or top.
 * @param {string} address
 * @returns {number[] | null}
 */
export function pictureArea(address) {
  const found = address
    .match(/#xywh=pixel:(-?\d+),(-?\d+),(\d+),(\d+)$/)
    ?.slice(1)
    .map(Number);
  return found && found[2] > 0 && found[3] > 0 ? found : null;
}

/** @param {PageState} state @param {Scene} scene @param {TokenPortraits} portraits @returns {Mark[]} */
function dragMarks(state, scene, portraits) {
  const { ghost } = state;
  const token = scene.tokens.find((other) => other.id === ghost?.token);
  if (!token?.at || !ghost) return [];
  const look = lookOf(state, portraits);
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

/** Return an equal replica, which counts as another one. @param {PageState["replica"]} replica */
const copyOf = (replica) => replica && { ...replica };

/** @param {Scene} scene @param {NonNullable<PageState["picking"]>} picking @returns {Mark[]} */
function choiceMarks(scene, { picks, chosen }) {
  const label = (/** @type {Cell} */ [x, y], /** @type {string[]} */ lines) =>
    lines.map((text, i) => {
      const at = /** @type {Cell} */ ([x, y - CELL * 0.75 - LABEL_PX * (lines.length - 1 - i)]);
      return /** @type {Mark} */ ({ kind: "text", at, text, size: LABEL_PX, color: WHITE });
    });
  return pickMarks(scene, picks, chosen, label);
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
