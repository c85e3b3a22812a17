/** A seat as it is handed out: a link to the board, or the part of it after the #. */

import { readLink } from "../../core/table/credentials.js";

/**
 * @param {string} text as it was pasted
 * @returns {{url: string, table: string, key: string} | null} `url` is empty where the text names no server
 */
export function seatIn(text) {
  const link = text.trim();
  const at = link.indexOf("#");
  const seat = readLink(link.slice(at < 0 ? 0 : at));
  return seat && { ...seat, url: originOf(link.slice(0, Math.max(0, at))) };
}

/** @param {string} address */
function originOf(address) {
  try {
    const { protocol, origin } = new URL(address);
    return /^https?:$/.test(protocol) ? origin : "";
  } catch {
    return "";
  }
}
