/** PlanarAlly as a tabletop, from inside its page. */

import { WriteRefused } from "../tabletop/refusals.js";
import { OverlayCanvas } from "./canvas-overlay.js";
import { PositionSocket } from "./position-socket.js";
import { hitPointTracker, idOf, isToken, readScene, sceneKey, shapesShown } from "./read-shapes.js";
import { Toasts } from "./toasts.js";

/** @import {Cell, Mark, Wall} from "../../types/contract.js" */
/** @import {PlacedGrid, Point, Tabletop, Watcher} from "../tabletop/tabletop.js" */
/** @import {DataBlock, ModApi, Shape} from "./app.js" */

/** @typedef {Record<string, Record<string, unknown>>} Profiles */

/** The scene is compared so often, and has changed when it has been still for a moment. */
const [LOOK_MS, REST_LOOKS] = [100, 2];
const EVERYWHERE = { ui: true, server: true };
/** The milliseconds after which a shape may be there that is not yet. */
const ARRIVING_MS = 500;

/** @implements {Tabletop} */
export class PlanarAllyTabletop {
  /** @type {"planarally"} */
  kind = "planarally";
  toasts = new Toasts();
  /** @type {DataBlock<Profiles> | undefined} */
  #profiles;

  /** @param {ModApi} api */
  constructor(api) {
    this.api = api;
    this.overlay = new OverlayCanvas(api);
    this.positions = new PositionSocket(api);
  }

  /** Loads what the mod keeps in the room. */
  async prepare() {
    const isKeeper = this.canBridge();
    const load = this.api.getOrLoadDataBlock(
      { category: "room", name: "profiles" },
      { createOnServer: isKeeper, defaultData: () => /** @type {Profiles} */ ({}) },
    );
    this.#profiles = await load.catch(() => undefined);
    return this;
  }

  canBridge() {
    const { isDm, isFakePlayer } = this.api.systemsState.game.raw;
    return isDm && !isFakePlayer;
  }

  async readScene() {
    return readScene(this.api, this.#profiles?.data ?? {});
  }

  /** @param {Watcher} watcher */
  watch(watcher) {
    let [scene, selection, still] = ["", "", 0];
    const look = () => {
      const now = sceneKey(this.api);
      still = now === scene ? still + 1 : 0;
      scene = now;
      if (still === REST_LOOKS) watcher.changed();
      const ids = this.#selected();
      if (String(ids) !== selection) watcher.selection(ids);
      selection = String(ids);
    };
    const timer = setInterval(look, LOOK_MS);
    let hovered = /** @type {string | null} */ (null);
    const point = (/** @type {PointerEvent} */ { clientX, clientY, target, buttons }) => {
      const isMap = target instanceof Element && target.closest("#layers") !== null;
      const over = isMap && !buttons ? this.#tokenAt(window.l2g({ x: clientX, y: clientY })) : null;
      if (over !== hovered) watcher.hover?.(over);
      hovered = over;
    };
    document.addEventListener("pointermove", point, { passive: true });
    return () => {
      clearInterval(timer);
      document.removeEventListener("pointermove", point);
      this.positions.close();
    };
  }

  #selected() {
    const { selected } = this.api.systemsState.selected.raw;
    const shapes = [...selected].map((id) => this.api.getShape(id)).filter((one) => one && isToken(one));
    return shapes.map((shape) => idOf(this.api, /** @type {Shape} */ (shape)));
  }

  /** @param {Point} point @returns {string | null} */
  #tokenAt(point) {
    const found = shapesShown(this.api).findLast((shape) => isToken(shape) && shape.contains(point));
    return found ? idOf(this.api, found) : null;
  }

  /** @param {string} id @returns {Shape} */
  #shape(id) {
    const found = [...window.idMap.values()].find((shape) => idOf(this.api, shape) === id);
    if (!found) throw new WriteRefused("", ARRIVING_MS);
    return found;
  }

  /** @param {string} id @param {Point} to @param {number | null} facing */
  async move(id, to, facing) {
    const shape = this.#shape(id);
    const { angle, points } = shape.getPositionRepresentation();
    const [dx, dy] = [to.x - shape.center.x, to.y - shape.center.y];
    const moved = points.map(([x, y]) => /** @type {[number, number]} */ ([x + dx, y + dy]));
    const turned = facing === null ? angle : (facing * 2 * Math.PI) / 360;
    await this.positions.move(id, { angle: turned, points: moved });
  }

  /** @param {string} id @param {number} value */
  async setHitPoints(id, value) {
    const shape = this.#shape(id);
    const tracker = hitPointTracker(this.api.systems.trackers.getAll(shape.id));
    if (tracker) this.api.systems.trackers.update(shape.id, tracker.uuid, { value }, EVERYWHERE);
  }

  /** @param {string} id @param {boolean} isOut */
  async setOut(id, isOut) {
    this.api.systems.properties.setIsDefeated(this.#shape(id).id, isOut, EVERYWHERE);
  }

  /** @param {string} id @param {Wall["state"]} state */
  async setDoor(id, state) {
    const shape = this.#shape(id.replace(/-\d+$/, ""));
    const scene = await this.readScene();
    const now = scene?.walls.find((wall) => wall.id === id)?.state;
    // All lines of a shape are one door: the first one has opened it.
    if ((now === "open") !== (state === "open")) this.api.systems.door.toggleDoor(shape.id);
  }

  /** @param {string} id @param {Record<string, unknown> | null} profile */
  async saveProfile(id, profile) {
    const block = this.#profiles;
    if (!block) throw new WriteRefused("");
    if (profile) block.data[id] = profile;
    else delete block.data[id];
    block.sync();
  }

  /** @param {string} layer @param {Mark[]} marks @param {PlacedGrid} grid */
  draw(layer, marks, grid) {
    this.overlay.show(layer, marks, grid);
  }

  /** @param {Cell | null} at @param {string[]} lines @param {PlacedGrid} grid */
  label(at, lines, grid) {
    this.overlay.showLabel(at, lines, grid);
  }

  /** @param {string} text @param {"info" | "error"} level */
  notify(text, level) {
    this.toasts.show(text, level);
  }
}
