/** Numbers as strokes: many costs of cells become one path, where a text item for each would be hundreds. */

/** The ends of the seven strokes of a digit, in a box of 1 by 2: x1, y1, x2, y2. */
const STROKES = [
  [0, 0, 1, 0],
  [1, 0, 1, 1],
  [1, 1, 1, 2],
  [0, 2, 1, 2],
  [0, 1, 0, 2],
  [0, 0, 0, 1],
  [0, 1, 1, 1],
];
/** The strokes of each digit. */
const DIGITS = ["012345", "12", "01346", "01236", "1256", "02356", "023456", "012", "0123456", "012356"];
/** Other signs. @type {Record<string, number[][]>} */
const SIGNS = {
  "!": [
    [0.5, 0, 0.5, 1.3],
    [0.5, 1.8, 0.5, 2],
  ],
  "-": [[0, 1, 1, 1]],
  ".": [[0.4, 2, 0.6, 2]],
  "½": [
    [0.1, 2, 0.9, 0],
    [0.1, 0, 0.1, 0.7],
    [0.7, 1.3, 1, 1.3],
    [0.7, 2, 1, 2],
  ],
};
/** From one sign to the next, in widths of a sign. */
const STEP = 1.6;

/**
 * Returns the strokes of a text around a point, as x1, y1, x2, y2 of each. Signs that it lacks stay empty.
 * @param {string} text
 * @param {[number, number]} middle
 * @param {number} height of a sign
 * @returns {number[][]}
 */
export function strokesOf(text, [x, y], height) {
  const unit = height / 2;
  const width = ([...text].length * STEP - (STEP - 1)) * unit;
  return [...text].flatMap((sign, i) => {
    const digit = DIGITS[/^\d$/.test(sign) ? Number(sign) : -1];
    const strokes = digit ? [...digit].map((n) => STROKES[Number(n)]) : (SIGNS[sign] ?? []);
    const [left, top] = [x - width / 2 + i * STEP * unit, y - unit];
    return strokes.map(([x1, y1, x2, y2]) => [
      left + x1 * unit,
      top + y1 * unit,
      left + x2 * unit,
      top + y2 * unit,
    ]);
  });
}
