/** Reads of a table over HTTP, for answers too large or too slow for the socket. */

import { RequestError } from "./credentials.js";

/** @import {Link} from "../../../types/page.js" */

/** A read that the server breaks off or refuses for now is repeated so often: it continues where it stopped. */
const TRIES = 20;
const WAIT_MS = 300;

/**
 * Return what the server answers to a read of the table.
 * @param {Link} link
 * @param {string} path below the table, such as `statistics`
 * @param {{method?: string, body?: object, signal?: AbortSignal}} [options]
 * @returns {Promise<any>} rejected with RequestError if the table refuses it
 */
export async function readTable({ url, table, key }, path, { method = "GET", body, signal } = {}) {
  for (let tries = 1; ; tries++) {
    const answer = await fetch(`${url}/api/tables/${table}/${path}`, {
      method,
      signal,
      headers: {
        Authorization: `Bearer ${key}`,
        ...(body ? { "Content-Type": "application/json" } : {}),
      },
      body: body ? JSON.stringify(body) : undefined,
    });
    const found = await answer.json();
    if (answer.ok) return found;
    const { code, retry_after_ms: wait = WAIT_MS } = found.error;
    if (tries === TRIES || !(code === "too-slow" || code === "rate-limited"))
      throw new RequestError(found.error);
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}
