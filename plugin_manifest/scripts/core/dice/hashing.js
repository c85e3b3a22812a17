/**
 * Canonical JSON, SHA-256 and HMAC, and the dice drawn from them. Browsers deny their own SHA-256 to pages without
 * HTTPS, as on a local network.
 */

/** Return canonical JSON (RFC 8785). @param {any} value @returns {string} */
export function canonicalJson(value) {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{${Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`)
    .join(",")}}`;
}

export const utf8 = new TextEncoder();

/** @param {Uint8Array} bytes */
export const bytesToHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {string} hex */
export const hexToBytes = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (two) => parseInt(two, 16));

/** @param {unknown} value @param {number} size in bytes */
export const isHex = (value, size) =>
  typeof value === "string" && value.length === 2 * size && /^[0-9a-f]*$/.test(value);

/**
 * Return the first 32 bits of the fractional part of a prime's root.
 * @param {number} prime
 * @param {number} root
 */
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
const ROUND_CONSTANTS = Int32Array.from(PRIMES, (prime) => fraction(prime, 3));
const INITIAL_HASH = Int32Array.from(PRIMES.slice(0, 8), (prime) => fraction(prime, 2));

/** Return the SHA-256 (FIPS 180-4) of a message. @param {Uint8Array} message */
export function sha256(message) {
  const blocks = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64);
  blocks.set(message);
  blocks[message.length] = 0x80;
  const view = new DataView(blocks.buffer);
  view.setUint32(blocks.length - 8, Math.floor(message.length / 2 ** 29));
  view.setUint32(blocks.length - 4, message.length * 8);
  const state = INITIAL_HASH.slice();
  for (let at = 0; at < blocks.length; at += 64) compress(state, view, at);
  const digest = new Uint8Array(32);
  state.forEach((word, i) => new DataView(digest.buffer).setInt32(4 * i, word));
  return digest;
}

/** @param {number} word @param {number} by */
const rotate = (word, by) => (word >>> by) | (word << (32 - by));

/**
 * Add one block of 64 bytes to the state.
 * @param {Int32Array} state
 * @param {DataView} view
 * @param {number} at
 */
function compress(state, view, at) {
  const schedule = new Int32Array(64);
  for (let i = 0; i < 16; i += 1) schedule[i] = view.getInt32(at + 4 * i);
  for (let i = 16; i < 64; i += 1) {
    const [x, y] = [schedule[i - 15], schedule[i - 2]];
    schedule[i] =
      schedule[i - 16] +
      schedule[i - 7] +
      (rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3)) +
      (rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10));
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i += 1) {
    const sum = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const one = (h + sum + ((e & f) ^ (~e & g)) + ROUND_CONSTANTS[i] + schedule[i]) | 0;
    const two = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] += word));
}

/** Return the SHA-256 of a value's canonical JSON. @param {unknown} value */
export const hashJson = (value) => bytesToHex(sha256(utf8.encode(canonicalJson(value))));

/** Hash bytes a number of times. @param {Uint8Array} bytes @param {number} times */
export function hashTimes(bytes, times) {
  for (let i = 0; i < times; i += 1) bytes = sha256(bytes);
  return bytes;
}

/**
 * Return the HMAC-SHA256 (RFC 2104).
 * @param {Uint8Array} key of at most 64 bytes
 * @param {Uint8Array} message
 */
export function hmacSha256(key, message) {
  const pad = (/** @type {number} */ mask) => Uint8Array.from({ length: 64 }, (_, i) => (key[i] ?? 0) ^ mask);
  return sha256(concat(pad(0x5c), sha256(concat(pad(0x36), message))));
}

/** @param {Uint8Array} a @param {Uint8Array} b */
function concat(a, b) {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

const WORDS = 2 ** 32;

/**
 * Return the index of the face that an act's die shows. Words past the last multiple of `sides` are rejected, so that
 * all faces are equally likely.
 * @param {Uint8Array} key
 * @param {number} number of the die in the act, from 0
 * @param {number} sides
 */
export function faceIndex(key, number, sides) {
  for (let attempt = 0; ; attempt += 1) {
    const message = new Uint8Array(15);
    message.set(utf8.encode("dice/v1"));
    new DataView(message.buffer).setUint32(7, number);
    new DataView(message.buffer).setUint32(11, attempt);
    const word = new DataView(hmacSha256(key, message).buffer).getUint32(0);
    if (word < WORDS - (WORDS % sides)) return word % sides;
  }
}
