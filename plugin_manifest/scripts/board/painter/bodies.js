/** Single things of a painted map: a rock, a tree, a wall, a thing in a rectangle. Each adds one item with its box. */

import { boxOf } from "./pen.js";

/** @import {Items} from "./items.js" */
/** @import {Point} from "./pen.js" */

/** Add a rock. @param {Items} items @param {Point} at @param {number} radius in cells @param {string} tone */
export const addRock = (items, at, radius, tone) =>
  items.add("thing", "rock", boxOf([at]), radius * 1.8 + 0.1, at, radius, tone);

/** Add a tree, or a bush if it is small. @param {Items} items @param {Point} at @param {number} radius in cells @param {"green" | "dusk" | "thorn"} kind */
export const addTree = (items, at, radius, kind) =>
  items.add("plant", "tree", boxOf([at]), radius * 1.6, at, radius, kind);

/** Add a wall. @param {Items} items @param {Point} from @param {Point} to @param {number} width @param {string} tone */
export const addWall = (items, from, to, width, tone) =>
  items.add("wall", "wall", boxOf([from, to]), width / 2 + 0.9, { from, to, width, tone });

/** Add a thing that fills a rectangle. @param {Items} items @param {string} art @param {[number, number, number, number]} rect @param {...any} values */
export const addThing = (items, art, rect, ...values) =>
  items.add(
    "thing",
    art,
    { left: rect[0], top: rect[1], right: rect[0] + rect[2], bottom: rect[1] + rect[3] },
    0.5,
    rect,
    ...values,
  );
