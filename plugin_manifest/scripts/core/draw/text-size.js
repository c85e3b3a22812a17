/** The letters and the size of texts on a board seen from afar: large enough to read, or not there. */

/** The letters on a board, and those of names of the ground; a tabletop that lacks these has its own. */
export const TEXT_FONT = "'Inter Variable', system-ui, 'DejaVu Sans', sans-serif";
export const NAME_FONT = "Alegreya,serif";

/** The pixels of a letter that can be read, and how many times its size on the board a text grows for that. */
const READABLE_PX = 10;
const MOST_GROWTH = 3;
/** The growth of names of the ground: larger ones would lie over each other and over the tokens. */
export const NAME_GROWTH = 1.6;

/**
 * Return how many times its size on the board a text is drawn; 0 if it would still be too small to read, and
 * larger it would hide what it names.
 * @param {number} size the height of the font, in 64ths of a cell
 * @param {number} zoom pixels for each 64th of a cell
 * @param {boolean | number} [grows] how many times its size it grows at most; true for the usual
 */
export function textGrowth(size, zoom, grows = true) {
  const needed = READABLE_PX / (size * zoom);
  if (needed > (grows === true ? MOST_GROWTH : Number(grows))) return 0;
  return Math.max(1, needed);
}
