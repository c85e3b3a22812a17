/** Reasons why this page may not reach a server. Browsers do not tell a page; this infers it. */

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;
const PRIVATE = /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.)|\.local$/;

/**
 * The outcome of requests to a server.
 * @typedef {object} Attempt
 * @property {string} page the address of the tabletop's page
 * @property {string} server the address that was tried
 * @property {boolean} hasAnswer whether any server answered a plain request
 * @property {Greeting | null} greeting null if it is no Enfilade server
 * @property {string | null} permission to reach the local network ("granted", "denied", "prompt"), if the browser says
 */

/** @typedef {{version: string, origin: string, is_allowed: boolean}} Greeting */
/** @typedef {[key: string, values?: Record<string, string>]} Sentence */

/**
 * Returns the likely reasons, the likeliest first; none if the server lets this page in.
 * @param {Attempt} attempt
 * @param {string} moduleVersion
 * @returns {Sentence[]}
 */
export function diagnose(attempt, moduleVersion) {
  const server = parseUrl(attempt.server);
  if (!server || !/^https?:$/.test(server.protocol)) return [["Connect.Why.Address"]];
  if (attempt.greeting)
    return greetingProblems(attempt.greeting, moduleVersion, parseUrl(attempt.page)?.origin ?? "");
  if (attempt.hasAnswer) return [["Connect.Why.NotOurs"]];
  return [...browserProblems(attempt, server), ["Connect.Why.Down"]];
}

/** @param {Greeting} greeting @param {string} moduleVersion @param {string} page @returns {Sentence[]} */
function greetingProblems({ version, origin, is_allowed: isAllowed }, moduleVersion, page) {
  const older = olderSide(version, moduleVersion);
  if (older) return [[`Connect.Why.Old.${older}`, { server: version, module: moduleVersion }]];
  return isAllowed ? [] : [["Connect.Why.Origin", { origin: origin || page }]];
}

/** @param {Attempt} attempt @param {URL} server @returns {Sentence[]} what browsers forbid to pages */
function browserProblems({ page, permission }, server) {
  const here = parseUrl(page);
  const isSecure = here?.protocol === "https:";
  const isServerLocal = LOOPBACK.test(server.hostname) || PRIVATE.test(server.hostname);
  const isPageRemote = here !== null && !LOOPBACK.test(here.hostname) && !PRIVATE.test(here.hostname);
  const isMixed = isSecure && server.protocol === "http:" && !LOOPBACK.test(server.hostname);
  const secure = permission === "denied" ? "Connect.Why.LocalDenied" : "Connect.Why.LocalAsk";
  const local = isSecure ? secure : "Connect.Why.LocalPlain";
  return [
    ...(isMixed ? [/** @type {Sentence} */ (["Connect.Why.Mixed"])] : []),
    ...(isServerLocal && isPageRemote ? [/** @type {Sentence} */ ([local])] : []),
  ];
}

/** @param {string} address @returns {URL | null} */
function parseUrl(address) {
  try {
    return new URL(address);
  } catch {
    return null;
  }
}

/**
 * Returns the older of the two if their versions do not work together: 0.1 and 0.2, or 1 and 2.
 * @param {string} server
 * @param {string} module
 * @returns {"Server" | "Module" | null}
 */
function olderSide(server, module) {
  const [a, b] = [server, module].map((text) => text.split(".").map(Number));
  if (a[0] !== b[0]) return a[0] < b[0] ? "Server" : "Module";
  if (a[0] !== 0 || a[1] === b[1]) return null;
  return a[1] < b[1] ? "Server" : "Module";
}
