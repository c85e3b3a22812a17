/**
 * The cost of each leg in Foundry's own rulers: the token's ruler of 13 and 14 while a token is dragged through waypoints,
 * the measuring ruler of 12 from a token. The table's rules set the price; the ruler draws it where its label is.
 */

import { isCompanion } from "../../core/game/companion.js";
import { PathCosts } from "../../core/game/path-costs.js";
import { canPlay } from "../../core/game/store.js";
import { lengthText } from "../../core/map/geometry.js";
import { localize } from "../../core/ui/i18n.js";
import { guarded, onHook } from "../boundary.js";
import { isTableShown } from "../read/table-scene.js";
import { cellUnder } from "./board-position.js";

/** @import {Cell} from "../../../types/contract.js" */
/** @import {LegCost} from "../../core/game/path-costs.js" */
/** @import {SeatUi} from "../seat-ui.js" */

/** Marks a ruler class that has the costs already. */
const MARK = "hasEnfiladeCosts";
const FIRST_WITH_TOKEN_RULER = 13;
/** A chain of waypoints may be a circle in a broken ruler. */
const MOST_WAYPOINTS = 500;

/** @type {() => SeatUi | null} */
let currentSeat = () => null;
/** The costs for the current seat's table. @type {{seatUi: SeatUi, costs: PathCosts} | null} */
let known = null;
/** The token that is dragged through waypoints; "" for none. */
let throughWaypoints = "";
/** Has the ruler that was drawn last draw its labels again. */
let redraw = () => {};

/** Returns whether a token is dragged through waypoints: then its ruler has the costs. @param {string} id */
export const isThroughWaypoints = (id) => throughWaypoints === id;

/**
 * Adds the costs to the class of rulers, before the canvas draws: a token keeps the ruler that it had when it was drawn
 * first. Another module may have put its own class in meanwhile; the costs are added to that.
 * @param {() => SeatUi | null} seatUi
 */
export function registerRulers(seatUi) {
  currentSeat = seatUi;
  onHook("canvasInit", installRuler);
}

function installRuler() {
  if (game.release.generation >= FIRST_WITH_TOKEN_RULER) {
    const Base = CONFIG.Token?.rulerClass;
    // A ruler without labels of this kind is left alone.
    if (CONFIG.Token && Base && !(MARK in Base) && "_getWaypointLabelContext" in Base.prototype)
      CONFIG.Token.rulerClass = tokenRuler(Base);
  } else {
    const Base = CONFIG.Canvas.rulerClass;
    if (Base && !(MARK in Base) && "_getSegmentLabel" in Base.prototype)
      CONFIG.Canvas.rulerClass = ruler(Base);
  }
}

/** @param {typeof Foundry.TokenRuler} Base of 13 and 14 @returns {typeof Foundry.TokenRuler} */
const tokenRuler = (Base) =>
  class extends Base {
    static [MARK] = true;

    /** @param {Foundry.RulerWaypoint} waypoint @param {object} state */
    _getWaypointLabelContext(waypoint, state) {
      const context = super._getWaypointLabelContext(waypoint, state);
      // This waypoint has no label, or the price is that of the world's system.
      if (!context || isCompanion(currentSeat()?.context.store.state.replica)) return context;
      const cost = guarded("layer", () => waypointCost(this.token, waypoint))();
      // Foundry's template writes "{total} {units} ({delta})".
      if (cost) context.cost = { total: totalText(cost), units: "", delta: deltaText(cost) };
      return context;
    }
  };

/** @param {typeof Foundry.Ruler} Base of 12 @returns {typeof Foundry.Ruler} */
const ruler = (Base) =>
  class extends Base {
    static [MARK] = true;

    /** @param {Foundry.RulerSegment} segment */
    _getSegmentLabel(segment) {
      const label = super._getSegmentLabel(segment);
      const cost = guarded("layer", () => segmentCost(this, segment))();
      if (!cost) return label;
      const delta = deltaText(cost);
      return `${label}\n${totalText(cost)}${delta ? ` (${delta})` : ""}`;
    }
  };

