/**
 * JSON in its one form (RFC 8785), and SHA-256: browsers keep their own from pages without HTTPS, as on a
 * table's own network.
 */

/** @param {any} value @returns {string} JSON in its one form (RFC 8785) */
export function canonicalJson(value) {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{${Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`)
    .join(",")}}`;
}

/** @param {Uint8Array} bytes */
export const bytesToHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The first 32 bits of the fractional part of a prime's root. @param {number} prime @param {number} root */
function fraction(prime, root) {
  let [low, high] = [0n, 1n << 40n];
  const wanted = BigInt(prime) << BigInt(32 * root);
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** BigInt(root) <= wanted) low = middle;
    else high = middle;
  }
  return Number(low & 0xffffffffn) | 0;
}

const PRIMES = Array.from({ length: 310 }, (_, i) => i + 2)
  .filter((n) => !Array.from({ length: n - 2 }, (_, i) => i + 2).some((d) => n % d === 0))
  .slice(0, 64);
const ROUNDS = Int32Array.from(PRIMES, (prime) => fraction(prime, 3));
const START = Int32Array.from(PRIMES.slice(0, 8), (prime) => fraction(prime, 2));

/** @param {Uint8Array} message SHA-256 (FIPS 180-4) */
export function sha256(message) {
  const blocks = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64);
  blocks.set(message);
  blocks[message.length] = 0x80;
  const view = new DataView(blocks.buffer);
  view.setUint32(blocks.length - 8, Math.floor(message.length / 2 ** 29));
  view.setUint32(blocks.length - 4, message.length * 8);
  const state = START.slice();
  for (let at = 0; at < blocks.length; at += 64) mix(state, view, at);
  const digest = new Uint8Array(32);
  state.forEach((word, i) => new DataView(digest.buffer).setInt32(4 * i, word));
  return digest;
}

/** @param {number} word @param {number} by */
const turned = (word, by) => (word >>> by) | (word << (32 - by));

/** @param {Int32Array} state @param {DataView} view @param {number} at one block of 64 bytes */
function mix(state, view, at) {
  const words = new Int32Array(64);
  for (let i = 0; i < 16; i += 1) words[i] = view.getInt32(at + 4 * i);
  for (let i = 16; i < 64; i += 1) {
    const [x, y] = [words[i - 15], words[i - 2]];
    words[i] =
      words[i - 16] +
      words[i - 7] +
      (turned(x, 7) ^ turned(x, 18) ^ (x >>> 3)) +
      (turned(y, 17) ^ turned(y, 19) ^ (y >>> 10));
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i += 1) {
    const one =
      (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[i] + words[i]) | 0;
    const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] += word));
}

export const utf8 = new TextEncoder();

/** @param {unknown} value the SHA-256 of its JSON in its one form */
export const hashJson = (value) => bytesToHex(sha256(utf8.encode(canonicalJson(value))));

/** @param {string} text */
export const hexToBytes = (text) => Uint8Array.from(text.match(/../g) ?? [], (two) => parseInt(two, 16));

/** @param {Uint8Array} bytes @param {number} times hashed so often */
export function hashTimes(bytes, times) {
  for (let i = 0; i < times; i += 1) bytes = sha256(bytes);
  return bytes;
}

/** @param {Uint8Array} key @param {Uint8Array} message HMAC-SHA256, of a key no longer than a block (RFC 2104) */
export function hmacSha256(key, message) {
  const padded = (/** @type {number} */ mask) =>
    Uint8Array.from({ length: 64 }, (_, i) => (key[i] ?? 0) ^ mask);
  return sha256(joined(padded(0x5c), sha256(joined(padded(0x36), message))));
}

/** @param {Uint8Array} a @param {Uint8Array} b */
function joined(a, b) {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
