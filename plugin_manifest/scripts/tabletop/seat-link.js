/** The link to a seat, as pasted by a person and as kept in a browser; and whether it still opens the table. */

import { RequestError, readLink, requestJson } from "../core/table/credentials.js";
import { localize } from "../core/ui/i18n.js";

/** @import {Link} from "../../types/page.js" */

/**
 * Parses a link to the board, or its part after the #.
 * @param {string} text as pasted
 * @returns {Link | null} `url` is "" if the text names no server
 */
export function parseSeatLink(text) {
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

/** Returns why a key does not open its table; "" if it does. @param {Link} link @returns {Promise<string>} */
export async function keyProblem({ url, table, key }) {
  try {
    const headers = { Authorization: `Bearer ${key}` };
    await requestJson(fetch, `${url}/api/tables/${encodeURIComponent(table)}/seat`, { headers });
    return "";
  } catch (problem) {
    if (!(problem instanceof RequestError)) return localize("Connect.Why.Down");
    return localize("Connect.Why.Key", { sentence: problem.message });
  }
}

/** A browser's memory of one link. It is gone if the browser keeps nothing for this page. */
export class SavedLink {
  /** @param {string} name */
  constructor(name) {
    this.name = name;
  }

  /** @returns {Link | null} */
  read() {
    try {
      const { url, table, key } = JSON.parse(localStorage.getItem(this.name) ?? "null") ?? {};
      const isLink = [url, table, key].every((part) => typeof part === "string" && part.length < 300);
      return isLink ? { url, table, key } : null;
    } catch {
      return null; // no storage for this page, or not what this page wrote
    }
  }

  /** @param {Link | null} link null forgets it @returns {boolean} whether the browser keeps it */
  save(link) {
    try {
      if (link) localStorage.setItem(this.name, JSON.stringify(link));
      else localStorage.removeItem(this.name);
      return true;
    } catch {
      return false;
    }
  }
}
