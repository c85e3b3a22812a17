/**
 * The grid in a picture of a map, found by autocorrelation: lines that return at equal distances, across and down. Pure
 * functions on pixels.
 */

/** @typedef {{cell: number, left: number, top: number}} FoundGrid in pixels; the offsets are less than a cell */

/** Cells smaller than this, in pixels, are a pattern and no grid. */
const LEAST_CELL = 16;
/** A grid has at least so many cells on the shorter side. */
const LEAST_CELLS = 3;
/** A smaller distance counts as the grid's if its lines return almost as well as those of the best one. */
const ALMOST = 0.8;
/** Lines stand out by so many standard deviations from what lies between them. */
const CLEAR = 1.2;
const STEP = 0.02;

/**
 * Return the grid of square cells in a picture; null if no lines return at equal distances.
 * @param {{data: Uint8ClampedArray, width: number, height: number}} picture RGBA
 * @returns {FoundGrid | null}
 */
export function findGrid(picture) {
  const [across, down] = lineStrengths(picture);
  const most = Math.floor(Math.min(picture.width, picture.height) / LEAST_CELLS);
  const lag = bestLag(across, down, most);
  if (!lag) return null;
  let best = { score: -Infinity, cell: lag, left: 0, top: 0 };
  for (let cell = lag - 0.6; cell <= lag + 0.6; cell += STEP) {
    const [x, y] = [bestOffset(across, cell), bestOffset(down, cell)];
    if (x.score + y.score > best.score)
      best = { score: x.score + y.score, cell, left: x.offset, top: y.offset };
  }
  if (best.score / 2 < CLEAR) return null;
  return { cell: best.cell, left: best.left, top: best.top };
}

/**
 * Return how much each column, and each row, of a picture looks like a line: the change of brightness on both sides of it,
 * in standard deviations from the mean.
 * @param {{data: Uint8ClampedArray, width: number, height: number}} picture
 * @returns {[Float64Array, Float64Array]}
 */
function lineStrengths({ data, width, height }) {
  const light = new Float32Array(width * height);
  for (let i = 0; i < light.length; i += 1)
    light[i] = 0.3 * data[4 * i] + 0.6 * data[4 * i + 1] + 0.1 * data[4 * i + 2];
  const [across, down] = [new Float64Array(width), new Float64Array(height)];
  for (let y = 1; y < height - 1; y += 1)
    for (let x = 1; x < width - 1; x += 1) {
      const i = y * width + x;
      across[x] += Math.abs(2 * light[i] - light[i - 1] - light[i + 1]);
      down[y] += Math.abs(2 * light[i] - light[i - width] - light[i + width]);
    }
  return [standardized(across), standardized(down)];
}

/** @param {Float64Array} values */
function standardized(values) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const spread = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
  return values.map((value) => (spread ? (value - mean) / spread : 0));
}

/** Return the distance at which lines return best, in whole pixels; 0 for none. @param {Float64Array} across @param {Float64Array} down @param {number} most */
function bestLag(across, down, most) {
  const scores = new Float64Array(most + 2);
  for (let lag = LEAST_CELL - 1; lag <= most + 1; lag += 1)
    scores[lag] = correlation(across, lag) + correlation(down, lag);
  let best = 0;
  for (let lag = LEAST_CELL; lag <= most; lag += 1) if (scores[lag] > (scores[best] || 0)) best = lag;
  if (!best) return 0;
  // Lines return at twice and three times the distance too: the smallest one is the cell.
  for (let lag = LEAST_CELL; lag < best; lag += 1) {
    const isPeak = scores[lag] >= scores[lag - 1] && scores[lag] >= scores[lag + 1];
    if (isPeak && scores[lag] >= ALMOST * scores[best]) return lag;
  }
  return best;
}

/** @param {Float64Array} values @param {number} lag */
function correlation(values, lag) {
  let sum = 0;
  for (let i = lag; i < values.length; i += 1) sum += values[i] * values[i - lag];
  return sum / Math.max(1, values.length - lag);
}

/**
 * Return where the lines of cells of a size begin, and how strong they are on average.
 * @param {Float64Array} values
 * @param {number} cell
 */
function bestOffset(values, cell) {
  let best = { offset: 0, score: -Infinity };
  for (let offset = 0; offset < cell; offset += 0.5) {
    let [sum, count] = [0, 0];
    for (let at = offset; at < values.length - 1; at += cell) {
      const index = Math.floor(at);
      const share = at - index;
      sum += values[index] * (1 - share) + values[index + 1] * share;
      count += 1;
    }
    if (sum / count > best.score) best = { offset, score: sum / count };
  }
  return best;
}
