/**
 * Doors cut walls. A wall that all see keeps its ID when the GM hides something in it: its secret doors, and the pieces that
 * they leave of it, have its ID, two dots and something random; one piece keeps the wall's own. The table shows them as
 * that one wall to seats that do not know of the doors. A public door cuts the wall that all see, and the secret doors in
 * it are laid again on what is left. Pure functions; lines are on the wire.
 */

import { randomHex } from "../table/connection.js";

/** @import {Wall} from "../../../types/contract.js" */

/** A wall as all see it, with the secret doors in it, and the IDs of its pieces. @typedef {{wall: Wall, secrets: Wall[], ids: string[]}} Whole */

const HIDDEN = "..";
/** The longest ID that another one can be made of. */
const LONGEST = 50;

/**
 * Put doors into walls: what is left of the walls, and the IDs that go.
 * @param {readonly Wall[]} walls
 * @param {Wall[]} made the doors; each gets the direction of its wall, and an ID made from the wall's
 * @returns {{walls: Wall[], gone: Set<string>}}
 */
export function doors(walls, made) {
  const [rest, gone, named] = [/** @type {Wall[]} */ ([]), new Set(), new Set()];
  for (const { wall, secrets, ids } of wholeWalls(walls)) {
    const own = made.filter((door) => isOnLine(wall.line, door.line));
    if (!own.length) continue;
    for (const id of ids) gone.add(id);
    for (const door of own) door.line = fitted(wall.line, door.line);
    const [first, ...others] = leftOf([wall.line], own);
    const unnamed = own.filter((door) => !named.has(door));
    for (const door of unnamed) named.add(Object.assign(door, { id: pieceId(wall.id) }));
    const parts = others.map((line) => ({ ...wall, id: pieceId(wall.id), line }));
    if (first) parts.unshift({ ...wall, line: first });
    else if (unnamed.length) unnamed[0].id = wall.id;
    rest.push(...parts.flatMap((part) => laid(part, secrets)));
  }
  return { walls: [...made, ...rest], gone };
}

/**
 * Put secret doors into walls. One that goes on beyond a wall becomes several, so that each lies in one wall or in none.
 * @param {readonly Wall[]} walls
 * @param {Wall[]} made
 * @returns {{walls: Wall[], gone: Set<string>}}
 */
export function secretDoors(walls, made) {
  const [rest, gone] = [/** @type {Wall[]} */ ([]), new Set()];
  let inTheOpen = made;
  for (const { wall, secrets, ids } of wholeWalls(walls)) {
    const own = made.filter((door) => isOnLine(wall.line, door.line));
    if (!own.length) continue;
    for (const id of ids) gone.add(id);
    const older = secrets.flatMap((door) =>
      leftOf([door.line], own).map((line, i) => ({ ...door, line, id: i ? hiddenId(wall.id) : door.id })),
    );
    rest.push(...laid(wall, [...older, ...own]));
    inTheOpen = inTheOpen.flatMap((door) =>
      beyond(wall.line, door.line).map((line, i) => ({ ...door, line, id: i ? newPart(door.id) : door.id })),
    );
  }
  return { walls: [...inTheOpen, ...rest], gone };
}

/** Return the walls that all see, without doors. @param {readonly Wall[]} walls @returns {Whole[]} */
function wholeWalls(walls) {
  const plain = walls.filter(({ door, state }) => door === "none" || (door === "secret" && state !== "open"));
  return [...grouped(plain)].flatMap(([base, pieces]) =>
    pieces.some(({ id }) => id !== base)
      ? runs(pieces).map((run, i) => whole(run, i ? idOf(run) : base))
      : pieces.map((wall) => ({
          wall: shownAs(wall, wall.id, wall.line),
          secrets: secretOf([wall]),
          ids: [wall.id],
        })),
  );
}

/** @param {readonly Wall[]} walls @returns {Map<string, Wall[]>} */
function grouped(walls) {
  const groups = new Map();
  for (const wall of walls) {
    const base = wall.id.split(HIDDEN)[0];
    groups.set(base, [...(groups.get(base) ?? []), wall]);
  }
  return groups;
}

/** Return pieces of one wall as those that follow each other without a gap, in order. @param {Wall[]} pieces @returns {Wall[][]} */
function runs(pieces) {
  const { along } = placed(pieces[0].line, pieces[0].line);
  const by = (/** @type {Wall} */ { line }) => placed(pieces[0].line, line).along;
  const sorted = [...pieces].sort((a, b) => Math.min(...by(a)) - Math.min(...by(b)));
  /** @type {Wall[][]} */
  const found = [];
  let end = -Infinity;
  for (const piece of sorted) {
    if (Math.min(...by(piece)) > end + 1.5) found.push([]);
    found[found.length - 1].push(piece);
    end = Math.max(end, ...by(piece));
  }
  return along[0] <= along[1] ? found : found.reverse();
}

/** @param {Wall[]} run @param {string} id @returns {Whole} */
function whole(run, id) {
  const line = /** @type {Wall["line"]} */ ([...run[0].line.slice(0, 2), ...last(run).line.slice(2)]);
  return { wall: shownAs(run[0], id, line), secrets: secretOf(run), ids: run.map((piece) => piece.id) };
}

/** @param {Wall[]} run */
const last = (run) =>
  run.reduce((far, piece) =>
    placed(run[0].line, piece.line).along[1] > placed(run[0].line, far.line).along[1] ? piece : far,
  );

/** Return the ID of a run that is not the first of its wall. @param {Wall[]} run */
const idOf = (run) => (run.find(({ door }) => door === "none") ?? run[0]).id;

/** @param {Wall[]} run */
const secretOf = (run) => run.filter(({ door }) => door === "secret");

