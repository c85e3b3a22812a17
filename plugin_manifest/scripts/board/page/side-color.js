/** The color of a side on the page's panels: text of it is readable there, in both themes. */

import { css, sideStyle } from "../../core/draw/palette.js";

/** The first two sides have a color of the design; the others that of their tokens. */
const NAMED = ["var(--side-a)", "var(--side-b)"];

/** @param {number} index of the side in the scene @returns {string} in CSS notation */
export const sideColor = (index) => NAMED[index] ?? css(sideStyle(index).color);
