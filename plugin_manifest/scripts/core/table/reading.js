/** Reads of a table over HTTP, for answers too large or too slow for the socket. */

import { localize } from "../ui/i18n.js";
import { RequestError, requestJson } from "./credentials.js";

/** @import {Link} from "../../../types/page.js" */

/** A read that the server breaks off or refuses for now is repeated so often: it continues where it stopped. */
const TRIES = 20;
const WAIT_MS = 300;
/** The code of a problem that no server has stated: the request failed, or what came is no answer of Enfilade. */
export const UNREACHABLE = "unreachable";

/**
 * Return what the server answers to a read of the table.
 * @param {Link} link
 * @param {string} path below the table, such as `statistics`; "" for the table itself
 * @param {{method?: string, body?: object, signal?: AbortSignal}} [options]
 * @returns {Promise<any>} rejected with RequestError if the table refuses it, or cannot be reached
 */
export async function readTable({ url, table, key }, path, { method = "GET", body, signal } = {}) {
  const request = {
    method,
    signal,
    headers: { Authorization: `Bearer ${key}`, ...(body && { "Content-Type": "application/json" }) },
    body: body && JSON.stringify(body),
  };
  for (let tries = 1; ; tries++) {
    try {
      return await requestJson(fetch, `${url}/api/tables/${table}${path && `/${path}`}`, request);
    } catch (error) {
      if (signal?.aborted) throw error;
      if (!(error instanceof RequestError))
        throw new RequestError({ code: UNREACHABLE, sentence: localize("Join.Unreachable") });
      if (tries === TRIES) throw error;
      const { code, retry_after_ms: wait } = error.problem;
      if (code !== "too-slow" && code !== "rate-limited") throw error;
      await new Promise((resolve) => setTimeout(resolve, wait ?? WAIT_MS));
    }
  }
}
