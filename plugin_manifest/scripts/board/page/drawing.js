/** The drawing of the board: a PIXI canvas. A layer is painted only when its part of the state has changed. */

import { growthAt, setTokenGrowth } from "../../core/draw/token-size.js";
import { Painter } from "../../core/draw/painter.js";
import { setCalm } from "../../core/draw/palette.js";
import { hasChanged } from "../../core/game/store.js";
import { MapTiles } from "../painter/map-tiles.js";
import { Background } from "./background.js";
import { BoardLayers, FLAT, ORDER } from "./board-layers.js";
import { TokenPictures } from "./token-pictures.js";
import { TokenPortraits } from "./token-portraits.js";

/** @import {BoardState} from "../../../types/page.js" */
/** @import {Board} from "./page-state.js" */

/** The parts of the state that the board shows. */
const SHOWN = /** @type {const} */ ([
  "replica",
  "camera",
  "layers",
  "hasReachCosts",
  "hasAutoLayers",
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
  "planning",
  "cursor",
]);

/** Tiles that arrive are drawn so often: a frame for each would take longer than to paint it. */
const TILES_MS = 120;
/** So long a selected unit's ring waits for its overlay: without a graphics card each picture of a large map takes 40 ms. */
const OVERLAY_MS = 40;
/** The picture under the grid and its mask lie under all layers. */
const UNDER_LAYERS = 2;

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
  /** @type {BoardState | null} the state that the next frame shows; null if it would look the same */
  #next = null;
  /** @type {BoardState | null} the state that is drawn */
  #drawn = null;
  #isRendering = false;
  /** The frame that draws the next state; 0 without one. */
  #frame = 0;
  /** The wait for the overlay of a unit just selected; 0 without one. */
  #wait = 0;
  /** The time at which tiles were drawn last, on the page's clock. */
  #renderedAt = 0;

  /** @param {HTMLElement} host @param {Board} board */
  constructor(host, board) {
    this.host = host;
    this.board = board;
    // A board draws few textures. A shader for 16 of them looks at each for every pixel, and a computer without a
    // graphics card then takes four times as long to draw.
    PIXI.BatchRenderer.defaultMaxTextures = 1;
    // PIXI looks for its own pointer events in each frame, and the browser then makes 60 a second of a board at rest.
    // The board listens to its element instead.
    PIXI.Ticker.system.autoStart = false;
    PIXI.Ticker.system.stop();
    this.renderer = newRenderer(host.clientWidth, host.clientHeight);
    // A graphics card that was reset, or a phone that woke up, has forgotten the picture. PIXI draws when it is asked to.
    this.renderer.view.addEventListener?.("webglcontextrestored", () => this.renderer.render(this.world));
    this.world = new PIXI.Container();
    this.background = new Background(this.world, this.renderer, () => this.renderer.render(this.world));
    this.pictures = new TokenPictures(() => this.#repaintTokens());
    this.portraits = new TokenPortraits(this.pictures, () => this.#repaintTokens());
    this.painter = new Painter(PIXI, this.world, ORDER);
    this.painter.setTexts(false);
    this.layers = new BoardLayers(this.painter, this.portraits);
    this.tiles = new MapTiles(PIXI, () => this.#render());
    this.world.addChildAt(this.tiles.container, UNDER_LAYERS + FLAT.length);
  }

  /** Draw the board, and again after each change of the state. */
  start() {
    setCalm(document.documentElement.dataset.contrast !== "high");
    document.addEventListener("displaychange", () => this.#changeStrength());
    this.board.subscribe((state, before) => {
      if (this.#drawn && !hasChanged(state, before, ...SHOWN)) return;
      this.#next = state;
      const isOverlayNext = state.isOverlayDue && !state.overlay && state.selected !== this.#drawn?.selected;
      if (isOverlayNext) this.#wait ||= setTimeout(() => this.#askFrame(), OVERLAY_MS);
      else this.#askFrame();
    });
    this.#drawNext(); // the first picture waits for no frame
  }

  /** Draw the latest state in the next frame. */
  #askFrame() {
    clearTimeout(this.#wait);
    this.#wait = 0;
    this.#frame ||= requestAnimationFrame(() => this.#drawNext());
  }

  /** Draw the canvas soon, once for all tiles that have arrived by then: the first one at once. */
  #render() {
    if (this.#isRendering) return;
    this.#isRendering = true;
    const draw = () => {
      this.#isRendering = false;
      this.#renderedAt = performance.now();
      this.#hideFlat();
      this.renderer.render(this.world);
    };
    const wait = this.#renderedAt + TILES_MS - performance.now();
    setTimeout(() => requestAnimationFrame(draw), Math.max(0, wait));
  }

  /** Draw the latest state: all changes between two frames at once. */
  #drawNext() {
    const state = this.#next;
    this.#frame = 0;
    if (!state) return;
    this.#next = null;
    this.#draw(shownState(state), shownState(this.#drawn ?? this.board.initial));
    this.#drawn = state;
  }

  /** Give the canvas the size of its element. */
  resize() {
    this.renderer.resize(this.host.clientWidth, this.host.clientHeight);
    if (!this.#drawn) return;
    this.#showTiles(this.board.state);
    this.renderer.render(this.world);
  }

  /** @param {BoardState} state */
  #showTiles({ camera }) {
    const { width, height } = this.renderer.screen; // to ask the element for its size would cost a layout in each frame
    this.tiles.setView(camera, width, height, window.devicePixelRatio, this.layers.light === "day");
    this.#hideFlat();
  }

  /** Leave the flat ground out while tiles cover it, and note whether the map in view is painted. */
  #hideFlat() {
    for (const key of FLAT) this.painter.show(key, !this.tiles.isCovering);
    const isPainted = String(this.tiles.isDone);
    if (this.host.dataset.painted !== isPainted) this.host.dataset.painted = isPainted;
  }

  /** Draw the layers calm or strong, as this browser wants them. */
  #changeStrength() {
    setCalm(document.documentElement.dataset.contrast !== "high");
    const { state } = this.board;
    this.renderer.background.color = groundColor();
    if (!state.replica) return;
    this.layers.paintAgain(state);
    this.#showTiles(state);
    this.renderer.render(this.world);
  }

  /** Paint the tokens again, because pictures or portraits are ready. */
  #repaintTokens() {
    if (!this.#drawn) return;
    const state = shownState(this.#drawn);
    this.layers.paintTokens(state, { ...state, replica: null });
    this.renderer.render(this.world);
  }

  /** @param {BoardState} state @param {BoardState} before */
  #draw(state, before) {
    if (!state.replica) return;
    const { scene } = state.replica;
    const old = before.replica?.scene;
    if (scene.background !== old?.background) this.background.show(scene);
    this.layers.paintBoard(scene, old, state.replica.role === "gm");
    this.layers.paintRegions(state, before);
    const last = this.#hasResizedTokens(state) ? { ...before, replica: copyOf(before.replica) } : before;
    this.layers.paintOverlay(state, last);
    this.layers.paintTokens(state, last);
    const { left, top, scale } = state.camera;
    this.world.position.set(left, top);
    this.world.scale.set(scale);
    this.painter.setZoom(scale);
    const view = /** @type {HTMLCanvasElement} */ (this.renderer.view);
    if (view.isConnected) this.#paintMap(state);
    this.renderer.render(this.world);
    if (view.isConnected) return;
    this.host.prepend(view); // not before there is something to see
    setTimeout(() => this.#drawTheRest());
  }

  /** Draw what would delay the first picture: the texts, and the painted map, which has a thread of its own. */
  #drawTheRest() {
    this.painter.setTexts(true);
    this.#paintMap(shownState(this.board.state));
    this.renderer.render(this.world);
  }

  /** Have the tiles in view painted, if the scene has no picture. @param {BoardState} state */
  #paintMap(state) {
    if (!state.replica) return;
    const { scene } = state.replica;
    this.tiles.setScene(scene, scene.background === "");
    this.#showTiles(state);
  }

  /** Let tokens have their size at the camera's zoom; return whether that is another one. @param {BoardState} state */
  #hasResizedTokens({ replica, camera }) {
    return replica !== null && setTokenGrowth(growthAt(replica.scene.grid, camera.scale));
  }
}

