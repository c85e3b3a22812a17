/**
 * Choosing on the map: marks the places, shows what is under the pointer and whom it catches, and takes a click, or the
 * place of a template (12, 13) or region (from 13 on) that the user draws with Foundry's own tool.
 */

import { pickAt } from "../../core/game/map-picks.js";
import { localize } from "../../core/ui/i18n.js";
import { guarded, onHook } from "../boundary.js";
import { isTableShown } from "../read/table-scene.js";
import { boardPosition, canvasPoint, toBoard } from "./board-position.js";
import { overlayLayer } from "./overlay-layer.js";

/** @import {Scene} from "../../../types/contract.js" */
/** @import {Pick} from "../../core/game/map-picks.js" */

/** Ends the choosing on this page; null if none is open. @type {(() => void) | null} */
let cancel = null;
/** Takes a point of the canvas for what is being chosen. @type {((point: {x: number, y: number}) => void) | null} */
let take = null;

/** Ends what is being chosen on the map, if anything is. */
export const cancelPick = () => cancel?.();

/**
 * Lets the user choose on the map. Returns what was chosen; null if the user cancels, the scene changes, something else
 * is to be chosen, or the page shows no map.
 * @template T
 * @param {Pick<T>[]} picks
 * @param {() => Scene | undefined} scene the scene as it is now
 * @returns {Promise<T | null>}
 */
export function pickOnMap(picks, scene) {
  cancelPick();
  if (!isTableShown()) {
    ui.notifications.warn(localize("Pick.NoMap"));
    return Promise.resolve(null);
  }
  const { view } = canvas.app;
  return new Promise((resolve) => {
    const show = (/** @type {Pick<T> | null} */ pick) => {
      const now = scene();
      if (now) overlayLayer()?.showPicks(now, picks, pick);
    };
    const end = (/** @type {Pick<T> | null} */ pick) => {
      for (const [target, name, act] of listeners) target.removeEventListener(name, act, { capture: true });
      cancel = take = null;
      const now = scene();
      if (now) overlayLayer()?.showPicks(now, [], null);
      resolve(pick?.value ?? null);
    };
    const under = (/** @type {{x: number, y: number}} */ point) => {
      const now = scene();
      const board = toBoard(boardPosition(canvas.grid, canvas.dimensions), point);
      return now ? pickAt(picks, now, board) : null;
    };
    const choose = (/** @type {{x: number, y: number}} */ point) => {
      const pick = under(point);
      if (pick) end(pick);
      else ui.notifications.info(localize("Pick.Nothing"));
    };
    /** @type {[EventTarget, string, (event: Event) => void][]} */
    const listeners = [
      [view, "pointermove", guarded("key", (event) => show(under(canvasPoint(event))))],
      [
        view,
        "pointerdown",
        guarded("key", (event) => {
          // Foundry's tools draw templates and regions: their place comes with the document.
          if (/** @type {PointerEvent} */ (event).button !== 0 || isDrawing()) return;
          event.stopImmediatePropagation(); // no selection, no drag
          choose(canvasPoint(event));
        }),
      ],
      [
        window,
        "keydown",
        guarded("key", (event) => {
          if (/** @type {KeyboardEvent} */ (event).key !== "Escape") return;
          event.stopImmediatePropagation();
          end(null);
        }),
      ],
    ];
    for (const [target, name, act] of listeners) target.addEventListener(name, act, { capture: true });
    cancel = () => end(null);
    take = choose;
    show(null);
    ui.notifications.info(localize("Pick.Hint"));
  });
}

/** Registers the hooks for as long as the page is open. */
export function registerMapPick() {
  onHook("createMeasuredTemplate", (template, _, userId) => takeShape(template, userId, template));
  onHook("createRegion", (region, _, userId) => takeShape(region, userId, regionMiddle(region)));
  onHook("canvasTearDown", cancelPick);
}

/**
 * Takes the place of a shape that this user has drawn while something is being chosen. The shape is then removed.
 * @param {Foundry.Document} shape
 * @param {string} userId
 * @param {{x: number, y: number} | null} at
 */
function takeShape(shape, userId, at) {
  if (!take || !at || userId !== game.user.id) return;
  take({ x: at.x, y: at.y });
  shape.delete();
}

/** Returns the middle of a region's outlines. @param {Foundry.RegionDocument} region */
function regionMiddle(region) {
  const polygons = region.polygons ?? region.object?.polygons ?? [];
  const points = polygons.flatMap((one) => one.points);
  if (!points.length) return null;
  const span = (/** @type {number} */ odd) => {
    const values = points.filter((_, i) => i % 2 === odd);
    return (Math.min(...values) + Math.max(...values)) / 2;
  };
  return { x: span(0), y: span(1) };
}

/** Returns whether one of Foundry's layers for templates or regions has the pointer. */
const isDrawing = () => Boolean(canvas.templates?.active || canvas.regions?.active);
