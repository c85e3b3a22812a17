/** The outlines of regions in a scene that this page does not show: 12 keeps them with the region on the canvas. */

/** @typedef {Record<string, any>} Shape of a region, as Foundry saves it */

/** A round shape gets so many corners. */
const CORNERS = 32;

/**
 * Returns the outlines of a region's shapes; a shape of an unknown kind has none.
 * @param {Shape[]} shapes
 * @returns {number[][]} for each shape x, y, x, y... in pixels
 */
export const shapeOutlines = (shapes) => shapes.map(outlineOf).filter((points) => points.length > 0);

/** @param {Shape} shape @returns {number[]} */
function outlineOf({ type, x, y, width, height, radius, radiusX, radiusY, rotation = 0, points }) {
  if (type === "polygon") return [...points];
  if (type === "rectangle")
    return turned([x, y, x + width, y, x + width, y + height, x, y + height], x, y, rotation);
  if (type === "circle") return ring(x, y, radius, radius);
  return type === "ellipse" ? turned(ring(x, y, radiusX, radiusY), x, y, rotation) : [];
}

/** @param {number} x @param {number} y @param {number} across @param {number} down */
const ring = (x, y, across, down) =>
  Array.from({ length: CORNERS }, (_, i) => (2 * Math.PI * i) / CORNERS).flatMap((angle) => [
    x + across * Math.cos(angle),
    y + down * Math.sin(angle),
  ]);

/**
 * Turns points around one of them.
 * @param {number[]} points
 * @param {number} x
 * @param {number} y
 * @param {number} degrees clockwise
 */
function turned(points, x, y, degrees) {
  if (!degrees) return points;
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  return points.map((_, i) => {
    const [dx, dy] = [points[i - (i % 2)] - x, points[i - (i % 2) + 1] - y];
    return i % 2 ? y + dx * sin + dy * cos : x + dx * cos - dy * sin;
  });
}
