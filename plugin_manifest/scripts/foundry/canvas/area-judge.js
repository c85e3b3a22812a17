/**
 * Judges an area while it is placed: who is in it, behind what cover from its origin, who is spared, and what each needs
 * on the die to save. One question is under way at a time, and of those that wait only the last is asked.
 */

import { localize } from "../../core/ui/i18n.js";
import { onHook } from "../boundary.js";
import { isTableShown } from "../read/table-scene.js";
import { regionShape, templateShape } from "./area-shapes.js";
import { boardPosition, toBoard } from "./board-position.js";
import { overlayLayer } from "./overlay-layer.js";

/** @import {DrawnArea} from "../../../types/contract.js" */
/** @import {SeatUi} from "../seat-ui.js" */
/** @import {Shape} from "./area-shapes.js" */

/** An outline has at most so many corners at the table. */
const MOST_CORNERS = 256;
const MOST_LINES = 12;
const DIE = 20;
/** The hooks that tell of the activity whose area is placed next: up to dnd5e 5, and from 6 on. */
const ACTIVITY_HOOKS = ["dnd5e.preCreateActivityTemplate", "dnd5e.preCreateMeasuredTemplate"];

/** The activity of dnd5e whose area is being placed. @type {any} */
let placedActivity = null;
/** The area that is to be judged next; null for none. @type {{shape: Shape, activity: any} | null} */
let next = null;
let isAsking = false;
/** Grows when an area is placed or given up: a late answer shows nothing. */
let round = 0;

/**
 * Registers the hooks for as long as the page is open.
 * @param {() => SeatUi | null} seatUi
 */
export function registerAreaJudge(seatUi) {
  for (const hook of ACTIVITY_HOOKS) onHook(hook, (activity) => void (placedActivity = activity));
  const judge = (/** @type {Shape | null} */ shape, /** @type {any} */ activity) => {
    if (!shape || !isTableShown()) return;
    next = { shape, activity };
    if (!isAsking) ask(seatUi());
  };
  onHook("refreshMeasuredTemplate", (template) => {
    if (template.isPreview) judge(templateShape(template), template.activity ?? placedActivity);
  });
  for (const hook of ["drawRegion", "refreshRegion"])
    onHook(hook, (region) => {
      if (region.isPreview) judge(regionShape(region), placedActivity);
    });
  for (const hook of ["destroyMeasuredTemplate", "destroyRegion"])
    onHook(hook, (placed) => placed.isPreview && forget());
  onHook("canvasTearDown", forget);
}

function forget() {
  next = placedActivity = null;
  round += 1;
  overlayLayer()?.showArea(null, [], []);
}

/** @param {SeatUi | null} seatUi */
async function ask(seatUi) {
  const { session, store } = seatUi?.context ?? {};
  isAsking = true;
  while (next && session && store) {
    const [{ shape, activity }, now] = [next, round];
    next = null;
    const found = await session.requestArea(...onBoard(shape));
    const { replica } = store.state;
    if (!found || !replica || now !== round) continue;
    const caught = found.caught.filter((one) => !one.is_spared).map(({ token }) => token);
    const point = toBoard(boardPosition(canvas.grid, canvas.dimensions), shape.origin);
    overlayLayer()?.showArea({ scene: replica.scene, at: point }, caught, areaLines(found, activity));
  }
  isAsking = false;
}

/** @param {Shape} shape @returns {[number[], [number, number]]} in 64ths of a cell */
function onBoard({ outline, origin }) {
  const position = boardPosition(canvas.grid, canvas.dimensions);
  const point = (/** @type {number} */ x, /** @type {number} */ y) =>
    /** @type {[number, number]} */ (toBoard(position, { x, y }).map(Math.round));
  const corners = outline.length / 2;
  const step = Math.ceil(corners / MOST_CORNERS);
  const kept = Array.from({ length: Math.ceil(corners / step) }, (_, i) => 2 * i * step);
  return [kept.flatMap((i) => point(outline[i], outline[i + 1])), point(origin.x, origin.y)];
}

/**
 * Returns who is in an area, in lines.
 * @param {DrawnArea} found
 * @param {any} activity of dnd5e, whose save its target makes
 * @returns {string[]}
 */
function areaLines({ caught }, activity) {
  const lines = caught.map(({ token, is_spared: isSpared, cover_bonus: bonus }) => {
    const placed = canvas.tokens?.get(token);
    const name = placed?.name ?? "?";
    if (isSpared) return localize("Area.Spared", { name });
    const line = bonus ? localize("Area.Covered", { name, bonus }) : name;
    const need = placed ? neededToSave(placed, activity?.save, bonus ?? 0) : null;
    return need === null ? line : localize("Area.Needs", { line, need });
  });
  const count = caught.filter((one) => !one.is_spared).length;
  if (!lines.length) return [];
  return [localize("Area.Count", { count }), ...lines.slice(0, MOST_LINES)];
}

/**
 * Returns the least face that saves, for those who may see the creature's numbers; null without a known save.
 * @param {Foundry.Token} target
 * @param {any} save of dnd5e's activity: a text in 4.0, a set since
 * @param {number} bonus of cover, which only Dexterity saves have
 */
function neededToSave(target, save, bonus) {
  if (!save || !target.isOwner) return null;
  const [ability] = typeof save.ability === "string" ? [save.ability] : (save.ability ?? []);
  const { attributes, abilities } = target.actor?.system ?? {};
  const own = abilities?.[ability]?.save?.value ?? abilities?.[ability]?.save;
  const difficulty = save.dc?.value;
  if (typeof own !== "number" || typeof difficulty !== "number") return null;
  // A status of cover is in the creature's own number already.
  const more = ability === "dex" ? Math.max(0, bonus - (attributes?.ac?.cover ?? 0)) : 0;
  return Math.max(1, Math.min(DIE, difficulty - own - more));
}
