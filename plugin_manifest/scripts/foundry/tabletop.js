/** Foundry as a tabletop: its documents, canvas, notifications and hooks behind the interface that every tabletop has. */

import { center } from "../core/map/geometry.js";
import { WriteRefused } from "../tabletop/refusals.js";
import { onHook } from "./boundary.js";
import { tokenSize } from "./canvas/board-position.js";
import { overlayLayer } from "./canvas/overlay-layer.js";
import { hitPointChanges, markDefeated } from "./documents/changes.js";
import { stripMarkup } from "./documents/conversion.js";
import { DOOR_STATES } from "./read/live-scene.js";
import { savedPlace } from "./read/saved-place.js";
import { isAtTable, tableScene } from "./read/table-scene.js";
import { readTabletopScene } from "./read/tabletop-scene.js";
import { replaceProfile } from "./read/unit-profile.js";
import { MODULE } from "./settings.js";

/** @import {Cell, Mark, Wall} from "../../types/contract.js" */
/** @import {PlacedGrid, Point, Tabletop, TabletopScene, Watcher} from "../tabletop/tabletop.js" */

/** Marks a change as the module's own, so that no bridge reports it to the table. */
const OWN = { enfilade: { origin: "server", seq: 0 } };
/** The hooks after which the scene is another, or looks otherwise. */
const DOCUMENT_CHANGES = ["Token", "Wall", "Region"].flatMap((name) =>
  ["create", "update", "delete"].map((action) => `${action}${name}`),
);
const SCENE_CHANGES = [
  ...["updateScene", "deleteScene", "createCombat", "updateCombat", "deleteCombat", "canvasReady"],
];

/** @implements {Tabletop} */
export class FoundryTabletop {
  /** @type {"foundry"} */
  kind = "foundry";

  canBridge() {
    return game.user.isGM;
  }

  /** @returns {Promise<TabletopScene | null>} */
  async readScene() {
    const scene = tableScene();
    return scene && readTabletopScene(scene);
  }

  /** @param {Watcher} watcher */
  watch(watcher) {
    let hovered = /** @type {string | null} */ (null);
    const point = (/** @type {Foundry.Token} */ { id }, /** @type {boolean} */ isOver) => {
      if (!isOver && hovered !== id) return;
      hovered = isOver ? id : null;
      watcher.hover?.(hovered);
    };
    const select = () => watcher.selection(canvas.tokens?.controlled.map(({ id }) => id) ?? []);
    const hooks = [
      // Foundry releases one token before it controls the next.
      onHook("controlToken", () => queueMicrotask(select)),
      onHook("hoverToken", point),
      ...SCENE_CHANGES.map((name) => onHook(name, () => watcher.changed())),
      ...DOCUMENT_CHANGES.map((name) => onHook(name, (document) => isAtTable(document) && watcher.changed())),
    ];
    return () => hooks.forEach((end) => end());
  }

  /** @param {string} id @param {Point} to @param {number | null} facing */
  async move(id, to, facing) {
    const token = tokenOf(id);
    const { width, height } = savedPlace(token);
    const [wide, high] = token.parent ? tokenSize({ width, height }, token.parent.grid) : [0, 0];
    const corner = { x: Math.round(to.x - wide / 2), y: Math.round(to.y - high / 2) };
    await token.update(facing === null ? corner : { ...corner, rotation: (facing + 180) % 360 }, OWN);
  }

  /** @param {string} id @param {number} value */
  async setHitPoints(id, value) {
    const token = tokenOf(id);
    const changes = hitPointChanges(token, value);
    if (changes) await token.actor?.update(changes, OWN);
  }

  /** @param {string} id @param {boolean} isOut */
  async setOut(id, isOut) {
    const { actor } = tokenOf(id);
    if (actor) await markDefeated(actor, isOut);
  }

  /** @param {string} id @param {Wall["state"]} state */
  async setDoor(id, state) {
    const wall = tableScene()?.walls.get(id);
    if (wall?.door) await wall.update({ ds: DOOR_STATES.indexOf(state) }, OWN);
  }

  /** @param {string} id @param {Record<string, unknown> | null} profile */
  async saveProfile(id, profile) {
    const token = tokenOf(id);
    if (profile) await replaceProfile(token, profile);
    else await token.unsetFlag(MODULE, "profile");
  }

  /** @param {string} layer @param {Mark[]} marks */
  draw(layer, marks) {
    overlayLayer()?.paint(layer, marks);
  }

  /** @param {Cell | null} at @param {string[]} lines @param {PlacedGrid} grid */
  label(at, lines, grid) {
    overlayLayer()?.showDrag(at && center(grid, at), lines);
  }

  /** Some versions read a notification as HTML, so outside text loses its markup. @param {string} text @param {"info" | "error"} level */
  notify(text, level) {
    if (level === "info") ui.notifications.info(stripMarkup(text));
    else ui.notifications.warn(stripMarkup(text));
  }
}

/** @param {string} id @returns {Foundry.TokenDocument} */
function tokenOf(id) {
  const token = tableScene()?.tokens.get(id);
  if (!token) throw new WriteRefused("");
  return token;
}
