/** Checks before connecting: asks the server whether this page may connect with a link, and says why not. */

import { localize } from "../core/ui/i18n.js";
import { diagnose } from "./diagnosis.js";
import { keyProblem } from "./seat-link.js";

/** @import {Link} from "../../types/page.js" */
/** @import {Greeting} from "./diagnosis.js" */

const TIMEOUT_MS = 4000;
/**
 * Browsers' names of the permission to reach the local network, or this computer; older browsers know none
 * (wicg.github.io/local-network-access; "local-network-access" alone before Chrome 145).
 */
const PERMISSIONS = ["local-network-access", "local-network", "loopback-network"];

/**
 * Returns sentences about what is wrong; none if the server lets this page in with that link.
 * @param {Link} link
 * @param {{version: string, tabletop: string, update: string}} here the adapter's version, the tabletop's name, and a
 *   sentence that says how to update the adapter
 * @returns {Promise<string[]>}
 */
export async function probe({ url: server, table, key }, { version, ...here }) {
  const url = server.replace(/\/+$/, "");
  const greeting = await fetchGreeting(url);
  const hasAnswer = greeting !== null || (await isAnswering(url));
  const permission = await localNetworkPermission();
  const attempt = { page: location.href, server: url, hasAnswer, greeting, permission };
  const found = diagnose(attempt, version).map(([name, values]) => localize(name, { ...here, ...values }));
  return found.length ? found : [await keyProblem({ url, table, key })].filter(Boolean);
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

/** @returns {Promise<string | null>} */
const localNetworkPermission = async () => (await permissionStates())[0]?.state ?? null;

/** @returns {Promise<PermissionStatus[]>} of the names that this browser knows */
async function permissionStates() {
  const query = (/** @type {any} */ name) => navigator.permissions.query({ name }).catch(() => null);
  const found = await Promise.all(PERMISSIONS.map(query)).catch(() => []);
  return found.flatMap((status) => status ?? []);
}

/**
 * Calls back once, as soon as the user lets this page reach the local network; never if the browser does not ask for that.
 * @param {() => unknown} act
 */
export async function onceAllowed(act) {
  const states = await permissionStates();
  if (states.some(({ state }) => state === "granted")) return;
  for (const status of states)
    status.onchange = () => {
      if (status.state !== "granted") return;
      for (const one of states) one.onchange = null;
      act();
    };
}
