/* global PIXI */
// The canvas: a viewed scene on real PIXI, its tokens, and the modules' layers.

import { AreaPreview } from "./canvas-areas.js";
import { middleOf, priceOf, readDimensions, readGrid } from "./canvas-grid.js";
import { CanvasPainter } from "./canvas-painter.js";
import { CanvasPointer } from "./canvas-pointer.js";
import { SOURCE, getters } from "./documents.js";
import { isStrict, strict } from "./strict.js";

const MARGIN_PIXELS = 20;
/** Low, because without a graphics card the CPU draws every frame. */
const FRAMES_A_SECOND = 2;
const FRAME_MS = 200;

export class Canvas {
  #layers = new Map();
  /** The measuring ruler of 12. */
  ruler = null;
  #placed = new Map();
  #isReady = false;
  #grids = new WeakMap();

  /** `sharpness` is the drawn pixels to a CSS pixel. */
  constructor(documents, { hooks, me, generation, config, diagonals, sharpness, hasCanvas }) {
    Object.assign(this, { documents, hooks, me, generation, config, diagonals });
    // Without a graphics card, a shader for 16 textures takes four times as long as a shader for one.
    PIXI.BatchRenderer.defaultMaxTextures = 1;
    this.app = new PIXI.Application({
      width: innerWidth,
      height: innerHeight,
      backgroundColor: 0x1d1d22,
      resolution: sharpness,
      autoDensity: true,
      autoStart: false,
    });
    this.hasCanvas = hasCanvas;
    this.app.view.id = "board";
    // A ticker of PIXI asks for 60 frames a second even if it draws fewer, and each costs a tenth of a core.
    PIXI.Ticker.system.autoStart = false;
    PIXI.Ticker.system.stop();
    setInterval(() => this.app.ticker.update(), 1_000 / FRAMES_A_SECOND);
    document.body.prepend(this.app.view);
    this.rendered = this.app.stage.addChild(new PIXI.Container());
    this.groups = { primary: new PIXI.Container(), interface: new PIXI.Container() };
    this.rendered.addChild(this.groups.primary, this.groups.interface);
    this.painter = new CanvasPainter(this.groups.primary);
    this.areas = new AreaPreview(hooks, generation);
    this.pointer = { x: 0, y: 0 };
    this.scene = null;
    this.hand = new CanvasPointer(this);
  }

  /** Returns the module's global `canvas`. */
  offered() {
    const face = getters({
      ready: () => this.#isReady,
      scene: () => this.scene,
      level: () => (this.generation >= 14 ? this.#level() : undefined),
      grid: () => this.scene.grid,
      dimensions: () => this.scene.dimensions,
      stage: () => this.app.stage,
      // A client with a disabled canvas has neither: issues saif-ellafi/foundryvtt-mythic-gme#70, crnormand/gurps#2449.
      app: () => (this.hasCanvas ? this.app : undefined),
      mousePosition: () => this.pointer,
      enfilade: () => this.#layers.get("enfilade"),
      templates: () => (this.generation < 14 ? { active: this.drawnLayer === "templates" } : undefined),
      regions: () => ({ active: this.drawnLayer === "regions" }),
    });
    const target = Object.defineProperties({}, face);
    target.animatePan = async (view) => this.#pan(view);
    target.tokens = this.hasCanvas ? this.#tokenLayer() : undefined;
    target.interface = strict("InterfaceGroup", {
      createScrollingText: async (origin, content) => this.scrolled.push({ origin, content }),
    });
    return strict("Canvas", target);
  }

  /** Returns the viewed level: at first not the first one where a scene has several. */
  #level() {
    const { levels } = this.scene ?? {};
    return (isStrict("viewed-level") && levels?.get(this.viewedLevel)) || (levels?.contents.at(-1) ?? null);
  }

  scrolled = [];
  /** The layer whose tool has the pointer, besides that of tokens. */
  drawnLayer = "tokens";

  #tokenLayer() {
    const all = () => [...this.#placed.values()];
    const target = Object.defineProperties(
      {
        get: (id) => this.#placed.get(id),
        releaseAll: () => all().filter((token) => token.release()).length,
      },
      getters({ placeables: all, controlled: () => all().filter((token) => token.controlled) }),
    );
    return strict("TokenLayer", target);
  }

  // Scenes

  gridOf(source) {
    if (!this.#grids.has(source)) this.#grids.set(source, readGrid(source, this.diagonals()));
    return this.#grids.get(source);
  }

  dimensionsOf(source) {
    return readDimensions(source);
  }

  /** Shows a scene, at the start and after every change of scene. */
  async view(scene, level = null) {
    this.viewedLevel = level;
    try {
      await this.#view(scene);
    } catch (problem) {
      window.ui.notifications.error(`Canvas drawing failed: ${problem.message}`);
      console.error(problem);
    }
  }

  async #view(scene) {
    if (this.scene) await this.#tearDown();
    this.scene = scene;
    this.hooks.callAll("canvasInit", this.self);
    this.#fit();
    for (const token of scene.tokens) this.#place(token);
    if (this.generation < 13) this.ruler = new this.config.Canvas.rulerClass(this.me);
    for (const [key, { layerClass }] of Object.entries(this.config.Canvas.layers))
      await this.#draw(key, layerClass);
    this.#paint();
    this.#isReady = true;
    this.hooks.callAll("canvasReady", this.self);
  }

