/** Asks a server whether this page may come in with a seat, before the line to it is taken up. */

import { RequestError, requestJson } from "../../core/table/credentials.js";
import { diagnosis } from "./diagnosis.js";

/** @import {Greeting, Sentence} from "./diagnosis.js" */

const PATIENCE_MS = 4000;
/** What browsers call the permission to reach the own network; older ones know none of them. */
const PERMISSIONS = ["local-network-access", "local-network", "loopback-network"];

/**
 * What is wrong; nothing where the server lets this page in with that seat.
 * @param {string} server its address
 * @param {{table: string, key: string}} seat
 * @param {string} own the module's version
 * @returns {Promise<Sentence[]>}
 */
export async function trial(server, seat, own) {
  const url = server.replace(/\/+$/, "");
  const greeting = await greetingOf(url);
  const isAnswered = greeting !== null || (await answers(url));
  const attempt = { page: location.href, server: url, isAnswered, greeting, permission: await permission() };
  const found = diagnosis(attempt, own);
  return found.length ? found : keyProblem(url, seat);
}

/** @param {string} url @returns {Promise<Greeting | null>} */
async function greetingOf(url) {
  try {
    const answer = await fetch(`${url}/foundry/greeting.json`, { signal: AbortSignal.timeout(PATIENCE_MS) });
    const told = await answer.json();
    return typeof told.version === "string" && typeof told.is_allowed === "boolean" ? told : null;
  } catch {
    return null;
  }
}

/** @param {string} url @returns {Promise<boolean>} whether anything answers there, whatever it says */
async function answers(url) {
  try {
    await fetch(url, { mode: "no-cors", signal: AbortSignal.timeout(PATIENCE_MS) });
    return true;
  } catch {
    return false;
  }
}

/** @param {string} url @param {{table: string, key: string}} seat @returns {Promise<Sentence[]>} */
async function keyProblem(url, { table, key }) {
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
async function permission() {
  for (const name of PERMISSIONS)
    try {
      return (await navigator.permissions.query(/** @type {any} */ ({ name }))).state;
    } catch {
      continue; // this browser does not know it by that name
    }
  return null;
}
