/* global PIXI */
// Areas that are being placed: templates in 12 and 13, regions in 14.

import { strict } from "./strict.js";

/** The corners of a circle, as a region's polygon has them. */
const circlePoints = (radius) =>
  Array.from({ length: 64 }, (_, i) => (i * Math.PI) / 32).flatMap((angle) => [
    radius * Math.cos(angle),
    radius * Math.sin(angle),
  ]);

/** The area that follows the pointer until it is placed. */
export class AreaPreview {
  constructor(hooks, generation) {
    Object.assign(this, { hooks, generation });
  }

  /**
   * Shows a template (12, 13) or a region (14) where it is being placed: a circle, or a polygon of points relative to its
   * place. Each call is a step of the pointer.
   */
  show({ x, y, radius, points, activity }) {
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
  end() {
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
}
