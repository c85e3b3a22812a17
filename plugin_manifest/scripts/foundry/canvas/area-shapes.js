/** The shapes of Foundry's templates (12, 13) and regions (14) as outlines on the canvas, with the point they come from. */

/** A circle has so many corners, a little outside: a cell whose center is just within it is in the outline too. */
const CORNERS = 64;

/** @typedef {{outline: number[], origin: {x: number, y: number}}} Shape in canvas pixels */

/**
 * Returns the outline of a template that is being placed; its shape is relative to its place.
 * @param {Foundry.TemplateObject} template
 * @returns {Shape | null}
 */
export function templateShape({ document: { x, y }, shape }) {
  const local = shape && localOutline(shape);
  if (!local?.length) return null;
  return { outline: local.map((value, i) => value + (i % 2 ? y : x)), origin: { x, y } };
}

/** @param {NonNullable<Foundry.TemplateObject["shape"]>} shape of PIXI: a polygon, a circle or a rectangle @returns {number[]} */
function localOutline({ points, radius, x = 0, y = 0, width = 0, height = 0 }) {
  if (points) return [...points];
  if (radius === undefined) return [x, y, x + width, y, x + width, y + height, x, y + height];
  const far = radius / Math.cos(Math.PI / CORNERS);
  return Array.from({ length: CORNERS }, (_, i) => (2 * Math.PI * i) / CORNERS).flatMap((angle) => [
    x + far * Math.cos(angle),
    y + far * Math.sin(angle),
  ]);
}

/**
 * Returns the outline of a region that is being placed.
 * @param {Foundry.Region} region
 * @returns {Shape | null}
 */
export function regionShape({ document: region }) {
  const [first] = region?.polygons ?? [];
  if (!region || !first?.points.length) return null;
  const [{ x, y } = {}] = region.shapes ?? [];
  const origin = x === undefined || y === undefined ? middle(first.points) : { x, y };
  return { outline: [...first.points], origin };
}

/** @param {number[]} points @returns {{x: number, y: number}} the mean of the corners */
function middle(points) {
  const mean = (/** @type {number} */ odd) => {
    const values = points.filter((_, i) => i % 2 === odd);
    return values.reduce((sum, value) => sum + value, 0) / values.length;
  };
  return { x: mean(0), y: mean(1) };
}
