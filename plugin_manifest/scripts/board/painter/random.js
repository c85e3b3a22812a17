/**
 * Repeatable random numbers for the map painter: by a seed, or by a place. The same map is painted alike in every
 * browser and in each order of its tiles, because nothing depends on what was painted before.
 */

/** @typedef {() => number} Random the next number, from 0 to below 1 */

/** Mix a whole number well (murmur3's last step). @param {number} value @returns {number} 32 bits, unsigned */
function mixed(value) {
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

/** Return a number from 0 to below 1 for some whole numbers. @param {...number} values */
export function noiseAt(...values) {
  let hash = 0x9e3779b9;
  for (const value of values) hash = mixed(Math.imul(hash, 31) + Math.round(value) + 0x7f4a7c15);
  return hash / 4294967296;
}

/** Return a seed for a text. @param {string} text @returns {number} 32 bits, unsigned */
export function seedOf(text) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return mixed(hash);
}

/** Return a text's hash of 53 bits, to tell contents apart. @param {string} text */
export const hashText = (text) => seedOf(text) * 0x200000 + (seedOf(`${text.length} ${text}`) >>> 11);

/** Return a source of random numbers. @param {number} seed @returns {Random} */
export function randomFrom(seed) {
  let state = Math.round(seed);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    return mixed(state) / 4294967296;
  };
}

/** Return a number between two others. @param {Random} random @param {number} from @param {number} to */
export const between = (random, from, to) => from + random() * (to - from);

/**
 * Return periodic noise: values from 0 to 1 over a square that repeats without a seam.
 * @param {number} size its side
 * @param {number} cells of the coarsest grid across it
 * @param {number} octaves each twice as fine and about half as strong
 * @param {number} seed
 * @returns {Float32Array} row by row
 */
export function periodicNoise(size, cells, octaves, seed) {
  const values = new Float32Array(size * size);
  let [strength, sum] = [1, 0];
  for (let octave = 0; octave < octaves; octave += 1) {
    addNoise(values, size, cells << octave, seed + octave * 977, strength);
    sum += strength;
    strength *= 0.55;
  }
  return values.map((value) => value / sum);
}

/** @param {Float32Array} values @param {number} size @param {number} cells @param {number} seed @param {number} strength */
function addNoise(values, size, cells, seed, strength) {
  const random = randomFrom(seed);
  const knots = Float32Array.from({ length: cells * cells }, random);
  const steps = Array.from({ length: size }, (_, i) => {
    const at = (i / size) * cells;
    const part = at - Math.floor(at);
    return { low: Math.floor(at), high: (Math.floor(at) + 1) % cells, part: part * part * (3 - 2 * part) };
  });
  for (let y = 0; y < size; y += 1) {
    const [above, below, down] = [steps[y].low * cells, steps[y].high * cells, steps[y].part];
    for (let x = 0; x < size; x += 1) {
      const { low, high, part } = steps[x];
      const top = knots[above + low] + (knots[above + high] - knots[above + low]) * part;
      const bottom = knots[below + low] + (knots[below + high] - knots[below + low]) * part;
      values[y * size + x] += strength * (top + (bottom - top) * down);
    }
  }
}
