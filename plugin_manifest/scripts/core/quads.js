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
 * Boxes of one size about points, and the corners of the picture that each shows.
 * @param {number[]} points
 * @param {number} width
 * @param {number} height
 * @returns {[Float32Array, Float32Array]} four corners for each box; the same of the picture, from 0 to 1
 */
export function boxesAt(points, width, height) {
  const corners = new Float32Array(points.length * 4);
  const uvs = new Float32Array(points.length * 4);
  for (let i = 0; i < points.length; i += 2) {
    const [left, top] = [points[i] - width / 2, points[i + 1] - height / 2];
    const [right, bottom] = [left + width, top + height];
    const first = i * 4;
    corners[first] = corners[first + 6] = left;
    corners[first + 1] = corners[first + 3] = top;
    corners[first + 2] = corners[first + 4] = right;
    corners[first + 5] = corners[first + 7] = bottom;
    uvs[first + 2] = uvs[first + 4] = uvs[first + 5] = uvs[first + 7] = 1;
  }
  return [corners, uvs];
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
