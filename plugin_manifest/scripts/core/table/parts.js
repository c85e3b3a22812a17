/** Commands in parts: a socket takes messages of 64 KiB, and a scene may be larger. */

/** A command up to this length is one message with any letters: each takes three bytes at most. */
const SHORT = 20_000;
/** The letters of a part. As text within JSON each takes three bytes at most. */
const LETTERS = 16_000;

/**
 * Returns the parts of a command's JSON text; null if the command is one message.
 * @param {object} command
 * @returns {string[] | null}
 */
export function partsOf(command) {
  const text = JSON.stringify(command);
  if (text.length <= SHORT) return null;
  const parts = [];
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = Math.min(text.length, start + LETTERS);
    if (isHalf(text.charCodeAt(end - 1))) end += 1; // half of an emoji is no text
    parts.push(text.slice(start, end));
  }
  return parts;
}

/** Tells whether a code is the first half of a letter. @param {number} code */
const isHalf = (code) => code >= 0xd800 && code <= 0xdbff;
