/**
 * Finds the rooms of a map: parts of the board that walls and doors close off from its border. They get floors and
 * light. The board is looked at in small squares, as many as a cell needs for its kind of grid.
 */

/** @import {Point} from "./pen.js" */

/** @typedef {[number, number, number, number]} Line in cells */

/**
 * A room: its squares as rows `[row, first, last]`, its area in cells, the place farthest from its walls, and the
 * distance from there to the next wall.
 * @typedef {{id: number, runs: [number, number, number][], area: number, middle: Point, reach: number, seed: number}} Room
 */

/** The rooms of a map; a square is `pitch` cells wide. */
export class Rooms {
  /** @param {Room[]} all @param {number} pitch @param {Int32Array} labels @param {number} columns */
  constructor(all, pitch, labels, columns) {
    this.all = all;
    this.pitch = pitch;
    this.labels = labels;
    this.columns = columns;
  }

  /** Return the room around a point; null outside of all. @param {Point} point @returns {Room | null} */
  at([x, y]) {
    const [column, row] = [Math.floor(x / this.pitch) + 1, Math.floor(y / this.pitch) + 1];
    const label = column >= 0 && column < this.columns ? this.labels[row * this.columns + column] : 0;
    return label > 0 ? this.all[label - 1] : null;
  }
}

/** No map is looked at in more squares. */
const MOST_SQUARES = 400_000;
/** Squares that are barred to the right and below. */
const [RIGHT, DOWN] = [1, 2];
/** Walls often stand on the middles of squares, and a line through a middle would bar neither side. */
const OFF = [0.013, 0.017];

/**
 * @param {Point} board its width and height in cells
 * @param {Line[]} lines walls and doors
 * @returns {Rooms}
 */
export function findRooms([width, height], lines) {
  const isAligned = lines.every((line) => line.every((value) => Number.isInteger(value)));
  let pitch = isAligned ? 1 : 0.25;
  while ((width * height) / pitch ** 2 > MOST_SQUARES) pitch *= 2;
  // One more square around the board, so that a wall along its border closes a room.
  const [columns, rows] = [Math.ceil(width / pitch) + 2, Math.ceil(height / pitch) + 2];
  const barred = new Uint8Array(columns * rows);
  for (const line of lines)
    bar(barred, columns, rows, /** @type {Line} */ (line.map((value) => value / pitch + 1)));
  const labels = new Int32Array(columns * rows);
  flood(labels, barred, columns, 0, -1);
  const rooms = [];
  for (let i = 0; i < labels.length; i += 1)
    if (!labels[i])
      rooms.push(describe(flood(labels, barred, columns, i, rooms.length + 1), columns, pitch, rooms.length));
  return new Rooms(rooms, pitch, labels, columns);
}

/** Mark the squares between whose middles a line runs. @param {Uint8Array} barred @param {number} columns @param {number} rows @param {Line} line in squares */
function bar(barred, columns, rows, [x1, y1, x2, y2]) {
  const clamp = (/** @type {number} */ value, /** @type {number} */ most) =>
    Math.max(0, Math.min(most, value));
  const [left, right] = [Math.min(x1, x2), Math.max(x1, x2)];
  const [top, bottom] = [Math.min(y1, y2), Math.max(y1, y2)];
  for (
    let row = clamp(Math.floor(top) - 1, rows - 1);
    row <= clamp(Math.floor(bottom) + 1, rows - 1);
    row += 1
  )
    for (
      let column = clamp(Math.floor(left) - 1, columns - 1);
      column <= clamp(Math.floor(right) + 1, columns - 1);
      column += 1
    ) {
      const [x, y] = [column + 0.5 + OFF[0], row + 0.5 + OFF[1]];
      if (crosses(x, y, x + 1, y, x1, y1, x2, y2)) barred[row * columns + column] |= RIGHT;
      if (crosses(x, y, x, y + 1, x1, y1, x2, y2)) barred[row * columns + column] |= DOWN;
    }
}

/** @param {number} ax @param {number} ay @param {number} bx @param {number} by @param {number} cx @param {number} cy @param {number} dx @param {number} dy */
function crosses(ax, ay, bx, by, cx, cy, dx, dy) {
  const side = (
    /** @type {number} */ px,
    /** @type {number} */ py,
    /** @type {number} */ qx,
    /** @type {number} */ qy,
    /** @type {number} */ x,
    /** @type {number} */ y,
  ) => (qx - px) * (y - py) - (qy - py) * (x - px);
  const [c, d] = [side(ax, ay, bx, by, cx, cy), side(ax, ay, bx, by, dx, dy)];
  const [a, b] = [side(cx, cy, dx, dy, ax, ay), side(cx, cy, dx, dy, bx, by)];
  return c > 0 !== d > 0 && a > 0 !== b > 0;
}

/** Label all squares that can be reached from one. @param {Int32Array} labels @param {Uint8Array} barred @param {number} columns @param {number} from @param {number} label @returns {number[]} them */
function flood(labels, barred, columns, from, label) {
  const found = [from];
  labels[from] = label;
  for (let next = 0; next < found.length; next += 1) {
    const at = found[next];
    const column = at % columns;
    const visit = (/** @type {number} */ to, /** @type {boolean} */ isOpen) => {
      if (!isOpen || labels[to] || to < 0 || to >= labels.length) return;
      labels[to] = label;
      found.push(to);
    };
    visit(at + 1, column + 1 < columns && !(barred[at] & RIGHT));
    visit(at - 1, column > 0 && !(barred[at - 1] & RIGHT));
    visit(at + columns, !(barred[at] & DOWN));
    visit(at - columns, at >= columns && !(barred[at - columns] & DOWN));
  }
  return found;
}

/** @param {number[]} squares @param {number} columns @param {number} pitch @param {number} id @returns {Room} */
function describe(squares, columns, pitch, id) {
  squares.sort((a, b) => a - b);
  /** @type {Room["runs"]} */
  const runs = [];
  for (const square of squares) {
    const [row, column] = [Math.floor(square / columns) - 1, (square % columns) - 1];
    const last = runs.at(-1);
    if (last && last[0] === row && last[2] === column - 1) last[2] = column;
    else runs.push([row, column, column]);
  }
  const { place, reach } = deepest(squares, columns);
  const middle = /** @type {Point} */ ([
    ((place % columns) - 0.5) * pitch,
    (Math.floor(place / columns) - 0.5) * pitch,
  ]);
  const [row, column] = runs[0];
  const seed = Math.round((row * 131 + column) * 8 * pitch) + squares.length;
  return { id, runs, area: squares.length * pitch ** 2, middle, reach: reach * pitch, seed };
}

/** Return the square with the most steps to the room's edge. @param {number[]} squares @param {number} columns */
function deepest(squares, columns) {
  const held = new Set(squares);
  let layer = squares;
  let [place, reach] = [squares[0], 0];
  while (layer.length) {
    place = layer[layer.length >> 1];
    reach += 1;
    const inner = layer.filter((at) =>
      [at + 1, at - 1, at + columns, at - columns].every((to) => held.has(to)),
    );
    const gone = new Set(layer);
    for (const at of inner) gone.delete(at);
    for (const at of gone) held.delete(at);
    layer = inner;
  }
  return { place, reach };
}