/** The wanted context of the graphics card. A canvas that hides all below it is laid over the page in less time. */
const CONTEXT = { alpha: false, antialias: true, stencil: true, premultipliedAlpha: true };

/**
 * Return a renderer with a canvas of its own. By itself PIXI asks the graphics card for a second context, only to look at what
 * it can do, and for a small picture before the one in the right size. Here it finds one canvas, in its size, for both.
 * @param {number} width in CSS pixels
 * @param {number} height in CSS pixels
 */
function newRenderer(width, height) {
  const resolution = window.devicePixelRatio;
  const size = { width: Math.round(width * resolution), height: Math.round(height * resolution) };
  const view = Object.assign(document.createElement("canvas"), size);
  view.getContext("webgl2", CONTEXT) ?? view.getContext("webgl", CONTEXT);
  const { ADAPTER } = PIXI.settings;
  const createCanvas = (/** @type {number | undefined} */ across, /** @type {number | undefined} */ down) =>
    across === undefined ? view : ADAPTER.createCanvas(across, down);
  PIXI.settings.ADAPTER = { ...ADAPTER, createCanvas };
  try {
    const backgroundColor = groundColor();
    const options = { view, backgroundColor, resolution, width, height };
    return new PIXI.Renderer({ ...options, antialias: true, autoDensity: true });
  } finally {
    PIXI.settings.ADAPTER = ADAPTER;
  }
}

/** Return the color of the page behind the map, in the theme that it has now. */
const groundColor = () => getComputedStyle(document.documentElement).getPropertyValue("--ground").trim();

/**
 * Return the state that the board draws: while it shows a past moment, that one without what the person does now.
 * @param {BoardState} state
 * @returns {BoardState}
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
    planning: null,
  };
}

/** Return an equal replica, which counts as another one. @param {BoardState["replica"]} replica */
const copyOf = (replica) => replica && { ...replica };
