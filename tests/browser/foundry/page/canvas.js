/* global PIXI */
// The canvas: a viewed scene on real PIXI, tokens that the mouse drags, and the modules' layers.

import { SOURCE, getters } from "./documents.js";
import { isStrict, strict } from "./strict.js";

const HEX_SIDE = 2 / Math.sqrt(3);
const MARGIN_PIXELS = 20;
/** Low, because without a graphics card the CPU draws every frame. */
const FRAMES_A_SECOND = 2;
const FRAME_MS = 200;

/** Returns the options of a drag: its method tells it from a program's move from 13 on. */
export const dragged = (generation) =>
  generation < 13 ? {} : { _movement: { pending: { waypoints: [] }, method: "dragging" } };

/** The corners of a circle, as a region's polygon has them. */
const circlePoints = (radius) =>
  Array.from({ length: 64 }, (_, i) => (i * Math.PI) / 32).flatMap((angle) => [
    radius * Math.cos(angle),
    radius * Math.sin(angle),
  ]);

/** The base class of canvas layers. */
export class CanvasLayer extends PIXI.Container {
  /** Returns the base class of a generation: 14 assigns `zIndex`, so a subclass with only a getter fails. */
  static of(generation) {
    if (generation < 14 || !isStrict("z-index")) return CanvasLayer;
    return class extends CanvasLayer {
      constructor() {
        super();
        this.zIndex = 0;
      }
    };
  }

  async draw() {
    await this.tearDown();
    await this._draw({});
    return this;
  }

  async tearDown() {
    await this._tearDown({});
    return this;
  }

  /** Abstract: a subclass that calls it makes the whole canvas fail. */
  async _draw() {
    if (isStrict("abstract-draw"))
      throw new Error(`The ${this.constructor.name} subclass of CanvasLayer must define the _draw method`);
  }

  async _tearDown() {
    for (const child of this.removeChildren()) child.destroy({ children: true });
  }
}

export class Canvas {
  #layers = new Map();
  /** The token that is dragged, where it began, and its waypoints. */
  #held = null;
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
    this.pointer = { x: 0, y: 0 };
    this.scene = null;
    this.#mouse();
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
    if (!this.#grids.has(source)) this.#grids.set(source, strict("Grid", this.#grid(source)));
    return this.#grids.get(source);
  }

