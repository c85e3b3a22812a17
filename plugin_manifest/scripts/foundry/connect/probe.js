/** Checks before connecting: parses a pasted link and asks the server whether this page may connect with it. */

import { RequestError, readLink, requestJson } from "../../core/table/credentials.js";
import { diagnose } from "./diagnosis.js";

/** @import {Greeting, Sentence} from "./diagnosis.js" */

const TIMEOUT_MS = 4000;
/** Browsers' names of the permission to reach the local network; older browsers know none. */
const PERMISSIONS = ["local-network-access", "local-network", "loopback-network"];

/**
 * Parses a link to the board, or its part after the #.
 * @param {string} text as pasted
 * @returns {{url: string, table: string, key: string} | null} `url` is "" if the text names no server
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

/**
 * Returns sentences about what is wrong; none if the server lets this page in with that seat.
 * @param {string} server its address
 * @param {{table: string, key: string}} seat
 * @param {string} moduleVersion
 * @returns {Promise<Sentence[]>}
 */
export async function probe(server, seat, moduleVersion) {
  const url = server.replace(/\/+$/, "");
  const greeting = await fetchGreeting(url);
  const hasAnswer = greeting !== null || (await isAnswering(url));
  const permission = await localNetworkPermission();
  const attempt = { page: location.href, server: url, hasAnswer, greeting, permission };
  const found = diagnose(attempt, moduleVersion);
  return found.length ? found : checkKey(url, seat);
}

/** @param {string} url @returns {Promise<Greeting | null>} */
async function fetchGreeting(url) {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const greeting = await (await fetch(`${url}/foundry/greeting.json`, { signal })).json();
    const isValid = typeof greeting.version === "string" && typeof greeting.is_allowed === "boolean";
    return isValid ? greeting : null;
  } catch {
    return null;
  }
}

/** @param {string} url @returns {Promise<boolean>} whether any server answers there */
async function isAnswering(url) {
  try {
    await fetch(url, { mode: "no-cors", signal: AbortSignal.timeout(TIMEOUT_MS) });
    return true;
  } catch {
    return false;
  }
}

/** @param {string} url @param {{table: string, key: string}} seat @returns {Promise<Sentence[]>} */
async function checkKey(url, { table, key }) {
  try {
    const headers = { Authorization: `Bearer ${key}` };
    await requestJson(fetch, `${url}/api/tables/${encodeURIComponent(table)}/seat`, { headers });
    return [];
  } catch (problem) {
    if (problem instanceof RequestError) return [["Connect.Why.Key", { sentence: problem.message }]];
    return [["Connect.Why.Down"]];
  }
}

/** @returns {Promise<string | null>} */
async function localNetworkPermission() {
  for (const name of PERMISSIONS)
    try {
      return (await navigator.permissions.query(/** @type {any} */ ({ name }))).state;
    } catch {
      continue; // this browser does not know that name
    }
  return null;
}
