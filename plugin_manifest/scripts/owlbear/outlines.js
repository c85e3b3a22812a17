/** The outlines of Owlbear Rodeo's drawings as lines in the scene's pixels. */

/** @import {Point} from "../tabletop/tabletop.js" */

/** @typedef {Record<string, any>} Item as the host sends it */
/** @typedef {{points: Point[], isClosed: boolean}} Contour in the item's own pixels */

/** The length of the pieces of a curve, and how far a simpler line may lie from it, in pixels. */
const [PIECE, TOLERANCE] = [10, 2];
/** A drawing with more corners is none that a person has made. */
const MAX_CORNERS = 8192;
const CIRCLE_CORNERS = 32;

/** Returns the outlines of a drawing in its own pixels; none for an item that is no drawing. @param {Item} item @returns {Contour[]} */
export function contoursOf(item) {
  if (item.type === "SHAPE") return shape(item);
  if (item.type === "PATH") return path(item.commands ?? []);
  if (item.type === "CURVE") return curve(item);
  if (item.type === "LINE") return [{ points: [item.startPosition, item.endPosition], isClosed: false }];
  return [];
}

/** @param {Item} item @returns {Contour[]} */
function shape({ shapeType, width, height }) {
  const closed = (/** @type {Point[]} */ points) => [{ points, isClosed: true }];
  const around = (
    /** @type {number} */ count,
    /** @type {number} */ rx,
    /** @type {number} */ ry,
    /** @type {number} */ turn,
  ) =>
    Array.from({ length: count }, (_, i) => {
      const angle = (2 * Math.PI * i) / count + turn;
      return { x: rx * Math.cos(angle), y: ry * Math.sin(angle) };
    });
  if (shapeType === "RECTANGLE")
    return closed([
      { x: 0, y: 0 },
      { x: width, y: 0 },
      { x: width, y: height },
      { x: 0, y: height },
    ]);
  if (shapeType === "CIRCLE") return closed(around(CIRCLE_CORNERS, width / 2, height / 2, 0));
  if (shapeType === "TRIANGLE")
    return closed([
      { x: 0, y: 0 },
      { x: width / 2, y: height },
      { x: -width / 2, y: height },
    ]);
  const radius = Math.min(width, height) / 2;
  return shapeType === "HEXAGON" ? closed(around(6, radius, radius, -Math.PI / 2)) : [];
}

/** @param {Item} item @returns {Contour[]} */
function curve({ points = [], style = {} }) {
  const isClosed = style.closed === true || (style.closed === undefined && style.fillOpacity > 0);
  const tension = style.tension ?? 0;
  if (!tension || points.length < 3) return [{ points: points.slice(0, MAX_CORNERS), isClosed }];
  const at = (/** @type {number} */ i) =>
    isClosed
      ? points[(i + points.length) % points.length]
      : points[Math.max(0, Math.min(points.length - 1, i))];
  const last = isClosed ? points.length : points.length - 1;
  const found = [points[0]];
  for (let i = 0; i < last && found.length < MAX_CORNERS; i++)
    found.push(...cardinal(at(i - 1), at(i), at(i + 1), at(i + 2), tension));
  return [{ points: simpler(found), isClosed }];
}

/** @param {Point} a @param {Point} b @param {Point} c @param {Point} d @param {number} tension @returns {Point[]} from b to c */
function cardinal(a, b, c, d, tension) {
  const t1 = { x: (c.x - a.x) * tension, y: (c.y - a.y) * tension };
  const t2 = { x: (d.x - b.x) * tension, y: (d.y - b.y) * tension };
  return pieces(b, c).map((t) => {
    const [h1, h2] = [2 * t ** 3 - 3 * t ** 2 + 1, t ** 3 - 2 * t ** 2 + t];
    const [h3, h4] = [-2 * t ** 3 + 3 * t ** 2, t ** 3 - t ** 2];
    return {
      x: h1 * b.x + h2 * t1.x + h3 * c.x + h4 * t2.x,
      y: h1 * b.y + h2 * t1.y + h3 * c.y + h4 * t2.y,
    };
  });
}

