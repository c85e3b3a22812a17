/** Owlbear Rodeo as a tabletop. */

import { toPixels } from "../tabletop/placed-grid.js";
import { center } from "../core/map/geometry.js";
import { doorOf, doorsOf, DOORS_KEY } from "./fog-walls.js";
import { OBR, OUT_KEY, PROFILE_KEY, SCENE_KEY, ask } from "./host.js";
import { LocalOverlay } from "./local-overlay.js";
import { drawnMarks } from "./overlay-paths.js";
import { imageCenter, isToken, readScene } from "./read-items.js";
import { writeHitPoints } from "./trackers.js";

/** @import {Cell, Mark, Wall} from "../../types/contract.js" */
/** @import {PlacedGrid, Point, Tabletop, TabletopScene, Watcher} from "../tabletop/tabletop.js" */
/** @import {Item} from "./outlines.js" */

/** A token that has not moved for so long has been dropped: the host tells of the steps of a drag too. */
const REST_MS = 150;
/** The layer of a label. */
const LABEL = "label";
/** The metadata of a scene. @typedef {{id?: string, fogWalls?: boolean}} OwnScene */

/** @implements {Tabletop} */
export class OwlbearTabletop {
  /** @type {"owlbear"} */
  kind = "owlbear";
  overlay = new LocalOverlay();
  #isGm = false;
  /** @type {Set<string>} */
  #gms = new Set();

  /** Asks who this user is. */
  async prepare() {
    await this.#readPeople();
    return this;
  }

  canBridge() {
    return this.#isGm;
  }

  async #readPeople() {
    const role = await ask(() => OBR.player.getRole());
    const others = await ask(() => OBR.party.getPlayers());
    this.#isGm = role === "GM";
    this.#gms = new Set(others.filter((player) => player.role === "GM").map(({ id }) => id));
    if (this.#isGm) this.#gms.add(OBR.player.id);
  }

  /** @returns {Promise<TabletopScene | null>} */
  async readScene() {
    if (!(await ask(() => OBR.scene.isReady()))) return null;
    const [items, type, dpi, scale, metadata] = await ask(() =>
      Promise.all([
        OBR.scene.items.getItems(),
        OBR.scene.grid.getType(),
        OBR.scene.grid.getDpi(),
        OBR.scene.grid.getScale(),
        OBR.scene.getMetadata(),
      ]),
    );
    const middle = type.startsWith("HEX")
      ? await ask(() => OBR.scene.grid.snapPosition({ x: 0, y: 0 }, 1, false, true))
      : { x: dpi / 2, y: dpi / 2 };
    const own = await this.#ownScene(/** @type {OwnScene} */ (metadata[SCENE_KEY] ?? {}));
    return readScene({
      ...{ items, type, dpi, middle, own, gms: this.#gms },
      scale: scale.parsed,
      keys: { profile: PROFILE_KEY, out: OUT_KEY },
    });
  }

  /** Returns the scene's own ID; a GM's page gives it one, because the host tells none. @param {OwnScene} own */
  async #ownScene(own) {
    const hasFogWalls = typeof own.fogWalls === "boolean" ? own.fogWalls : null;
    if (typeof own.id === "string" && own.id) return { id: own.id.slice(0, 40), hasFogWalls };
    const id = crypto.randomUUID();
    if (!this.#isGm) return { id: "", hasFogWalls };
    await ask(() => OBR.scene.setMetadata({ [SCENE_KEY]: { ...own, id } }));
    return { id, hasFogWalls };
  }

  /** Sets whether the outlines of fog drawings are walls. @param {boolean} isOn */
  async setFogWalls(isOn) {
    const { [SCENE_KEY]: own } = await ask(() => OBR.scene.getMetadata());
    const known = typeof own === "object" && own !== null ? own : {};
    await ask(() => OBR.scene.setMetadata({ [SCENE_KEY]: { ...known, fogWalls: isOn } }));
  }

  /** @param {Watcher} watcher */
  watch(watcher) {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    const rest = () => {
      clearTimeout(timer);
      timer = setTimeout(() => watcher.changed(), REST_MS);
    };
    const select = (/** @type {string[] | undefined} */ ids) => watcher.selection(ids ?? []);
    const ends = [
      OBR.scene.items.onChange(rest),
      OBR.scene.grid.onChange(rest),
      OBR.scene.onMetadataChange(rest),
      OBR.party.onChange(() => this.#readPeople().then(rest, () => {})),
      OBR.player.onChange(({ role, selection }) => {
        this.#isGm = role === "GM";
        select(selection);
      }),
      OBR.scene.onReadyChange((isReady) => {
        this.overlay.forget();
        if (isReady) rest();
      }),
    ];
    ask(() => OBR.player.getSelection()).then(select, () => {});
    return () => {
      clearTimeout(timer);
      for (const end of ends) end();
    };
  }

  /** @param {string} id @param {Point} to @param {number | null} facing */
  async move(id, to, facing) {
    const dpi = await ask(() => OBR.scene.grid.getDpi());
    await this.#update(id, (item) => {
      const before = imageCenter(item, dpi);
      item.position = { x: item.position.x + to.x - before.x, y: item.position.y + to.y - before.y };
      if (facing === null) return;
      item.rotation = facing;
      // An image turns around `position`, which need not be its center.
      const turned = imageCenter(item, dpi);
      item.position = { x: item.position.x + to.x - turned.x, y: item.position.y + to.y - turned.y };
    });
  }