/**
 * Returns the cost of the way to a waypoint of a token's ruler.
 * @param {Foundry.Token} token
 * @param {Foundry.RulerWaypoint} waypoint
 */
function waypointCost(token, waypoint) {
  if (waypoint.stage === "passed") return null;
  let last = waypoint;
  for (let count = 0; last.next && count < MOST_WAYPOINTS; count += 1) last = last.next;
  // Foundry adds waypoints of its own between those that the user sets.
  const ends = chain(last).filter((one) => one === last || one === waypoint || one.explicit);
  redraw = () => token.renderFlags?.set({ refreshRuler: true });
  return legCost(
    token,
    ends.filter(({ stage }) => stage !== "passed").map(({ center }) => center),
    (point) => point === waypoint.center,
  );
}

/** @param {Foundry.RulerWaypoint} last @returns {Foundry.RulerWaypoint[]} from the first */
function chain(last) {
  const all = [];
  for (
    let at = /** @type {Foundry.RulerWaypoint | null | undefined} */ (last);
    at && all.length < MOST_WAYPOINTS;
    at = at.previous
  )
    all.unshift(at);
  return all;
}

/** @param {Foundry.Ruler} ruler @param {Foundry.RulerSegment} segment */
function segmentCost(ruler, segment) {
  if (!ruler.token || !ruler.user.isSelf) return null;
  redraw = () => ruler.destination && ruler.measure(ruler.destination, { force: true });
  const ends = ruler.segments.map(({ ray }) => ray.B);
  const cost = legCost(ruler.token, ends, (end) => end === segment.ray.B);
  throughWaypoints = ""; // it measures, and drags nothing
  return cost;
}

/**
 * Returns what the table's rules charge for the leg that ends at one of the points. Null while it is unknown, and for
 * tokens that this seat does not play.
 * @param {Foundry.Token} placed
 * @param {{x: number, y: number}[]} points the centers of the token at its waypoints, on the canvas
 * @param {(point: {x: number, y: number}) => boolean} isEnd
 * @returns {LegCost | null}
 */
function legCost(placed, points, isEnd) {
  const seatUi = currentSeat();
  const state = seatUi?.context.store.state;
  const token = state?.replica?.scene.tokens.find(({ id }) => id === placed.document.id);
  if (!seatUi || !state?.replica || !token?.at || !canPlay(state, token) || !isTableShown()) return null;
  /** @type {Cell[]} */
  const path = [];
  let place = -1;
  for (const point of points) {
    const at = cellUnder(state.replica, token, point, canvas);
    if (String(at) !== String(path.at(-1) ?? token.at)) path.push(at);
    if (isEnd(point)) place = path.length - 1;
  }
  throughWaypoints = path.length > 1 ? token.id : "";
  return place < 0 ? null : costsOf(seatUi).legs(token.id, path)[place];
}

/** @param {SeatUi} seatUi */
function costsOf(seatUi) {
  if (known?.seatUi !== seatUi) {
    const { store, session } = seatUi.context;
    known = {
      seatUi,
      costs: new PathCosts(
        store,
        session,
        guarded("layer", () => redraw()),
      ),
    };
  }
  return known.costs;
}

/** @param {LegCost} cost */
function totalText({ total, budget, isAllowed }) {
  if (total === null) return localize("Move.NoPath");
  return localize(isAllowed ? "Move.Total" : "Move.TotalTooFar", {
    cost: amount(total),
    budget: amount(budget),
  });
}

/** @param {LegCost} cost */
const deltaText = ({ leg, total }) => (leg === null || leg === total ? "" : `+${amount(leg)}`);

/** Without cells the rules count in 64ths of an inch. @param {number} cost */
function amount(cost) {
  const { replica } = currentSeat()?.context.store.state ?? {};
  return replica?.scene.grid.kind === "gridless" ? lengthText(replica.scene.grid, cost) : String(cost);
}
