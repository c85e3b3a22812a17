// The rulers: of a dragged token from 13 on, the measuring one in 12. Synthetic; subclasses write the labels.

import { strict } from "./strict.js";

/** Draws labels of waypoints; `labels` has what they say. */
export class TokenRuler {
  labels = [];

  constructor(token) {
    this.token = token;
  }

  /** Draws the way of a token through the centers of its waypoints; its own place is the first. */
  refresh(centers) {
    const waypoints = centers.map((center, place) => ({
      ...{ center, stage: "planned", previous: null, next: null },
      explicit: place < centers.length - 1, // the one under the pointer is not set yet
    }));
    const all = waypoints.map((one) => strict("RulerWaypoint", one));
    waypoints.forEach((one, place) =>
      Object.assign(one, { previous: all[place - 1] ?? null, next: all[place + 1] ?? null }),
    );
    const state = {};
    const contexts = all.map((one) => this._getWaypointLabelContext(one, state));
    this.labels = contexts.map((context, place) => ({ at: centers[place], text: labelText(context) }));
  }

  /** Nothing for the first waypoint; else its cost, which here is its distance in pixels. */
  _getWaypointLabelContext({ center, previous }) {
    if (!previous) return undefined;
    const cost = Math.round(Math.hypot(center.x - previous.center.x, center.y - previous.center.y));
    return { cost: { total: String(cost), units: "px", delta: null } };
  }
}

/** Fills core's template. */
function labelText(context) {
  if (!context) return "";
  const { total, units, delta } = context.cost;
  return `${total} ${units}`.trim() + (delta ? ` (${delta})` : "");
}

/** Measures from a token through waypoints; each segment has a label. */
export class Ruler {
  token = null;
  destination = null;
  segments = [];
  labels = [];
  #waypoints = [];

  constructor(user) {
    this.user = user;
  }

  /** Begins to measure from a token. */
  begin(token) {
    this.token = token;
    this.#waypoints = [{ ...token.center }];
  }

  addWaypoint(point) {
    this.#waypoints.push(point);
  }

  measure(destination, { force = false } = {}) {
    const isSame = this.destination?.x === destination.x && this.destination?.y === destination.y;
    if (isSame && !force) return this.segments;
    this.destination = destination;
    const points = [...this.#waypoints, destination];
    this.segments = points
      .slice(1)
      .map((end, place) => strict("RulerSegment", { ray: { A: points[place], B: end } }));
    // What a subclass may use.
    const face = strict(
      "Ruler",
      Object.assign(Object.create(this), { measure: (...args) => this.measure(...args) }),
    );
    this.labels = this.segments.map((segment) => ({
      at: segment.ray.B,
      text: this._getSegmentLabel.call(face, segment),
    }));
    return this.segments;
  }

  _getSegmentLabel({ ray }) {
    return `${Math.round(Math.hypot(ray.B.x - ray.A.x, ray.B.y - ray.A.y))} px`;
  }
}