  /** @param {string} id @param {number} value */
  setHitPoints(id, value) {
    return this.#update(id, (item) => writeHitPoints(item.metadata, value));
  }

  /** @param {string} id @param {boolean} isOut */
  setOut(id, isOut) {
    return this.#update(id, (item) => {
      if (isOut) item.metadata[OUT_KEY] = true;
      else delete item.metadata[OUT_KEY];
    });
  }

  /** @param {string} id @param {Wall["state"]} state */
  async setDoor(id, state) {
    const place = doorOf(id);
    if (!place) return;
    await this.#update(place.item, (item) => {
      const door = doorsOf(item)[place.index];
      const index = door ? item.metadata[DOORS_KEY].indexOf(door) : -1;
      if (index >= 0) item.metadata[DOORS_KEY][index].open = state === "open";
    });
  }

  /** @param {string} id @param {Record<string, unknown> | null} profile */
  saveProfile(id, profile) {
    return this.#update(id, (item) => {
      if (profile) item.metadata[PROFILE_KEY] = profile;
      else delete item.metadata[PROFILE_KEY];
    });
  }

  /**
   * Updates one item. By its ID, so that the SDK reads it fresh: it sends the whole metadata with one changed key.
   * @param {string} id
   * @param {(item: Item) => void} change
   */
  #update(id, change) {
    return ask(() => OBR.scene.items.updateItems([id], (drafts) => drafts.forEach((draft) => change(draft))));
  }

  /** @param {string} layer @param {Mark[]} marks @param {PlacedGrid} grid */
  draw(layer, marks, grid) {
    this.overlay.show(layer, drawnMarks(marks, grid));
  }

  /** @param {Cell | null} at @param {string[]} lines @param {PlacedGrid} grid */
  label(at, lines, grid) {
    this.overlay.label(LABEL, toPixels(grid, at ? center(grid, at) : [0, 0]), at ? lines : []);
  }

  /** @param {string} text @param {"info" | "error"} level */
  notify(text, level) {
    ask(() => OBR.notification.show(text, level === "error" ? "ERROR" : "INFO")).catch(() => {});
  }
}

/** Returns the token under the pointer of a tool, for its verdict. @param {Item | undefined} target */
export const pointedToken = (target) => (target && isToken(target) ? target.id : null);