  #grid({ grid }) {
    const { type, size, distance, units } = grid;
    const [sizeX, sizeY] =
      type < 2 ? [size, size] : type < 4 ? [size, size * HEX_SIDE] : [size * HEX_SIDE, size];
    return { type, size, sizeX, sizeY, distance, units, diagonals: this.diagonals() };
  }

  /** Returns the margin. Synthetic: whole cells on every kind of grid. */
  dimensionsOf({ width, height, padding, grid }) {
    const margin = (side) => Math.ceil((padding * side) / grid.size) * grid.size;
    return strict("SceneDimensions", {
      sceneX: margin(width),
      sceneY: margin(height),
      sceneWidth: width,
      sceneHeight: height,
      size: grid.size,
      distance: grid.distance,
      distancePixels: grid.size / grid.distance,
    });
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

  #toCanvas(event) {
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
        center: () => this.#middle(doc),
      }),
    );
    const token = strict("Token", target);
    if (this.generation >= 13) {
      state.ruler = new this.config.Token.rulerClass(token); // the class of when the token is drawn first
      target.measureMovementPath = (way) => this.#priceOf(way);
      target.renderFlags = { set: ({ refreshRuler }) => refreshRuler && this.#refreshRuler() };
    }
    this.#placed.set(doc.id, token);
  }

  /** The price that the system adds to the distance, as for occupied spaces: C dnd5e:module/canvas/token.mjs _getMovementCostFunction. */
  extraPrice = 0;

  /** The price of a way in the scene's units: steps of a king, and what the system adds. */
  #priceOf(way) {
    const { size, distance } = this.scene.grid;
    const steps = way
      .slice(1)
      .map(({ x, y }, i) => Math.max(Math.abs(x - way[i].x), Math.abs(y - way[i].y)) / size);
    return { cost: Math.round(steps.reduce((sum, one) => sum + one, 0)) * distance + this.extraPrice };
  }

  /** Sets a waypoint where the dragged token is. */
  addWaypoint() {
    const { at, token } = this.#held;
    this.#held.waypoints.push(this.#snapped(at));
    this.#refreshRuler();
  }

  /** Has the dragged token's ruler draw its way, as from 13 on. */
  #refreshRuler() {
    const { token, at, waypoints } = this.#held ?? {};
    if (!at || this.generation < 13) return;
    const { document: doc } = token;
    const { width, height } = doc;
    const { x, y } = doc[SOURCE];
    const places = [{ x, y }, ...waypoints, this.#snapped(at)];
    token[SOURCE].ruler.refresh(places.map(({ x, y }) => this.#middle({ x, y, width, height })));
    if (this.shadow) this.#paintLabels();
  }

  /** Returns the texts of the ruler that is drawn. */
  get rulerLabels() {
    const labels = this.generation < 13 ? this.ruler?.labels : this.#held?.token[SOURCE].ruler.labels;
    return (labels ?? []).map(({ text }) => text);
  }

  #middle(doc) {
    const [width, height] = this.#sizeOf(doc);
    return { x: doc.x + width / 2, y: doc.y + height / 2 };
  }

  /** Returns a token's size in pixels: rows of hexes overlap by a quarter. */
  #sizeOf({ width, height }) {
    const { type, sizeX, sizeY } = this.scene.grid;
    const rows = (count) =>
      isStrict("hex-size") ? 0.75 * Math.floor(count) + 0.5 * (count % 1) + 0.25 : count;
    if (type < 2) return [width * sizeX, height * sizeY];
    return type < 4 ? [width * sizeX, rows(height) * sizeY] : [rows(width) * sizeX, height * sizeY];
  }

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

  // Areas that are being placed

  /**
   * Shows a template (12, 13) or a region (14) where it is being placed: a circle, or a polygon of points relative to its
   * place. Each call is a step of the pointer.
   */
  previewArea({ x, y, radius, points, activity }) {
    const local = radius === undefined ? new PIXI.Polygon(points) : new PIXI.Circle(0, 0, radius);
    this.area ??= this.generation < 14 ? this.#templatePreview(activity) : this.#regionPreview();
    const { target, face } = this.area;
    if (this.generation < 14) {
      Object.assign(target, { document: strict("TemplateDocument", { x, y, id: null }), shape: local });
      return this.hooks.callAll("refreshMeasuredTemplate", face, { refreshShape: true });
    }
    const flat = radius === undefined ? points : circlePoints(radius);
    const outline = flat.map((value, i) => value + (i % 2 ? y : x));
    const shapes = radius === undefined ? [{ type: "cone", x, y }] : [{ type: "circle", x, y, radius }];
    target.document = strict("RegionDocument", { polygons: [{ points: outline }], shapes });
    return this.hooks.callAll("refreshRegion", face, { refreshShapes: true });
  }

  /** Ends the placing, with or without an area. */
  endArea() {
    const { face } = this.area;
    this.area = null;
    this.hooks.callAll(this.generation < 14 ? "destroyMeasuredTemplate" : "destroyRegion", face);
  }

  /** The preview carries the activity: C dnd5e:module/canvas/ability-template.mjs fromActivity. */
  #templatePreview(activity) {
    const target = { isPreview: true, activity };
    return { target, face: strict("TemplateObject", target) };
  }

  /** The preview bears no origin: I foundryvtt/dnd5e#6778. */
  #regionPreview() {
    const target = { isPreview: true };
    return { target, face: strict("Region", target) };
  }

  // The mouse

  #mouse() {
    const { view } = this.app;
    let held = null;
    view.addEventListener("pointerdown", (event) => {
      held = this.#under(event);
      if (!held) return this.releaseAll();
      if (held.isOwner) held.control();
      held = { token: held, from: this.#toCanvas(event), isMoved: false, waypoints: [] };
      this.#held = held;
    });
    view.addEventListener("pointermove", (event) => {
      this.pointer = this.#toCanvas(event);
      if (held) this.#preview(held, this.pointer);
      else this.#hover(this.#under(event));
    });
    view.addEventListener("pointerup", (event) => {
      const { token, from, isMoved, preview, waypoints } = held ?? {};
      held = this.#held = null;
      this.groups.primary.removeChild(this.shadow);
      if (preview) this.hooks.callAll("destroyToken", preview);
      if (isMoved && this.#canDrag(token)) this.#drop(token, from, this.#toCanvas(event), waypoints);
    });
    view.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      const token = this.#under(event);
      if (token?.isOwner) this.#openHud(token);
    });
    window.addEventListener("keydown", (event) => this.#key(event));
  }

  /** While the game is paused only the GM drags tokens: foundryvtt.com/article/controls, "Pause Game". */
  #canDrag(token) {
    return token.isOwner && (this.me.isGM || !this.isPaused);
  }

  /** Drags a preview of a token along with the pointer. */
  #preview(held, { x, y }) {
    held.isMoved = true;
    if (!this.#canDrag(held.token)) return;
    const { document: doc } = held.token;
    const { x: left, y: top } = doc[SOURCE];
    held.at = { x: left + x - held.from.x, y: top + y - held.from.y };
    held.preview ??= strict(
      "Token",
      Object.defineProperties(
        {},
        getters({
          id: () => doc.id,
          document: () => doc,
          isPreview: () => true,
          center: () => this.#middle({ ...held.at, width: doc.width, height: doc.height }),
        }),
      ),
    );
    this.#paintPreview(held);
    this.#refreshRuler();
    this.hooks.callAll("refreshToken", held.preview, { refreshPosition: true });
  }

  /** Draws the dragged token faintly where the pointer is. */
  #paintPreview({ token, at }) {
    const { document: doc } = token;
    const radius = (doc.width * this.scene.grid.size) / 2 - 4;
    const { x, y } = this.#middle({ ...at, width: doc.width, height: doc.height });
    this.shadow ??= new PIXI.Graphics();
    this.shadow.clear().lineStyle(4, 0xff9829).beginFill(0xffffff, 0.4).drawCircle(x, y, radius).endFill();
    this.#paintLabels();
    this.groups.primary.addChild(this.shadow);
  }

  /** Writes the ruler's labels under its waypoints. */
  #paintLabels() {
    for (const child of this.shadow.removeChildren()) child.destroy();
    const { ruler } = this.#held?.token[SOURCE] ?? {};
    for (const { at, text } of ruler?.labels ?? []) {
      const label = new PIXI.Text(text, { fontSize: 22, fill: 0xffffff, stroke: 0, strokeThickness: 4 });
      label.anchor.set(0.5, 0);
      label.position.set(at.x, at.y + 44);
      this.shadow.addChild(label);
    }
  }

  /** Opens the HUD of a token: jQuery in 12, an element from 13 on. */
  #openHud(token) {
    document.getElementById("token-hud")?.remove();
    const hud = Object.assign(document.createElement("div"), { id: "token-hud" });
    hud.innerHTML = '<div class="col left"></div><div class="col right"></div>';
    const [width, height] = this.#sizeOf(token.document);
    const { scale } = this.app.stage;
    const [x, y] = this.toScreen(token.document.x, token.document.y);
    Object.assign(hud.style, { left: `${x}px`, top: `${y}px` });
    Object.assign(hud.style, { width: `${width * scale.x}px`, height: `${height * scale.y}px` });
    document.body.append(hud);
    const html = this.generation < 13 ? { 0: hud, length: 1 } : hud;
    this.hooks.callAll("renderTokenHUD", strict("TokenHUD", { object: token }), html, {});
  }

  #key(event) {
    const token = [...this.#placed.values()].find((one) => one.hover);
    if (event.code !== "KeyT" || !token || event.target.closest?.("input, textarea, select")) return;
    token.setTarget(!this.me.targets.has(token));
  }

  releaseAll() {
    for (const token of this.#placed.values()) token.release();
  }

  #under(event) {
    const { x, y } = this.#toCanvas(event);
    return [...this.#placed.values()].find(({ document: doc, visible }) => {
      const [width, height] = this.#sizeOf(doc);
      const [right, bottom] = [doc.x + width, doc.y + height];
      return visible && x >= doc.x && x < right && y >= doc.y && y < bottom;
    });
  }

  #hover(token) {
    for (const one of this.#placed.values()) {
      if (one.hover === (one === token)) continue;
      one[SOURCE].hover = one === token;
      this.hooks.callAll("hoverToken", one, one.hover);
    }
  }

  /** Drops a token; it snaps to squares. */
  #drop({ document: doc }, from, to, waypoints) {
    const { x, y } = doc[SOURCE];
    const there = this.#snapped({ x: x + to.x - from.x, y: y + to.y - from.y });
    // Its method tells a drag from a program's move from 13 on: D14 foundry.documents.types.TokenMovementMethod.
    if (waypoints.length) return doc.move([...waypoints, there], { method: "dragging" });
    if (there.x !== x || there.y !== y)
      doc.update(there, dragged(this.generation)).catch((problem) => console.error(problem));
  }

  #snapped({ x, y }) {
    const { type, size } = this.scene.grid;
    const snap = (value) => (type === 1 ? Math.round(value / size) * size : Math.round(value));
    return { x: snap(x), y: snap(y) };
  }

  // Drawing

  #paint() {
    const pen = new PIXI.Graphics();
    // A canvas that leaks would hide a leak of the module.
    for (const child of this.groups.primary.removeChildren()) if (child !== this.shadow) child.destroy();
    this.groups.primary.addChild(pen);
    this.#paintMap(pen);
    for (const token of this.#placed.values()) if (token.visible) this.#paintToken(pen, token);
  }

  #paintMap(pen) {
    const { sceneX, sceneY, sceneWidth, sceneHeight, size } = this.scene.dimensions;
    pen.beginFill(0x8d8471).drawRect(sceneX, sceneY, sceneWidth, sceneHeight).endFill();
    pen.lineStyle(1, 0, 0.25);
    if (this.scene.grid.type === 1) {
      for (let x = sceneX; x <= sceneX + sceneWidth; x += size)
        pen.moveTo(x, sceneY).lineTo(x, sceneY + sceneHeight);
      for (let y = sceneY; y <= sceneY + sceneHeight; y += size)
        pen.moveTo(sceneX, y).lineTo(sceneX + sceneWidth, y);
    }
    for (const wall of this.scene.walls) {
      if (wall.door && wall.ds === 1) continue;
      const [x1, y1, x2, y2] = wall.c;
      pen
        .lineStyle(6, wall.door ? 0x6b3f1d : 0x26241f)
        .moveTo(x1, y1)
        .lineTo(x2, y2);
    }
  }

  #paintToken(pen, token) {
    const { document: doc, center } = token;
    const radius = (doc.width * this.scene.grid.size) / 2 - 4;
    const color = { "-1": 0xa83232, 0: 0xc9a227, 1: 0x2f7d9e }[doc.disposition] ?? 0x666666;
    const angle = ((doc.rotation + 90) * Math.PI) / 180;
    pen.lineStyle(token.controlled ? 5 : 2, token.controlled ? 0xff9829 : 0x111111);
    pen
      .beginFill(color, doc.hidden ? 0.5 : 1)
      .drawCircle(center.x, center.y, radius)
      .endFill();
    pen
      .moveTo(center.x, center.y)
      .lineTo(center.x + radius * Math.cos(angle), center.y + radius * Math.sin(angle));
    const label = new PIXI.Text(doc.name, { fontSize: 18, fill: 0xffffff, stroke: 0, strokeThickness: 3 });
    label.anchor.set(0.5, 0);
    label.position.set(center.x, center.y + radius + 2);
    this.groups.primary.addChild(label);
  }
}