/** @param {Point} from @param {Point} to @returns {number[]} parts of the way, without 0 */
function pieces(from, to) {
  const count = Math.max(1, Math.min(64, Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / PIECE)));
  return Array.from({ length: count }, (_, i) => (i + 1) / count);
}

/** @param {number[][]} commands @returns {Contour[]} */
function path(commands) {
  /** @type {Contour[]} */
  const found = [];
  let now = /** @type {Contour} */ ({ points: [], isClosed: false });
  const end = () => {
    if (now.points.length > 1) found.push({ ...now, points: simpler(now.points) });
  };
  for (const [command, ...numbers] of commands.slice(0, MAX_CORNERS)) {
    const from = now.points.at(-1) ?? { x: 0, y: 0 };
    const to = {
      x: numbers.at(command === CONIC ? -3 : -2) ?? 0,
      y: numbers.at(command === CONIC ? -2 : -1) ?? 0,
    };
    if (command === MOVE) {
      end();
      now = { points: [to], isClosed: false };
    } else if (command === LINE) now.points.push(to);
    else if (command === CLOSE) now.isClosed = true;
    else now.points.push(...pieces(from, to).map((t) => bend(command, from, numbers, t)));
  }
  end();
  return found;
}

/** The numbers of the SDK's path commands. @source owlbear-rodeo/sdk types/items/Path.ts */
export const [MOVE, LINE, QUAD, CONIC, CUBIC, CLOSE] = [0, 1, 2, 3, 4, 5];

/** @param {number} command @param {Point} from @param {number[]} n @param {number} t @returns {Point} */
function bend(command, from, n, t) {
  const s = 1 - t;
  if (command === CUBIC)
    return {
      x: s ** 3 * from.x + 3 * s * s * t * n[0] + 3 * s * t * t * n[2] + t ** 3 * n[4],
      y: s ** 3 * from.y + 3 * s * s * t * n[1] + 3 * s * t * t * n[3] + t ** 3 * n[5],
    };
  const weight = command === CONIC ? n[4] : 1;
  const whole = s * s + 2 * s * t * weight + t * t;
  return {
    x: (s * s * from.x + 2 * s * t * weight * n[0] + t * t * n[2]) / whole,
    y: (s * s * from.y + 2 * s * t * weight * n[1] + t * t * n[3]) / whole,
  };
}

/** Leaves out points that a line without them passes closely (Douglas and Peucker). @param {Point[]} points @returns {Point[]} */
function simpler(points) {
  if (points.length < 3) return points;
  const [first, last] = [points[0], points[points.length - 1]];
  let [far, at] = [0, 0];
  for (let i = 1; i < points.length - 1; i++) {
    const distance = fromLine(points[i], first, last);
    if (distance > far) [far, at] = [distance, i];
  }
  if (far <= TOLERANCE) return [first, last];
  return [...simpler(points.slice(0, at + 1)).slice(0, -1), ...simpler(points.slice(at))];
}

/** @param {Point} point @param {Point} a @param {Point} b */
function fromLine({ x, y }, a, b) {
  const length = Math.hypot(b.x - a.x, b.y - a.y);
  if (length < 1e-9) return Math.hypot(x - a.x, y - a.y);
  return Math.abs((b.x - a.x) * (a.y - y) - (a.x - x) * (b.y - a.y)) / length;
}

/** Returns a point of an item in the scene's pixels. @param {Item} item @param {Point} point @returns {Point} */
export function toScene({ position, rotation = 0, scale = { x: 1, y: 1 } }, { x, y }) {
  const angle = (rotation * Math.PI) / 180;
  const [wide, high] = [x * scale.x, y * scale.y];
  return {
    x: position.x + wide * Math.cos(angle) - high * Math.sin(angle),
    y: position.y + wide * Math.sin(angle) + high * Math.cos(angle),
  };
}
