/** Places of windows on the screen: a new one opens beside the module's open ones, not over their buttons. */

/** @typedef {{left: number, top: number, width: number, height: number}} Box in CSS pixels */
/** @typedef {{left: number, top: number}} Place */

/** Foundry's tools are at the left edge, its sidebar at the right one. */
const [LEFT_EDGE, RIGHT_EDGE, TOP_EDGE] = [110, 310, 50];
const [GAP, STEP] = [12, 36];
/** A window may grow downwards: the space under another counts this much of the other's own. */
const SPACE_BELOW = 0.05;
/** Steps down and to the right, for a screen on which every place covers a window. */
const CASCADE = 6;

/**
 * Returns the place that covers the least of other windows: where the window was before, else in the leftmost of the
 * screen's columns, at its top or under its windows. If each place covers some, it is one that leaves their headers free.
 * @param {{width: number, height: number}} size
 * @param {Box[]} others the open windows
 * @param {{width: number, height: number}} view the browser window
 * @param {Place | null} [before]
 * @returns {Place}
 */
export function freePlace(size, others, view, before = null) {
  const inside = (/** @type {Place} */ { left, top }) => ({
    left: Math.max(0, Math.min(left, view.width - size.width)),
    top: Math.max(0, Math.min(top, view.height - size.height)),
  });
  const places = [...(before ? [before] : []), ...columns(size, others, view), ...cascade()].map(inside);
  const cost = (/** @type {Place} */ { left, top }) => {
    const box = { left, top, width: size.width, height: size.height }; // a DOMRect's fields are not its own
    const covered = others.map((other) => shared(box, other) + SPACE_BELOW * shared(box, below(other, view)));
    return covered.reduce((sum, part) => sum + part, 0);
  };
  return places.reduce((best, place) => (cost(place) < cost(best) ? place : best));
}

/** @param {{width: number, height: number}} size @param {Box[]} others @param {{width: number, height: number}} view */
function columns({ width }, others, view) {
  const places = [];
  const last = Math.max(LEFT_EDGE, view.width - RIGHT_EDGE - width);
  for (let left = LEFT_EDGE; left <= last; left += width + GAP) {
    places.push({ left, top: TOP_EDGE });
    for (const other of others)
      if (other.left < left + width && other.left + other.width > left)
        places.push({ left, top: other.top + other.height + GAP });
  }
  return [...places, { left: last, top: TOP_EDGE }];
}

const cascade = () =>
  Array.from({ length: CASCADE }, (_, i) => ({
    left: LEFT_EDGE + (i + 1) * STEP,
    top: TOP_EDGE + (i + 1) * STEP,
  }));

/** @param {Box} box @param {{height: number}} view @returns {Box} the space under a window */
function below({ left, top, width, height }, view) {
  return { left, top: top + height, width, height: Math.max(0, view.height - top - height) };
}

/** @param {Box} a @param {Box} b @returns {number} the area that two boxes share */
function shared(a, b) {
  const wide = Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left);
  const high = Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top);
  return wide > 0 && high > 0 ? wide * high : 0;
}
