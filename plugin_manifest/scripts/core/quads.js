/** Polygons and lines as triangles: many at once, without the tessellation that drawing each would cost. */

/**
 * Lines as rectangles of a width.
 * @param {number[]} points pairs of points, each pair a line
 * @param {number} width
 * @returns {Float32Array} four corners for each line, [x, y, ...]
 */
export function linesAsQuads(points, width) {
  const corners = new Float32Array(points.length * 2);
  for (let i = 0; i < points.length; i += 4) {
    const [x1, y1, x2, y2] = [points[i], points[i + 1], points[i + 2], points[i + 3]];
    const half = width / 2 / (Math.hypot(x2 - x1, y2 - y1) || 1);
    const [nx, ny] = [(y1 - y2) * half, (x2 - x1) * half];
    corners.set([x1 + nx, y1 + ny, x2 + nx, y2 + ny, x2 - nx, y2 - ny, x1 - nx, y1 - ny], i * 2);
  }
  return corners;
}

/**
 * The triangles of convex polygons that have equally many corners, as places in their list of corners.
 * @param {number} polygons how many
 * @param {number} corners of each
 * @returns {Uint16Array | Uint32Array}
 */
export function fans(polygons, corners) {
  const places = polygons * (corners - 2) * 3;
  const triangles = polygons * corners > 65_536 ? new Uint32Array(places) : new Uint16Array(places);
  let next = 0;
  for (let first = 0; first < polygons * corners; first += corners)
    for (let i = 1; i < corners - 1; i += 1) {
      triangles[next++] = first;
      triangles[next++] = first + i;
      triangles[next++] = first + i + 1;
    }
  return triangles;
}