/** @param {Wall} wall @param {string} id @param {Wall["line"]} line @returns {Wall} */
const shownAs = (wall, id, line) => ({ ...wall, id, line, door: "none", state: "closed" });

/**
 * Return a wall with secret doors in it: each as far as it lies in the wall, and the pieces between them.
 * @param {Wall} wall
 * @param {Wall[]} secrets
 * @returns {Wall[]}
 */
function laid(wall, secrets) {
  const inside = secrets
    .filter(({ line }) => isOnLine(wall.line, line))
    .map((door) => ({
      ...wall,
      door: door.door,
      state: door.state,
      line: clipped(wall.line, door.line),
      id: door.id,
    }));
  const pieces = leftOf([wall.line], inside).map((line, i) => ({
    ...wall,
    id: i ? hiddenId(wall.id) : wall.id,
    line,
  }));
  const isOwn = (/** @type {string} */ id) => id !== wall.id && id.startsWith(`${wall.id}${HIDDEN}`);
  return [...pieces, ...inside.map((door) => (isOwn(door.id) ? door : { ...door, id: hiddenId(wall.id) }))];
}

/** Return the ID of a piece of a wall that all see, or of a door in it. @param {string} id the wall's */
const pieceId = (id) => `${id.split(".")[0].slice(0, LONGEST)}.${randomHex().slice(0, 12)}`;

/** Return the ID of a piece of a wall that only the GM sees as one. @param {string} id the wall's */
const hiddenId = (id) =>
  id.length > LONGEST ? pieceId(id) : `${id.split(HIDDEN)[0]}${HIDDEN}${randomHex().slice(0, 8)}`;

/** @param {string} id */
const newPart = (id) => `${id.split("-")[0]}-${randomHex().slice(0, 12)}`;

/** Return what doors leave of lines. @param {Wall["line"][]} lines @param {Wall[]} own @returns {Wall["line"][]} */
const leftOf = (lines, own) => own.reduce((left, { line }) => left.flatMap((part) => cut(part, line)), lines);

/** Return how far points lie along a line, and how far beside it at most. @param {Wall["line"]} line @param {Wall["line"]} other */
function placed([x1, y1, x2, y2], other) {
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const along = (/** @type {number} */ i) => (other[i] - x1) * dx + (other[i + 1] - y1) * dy;
  const beside = (/** @type {number} */ i) => Math.abs((other[i] - x1) * dy - (other[i + 1] - y1) * dx);
  return { length, dx, dy, along: [along(0), along(2)], beside: Math.max(beside(0), beside(2)) };
}

/** Return whether a door lies in a wall. @param {Wall["line"]} wall @param {Wall["line"]} door */
function isOnLine(wall, door) {
  const { length, along, beside } = placed(wall, door);
  return beside <= 1 && Math.max(...along) > 1 && Math.min(...along) < length - 1;
}

/**
 * Return a door's line in the direction of its wall; an end within 1/64 of the wall's is moved there.
 * @param {Wall["line"]} wall
 * @param {Wall["line"]} door
 * @returns {Wall["line"]}
 */
function fitted(wall, door) {
  const { length, along } = placed(wall, door);
  const [start, end, from, to] =
    along[0] <= along[1]
      ? [door.slice(0, 2), door.slice(2), ...along]
      : [door.slice(2), door.slice(0, 2), along[1], along[0]];
  const first = Math.abs(from) <= 1 ? wall.slice(0, 2) : start;
  const end2 = Math.abs(to - length) <= 1 ? wall.slice(2) : end;
  return /** @type {Wall["line"]} */ ([...first, ...end2]);
}

/** Return the part of a door that lies in a wall, in its direction. @param {Wall["line"]} wall @param {Wall["line"]} door @returns {Wall["line"]} */
function clipped(wall, door) {
  const line = fitted(wall, door);
  const { length, along } = placed(wall, line);
  const first = along[0] < 0 ? wall.slice(0, 2) : line.slice(0, 2);
  const end = along[1] > length ? wall.slice(2) : line.slice(2);
  return /** @type {Wall["line"]} */ ([...first, ...end]);
}

/** Return the parts of a door that lie beyond a wall; the door itself if it is elsewhere. @param {Wall["line"]} wall @param {Wall["line"]} door @returns {Wall["line"][]} */
function beyond(wall, door) {
  if (!isOnLine(wall, door)) return [door];
  const line = fitted(wall, door);
  const { length, along } = placed(wall, line);
  return [
    ...(along[0] < -1 ? [/** @type {Wall["line"]} */ ([...line.slice(0, 2), ...wall.slice(0, 2)])] : []),
    ...(along[1] > length + 1 ? [/** @type {Wall["line"]} */ ([...wall.slice(2), ...line.slice(2)])] : []),
  ];
}

/**
 * Return what is left of a wall behind a door on the same straight line; the wall itself if the door is elsewhere.
 * @param {Wall["line"]} wall
 * @param {Wall["line"]} door
 * @returns {Wall["line"][]}
 */
function cut(wall, door) {
  if (!isOnLine(wall, door)) return [wall];
  const [x1, y1, x2, y2] = wall;
  const { length, dx, dy, along } = placed(wall, door);
  const [start, end] = along.sort((a, b) => a - b);
  const at = (/** @type {number} */ far) => [Math.round(x1 + dx * far), Math.round(y1 + dy * far)];
  return [
    ...(start > 1 ? [/** @type {Wall["line"]} */ ([x1, y1, ...at(start)])] : []),
    ...(end < length - 1 ? [/** @type {Wall["line"]} */ ([...at(end), x2, y2])] : []),
  ];
}
