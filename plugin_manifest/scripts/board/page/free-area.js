/**
 * The part of the map that the panels over it leave free, by the page's size: pure functions with the lengths of
 * styles/chrome.css. The board is fitted into it, and nothing that is asked about lies outside.
 */

/** @import {Cell} from "../../../types/contract.js" */

/** @typedef {{left: number, top: number, right: number, bottom: number}} Insets pixels at each edge that panels cover */

/** The page's layouts, as the style sheets part them. */
const [PHONE_PX, LOW_PX, WIDE_PX] = [600, 480, 1100];

/** @typedef {"wide" | "middle" | "upright" | "sideways"} Layout */

/** Return the layout of a page. @param {Cell} size width and height in pixels @returns {Layout} */
export function layoutOf([width, height]) {
  if (width <= PHONE_PX) return "upright";
  if (height <= LOW_PX) return "sideways";
  return width < WIDE_PX ? "middle" : "wide";
}

/** The rail at the left, the tracker above, the dock below; on a phone the bars that stay. */
const EDGES = {
  wide: { left: 76, top: 100, right: 16, bottom: 108 },
  middle: { left: 76, top: 100, right: 12, bottom: 156 },
  upright: { left: 6, top: 140, right: 6, bottom: 240 },
  sideways: { left: 82, top: 8, right: 8, bottom: 8 },
};
/** The column at the right: the log, or a drawer. */
const COLUMN_PX = 364;
/** The column of a phone held sideways: its dock. */
const SIDE_DOCK_PX = 242;

/**
 * Return what the panels cover.
 * @param {Cell} size of the page
 * @param {boolean} hasColumn whether the log is unfolded, a drawer open, or a plan made
 * @returns {Insets}
 */
export function coveredEdges(size, hasColumn) {
  const layout = layoutOf(size);
  const edges = { ...EDGES[layout] };
  if (layout === "sideways") edges.right = hasColumn ? COLUMN_PX : SIDE_DOCK_PX;
  else if (layout !== "upright" && hasColumn) edges.right = COLUMN_PX;
  return edges;
}

/** Return whether the column at the right is there. */
export const hasColumn = () =>
  ["has-log", "has-sheet", "has-advice", "has-plan"].some((name) => document.body.classList.contains(name));