  async #tearDown() {
    this.#isReady = false;
    this.hooks.callAll("canvasTearDown", this.self);
    for (const layer of this.#layers.values()) await layer.tearDown();
    this.#placed.clear();
    this.groups.primary.removeChildren();
  }

  async #draw(key, layerClass) {
    const layer = this.#layers.get(key) ?? this.groups.interface.addChild(new layerClass());
    this.#layers.set(key, layer);
    await layer.draw();
  }

  #fit() {
    const { sceneX, sceneY, sceneWidth, sceneHeight } = this.scene.dimensions;
    const scale = Math.min(
      (innerWidth - 2 * MARGIN_PIXELS) / sceneWidth,
      (innerHeight - 2 * MARGIN_PIXELS) / sceneHeight,
    );
    this.#pan({ x: sceneX + sceneWidth / 2, y: sceneY + sceneHeight / 2, scale });
  }

  #pan({ x, y, scale }) {
    const { stage } = this.app;
    stage.scale.set(scale ?? stage.scale.x);
    stage.pivot.set(x ?? stage.pivot.x, y ?? stage.pivot.y);
    stage.position.set(innerWidth / 2, innerHeight / 2);
    this.hooks.callAll("canvasPan", this.self, { x: stage.pivot.x, y: stage.pivot.y, scale: stage.scale.x });
  }

  /** Returns the screen position of a canvas point. */
  toScreen(x, y) {
    const point = this.app.stage.toGlobal(new PIXI.Point(x, y));
    return [point.x, point.y];
  }

  /** Returns the canvas point under the pointer. */
  toCanvas(event) {
    return this.app.stage.toLocal(new PIXI.Point(event.clientX, event.clientY));
  }

  // Tokens

  tokenOf(id) {
    return this.#placed.get(id) ?? null;
  }

  #place(doc) {
    const state = { controlled: false, hover: false };
    const target = Object.defineProperties(
      {
        [SOURCE]: state,
        control: (options) => this.#control(doc, true, options),
        release: () => this.#control(doc, false),
        setTarget: (on, options) => this.#target(doc, on, options),
      },
      getters({
        id: () => doc.id,
        document: () => doc,
        actor: () => doc.actor,
        name: () => doc.name,
        controlled: () => state.controlled,
        hover: () => state.hover,
        isOwner: () => doc.isOwner,
        visible: () => this.me.isGM || !doc.hidden,
        isPreview: () => false,
        center: () => middleOf(doc, this.scene.grid),
      }),
    );
    const token = strict("Token", target);
    if (this.generation >= 13) {
      state.ruler = new this.config.Token.rulerClass(token); // the class of when the token is drawn first
      target.measureMovementPath = (way) => ({
        cost: priceOf(way, this.scene.grid) + this.extraPrice,
      });
      target.renderFlags = { set: ({ refreshRuler }) => refreshRuler && this.hand.refreshRuler() };
    }
    this.#placed.set(doc.id, token);
  }

  /** The price that the system adds to the distance, as for occupied spaces: C dnd5e:module/canvas/token.mjs _getMovementCostFunction. */
  extraPrice = 0;

  #control(doc, isOn, { releaseOthers = true } = {}) {
    const token = this.#placed.get(doc.id);
    if (isOn && releaseOthers)
      for (const other of this.#placed.values()) if (other !== token && other.controlled) other.release();
    if (token.controlled === isOn) return false;
    token[SOURCE].controlled = isOn;
    this.hooks.callAll("controlToken", token, isOn);
    this.#paint();
    return true;
  }

  #target(doc, isOn, { releaseOthers = true } = {}) {
    const token = this.#placed.get(doc.id);
    if (isOn && releaseOthers)
      for (const other of [...this.me.targets]) other.setTarget(other === token, { releaseOthers: false });
    if (this.me.targets.has(token) === isOn) return;
    if (isOn) this.me.targets.add(token);
    else this.me.targets.delete(token);
    this.hooks.callAll("targetToken", this.me, token, isOn);
    this.#paint();
  }

  /** Applies a change of the viewed scene's documents. */
  changed(type, parent, { action, rows }) {
    if (!this.scene || parent !== this.scene.id) return;
    if (type === "Token" && action === "create")
      for (const row of rows) this.#place(this.scene.tokens.get(row._id));
    if (type === "Token" && action === "delete") for (const id of rows) this.#placed.delete(id);
    this.#paintMoving();
  }

  /** Paints until no token is on its way. */
  #paintMoving() {
    clearTimeout(this.painting);
    this.#paint();
    if (this.scene?.tokens.find((doc) => this.documents.isAnimated(doc)))
      this.painting = setTimeout(() => this.#paintMoving(), FRAME_MS);
  }

  releaseAll() {
    for (const token of this.#placed.values()) token.release();
  }

  /** Returns the tokens of the viewed scene. */
  get tokens() {
    return [...this.#placed.values()];
  }

  #paint() {
    this.painter.paint(this.scene, this.tokens);
  }
}
